"""Which rows a version of a catalog has: their numbers, and the row id behind each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .lazy import lazy
from .row_set import RowSet

LongIds = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Numbering:
    """Rows are numbered from 0 to `universe` − 1; numbers of deleted rows stay empty.

    A number is a place in row sets and columns, and means a row of this version only. A row id
    is a row's for ever: it is kept when the row is replaced and never given again. `ids`,
    int64[universe] ascending, has the row id of each number; where it is None the row id of a
    number is that many after `first_id`. `holes` are the empty numbers, None for none.
    `next_id` is a row id nobody ever had.
    """

    universe: int
    next_id: int
    first_id: int = 0
    ids: LongIds | None = None
    holes: RowSet | None = None

    @classmethod
    def of_count(cls, rows: int, first_id: int = 0) -> Numbering:
        """Return the numbering of so many rows with row ids one after another."""
        return cls(rows, first_id + rows, first_id)

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return self.universe - (len(self.holes) if self.holes else 0)

    @lazy
    def rows(self) -> RowSet:
        """The numbers that are taken."""
        every = RowSet.everything(self.universe)
        if not self.holes:
            return every
        return RowSet.of_words(every.words & ~self.holes.words, self.universe)

    def only_rows(self, rows: RowSet) -> RowSet:
        """Return the set without empty numbers."""
        if not self.holes:
            return rows
        return RowSet.of_words(rows.words & self.rows.words, self.universe)

    def row_ids(self, numbers: NDArray[np.integer]) -> LongIds:
        """Return the row ids of some numbers."""
        known = numbers.astype(np.int64, copy=False)
        return known + self.first_id if self.ids is None else self.ids[known]

    def numbers(self, row_ids: LongIds) -> LongIds:
        """Return the numbers of some row ids, −1 for an id that no row has."""
        if self.ids is None:
            found = row_ids - self.first_id if self.first_id else row_ids
            found = np.where((found >= 0) & (found < self.universe), found, -1)
        elif not self.universe:
            found = np.full(len(row_ids), -1, dtype=np.int64)
        else:
            places = np.minimum(np.searchsorted(self.ids, row_ids), self.universe - 1)
            found = np.where(self.ids[places] == row_ids, places, -1)
        if self.holes:
            known = np.flatnonzero(found >= 0)
            taken = self.rows.within(found[known].astype(np.uint32))
            found[known[~taken]] = -1
        return found
