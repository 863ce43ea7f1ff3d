"""The rows that meet the base constraints, with their columns gathered on first use.

A slice of fewer than one row in sixteen is copied out and numbered from 0, so that whatever reads
it costs the size of the slice; a larger one reads the catalog's columns where they are. After a
write a small slice takes over what was gathered (2.4 to 3.7 ms a question instead of 3.8 to 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..deadline import NEVER, Deadline
from ..query.predicate import Predicate
from ..vectors.array_types import Ids, Words
from ..vectors.bitmap_index import IndexedColumn
from ..vectors.column_vectors import NumberCopy, Numbers
from ..vectors.kernel_use import kernels_are_used
from ..vectors.loaded_kernels import bitmap_kernels
from ..vectors.packed_numbers import PackedNumbers, ends_of
from ..vectors.packed_rows import add_rows_between, ends_of_rows
from ..vectors.quantized_column import Octets
from ..vectors.recycled_memory import RECYCLED
from ..vectors.row_numbering import LongIds
from ..vectors.row_set import RowSet
from .joined_bounds import intervals_in
from .snapshot_vectors import SnapshotVectors

Ends = tuple[float, float]

COMPACT = 16
"""A slice of fewer than 1/16 of the rows is renumbered from 0; gathering more costs more than it
saves."""

MEASURED = 16
"""What so many places and hours measure of a slice is kept: each question brings its own."""

SAMPLED = 2_048
"""Rows of the sample at most, at even steps."""


class BaseSlice:
    """The rows that meet the base constraints, with their columns side by side.

    A small slice is numbered by itself: place i is row `ids[i]`. A large one keeps the catalog's
    numbering, and `words` says which rows belong to it. `size` is the number of places, in it or
    not. Columns are gathered on first use and kept. Safe across threads.
    """

    def __init__(self, vectors: SnapshotVectors, rows: RowSet) -> None:
        self.vectors = vectors
        self.rows = rows
        self.is_whole = len(rows) == vectors.row_count
        self.is_compact = len(rows) * COMPACT <= rows.universe and not self.is_whole
        self.size = len(rows) if self.is_compact else rows.universe
        self._numbers: dict[str, PackedNumbers] = {}
        self._octets: dict[str, tuple[Numbers, Octets]] = {}
        self._ends: dict[str, Ends | None] = {}
        self._sampled: dict[str, PackedNumbers] = {}
        self._measured: dict[str, None] = {}
        self._samples: list[tuple[Ids, int]] = []
        self._ordered = sum(column.ordered for column in vectors.schema.columns)
        own = RowSet.everything(self.size) if self.is_compact else rows
        # Chunks are padded; a slice ends with its last place.
        self.words: Words = own.flat[: -(-self.size // 64)]

    @property
    def nbytes(self) -> int:
        """An upper estimate of the memory held once every column has been asked for."""
        gathered = self.size * (4 + 9 * self._ordered) if self.is_compact else 0
        sampled = min(self.size, SAMPLED) * (4 + 8 * self._ordered)
        return self.rows.nbytes + gathered + sampled

    def attached_to(self, vectors: SnapshotVectors | None) -> BaseSlice:
        """Return the same slice, whatever it gathers included, over a version's columns.

        None detaches it: a slice kept for later versions must not keep the columns of this one.
        """
        attached = BaseSlice.__new__(BaseSlice)
        attached.__dict__.update(self.__dict__, vectors=vectors)
        return attached

    def take_over(self, before: BaseSlice, touched: LongIds) -> None:
        """Take what a small slice of an earlier version has gathered, which waited for memory.

        Only rows touched since then may differ. Columns that the catalog does not hold in memory
        any more are left out.
        """
        if not before.size:
            return
        ids, sources = self.rows.ids, np.empty(self.size, dtype=np.int64)
        bitmap_kernels().write_sources(ids, before.rows.ids, touched, sources)
        new = np.flatnonzero(sources < 0)
        copies, _ = self.vectors.store.in_memory()
        for name, copy in copies.items():
            if not isinstance(copy, NumberCopy):
                continue
            if name in before._numbers:
                numbers = before._numbers[name].cells[sources]
                numbers[new] = copy.at(ids[new])
                self._numbers[name] = PackedNumbers(numbers)
            edges, octets = before._octets.get(name, (None, None))
            if octets is not None and copy.has_buckets and copy.buckets.edges is edges:
                octets = octets[sources]
                octets[new] = copy.buckets.octets[ids[new]]
                self._octets[name] = copy.buckets.edges, octets

    def met(self, predicate: Predicate) -> Words | None:
        """Return the places of a small slice that satisfy a predicate, uint64[⌈n / 64⌉].

        None unless it compares numbers in memory. Costs 10 µs where the rows of the whole catalog,
        and gathering the slice's, take 40.
        """
        if not (self.is_compact and kernels_are_used(self.rows.universe)):
            return None
        intervals = intervals_in(self.vectors, predicate)
        if intervals is None:
            return None
        words = np.zeros(len(self.words), dtype=np.uint64)
        add_rows_between(self.packed(predicate.columns[0]), intervals, words)
        return words

    def stack(self, sets: Sequence[RowSet | Words], until: Deadline = NEVER) -> Words:
        """Return the words of row sets by place, uint64[k, n], side by side in memory.

        Those of `met` are by place already. Raises `DeadlinePassed` where time is short.
        """
        words = self.empty_stack(len(sets))
        for position, rows in enumerate(sets):
            until.check()
            if not isinstance(rows, RowSet):
                words[position] = rows
            elif self.is_compact:
                _gather(rows, self.rows.ids, words[position])
            else:
                words[position] = rows.flat[: len(self.words)]
        return words

    def empty_stack(self, width: int) -> Words:
        """Return room for so many row sets by place, uint64[k, n]; anything may be in it."""
        return RECYCLED.empty((width, len(self.words)), np.uint64)

    def row_ids(self, places: NDArray[np.integer]) -> Ids:
        """Return the catalog's row ids of some places."""
        if self.is_compact:
            return self.rows.ids[places]
        return places.astype(np.uint32, copy=False)

    def numbers(self, column: str) -> Numbers:
        """Return a numeric or date column by place, float64[size], NaN for NULL."""
        if not self.is_compact:
            return self.vectors.numbers(column)
        return self.packed(column).cells

    def packed(self, column: str) -> PackedNumbers:
        """Return a numeric or date column by place, as it is kept; of a small slice as doubles."""
        if not self.is_compact:
            return self.vectors.number_copy(column).packed
        numbers = self._numbers.get(column)
        if numbers is None:
            cells, ends = self._gathered(column)
            numbers = PackedNumbers(cells)
            self._note(column)
            if ends is not None:
                self._ends.setdefault(column, ends)
            self._numbers[column] = numbers
        return numbers

    def _gathered(self, column: str) -> tuple[Numbers, Ends | None]:
        """Return a column of the slice, and its ends where they cost nothing."""
        copy = self.vectors.held(column)
        if isinstance(copy, NumberCopy):
            return _taken(copy.packed, self.rows)
        measured = self.vectors.numbers_at(column, self.rows.ids)
        if measured is not None:
            return measured, None
        return _taken(self.vectors.number_copy(column).packed, self.rows)

    def _note(self, column: str) -> None:
        """Forget what was measured longest ago, now that this is kept: a slice is kept for long."""
        if column in self._measured or not self.vectors.is_measured(column):
            return
        self._measured[column] = None
        for oldest in list(self._measured)[:-MEASURED]:
            self._measured.pop(oldest, None)
            for kept in (self._numbers, self._octets, self._ends, self._sampled):
                kept.pop(oldest, None)

    def has_ends(self, column: str) -> bool:
        """Return whether the ends of a column are known, so that `ends` costs nothing."""
        return column in self._ends or (self.is_whole and self.vectors.has_ends(column))

    def ends(self, column: str, until: Deadline = NEVER) -> Ends | None:
        """Return the least and the greatest finite value of the slice's rows; None without one.

        Costs a pass over the column; an index is made for it only where there is ample time.
        Raises `DeadlinePassed` where time is short.
        """
        try:
            # Not asked for first whether it is there: another question may make it forgotten.
            return self._ends[column]
        except KeyError:
            pass
        ends = self._find_ends(column, until)
        self._note(column)
        self._ends[column] = ends
        return ends

    def _find_ends(self, column: str, until: Deadline) -> Ends | None:
        if self.is_whole:
            return self.vectors.ends(column, until)
        if self.is_compact:
            return ends_of(self.numbers(column), until)
        if kernels_are_used(self.rows.universe):
            in_time = self.vectors.indexes_in_time(column, until)
            indexed = self.vectors.index(column) if in_time else None
            if indexed is not None and indexed.index.has_detail:
                return indexed.ends(self.rows)
            return ends_of_rows(self.vectors.number_copy(column).packed, self.rows)
        return ends_of(self.vectors.number_copy(column).at(self.rows.ids), until)

    def buckets(self, column: str) -> tuple[Numbers, Octets]:
        """Return a column's 254 bucket edges, ascending, and buckets, uint8[size] (`Buckets`)."""
        known = self._octets.get(column) if self.is_compact else None
        if known is not None:
            return known
        buckets = self.vectors.buckets(column)
        if not self.is_compact:
            return buckets.edges, buckets.octets
        known = buckets.edges, buckets.octets[self.rows.ids]
        self._note(column)
        self._octets[column] = known
        return known

    def bounds(self, column: str) -> IndexedColumn | None:
        """Return an ordered column with its index by place; None without one.

        A small slice has none, where reading every row costs no more.
        """
        return None if self.is_compact else self.vectors.index(column)

    @property
    def sample(self) -> tuple[Ids, int]:
        """Some rows of the slice, by place ascending, and of how many places they are one."""
        if not self._samples:
            self._samples.append(self._sample())
        return self._samples[0]

    @property
    def sample_step(self) -> int:
        """Of how many places one is in the sample."""
        return max(1, -(-len(self.rows) // SAMPLED))

    def _sample(self) -> tuple[Ids, int]:
        step = self.sample_step
        places = np.arange(0, self.size, step, dtype=np.uint32)
        return places if self.is_compact else places[self.rows.within(places)], step

    def sample_numbers(self, column: str) -> PackedNumbers:
        """Return a numeric or date column of the sample, as doubles."""
        sampled = self._sampled.get(column)
        if sampled is None:
            sampled = PackedNumbers(self.packed(column).at(self.sample[0]))
            self._note(column)
            self._sampled[column] = sampled
        return sampled


def _taken(column: PackedNumbers, rows: RowSet) -> tuple[Numbers, Ends | None]:
    """Return the values of some rows, float64[len(rows)], and their ends where all are finite."""
    if not kernels_are_used(rows.universe):
        return column.at(rows.ids), None
    taken, ends = np.empty(len(rows)), np.empty(2)
    bitmap_kernels().take_numbers(column.address, rows.ids, taken, ends)
    least, greatest = ends.tolist()
    # An infinite value is no end, and neither is that of no number at all.
    known = math.isfinite(least) and math.isfinite(greatest)
    return taken, (least, greatest) if known else None


def _gather(rows: RowSet, ids: Ids, bits: Words) -> None:
    """Write which ids are in a set: bit i of `bits`, uint64[⌈n / 64⌉], for ids[i]."""
    if kernels_are_used(rows.universe):
        bitmap_kernels().take_bits(rows.flat, ids, bits)
    else:
        bits[:] = RowSet.of_truth(rows.within(ids)).flat[: len(bits)]
