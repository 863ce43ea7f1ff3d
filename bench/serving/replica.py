"""A replica of the catalog in NumPy, to which the same writes are applied version by version.

An item's word says which wishes of a question it meets; every count an answer gives follows from
how often each word occurs among the items of the base, at that version. Cost: one bool array of
all items for each wish.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .questions import Question, Wish
from .synthetic_items import CODED, Values, text_of, values

Truth = NDArray[np.bool_]


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
    """The catalog at one version; `apply` takes it to the next.

    Which items meet a wish is worked out once and then kept up to date.
    """

    def __init__(self, rows: int, edition: int, most: int) -> None:
        self._most = most
        self.columns: Values = {}
        self.present: Truth = np.zeros(most, dtype=np.bool_)
        self._met: dict[str, tuple[Wish, Truth]] = {}
        self._counts: dict[bytes, NDArray[np.int64]] = {}
        self.apply(Swap(rows, edition))

    def apply(self, write: Write) -> None:
        """Carry a write out."""
        self._counts = {}
        if isinstance(write, Swap):
            items = np.arange(self._most, dtype=np.int64)
            self.columns = values(items, write.edition)
            self.present = items < write.rows
            self._met = {}
        else:
            self._upsert(write)

    def _upsert(self, write: Upsert) -> None:
        drawn = values(write.items, write.edition)
        for name, column in drawn.items():
            self.columns[name][write.items] = column
        self.present[write.items] = True
        for wish, met in self._met.values():
            met[write.items] = truth(drawn[wish[0]], wish)

    def met(self, wish: Wish) -> Truth:
        """Return which items meet a wish, bool[most]; those that are not there count as well."""
        key = repr(wish)
        if key not in self._met:
            self._met[key] = wish, truth(self.columns[wish[0]], wish)
        return self._met[key][1]

    def counts(self, question: Question) -> NDArray[np.int64]:
        """Return, for each set of wishes as a word, how many items of the base meet it."""
        if question.body not in self._counts:
            self._counts[question.body] = self._counted(question)
        return self._counts[question.body]

    def _counted(self, question: Question) -> NDArray[np.int64]:
        inside = self.present.copy()
        for wish in question.base:
            inside &= self.met(wish)
        places = np.flatnonzero(inside)
        words = np.zeros(len(places), dtype=np.uint8)
        for bit, wish in enumerate(question.wishes):
            words |= self.met(wish)[places].astype(np.uint8) << np.uint8(bit)
        return superset_sums(np.bincount(words, minlength=1 << len(question.wishes)))

    def row(self, item: int) -> dict[str, Any] | None:
        """Return an item's row as the service writes it; None if there is no such item."""
        if not 0 <= item < self._most or not self.present[item]:
            return None
        row = {name: column[item].item() for name, column in self.columns.items()}
        for name in CODED:
            row[name] = text_of(name, row[name])
        return {name: None if value != value else value for name, value in row.items()}

    def word(self, question: Question, item: int) -> int | None:
        """Return the wishes an item meets, as a word; None if it is not in the base."""
        if not self.present[item] or not all(
            self.met(constraint)[item] for constraint in question.base
        ):
            return None
        return sum(1 << bit for bit, wish in enumerate(question.wishes) if self.met(wish)[item])


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
        return [_code(text) for text in cast("list[str]", value)]
    return _code(value)


def _code(text: str) -> int:
    return int(text.rpartition(" ")[2])


def superset_sums(tallied: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each set, the sum over the words that hold it."""
    sums = tallied.copy()
    width = len(sums).bit_length() - 1
    for bit in range(width):
        halves = sums.reshape(-1, 2, 1 << bit)
        halves[:, 0] += halves[:, 1]
    return sums
