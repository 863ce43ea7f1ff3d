"""The rows of one version: their numbers from 0, and the row id behind each.

Row ids that follow one another are an offset; others take an int64 a row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cached_attribute import cached_attribute
from .row_set import RowSet

LongIds = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Numbering:
    """Rows are numbered from 0 to `universe` − 1; numbers of deleted rows stay empty.

    A number is a place in row sets and columns, and means a row of this version only. A row id
    is a row's for ever: it is kept when the row is replaced and never given again. `ids`,
    int64[universe] ascending, has the row id of each number; where it is None the row id of a
    number is that many after `first_id`. `deleted_rows` are the empty numbers, None for none.
    `next_id` is a row id nobody ever had.
    """

    universe: int
    next_id: int
    first_id: int = 0
    ids: LongIds | None = None
    deleted_rows: RowSet | None = None

    @classmethod
    def of_count(cls, rows: int, first_id: int = 0) -> Numbering:
        """Return the numbering of so many rows with row ids one after another."""
        return cls(rows, first_id + rows, first_id)

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return self.universe - (len(self.deleted_rows) if self.deleted_rows else 0)

    @cached_attribute
    def rows(self) -> RowSet:
        """The numbers that are taken."""
        every = RowSet.everything(self.universe)
        if not self.deleted_rows:
            return every
        return RowSet.of_words(every.words & ~self.deleted_rows.words, self.universe)

    def only_rows(self, rows: RowSet) -> RowSet:
        """Return the set without empty numbers."""
        if not self.deleted_rows:
            return rows
        return RowSet.of_words(rows.words & self.rows.words, self.universe)

    def row_ids(self, numbers: NDArray[np.integer]) -> LongIds:
        """Return the row ids of some numbers."""
        known = numbers.astype(np.int64, copy=False)
        return known + self.first_id if self.ids is None else self.ids[known]

    def numbers(self, row_ids: LongIds) -> LongIds:
        """Return the numbers of some row ids, −1 for an id that no row has."""
        if self.ids is None:
            numbers = row_ids - self.first_id if self.first_id else row_ids
            numbers = np.where((numbers >= 0) & (numbers < self.universe), numbers, -1)
        elif not self.universe:
            numbers = np.full(len(row_ids), -1, dtype=np.int64)
        else:
            places = np.minimum(np.searchsorted(self.ids, row_ids), self.universe - 1)
            numbers = np.where(self.ids[places] == row_ids, places, -1)
        if self.deleted_rows:
            known = np.flatnonzero(numbers >= 0)
            taken = self.rows.within(numbers[known].astype(np.uint32))
            numbers[known[~taken]] = -1
        return numbers
