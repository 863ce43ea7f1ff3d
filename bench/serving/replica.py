"""A second copy of the catalog, in NumPy, that goes through its versions one after another.

For each question it keeps, by item, the word of wishes the item meets, and how often each word
occurs. A write changes only what it writes, so a version costs milliseconds; every count an
answer gives follows from the words of that version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .questions import Question, Wish
from .shelf import CODED, Values, text_of, values

Truth = NDArray[np.bool_]
Masks = NDArray[np.uint8]

IN_BASE = 0x80
"""The bit of items that are there and meet the base; at most 7 wishes have bits below it."""


@dataclass(frozen=True)
class Upsert:
    """Items that take the values of another edition; new ones among them are added."""

    items: NDArray[np.int64]
    edition: int


@dataclass(frozen=True)
class Swap:
    """The whole catalog becomes items 0 to `rows` of an edition."""

    rows: int
    edition: int


Write = Upsert | Swap


class Replica:
    """The catalog at one version; `apply` takes it to the next."""

    def __init__(self, questions: Sequence[Question], rows: int, edition: int, most: int) -> None:
        self._questions = questions
        self._most = most
        self.columns: Values = {}
        self.present: Truth = np.zeros(most, dtype=np.bool_)
        self.words = np.zeros((len(questions), most), dtype=np.uint8)
        self._tally: list[NDArray[np.int64]] = []
        self._known: dict[int, NDArray[np.int64]] = {}
        self.apply(Swap(rows, edition))

    def apply(self, write: Write) -> None:
        """Carry a write out."""
        self._known = {}
        if isinstance(write, Swap):
            self._swap(write)
        else:
            self._upsert(write)

    def _swap(self, write: Swap) -> None:
        items = np.arange(self._most, dtype=np.int64)
        self.columns = values(items, write.edition)
        self.present = items < write.rows
        self.words = self._words(self.columns, self.present)
        self._tally = [tally(self.words[q], len(one.wishes)) for q, one in self._each()]

    def _upsert(self, write: Upsert) -> None:
        drawn = values(write.items, write.edition)
        for name, column in drawn.items():
            self.columns[name][write.items] = column
        self.present[write.items] = True
        words = self._words(drawn, np.ones(len(write.items), dtype=np.bool_))
        for place, question in self._each():
            width = len(question.wishes)
            self._tally[place] -= tally(self.words[place, write.items], width)
            self._tally[place] += tally(words[place], width)
        self.words[:, write.items] = words

    def _each(self) -> enumerate[Question]:
        return enumerate(self._questions)

    def _words(self, columns: Values, present: Truth) -> Masks:
        met: dict[str, Truth] = {}
        words = np.zeros((len(self._questions), len(present)), dtype=np.uint8)
        for place, question in self._each():
            inside = present.copy()
            for wish in question.base:
                inside &= _met(met, columns, wish)
            words[place, inside] = IN_BASE
            for bit, wish in enumerate(question.wishes):
                words[place] |= _met(met, columns, wish).astype(np.uint8) << np.uint8(bit)
        return words

    def counts(self, question: int) -> NDArray[np.int64]:
        """Return, for each set of wishes as a word, how many items of the base meet it."""
        if question not in self._known:
            self._known[question] = superset_sums(self._tally[question])
        return self._known[question]

    def row(self, item: int) -> dict[str, Any] | None:
        """Return an item's row as the service writes it; None if there is no such item."""
        if not 0 <= item < self._most or not self.present[item]:
            return None
        found = {name: column[item].item() for name, column in self.columns.items()}
        for name in CODED:
            found[name] = text_of(name, found[name])
        return {name: None if value != value else value for name, value in found.items()}

    def word(self, question: int, item: int) -> int:
        """Return the wishes of a question that an item meets, as a word with `IN_BASE`."""
        return int(self.words[question, item])


def _met(known: dict[str, Truth], columns: Values, wish: Wish) -> Truth:
    key = repr(wish)
    if key not in known:
        known[key] = truth(columns[wish[0]], wish)
    return known[key]


_COMPARED: Mapping[str, Callable[[Any, Any], Truth]] = {
    "==": lambda column, value: column == value,
    "<=": lambda column, value: column <= value,
    ">=": lambda column, value: column >= value,
    "in": lambda column, value: np.isin(column, value),
    "between": lambda column, value: (column >= value[0]) & (column <= value[1]),
}


def truth(column: NDArray[Any], wish: Wish) -> Truth:
    """Return which values of its column meet a wish; NaN, which is NULL, never does."""
    name, op, value = wish
    return _COMPARED[op](column, _coded(name, value))


def _coded(column: str, value: Any) -> Any:
    if column not in CODED:
        return value
    if isinstance(value, list):
        return [_code(one) for one in cast("list[str]", value)]
    return _code(value)


def _code(text: str) -> int:
    return int(text.rpartition(" ")[2])


def tally(words: Masks, width: int) -> NDArray[np.int64]:
    """Return how often each word occurs among the items of the base, int64[2^width]."""
    inside = words[(words & IN_BASE) != 0] & np.uint8(IN_BASE - 1)
    return np.bincount(inside, minlength=1 << width)


def superset_sums(tallied: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each set, the sum over the words that hold it."""
    sums = tallied.copy()
    width = len(sums).bit_length() - 1
    for bit in range(width):
        halves = sums.reshape(-1, 2, 1 << bit)
        halves[:, 0] += halves[:, 1]
    return sums
