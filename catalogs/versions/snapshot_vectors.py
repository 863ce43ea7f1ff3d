"""The columns of one version in memory, with their bitmap indexes; made on first use.

An index is made once and shared by the versions after, which test the rows written since one by
one; when it is shared, a version needs no index of its own (15 ms a column of 10⁶ rows).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..cached_attribute import cached_attribute
from ..deadline import NEVER, Deadline
from ..errors import BadConstraint
from ..query.schema import Column, MeasuredColumn
from ..storage.versioned_table import VersionedTable
from ..vectors.bitmap_index import ID_BYTES, STEPS, BitmapIndex, IndexedColumn
from ..vectors.byte_bounded_cache import ByteBoundedCache
from ..vectors.column_store import ColumnStore
from ..vectors.column_vectors import Copy, NumberCopy
from ..vectors.kernel_use import kernels_are_used, prepare_kernels
from ..vectors.measured_numbers import numbers_measured
from ..vectors.packed_numbers import PackedNumbers, ends_of
from ..vectors.quantized_column import Buckets
from ..vectors.row_numbering import LongIds
from .change_log import ChangeLog
from .snapshot_state import ColumnIndexes, SnapshotMetadata

WIDE = 32
"""A catalog of more columns is copied and indexed only where they are named, or asked for."""

MEASURED_BYTES = 1 << 26
"""Distances and the like may take so much memory in any case."""

SECONDS_TO_INDEX = 300e-9
"""There is ample time to index a column where so much is left for each of its rows."""


class SnapshotVectors:
    """The columns that fit the memory allowed, by number of the row; safe across threads.

    `indexes` are those of the newest version that made one, by column; `change_log` says which
    rows were touched since.
    """

    def __init__(
        self,
        table: VersionedTable,
        metadata: SnapshotMetadata,
        indexes: ColumnIndexes,
        change_log: ChangeLog,
    ) -> None:
        self.schema = metadata.schema
        self.version = metadata.version
        self.numbering = metadata.numbering
        self.row_count, self.universe = self.numbering.row_count, self.numbering.universe
        bounds = dict[str, IndexedColumn]()
        self._bounds = bounds
        # Nothing here may hold this object: in a circle of references a catalog's memory would be
        # freed by the collector of garbage, in the middle of whichever question.
        self.store = ColumnStore(
            table.cursor,
            partial(table.rows_at, metadata.version),
            table.row_id,
            metadata.numbering,
            metadata.column_bytes,
            lambda: indexes.nbytes,
            lambda name: bounds.pop(name, None),
        )
        self._column_bytes = metadata.column_bytes
        # What is measured by a point of one question is seldom asked for by another.
        self._measured: ByteBoundedCache[NumberCopy] = ByteBoundedCache(
            max(MEASURED_BYTES, metadata.column_bytes // 8)
        )
        self._indexes = indexes
        self._change_log = change_log
        self._touched: dict[tuple[int, tuple[str, ...]], LongIds | None] = {}
        self._bucketing = threading.Lock()

    @cached_attribute
    def copyable(self) -> list[Column]:
        """The columns that can be held in memory."""
        families = ("numeric", "date", "text", "boolean")
        return [column for column in self.schema.columns if column.family in families]

    def warm(self, names: Sequence[str] | None = None) -> None:
        """Copy the columns named, or every one, as far as the memory allowed goes; index numbers.

        With none named only a catalog of few columns is indexed: of many, most are never asked
        for. Indexes are for kernels, which it waits for.
        """
        prepare_kernels(self.universe)
        chosen = None if names is None else {self.schema.find(name).name for name in names}
        columns = [c for c in self.copyable if chosen is None or c.name in chosen]
        for column in columns:
            if chosen is None and self.store.is_full:
                break
            self.store.copy(column)
        ordered = [column.name for column in columns if column.ordered]
        is_indexed = chosen is not None or len(ordered) <= WIDE
        if is_indexed and kernels_are_used(self.universe):
            for name in ordered:
                self.bounds(name)
                self.buckets(name)

    def copy(self, column: Column, until: Deadline = NEVER) -> Copy:
        """Return the copy of a column of numbers, dates, texts or truths.

        Raises `DeadlinePassed` where it is not read in time; the next call goes on from there.
        """
        return self.store.copy(column, until)

    def number_copy(self, column: str, until: Deadline = NEVER) -> NumberCopy:
        """Return the copy of a numeric or date column, as `copy` does.

        Raises `BadConstraint` for another.
        """
        held = self.store.held(column)
        if isinstance(held, NumberCopy):
            return held
        known = self._ordered(column)
        if not isinstance(known, MeasuredColumn):
            return self.store.numbers(known, until)
        return self._measured.get(
            column, lambda: NumberCopy.of(self._numbers_measured(known, None, until), exact=False)
        )

    def is_measured(self, column: str) -> bool:
        """Return whether a column is none of the catalog's, but what a question measures."""
        return isinstance(self.schema.find(column), MeasuredColumn)

    def numbers_at(self, column: str, ids: NDArray[np.integer]) -> NDArray[np.float64] | None:
        """Return what is measured of some rows; None for a column that is held for all."""
        known = self._ordered(column)
        if not isinstance(known, MeasuredColumn) or self._measured.find(column) is not None:
            return None
        return self._numbers_measured(known, ids, NEVER)

    def _numbers_measured(
        self, column: MeasuredColumn, ids: NDArray[np.integer] | None, until: Deadline
    ) -> NDArray[np.float64]:
        sources = [self.schema.find(name) for name in column.measure.columns]
        copies = [self.copy(source, until) for source in sources]
        return numbers_measured(column.measure, copies, self.universe, ids, until)

    def held(self, name: str) -> Copy | None:
        """Return the copy of a column, by its very name, that is in memory; None for another."""
        held = self.store.held(name)
        return self._measured.find(name) if held is None else held

    def is_copied(self, column: str) -> bool:
        """Return whether a column is in memory, so that `copy` costs nothing."""
        return self.held(self.schema.find(column).name) is not None

    def has_index(self, column: str) -> bool:
        """Return whether some version has indexed a column, so that `bounds` costs little."""
        return column in self._indexes or self.schema.find(column).name in self._indexes

    def indexes_in_time(self, column: str, until: Deadline) -> bool:
        """Return whether a column has its index, or there is ample time to make it."""
        return self.has_index(column) or until.remaining >= SECONDS_TO_INDEX * self.universe

    def numbers(self, column: str) -> NDArray[np.float64]:
        """Return a numeric or date column as float64[universe], NaN for NULL."""
        return self.number_copy(column).values

    def has_ends(self, column: str) -> bool:
        """Return whether the ends of an ordered column are known by now."""
        known = self._ordered(column)
        return not isinstance(known, MeasuredColumn) and self.store.has_ends(known.name)

    def ends(self, column: str, until: Deadline = NEVER) -> tuple[float, float] | None:
        """Return the least and the greatest finite value of an ordered column; None without.

        Raises `DeadlinePassed` where it is not known and time is short.
        """
        known = self._ordered(column)
        if not isinstance(known, MeasuredColumn):
            return self.store.ends(known, until)
        copy, holes = self.number_copy(column, until), self.numbering.deleted_rows
        return ends_of(copy.at(self.numbering.rows.ids) if holes else copy.values, until)

    def buckets(self, column: str) -> Buckets:
        """Return an ordered column as bytes."""
        copy = self.number_copy(column)
        if copy.has_buckets:
            return copy.buckets
        with self._bucketing:
            buckets = copy.buckets
        self.store.recount()
        return buckets

    def _ordered(self, name: str) -> Column:
        column = self.schema.find(name)
        if not column.ordered:
            hint = f"it is of type {column.sql_type}"
            raise BadConstraint("column", column.name, "holds no numbers", hint=hint)
        return column

    def touched(self, since: int, columns: Sequence[str]) -> LongIds | None:
        """Return the numbers touched since an earlier version; see `ChangeLog.touched`."""
        key = since, tuple(columns)
        if key not in self._touched:
            self._touched[key] = self._change_log.touched(since, columns, self.universe)
        return self._touched[key]

    def index(self, column: str) -> IndexedColumn | None:
        """Return an ordered column with its index; None where it was not asked for often yet."""
        indexed = self._bounds.get(column)
        if indexed is not None:
            return indexed
        known = self._ordered(column)
        if isinstance(known, MeasuredColumn):
            return None
        return self.bounds(known.name) if self._indexes.is_due(known.name) else None

    def bounds(self, column: str) -> IndexedColumn:
        """Return an ordered column with its index, made now unless an earlier version did."""
        name = self._ordered(column).name
        if name not in self._bounds:
            index = self._indexes.get(name)
            touched = None
            if index is not None and index.version <= self.version:
                touched = self.touched(index.version, [name])
            if index is None or touched is None:
                self.reindex(name)
            else:
                packed = self.number_copy(name).packed
                self._bounds[name] = IndexedColumn(packed, index, touched)
        return self._bounds[name]

    def reindex(self, column: str) -> None:
        """Make the index of an ordered column anew, for this version and later ones."""
        packed = self.number_copy(column).packed
        index = self._indexed(packed)
        self._bounds[column] = IndexedColumn(packed, index, np.zeros(0, dtype=np.int64))
        newest = self._indexes.get(column)
        if newest is None or newest.version < index.version:
            self._indexes[column] = index
            self.store.recount()

    def _indexed(self, packed: PackedNumbers) -> BitmapIndex:
        """Return an index such that those of all columns take half of the columns' memory.

        One half of that is for the rows below each quantile, one for listing those of each step.
        """
        ordered = sum(column.ordered for column in self.schema.columns)
        bytes_a_row = self._column_bytes // (4 * max(1, self.universe) * ordered)
        steps = max(1, min(STEPS, 8 * bytes_a_row))
        detail = bytes_a_row >= ID_BYTES + packed.cells.itemsize
        return BitmapIndex.of(packed, self.version, steps, detail=detail)
