"""The base slice of a query, in whichever numbering costs least to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .array_types import Ids, Words
from .bound_index import Bounds
from .buckets import Octets
from .column_copies import NumberCopy, Numbers, ends_of
from .numbering import LongIds
from .row_set import KERNEL_ROWS, RowSet

if TYPE_CHECKING:
    from .snapshot import Snapshot

COMPACT = 16
"""A slice of fewer than one row in so many is renumbered from 0; gathering more costs more than
it saves."""

DRAWN = 2_048
"""Rows drawn at even steps."""


class BaseSlice:
    """The rows that meet the base constraints, with their columns side by side.

    A small slice is numbered by itself, so that whatever reads it costs the size of the slice
    and not of the catalog: place i is row `ids[i]`. A large one keeps the catalog's numbering,
    and `words` says which rows belong to it. `size` is the number of places, in it or not.
    Columns are gathered on first use and kept. Safe across threads.
    """

    def __init__(self, catalog: Snapshot, rows: RowSet) -> None:
        self.catalog = catalog
        self.rows = rows
        self.is_whole = len(rows) == catalog.row_count
        self.is_compact = len(rows) * COMPACT <= rows.universe and not self.is_whole
        self.size = len(rows) if self.is_compact else rows.universe
        self._numbers: dict[str, Numbers] = {}
        self._octets: dict[str, tuple[Numbers, Octets]] = {}
        self._ends: dict[str, tuple[float, float] | None] = {}
        self._drawn: dict[str, Numbers] = {}
        self._places_drawn: list[tuple[Ids, int]] = []
        self._ordered = sum(column.ordered for column in catalog.schema.columns)
        own = RowSet.everything(self.size) if self.is_compact else rows
        # Chunks are padded; a slice ends with its last place.
        self.words: Words = own.flat[: -(-self.size // 64)]

    @property
    def nbytes(self) -> int:
        """An upper estimate of the memory held once every column has been asked for."""
        gathered = self.size * (4 + 9 * self._ordered) if self.is_compact else 0
        drawn = min(self.size, 2 * DRAWN) * (4 + 8 * self._ordered)
        return self.rows.nbytes + gathered + drawn

    def held_by(self, catalog: Snapshot | None) -> BaseSlice:
        """Return the same slice, whatever it gathers included, of the same version or of none.

        A version keeps slices of none: holding each other, both would stay until the garbage
        collector comes by, and every array of the version with them.
        """
        made = BaseSlice.__new__(BaseSlice)
        made.__dict__.update(self.__dict__, catalog=catalog)
        return made

    def take_over(self, before: BaseSlice, touched: LongIds) -> None:
        """Take what a small slice of an earlier version has gathered, which waited for memory.

        Only rows touched since then may differ. Columns that the catalog does not hold in memory
        any more are left out.
        """
        from .word_kernels import write_sources

        if not before.size:
            return
        ids, sources = self.rows.ids, np.empty(self.size, dtype=np.int64)
        write_sources(ids, before.rows.ids, touched, sources)
        new = np.flatnonzero(sources < 0)
        held, _ = self.catalog.copies.held()
        for name, copy in held.items():
            if not isinstance(copy, NumberCopy):
                continue
            if name in before._numbers:
                numbers = before._numbers[name][sources]
                numbers[new] = copy.values[ids[new]]
                self._numbers[name] = numbers
            edges, octets = before._octets.get(name, (None, None))
            if octets is not None and copy.has_buckets and copy.buckets.edges is edges:
                octets = octets[sources]
                octets[new] = copy.buckets.octets[ids[new]]
                self._octets[name] = copy.buckets.edges, octets

    def stack(self, sets: Sequence[RowSet]) -> Words:
        """Return the words of row sets by place, uint64[k, n], side by side in memory."""
        found = np.empty((len(sets), len(self.words)), dtype=np.uint64)
        for position, rows in enumerate(sets):
            if self.is_compact:
                _take(rows, self.rows.ids, found[position])
            else:
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
        if self.rows.universe > KERNEL_ROWS:
            bounds = self.catalog.bounds(column)
            if bounds.index.has_detail:
                return bounds.ends(self.rows)
        return ends_of(self.catalog.numbers(column)[self.rows.ids])

    def buckets(self, column: str) -> tuple[Numbers, Octets]:
        """Return a column's 254 bucket edges, ascending, and buckets, uint8[size] (`Buckets`)."""
        if self.is_compact and column in self._octets:
            return self._octets[column]
        found = self.catalog.buckets(column)
        if not self.is_compact:
            return found.edges, found.octets
        self._octets[column] = found.edges, found.octets[self.rows.ids]
        return self._octets[column]

    def bounds(self, column: str) -> Bounds | None:
        """Return an ordered column with its index by place; None for a small slice, where
        reading every row costs no more."""
        return None if self.is_compact else self.catalog.bounds(column)

    @property
    def drawn(self) -> tuple[Ids, int]:
        """Some rows of the slice, by place ascending, and of how many places they are one."""
        if not self._places_drawn:
            self._places_drawn.append(self._draw())
        return self._places_drawn[0]

    def _draw(self) -> tuple[Ids, int]:
        step = max(1, len(self.rows) // DRAWN)
        places = np.arange(0, self.size, step, dtype=np.uint32)
        return places if self.is_compact else places[self.rows.within(places)], step

    def drawn_numbers(self, column: str) -> Numbers:
        """Return a numeric or date column of the rows drawn, float64[n], NaN for NULL."""
        if column not in self._drawn:
            self._drawn[column] = self.numbers(column)[self.drawn[0]]
        return self._drawn[column]


def _take(rows: RowSet, ids: Ids, taken: Words) -> None:
    """Write which ids are in a set: bit i of `taken`, uint64[⌈n / 64⌉], for ids[i]."""
    if rows.universe > KERNEL_ROWS:
        from .word_kernels import take_bits

        take_bits(rows.flat, ids, taken)
    else:
        taken[:] = RowSet.of_truth(rows.within(ids)).flat[: len(taken)]
