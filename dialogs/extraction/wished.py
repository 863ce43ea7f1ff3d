"""Whether a turn wishes for anything: jokes, remarks and questions name a catalog's words too.

A log-linear model over the words around what was read (readings themselves masked by their kind),
some sixty numbers about readings and turn, and what the encoder of phrasing makes of the message.
Fitted by `bench/understanding/train_wished.py`; nothing names a column or a value. Some hundred
microseconds a turn, only where something was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..language.common_words import RANKS
from .judged import Judged
from .mention import Kind
from .network import Floats
from .reading import Reading

BUCKETS = 1 << 15
MAX_WORDS = 60
"""Words read of a turn, marks too: of a longer one half from its beginning, half from its end."""

COMMON = 150
"""The commonest words show as they are, where others show by their shape."""

CODE = frozenset('{}[]<>=;|/\\*"#@_:^~`')
"""Marks that programs, markup and addresses are full of."""

_ENDS = ("ed", "ng", "ly", "er", "st", "s")

KINDS: tuple[Kind, ...] = ("value", "number", "date", "name", "grade", "open")
_ORDERED: tuple[Kind, ...] = ("number", "date")
_CLASSES = (
    *"not against except over under most least hard soft waive suppose own correct want".split(),
    *("about", "ask"),
)
"""Classes of cues, as in `cues.tsv`."""


@dataclass(frozen=True)
class WishedModel:
    """Weights of hashed words, of numbers and of what was heard; from `threshold` on, wished.

    `heard`, float32[2]: what it adds that the encoder was asked, and what its log-odds count.
    """

    words: NDArray[np.int8]
    scale: float
    numbers: Floats
    heard: Floats
    bias: float
    threshold: float

    def log_odds(self, reading: Reading, judged: Sequence[Judged]) -> float:
        """Return the log-odds that somebody who says this wishes for something."""
        places = buckets(reading, judged)
        told = float(self.words[places].sum(dtype=np.int64)) * self.scale / len(places) ** 0.5
        told += float(numbers(reading, judged) @ self.numbers) + self.bias
        heard = judged[0].wished
        return told if heard is None else told + float(self.heard[0] + self.heard[1] * heard)

    def nearness(self, reading: Reading, judged: Sequence[Judged]) -> float:
        """Return by how much the log-odds are over the threshold; 0 where nothing is decided.

        From 0 on all that was judged is meant, else nothing.
        """
        decided = decides(reading, judged)
        return self.log_odds(reading, judged) - self.threshold if decided else 0.0


def decides(reading: Reading, judged: Sequence[Judged]) -> bool:
    """Return whether a turn is decided about: some of what was judged would be a wish.

    Marks without a word, which say nothing about it, never are.
    """
    return bool(reading.words) and any(item.polarity != "unneeded" for item in judged)


@cache
def fitted() -> WishedModel:
    """Return the model that ships with the package, read once."""
    return load(Path(__file__).with_name("wished.npz"))


def load(path: Path) -> WishedModel:
    """Read a model from a file that training wrote."""
    with np.load(path) as stored:
        scale, bias, threshold = map(float, stored["scalars"])
        return WishedModel(
            stored["words"], scale, stored["numbers"], stored["heard"], bias, threshold
        )


def buckets(reading: Reading, judged: Sequence[Judged]) -> NDArray[np.int64]:
    """Return the buckets of a turn's word n-grams, each once, ascending, int64."""
    known = [crc32(name.encode("utf-8", "replace")) % BUCKETS for name in _said(reading, judged)]
    return np.unique(np.array(known, np.int64))


def _said(reading: Reading, judged: Sequence[Judged]) -> Iterator[str]:
    place = _place_in_talk(reading, judged)
    words = ["<s>", *_shortened(_masked(reading, judged)), "</s>"]
    for at in range(len(words)):
        for length in (1, 2, 3):
            if at + length <= len(words):
                yield " ".join(words[at : at + length])
        yield f"{place} {words[at]}"
    shape = ["<s>", *map(_shape, words[1:-1]), "</s>"]
    for at in range(len(shape)):
        for length in (2, 3, 4):
            if at + length <= len(shape):
                yield "shape " + " ".join(shape[at : at + length])


def _shortened(words: list[str]) -> list[str]:
    half = MAX_WORDS // 2
    return words if len(words) <= MAX_WORDS else [*words[:half], "...", *words[-half:]]


