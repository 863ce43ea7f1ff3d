"""Bitmap index of a column of numbers: the rows below each of its quantiles.

A range of values is the difference of two bitmaps, and some rows of the two steps at its ends: at
most half a step's each, as rows are listed by value and those too many can be left out again.
Costs a bit a row and step; where the rows of each step are listed, 4 bytes a row and as many as the
column takes, too.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..cached_attribute import cached_attribute
from .array_types import Floats, Ids, Words
from .loaded_kernels import bitmap_kernels
from .packed_numbers import PackedNumbers
from .recycled_memory import RECYCLED
from .row_numbering import LongIds
from .row_set import RowSet, words_for

STEPS = 64
"""The most edges of an index: each takes a bit a row."""

ID_BYTES = 4
"""What the number of a row takes where the rows of each step are listed."""

SAMPLE = 16_384
"""Values that quantiles are taken of."""


SORTED_BY_BITS = 1_024
"""From so many ids on they are sorted by their bits (NumPy takes 101 µs for 8,000)."""

WIDEST_DIGIT = 13
"""The most bits sorted by at once: their counts stay in the cache."""


@dataclass(frozen=True, eq=False)
class BitmapIndex:
    """Which rows lie between which edges, at the version it was made of.

    edges: float64[m] ascending, quantiles of every n-th value; any edges are right. Step i
    lies from edge i − 1 to edge i. below: uint64[m + 2, words]: row s has the rows of all steps
    before s, so that the last has all rows with a value; order: uint32[n], rows by value, those
    of step i from starts[i] on; ordered: their values. Without `detail` the last two are empty.
    After O'Neil and Quass, "Improved query performance with variant indexes" (SIGMOD 1997,
    section 3), with ranges of values binned.
    """

    version: int
    edges: Floats
    below: Words
    starts: LongIds
    order: Ids
    ordered: PackedNumbers

    @classmethod
    def of(
        cls, column: PackedNumbers, version: int, steps: int = STEPS, *, detail: bool = True
    ) -> BitmapIndex:
        """Return the index of a column."""
        values = column.doubles()
        edges = quantiles(values, steps)
        below = np.zeros((len(edges) + 2, -(-len(values) // 64)), dtype=np.uint64)
        starts = np.empty(len(edges) + 2, dtype=np.int64)
        known = len(values) - np.count_nonzero(np.isnan(values)) if detail else 0
        order = np.empty(known, dtype=np.uint32)
        bitmap_kernels().write_steps(values, edges, below, starts, order)
        if known:
            _sort_steps(starts, order, column)
        return cls(version, edges, below, starts, order, column.taken(order))

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self.below.nbytes + self.order.nbytes + self.ordered.nbytes

    @property
    def has_detail(self) -> bool:
        """Whether the rows of each step are listed."""
        return len(self.order) == self.starts[-1]

    @cached_attribute
    def _listed_edges(self) -> list[float]:
        return self.edges.tolist()

    @cached_attribute
    def _ends(self) -> tuple[list[float], list[float]]:
        """The least and the greatest value of each step; infinite where rows are not listed."""
        least, greatest = np.full((2, len(self.starts) - 1), math.inf)
        if not self.has_detail:
            return (-least).tolist(), greatest.tolist()
        some = np.flatnonzero(np.diff(self.starts))
        greatest *= -1
        least[some] = self.ordered.at(self.starts[some])
        greatest[some] = self.ordered.at(self.starts[some + 1] - 1)
        return least.tolist(), greatest.tolist()

    @cached_attribute
    def place(self) -> tuple[int, int, int]:
        """Where `below` lies: its address, the bytes from row to row, and the words of a row."""
        return self.below.ctypes.data, self.below.strides[0], self.below.shape[1]

    def step(self, value: float) -> int:
        """Return the step that a value lies in."""
        return bisect_right(self._listed_edges, value)

    def places(self, low: float, high: float) -> tuple[int, int]:
        """Return where the rows from `low` to `high` begin and end in `order`; needs detail."""
        first, last = self.ordered.bounds(low, high)
        if not first <= last:
            return 0, 0
        cells = self.ordered.cells
        # In the cells' own type: no cell is converted to compare it.
        ends = np.array([first, last], dtype=cells.dtype)
        start, stop = cells.searchsorted(ends[:1]), cells.searchsorted(ends[1:], side="right")
        return int(start[0]), int(stop[0])

    def outer(self, low: float, high: float) -> tuple[int, int]:
        """Return the steps, and the end of them, that all values from `low` to `high` lie in."""
        first, last = self.step(low) if low > -math.inf else 0, self.step(high)
        least, greatest = self._ends
        return first + (low > greatest[first]), last + (high >= least[last])


def _ascending(ids: Ids, universe: int) -> Ids:
    """Return ids below the universe in ascending order."""
    width = (universe.bit_length() + 1) // 2
    if len(ids) < SORTED_BY_BITS or width > WIDEST_DIGIT:
        return np.sort(ids)
    between, ordered = np.empty((2, len(ids)), dtype=np.uint32)
    bitmap_kernels().sort_ids(np.ascontiguousarray(ids), width, between, ordered)
    return ordered


def _sort_steps(starts: LongIds, order: Ids, column: PackedNumbers) -> None:
    """Sort the rows of each step by value, in place."""
    for start, stop in pairwise(starts.tolist()):
        rows = order[start:stop]
        order[start:stop] = rows[np.argsort(column.cells[rows])]


@dataclass(frozen=True, eq=False)
class IndexedColumn:
    """A column at one version, an index, and the rows this does not know any more.

    column: of all rows; touched: int64[n] ascending.
    """

    column: PackedNumbers
    index: BitmapIndex
    touched: LongIds

    @cached_attribute
    def unsure(self) -> Words:
        """The rows touched since the index was made, uint64[words]."""
        return RowSet.of_ids(self.touched, len(self.column)).flat

    def between(self, *ends: tuple[float, float]) -> RowSet:
        """Return the rows whose value lies in any of some closed intervals; needs detail."""
        universe = len(self.column)
        words = RECYCLED.empty(words_for(universe), np.uint64)
        self.write_between(ends, words.reshape(-1))
        return RowSet.of_words(words, universe)

    def write_between(self, ends: Sequence[tuple[float, float]], words: Words) -> None:
        """Write what `between` returns, whatever was there before: a bit a row, or more bits."""
        (low, high), *others = ends or [(1.0, 0.0)]
        self._write(low, high, words)
        for low, high in others:
            added = RECYCLED.empty(words.size, np.uint64)
            self._write(low, high, added)
            words |= added
        if len(self.touched):
            intervals = np.array(ends, dtype=np.float64).reshape(-1, 2)
            values = self.column.at(self.touched)
            bitmap_kernels().put_between(values, self.touched, intervals, words)

    def listed(self, low: float, high: float, places: tuple[int, int] | None = None) -> Ids:
        """Return the rows from `low` to `high` ascending, uint32[n]; needs detail.

        `places` are where they stand (`BitmapIndex.places`), if known. Costs 1 to 2 ns for each,
        where `between` reads and writes a bit for each row there is.
        """
        start, stop = places or self.index.places(low, high)
        ids = _ascending(self.index.order[start:stop], self.column.cells.size)
        if not len(self.touched):
            return ids
        met = self.column.taken(self.touched).between(low, high)
        kept = ids[~np.isin(ids, self.touched)]
        return np.union1d(kept, self.touched[met]).astype(np.uint32)

    def _write(self, low: float, high: float, rows: Words) -> None:
        """Write the rows from `low` to `high`, whatever was there before."""
        index = self.index
        column = index.ordered.address
        bitmap_kernels().write_between(
            index.below, index.edges, index.starts, index.order, column, low, high, rows
        )

    def ends(self, rows: RowSet) -> tuple[float, float] | None:
        """Return the least and the greatest finite value of some rows; None without one.

        Needs detail.
        """
        ends = np.array([np.inf, -np.inf])
        flat = rows.flat
        if len(self.touched):
            known = self.column.at(self.touched[rows.within(self.touched)])
            known = known[np.isfinite(known)]
            ends[:] = known.min(initial=np.inf), known.max(initial=-np.inf)
            flat = flat & ~self.unsure
        index = self.index
        column = index.ordered.address
        bitmap_kernels().ends_of_rows(index.below, index.starts, index.order, column, flat, ends)
        low, high = ends.tolist()
        return (low, high) if low <= high else None


def quantiles(values: Floats, count: int) -> Floats:
    """Return up to so many quantiles of every n-th finite value, ascending, each once."""
    sample = values[:: max(1, len(values) // SAMPLE)]
    ordered = np.sort(sample[np.isfinite(sample)])
    if not len(ordered):
        return ordered
    # Values of the sample itself: interpolating between them takes longer than the rest.
    return np.unique(ordered[np.arange(1, count + 1) * len(ordered) // (count + 1)])
