"""Of the words that nothing accounts for, those that would be missed, and those in passing.

“I'm newly widowed, so no stairs please and a tub”: a shop without tubs says that it did not
understand “tub”, and leaves “widowed” alone. The encoder of phrasing reads the message once more,
with a mask for each part that was understood, and a linear unit over the state of a word and four
numbers about it gives log-odds that it names what is wished, refused or asked about. Some 5 ms a
message that has such words. Fitted by `bench/understanding/train_telling.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from ..language.common_words import RANKS, rarity
from ..language.encoder import LONGEST
from ..language.tokens import folded, tokens
from .phrasing import Floats, Phrasing, Span, beginning, shipped

FILE = Path(__file__).with_name("telling.npz")
NUMBERS = 4


@dataclass(frozen=True)
class TellingModel:
    """Weights float32[width + `NUMBERS`]: of a word's state, then of numbers about it; and a bias.

    From `threshold` on a word would be missed.
    """

    weights: Floats
    bias: float
    threshold: float

    def would_be_missed(
        self, text: str, question: str, understood: Sequence[Span], left: Sequence[Span]
    ) -> list[bool]:
        """Return of some parts of a message whether who says them wants to be heard in them.

        `understood` and `left` are characters of the text. A part counts as its most telling word;
        what stands far back in a long message is not judged, and would be missed.
        """
        words = [
            (at, start + word.start, start + word.end)
            for at, (start, end) in enumerate(left)
            for word in tokens(text[start:end])
        ]
        spans = [(start, end) for _, start, end in words]
        missed = [False] * len(left)
        states = word_states(shipped(), text, question, understood, spans)
        for (at, *_), told in zip(words, states, strict=True):
            odds = self.threshold if told is None else float(told @ self.weights) + self.bias
            missed[at] |= odds >= self.threshold
        return missed


@cache
def fitted() -> TellingModel:
    """Return the model that ships with the package, read once."""
    return load(FILE)


def load(path: Path) -> TellingModel:
    """Read a model from a file that training wrote."""
    with np.load(path, allow_pickle=False) as stored:
        bias, threshold = map(float, stored["scalars"])
        return TellingModel(stored["weights"], bias, threshold)


def word_states(
    phrasing: Phrasing,
    text: str,
    question: str,
    understood: Sequence[Span],
    words: Sequence[Span],
) -> list[Floats | None]:
    """Return what the encoder makes of each of some words, float32[width + `NUMBERS`].

    That is the mean of its pieces' states behind the question, and numbers about the word; None
    where the word is not among the first `LONGEST` pieces.
    """
    pieces = phrasing.encoder.embeddings.pieces
    begin = beginning(question, pieces)
    body: list[int] = []
    places: list[Span] = []
    masked: set[int] = set()
    for piece, start, end in islice(pieces.cut(text), LONGEST + 1 - len(begin)):
        over = next((at for at, (a, b) in enumerate(understood) if a < end and start < b), None)
        if over is None:
            body.append(piece)
            places.append((start, end))
        elif over not in masked:
            masked.add(over)
            body.append(pieces.mask)
            places.append((-1, -1))
    states = phrasing.encoder.states([*begin, *body, pieces.end])
    told: list[Floats | None] = []
    for first, last in words:
        at = [len(begin) + n for n, (a, b) in enumerate(places) if first <= a and b <= last]
        mean = states[at].mean(axis=0) if at else None
        told.append(None if mean is None else np.concatenate([mean, _numbers(text, first, last)]))
    return told


def _numbers(text: str, start: int, end: int) -> Floats:
    """Return what is counted of a word: a digit, English, how rare, a capital inside a sentence."""
    word = text[start:end]
    known = folded(word)
    inside = text[:start].rstrip()[-1:] not in ("", ".", "!", "?")
    numbers = (
        any(map(str.isdigit, word)),
        known in RANKS,
        rarity(known),
        inside and word[:1].isupper(),
    )
    return np.array(numbers, np.float32)
