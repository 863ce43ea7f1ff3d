"""Dialogue acts of a turn, read by log-linear models over hashed word n-grams.

A turn's words, with values, column names and numbers masked, and the last sentence of what was
said before it, are hashed into `BUCKETS` features. Each act has weights of its own (a turn may
have several acts) and a threshold of its own, all fitted (`bench/understanding/train_acts.py`)
and kept in `acts.npz`. A turn of no act above its threshold is `not_understood`. Some hundred
microseconds a turn of 20 words; of a longer turn the first and last `MAX_WORDS` words are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..language.common_words import RANKS
from ..language.grades import grades
from ..language.tokens import folded

BUCKETS = 1 << 14
MAX_WORDS = 48
"""Words read from the beginning of a turn, and as many from its end."""

MAX_BEFORE = 12
"""Words read from the end of what was said before."""

LONGEST_VALUE = 120
"""Characters of a span that may be masked as a value."""

NOT_UNDERSTOOD = "not_understood"
ASKS = "items count why values meaning value reason state help".split()
LABELS: tuple[tuple[str, str], ...] = (
    ("inform", ""),
    ("inform", "intent"),
    ("correct", ""),
    ("retract", ""),
    ("dont_care", ""),
    ("dont_know", ""),
    ("affirm", ""),
    ("affirm", "intent"),
    ("affirm", "select"),
    ("negate", ""),
    ("negate", "intent"),
    ("negate", "keep"),
    *(("ask", topic) for topic in ASKS),
    ("ask_more", ""),
    ("ask_better", ""),
    ("weigh", ""),
    ("undo", ""),
    ("thanks", ""),
    ("end", ""),
    ("greet", ""),
    ("retract", "all"),
)
"""Acts with their topics, in the order of the fitted models.

`inform intent` says what kind of thing is looked for; `affirm select` takes an item, `negate
keep` says what must not give way. Of `ask`: which items there are, how many, why this one, what
values there are, what a word means, a value of the offered item, why it is asked, what is
understood so far, what can be said here. `weigh` says what matters more, `retract all` begins
anew.
"""

FAMILIES: dict[str, list[int]] = {
    family: [place for place, (name, _) in enumerate(LABELS) if name.startswith(family)]
    for family in ("affirm", "negate", "ask")
}
"""Acts of which a turn may have any one."""

_WORD = re.compile(r"<[vcn]>|\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[?!]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")

Span = tuple[int, int]


class Act(str):
    """An act's name, with what it is about and how surely it was meant (0 to 1)."""

    __slots__ = ("confidence", "topic")
    topic: str
    confidence: float

    def __new__(cls, name: str, topic: str = "", confidence: float = 1.0) -> Act:
        act = super().__new__(cls, name)
        act.topic = topic
        act.confidence = confidence
        return act

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.topic, self.confidence


def masked(text: str, values: Sequence[Span] = (), columns: Sequence[Span] = ()) -> str:
    """Return a text with the spans of values and of columns' names replaced by `<v>`, `<c>`."""
    # Nobody names a value in a hundred words.
    spans = [(start, end, " <v> ") for start, end in values if end - start <= LONGEST_VALUE]
    spans += [(start, end, " <c> ") for start, end in columns]
    parts, place = list[str](), 0
    for start, end, mask in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= place:
            parts += [text[place:start], mask]
            place = end
    return "".join([*parts, text[place:]])


def words_of(text: str) -> list[str]:
    """Return the folded words and marks that features are made of; numbers are `<n>`."""
    if len(text) > 24 * MAX_WORDS:
        # Words are cut, but never where both ends are read whole.
        text = f"{text[: 12 * MAX_WORDS]} {text[-12 * MAX_WORDS :]}"
    found: list[str] = _WORD.findall(folded(_UNPRINTABLE.sub(" ", text)))
    words = ["<n>" if word[0].isdigit() else _spelled(word) for word in found]
    return words if len(words) <= 2 * MAX_WORDS else words[:MAX_WORDS] + words[-MAX_WORDS:]


def _spelled(word: str) -> str:
    """Return a word cut to what is hashed, one mark for all words of other alphabets."""
    return word[:24] if word.isascii() or any("a" <= letter <= "z" for letter in word) else "ˣ"


def feature_buckets(text: str, before: str) -> NDArray[np.int64]:
    """Return the buckets of a masked turn's features, each once, ascending, int64."""
    last = _SENTENCE.split(before[-600:].strip())[-1]
    names = {*_said(words_of(text)), *_context(words_of(last)[-MAX_BEFORE:])}
    return np.unique([crc32(name.encode("utf-8", "replace")) % BUCKETS for name in names]).astype(
        np.int64
    )


@lru_cache(maxsize=8_192)
def _forms(word: str) -> frozenset[str]:
    """Return in which forms a word grades something: `cheaper` more, `closest` most."""
    return frozenset(grade.form for grade in grades().get((word,), ()))