def _place_in_talk(reading: Reading, judged: Sequence[Judged]) -> str:
    """Return `answers` for what says something of what was asked for, `elsewhere` or `opens`."""
    if any(reading.asked_about.get(item.column, 0.0) > 0 for item in judged):
        return "answers"
    return "elsewhere" if reading.question or reading.asked_about else "opens"


def _shape(word: str) -> str:
    """Return a common word or mark itself, any other by its end and whether it is English."""
    if not word.isalpha() or RANKS.get(word, COMMON + 1) <= COMMON:
        return word
    return f"{word in RANKS} {word[-2:] if word.endswith(_ENDS) else ''}"


def _masked(reading: Reading, judged: Sequence[Judged]) -> list[str]:
    """Return the words and marks of a turn, what was read as its kind alone."""
    kinds = {at: item.mention.kind for item in judged for at in item.mention.places}
    masked = _marks(reading.gap(0))
    for at, word in enumerate(reading.folded):
        kind = kinds.get(at)
        mark = f"<{kind}>" if kind else word[:24]
        if not kind and (any(map(str.isdigit, word)) or reading.symbols[at] in "~@"):
            mark = reading.symbols[at]
        if not (kind and masked and masked[-1] == mark):
            masked.append(mark)
        masked += _marks(reading.gap(at + 1))
    return masked


def _marks(gap: str) -> list[str]:
    """Return the first two marks that tell something, those of code unlike what is masked."""
    marks = [mark for mark in gap if mark in CODE or mark in "?!"][:2]
    return [mark if mark in "?!" else f"mark {mark}" for mark in marks]


def numbers(reading: Reading, judged: Sequence[Judged]) -> Floats:
    """Return what is counted of a turn and of its readings, all about in [-1, 1]."""
    count = len(reading.words)
    used = {at for item in judged for at in item.mention.places}
    named = used | reading.naming_words
    left = [rare for at, rare in enumerate(reading.rarities) if at not in named]
    telling = sum(reading.rarities[at] for at in used) + 0.1 * len(used)
    chances = [min(max(item.chance, 0.02), 0.98) for item in judged]
    worded = [item.mention.has_words for item in judged]
    odds = [float(np.log(chance / (1 - chance))) / 4 for chance in chances]
    asked = [reading.asked_about.get(item.column, 0.0) for item in judged]
    surest = max(asked)
    plain = [word for word in reading.folded if word.isalpha()]
    strange = sum(word not in RANKS for at, word in enumerate(reading.folded) if at not in named)
    classes = {name for first, _, name in reading.cues if first not in used}
    open_question = bool(reading.question or reading.asked_about)
    whole = len(named) / count
    code = sum(map(CODE.__contains__, reading.text)) / len(reading.text)
    row = [
        max(odds), min(odds), sum(odds) / len(odds), min(sum(odds), 3.0),
        min(len(judged), 4) / 4, min(len({item.column for item in judged}), 4) / 4,
        whole, float(whole == 1), len(used) / count,
        telling / (telling + sum(left) + 0.1), sum(left) / (len(left) + 1),
        np.log(count) / 4, float(count <= 2), float(count <= 4), float(count > 8),
        strange / count, sum(word not in RANKS for word in plain) / (len(plain) + 1),
        whole * float(surest > 0),
        float(not any(worded)), float(not all(worded)),
        float(open_question), surest, min(asked),
        float(open_question and surest == 0), float(open_question) * whole,
        float("?" in reading.text), float(reading.text.rstrip().endswith("?")),
        float("!" in reading.text), float("," in reading.text),
        min(5 * code, 1.0), float(code > 0.05), 1 - len(set(reading.folded)) / count,
        float(any(reading.is_name(at) for at in used)), float(reading.has_capitals),
        float(any(item.option.how in ("whole", "initials") for item in judged)),
        float(all(item.option.how in ("fuzzy", "part", "phrase") for item in judged)),
        float(any(item.side not in ("==", "~") for item in judged)),
        float(any(item.hard for item in judged)),
        float(any(item.polarity != "wanted" for item in judged)),
        float(all(item.mention.kind in _ORDERED for item in judged)),
        *(float(any(item.mention.kind == kind for item in judged)) for kind in KINDS),
        *(float(name in classes) for name in _CLASSES),
    ]  # fmt: skip
    return np.array(row, dtype=np.float32)
