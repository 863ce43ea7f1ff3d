"""The base slice of a query, in whichever numbering costs least to read."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .buckets import BUCKETS, Buckets, Octets, SliceBuckets, in_buckets
from .column_copies import Numbers, ends_of
from .row_set import ByteBoundedCache, Ids, RowSet, Words

if TYPE_CHECKING:
    from .snapshot import Snapshot

__all__ = ["BUCKETS", "BaseSlice"]

COMPACT = 8
"""A slice of fewer than one row in so many is renumbered from 0."""

RANGE_BYTES = 8
"""The memory a row for ranges of buckets: as much as one column of numbers."""


class BaseSlice:
    """The rows that meet the base constraints, with their columns side by side.

    A small slice is numbered by itself, so that whatever reads it costs the size of the slice
    and not of the catalog: place i is row `ids[i]`. A large one keeps the catalog's numbering,
    and `words` says which rows belong to it. `size` is the number of places, in it or not.
    Columns are gathered on first use and kept. Safe across threads.
    """

    def __init__(
        self, catalog: Snapshot, rows: RowSet, inherited: SliceBuckets | None = None
    ) -> None:
        self.catalog = catalog
        self.rows = rows
        self.is_whole = len(rows) == catalog.row_count
        self.is_compact = len(rows) * COMPACT <= rows.universe and not self.is_whole
        self.size = len(rows) if self.is_compact else rows.universe
        self._numbers: dict[str, Numbers] = {}
        self._ends: dict[str, tuple[float, float] | None] = {}
        self._own = SliceBuckets(rows) if inherited is None else inherited
        self._ranges: ByteBoundedCache[Words] = ByteBoundedCache(RANGE_BYTES * self.size)
        self._lock = threading.Lock()
        own = RowSet.everything(self.size) if self.is_compact else rows
        # Chunks are padded; a slice ends with its last place.
        self.words: Words = own.flat[: -(-self.size // 64)]

    @property
    def nbytes(self) -> int:
        """An upper estimate of the memory held once every column has been asked for."""
        ordered = sum(column.ordered for column in self.catalog.schema.columns)
        each = 9 if self.is_compact else 1
        return self.rows.nbytes + self.size * (each * ordered + RANGE_BYTES)

    def stack(self, sets: Sequence[RowSet]) -> Words:
        """Return the words of row sets by place, uint64[k, n], side by side in memory."""
        found = np.empty((len(sets), len(self.words)), dtype=np.uint64)
        for position, rows in enumerate(sets):
            if self.is_compact:
                rows = RowSet.of_truth(rows.within(self.rows.ids))
            found[position] = rows.flat[: len(self.words)]
        return found

    def row_ids(self, places: NDArray[np.integer]) -> Ids:
        """Return the catalog's row ids of some places."""
        if self.is_compact:
            return self.rows.ids[places]
        return places.astype(np.uint32, copy=False)

    def numbers(self, column: str) -> Numbers:
        """Return a numeric or date column by place, float64[size], NaN for NULL."""
        if not self.is_compact:
            return self.catalog.numbers(column)
        if column not in self._numbers:
            self._numbers[column] = self.catalog.numbers(column)[self.rows.ids]
        return self._numbers[column]

    def ends(self, column: str) -> tuple[float, float] | None:
        """Return the least and the greatest finite value of the slice's rows; None without one."""
        if column not in self._ends:
            self._ends[column] = self._find_ends(column)
        return self._ends[column]

    def _find_ends(self, column: str) -> tuple[float, float] | None:
        if self.is_whole:
            return self.catalog.ends(column)
        if self.is_compact:
            return ends_of(self.numbers(column))
        return ends_of(self.catalog.numbers(column)[self.rows.ids])

    def buckets(self, column: str) -> tuple[list[float], Octets]:
        """Return a column's 254 bucket edges, ascending, and buckets, uint8[size] (`Buckets`)."""
        if not self.is_compact:
            found = self.catalog.buckets(column)
            return found.edges, found.octets
        known = self._own.columns
        with self._lock:
            if column not in known:
                known[column] = Buckets.of(self.numbers(column))
            return known[column].edges, known[column].octets

    def bucket_range(self, column: str, start: int, end: int) -> Words:
        """Return the words of the places in buckets `start` to `end`, both included.

        uint64[n], as long as `words`, held for the next question: near bounds share buckets.
        Places outside the slice may be among them.
        """
        if not (self.is_compact or self.is_whole):
            return self.catalog.base_slice(()).bucket_range(column, start, end)
        return self._ranges.get((column, start, end), lambda: self._range(column, start, end))

    def _range(self, column: str, start: int, end: int) -> Words:
        if self.is_whole:
            return self.catalog.bucket_rows(column, start, end).flat[: len(self.words)]
        _, buckets = self.buckets(column)
        inside = np.packbits(in_buckets(buckets, start, end), bitorder="little")
        words = np.zeros(len(self.words), dtype=np.uint64)
        words.view(np.uint8)[: len(inside)] = inside
        return words