def _said(words: list[str]) -> Iterator[str]:
    yield f"length {min(len(words), 12)}"
    plain = [word for word in words if word.isalpha()]
    strange = sum(word not in RANKS for word in plain)
    yield f"strange {min(strange, 5)} of {min(len(plain), 5)}"
    yield f"strange {min(strange, 5)}"
    yield f"all strange {strange == len(plain) > 1}"
    yield from {f"grade {form}" for word in words for form in _forms(word)}
    padded = ["<s>", *words, "</s>"]
    for at in range(len(padded)):
        for length in (1, 2, 3):
            if at + length <= len(padded):
                yield " ".join(padded[at : at + length])


def _context(words: list[str]) -> Iterator[str]:
    if not words:
        yield "before nothing"
        return
    yield f"before asks {words[-1] == '?'}"
    for first, second in zip(["<s>", *words], [*words, "</s>"], strict=True):
        yield f"before {first} {second}"
        yield f"before {first}"


@dataclass(frozen=True)
class ActModel:
    """Fitted weights: int8 of shape (labels, buckets), float32 scales and biases. Thresholds are
    float32, of the labels, then of the families.

    `kept` is the probability of `inform` below which what a turn seems to state is not meant.
    """

    weights: NDArray[np.int8]
    scales: NDArray[np.float32]
    biases: NDArray[np.float32]
    thresholds: NDArray[np.float32]
    kept: float

    def probabilities(self, text: str, before: str) -> NDArray[np.float64]:
        """Return how surely a masked turn is each of `LABELS`, in [0, 1], float64."""
        buckets = feature_buckets(text, before)
        sums = self.weights[:, buckets].sum(axis=1, dtype=np.int64) / np.sqrt(len(buckets))
        scores = sums * self.scales + self.biases
        return 1.0 / (1.0 + np.exp(-np.clip(scores.astype(np.float64), -30.0, 30.0)))

    @staticmethod
    def load(path: Path) -> ActModel:
        """Read a model from a file that training wrote."""
        with np.load(path) as arrays:
            names = ("weights", "scales", "biases", "thresholds")
            return ActModel(*(arrays[name] for name in names), kept=float(arrays["kept"]))

    @staticmethod
    @lru_cache(maxsize=1)
    def fitted() -> ActModel:
        """Return the model that ships beside this file."""
        return ActModel.load(Path(__file__).with_name("acts.npz"))


@dataclass(frozen=True)
class ActReading:
    """The acts of a turn, the surest first, and how surely it says what is wished.

    `states`: surely enough that what a reader of values found in it may be meant. `affirms`: how
    surely it says yes in any way.
    """

    acts: tuple[Act, ...]
    informs: float
    states: bool
    affirms: float

    def get(self, name: str, topic: str | None = None) -> Act | None:
        """Return the act of that name (and topic), None where it was not read."""
        return next((a for a in self.acts if a == name and topic in (None, a.topic)), None)


def together(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how surely at least one of a row's acts is meant, of shape (turns,), float64."""
    return 1.0 - np.prod(1.0 - chances, axis=-1)


def _passing(chances: NDArray[np.float64], model: ActModel) -> list[int]:
    """Return the places of the acts that are meant: the surest, and those more likely than not.

    The surest is meant where it reaches its threshold, or its family does.
    """
    over = chances >= model.thresholds[: len(LABELS)]
    surest = int((chances * over).argmax() if over.any() else chances.argmax())
    meant = bool(over[surest]) or any(
        surest in places and together(chances[places]) >= threshold
        for threshold, places in zip(
            model.thresholds[len(LABELS) :], FAMILIES.values(), strict=True
        )
    )
    likely = [place for place in np.argsort(-chances).tolist() if chances[place] > 0.5]
    return list(dict.fromkeys([surest, *likely] if meant else likely))


def read_acts(
    text: str,
    before: str = "",
    *,
    values: Sequence[Span] = (),
    columns: Sequence[Span] = (),
    model: ActModel | None = None,
) -> ActReading:
    """Return the acts of a turn.

    `values` and `columns` are the spans that some reader took for values and for columns'
    names. Whether they are rightly taken for wishes is `states`: with them masked or not, the
    turn has to look like one that says something.
    """
    model = model or ActModel.fitted()
    chances = model.probabilities(masked(text, values, columns), before)
    if values:
        # A word that was taken for a value may be none.
        unmasked = model.probabilities(masked(text, (), columns), before)
        chances = np.maximum(chances, unmasked)
    taken = [Act(*LABELS[place], float(chances[place])) for place in _passing(chances, model)]
    if not taken:
        taken = [Act(NOT_UNDERSTOOD, confidence=float(1.0 - chances.max()))]
    affirms = float(together(chances[FAMILIES["affirm"]]))
    return ActReading(tuple(taken), float(chances[0]), float(chances[0]) >= model.kept, affirms)
