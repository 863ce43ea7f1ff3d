"""What a language encoder makes of the words around what is meant: wished or refused, which side.

Every mention is masked, so that it is told by how people speak and not by what they speak of:
"spare me the [MASK]". Behind the question that a message answers the encoder reads the message
once, and linear units over the mask's state and the whole's give log-odds. Some 5 ms a message.
Fitted by `bench/understanding/train_phrasing.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..language.encoder import LONGEST, PARTS, Embeddings, Encoder, embeddings, layers_from
from ..language.wordpiece import WordPieces

if TYPE_CHECKING:
    from .mention import Mention
    from .reading import Reading

Floats = NDArray[np.float32]
Span = tuple[int, int]
"""The characters of a mention; `WHOLE` for one that no words of its own say."""

WHOLE: Span = (0, 0)
QUESTION = 30
"""The last pieces of a question that are read."""

BEFORE = 32
"""Pieces before a mention that a later part of a long message begins with."""

DECISIONS = ("polarity", "side", "hard")

SHARES = {"polarity": (0.2, 0.4), "side": (0.6, 0.2), "hard": (0.4, 0.2)}
"""What the log-odds of the reader's network and of the encoder count, by decision.

Likeliest on requests and personas that neither had learned from."""

FILE = Path(__file__).with_name("phrasing.npz")


@dataclass(frozen=True)
class Heard:
    """What the encoder makes of a message: log-odds of each decision, a mapping a mention.

    `wished`: log-odds that the message wishes for anything, by the first part read in which words
    name something, or by the first part where none do.
    """

    mentions: Sequence[Mapping[str, Floats]]
    wished: float | None


@dataclass(frozen=True)
class Phrasing:
    """The encoder, and for every decision linear units: float32[1 + 2 width, classes].

    A unit's first row is its bias; then come the weights of a mask's state and of the whole's.
    `wish`, float32[1 + 3 width], weighs the whole's state, the mean of the masks and that of all.
    """

    encoder: Encoder
    units: Mapping[str, Floats]
    wish: Floats

    def hear(self, reading: Reading, mentions: Sequence[Mention]) -> Heard:
        """Return what is made of a message; no log-odds of mentions beyond `PARTS` parts."""
        heard: list[dict[str, Floats]] = [{} for _ in mentions]
        wished: float | None = None
        spans = [span_of(reading, mention) for mention in mentions]
        pieces = self.encoder.embeddings.pieces
        for numbers, places in masked(reading.text, reading.question, spans, pieces):
            states = self.encoder.states(numbers)
            for at, place in places.items():
                told = np.concatenate([states[place], states[0]])
                heard[at] = {name: told @ unit[1:] + unit[0] for name, unit in self.units.items()}
            said = [place for at, place in places.items() if spans[at] != WHOLE]
            if wished is None and (said or all(span == WHOLE for span in spans)):
                masks = states[said or [0]].mean(axis=0)
                message = np.concatenate([states[0], masks, states.mean(axis=0)])
                wished = float(message @ self.wish[1:] + self.wish[0])
        return Heard(heard, wished)


def together(decision: str, network: Floats, encoder: Floats) -> Floats:
    """Return the log-odds of a decision by the reader's network and the encoder together."""
    own, heard = np.array(SHARES[decision], np.float32)
    return (own * network + heard * encoder).astype(np.float32)


def span_of(reading: Reading, mention: Mention) -> Span:
    """Return the characters of a mention's words."""
    if not mention.has_words:
        return WHOLE
    return reading.words[mention.first].start, reading.words[mention.last].end


def masked(
    text: str, question: str, spans: Sequence[Span], pieces: WordPieces
) -> Iterator[tuple[list[int], dict[int, int]]]:
    """Yield the pieces of a message in its frame, spans masked, and where each span's mask is.

    A long message is read in parts, those alone that hold a mask.
    """
    begin = beginning(question, pieces)
    room = LONGEST + 1 - len(begin)
    body, left = _body(text, spans, pieces)
    places = {at: 0 for at, span in enumerate(spans) if span == WHOLE}
    start = 0
    for _ in range(PARTS):
        inside = {at: place for at, place in left.items() if start <= place < start + room}
        places |= {at: len(begin) + place - start for at, place in inside.items()}
        if places:
            yield [*begin, *body[start : start + room], pieces.end], places
        left = {at: place for at, place in left.items() if at not in inside}
        if not left:
            return
        start, places = max(0, min(left.values()) - BEFORE), {}


def beginning(question: str, pieces: WordPieces) -> list[int]:
    """Return the pieces before those of a message: the last ones of the question it answers."""
    asked = [piece for piece, _, _ in islice(pieces.cut(question), PARTS * LONGEST)][-QUESTION:]
    return [pieces.first, *asked, *([pieces.end] if asked else [])]


def _body(text: str, spans: Sequence[Span], pieces: WordPieces) -> tuple[list[int], dict[int, int]]:
    """Return the pieces of a text, one mask for those of each span, and the places of the masks."""
    body: list[int] = []
    places: dict[int, int] = {}
    words = sorted((span, at) for at, span in enumerate(spans) if span != WHOLE)
    masked_to, first = 0, 0
    for piece, start, end in islice(pieces.cut(text), PARTS * LONGEST):
        while first < len(words) and words[first][0][1] <= start:
            first += 1
        near = takewhile(lambda word, end=end: word[0][0] < end, islice(words, first, None))
        over = [at for (_, close), at in near if start < close]
        if not over:
            body.append(piece)
            continue
        if start >= masked_to:
            body.append(pieces.mask)
        for at in over:
            places.setdefault(at, len(body) - 1)
        masked_to = max(masked_to, end, *(spans[at][1] for at in over))
    return body, places


@cache
def shipped() -> Phrasing:
    """Return what ships with the package, read once."""
    return load(FILE, embeddings())


def load(file: Path, embedded: Embeddings) -> Phrasing:
    """Read the weights that training wrote."""
    with np.load(file, allow_pickle=False) as stored:
        units = {name: stored[f"unit.{name}"].astype(np.float32) for name in DECISIONS}
        wish = stored["unit.wished"].astype(np.float32)[:, 0]
        return Phrasing(layers_from(stored, embedded), units, wish)
