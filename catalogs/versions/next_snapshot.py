"""Apply a write to the columns in memory: the next version, which shares what is unchanged.

Rows are encoded as the columns hold them: what NumPy encodes exactly by NumPy, the rest (wide
decimals, timestamps) by DuckDB, in one statement. A column without a written row is the same array;
another is edited in a recycled buffer, cell by cell. Rows added or deleted change the numbering.
One bitmap index a write is made anew at most, 45 ms for 10⁶ rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from pyroaring import BitMap

from ..query.predicate import quoted
from ..query.schema import Column, ColumnProfile
from ..storage.duckdb_values import GIVEN, duckdb_array, duckdb_cast, encode_float64, registered
from ..vectors.column_store import ColumnStore, Ends
from ..vectors.column_vectors import Copy, NumberCopy, ObjectCopy
from ..vectors.row_numbering import LongIds, Numbering
from ..vectors.row_set import RowSet
from .change_log import KEPT, Change
from .row_batch import RowBatch
from .snapshot import Snapshot

MISSED = KEPT // 2
"""An index that has missed so many writes is made anew; long before, more would be unknown."""

POSITION = "concede_position"

BatchVector = NumberCopy | ObjectCopy

NONE: LongIds = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class WriteDelta:
    """A write, by numbers of the version it is made on.

    `removed` are numbers that become empty. `places` int64[n] has the number of each row
    written, `new` the positions of rows that are new, `changed` for each column the positions
    of rows that replace one with another value there. `copies` has the columns of the rows
    written, by position; a column that is not in it is NULL in the rows that are new.
    """

    removed: LongIds = field(default_factory=lambda: NONE)
    places: LongIds = field(default_factory=lambda: NONE)
    new: LongIds = field(default_factory=lambda: NONE)
    changed: dict[str, LongIds] = field(default_factory=dict[str, LongIds])
    copies: Mapping[str, BatchVector] = field(default_factory=dict[str, BatchVector])

    @property
    def added(self) -> int:
        """The number of new rows."""
        return len(self.new)

    @property
    def replaced(self) -> LongIds:
        """The positions of the rows that replace another with other values."""
        return np.unique(np.concatenate([NONE, *self.changed.values()]))

    def positions(self, column: str) -> LongIds:
        """Return the positions of the rows that replace another with a new value."""
        return self.changed.get(column, NONE)


def batch_vectors(now: Snapshot, given: RowBatch) -> dict[str, BatchVector]:
    """Return the columns given by position, NULL where a row does not give one.

    Raises `QueryError` for a value that DuckDB cannot hold.
    """
    vectors: dict[str, BatchVector] = {}
    others: list[Column] = []
    for name, cells in given.columns.items():
        column = now.schema.find(name)
        numbers = encode_float64(cells.values, column) if column.ordered else None
        if numbers is not None:
            vectors[name] = NumberCopy.of(numbers, exact=True)
        elif column.ordered:
            others.append(column)
        else:
            vectors[name] = ObjectCopy(_objects(cells.values))
    return vectors | (_by_duckdb(now, given, others) if others else {})


def _objects(values: list[object]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _by_duckdb(now: Snapshot, given: RowBatch, columns: list[Column]) -> dict[str, BatchVector]:
    """Return columns whose values only DuckDB makes numbers of in the way it does."""
    listed = ", ".join(
        f"{duckdb_cast(f'v{i}', column)} AS {quoted(column.name)}"
        for i, column in enumerate(columns)
    )
    values = {f"v{i}": duckdb_array(given.columns[c.name].values, c) for i, c in enumerate(columns)}
    arrays = {POSITION: np.arange(given.count)} | values
    with registered(now.table.connection, arrays) as cursor:
        clause = f"(SELECT {POSITION}, {listed} FROM {GIVEN})"
        store = ColumnStore(
            lambda: cursor, lambda: clause, POSITION, Numbering.of_count(given.count), 2**62
        )
        return {column.name: store.numbers(column) for column in columns}


def apply_write(now: Snapshot, delta: WriteDelta) -> Snapshot:
    """Return the version after a write, which takes over whatever is known and still true."""
    metadata = replace(
        now.metadata,
        version=now.version + 1,
        from_clause=quoted(now.name),
        numbering=renumbered(now.numbering, delta),
        dead=now.metadata.dead + len(delta.removed) + len(delta.replaced),
    )
    shared = now.shared.then(_change(metadata.version, delta))
    following = Snapshot(now.table, metadata, shared, now.reads.copy())
    copies, ends = now.vectors.store.in_memory()
    edited: dict[str, Copy] = {}
    still_ends: dict[str, Ends] = {}
    for name, copy in copies.items():
        after = _edited(copy, now.schema.find(name), delta)
        if after is None:
            continue
        edited[name] = after
        if isinstance(copy, NumberCopy) and isinstance(after, NumberCopy) and name in ends:
            still_ends |= _edited_ends(copy, after, ends[name], name, delta)
    return following.take_over(edited, still_ends, _unchanged_profiles(now, delta))


def _unchanged_profiles(now: Snapshot, delta: WriteDelta) -> dict[str, ColumnProfile]:
    if delta.added or len(delta.removed):
        return {}
    profiles = now.profiled.copy()
    return {name: known for name, known in profiles.items() if not len(delta.positions(name))}


def _change(version: int, delta: WriteDelta) -> Change:
    changed = {
        name: delta.places[positions] for name, positions in delta.changed.items() if len(positions)
    }
    return Change(version, changed, np.concatenate([delta.removed, delta.places[delta.new]]))


def renumbered(numbering: Numbering, delta: WriteDelta) -> Numbering:
    """Return the numbering after a write."""
    universe = numbering.universe + delta.added
    next_id = numbering.next_id + delta.added
    ids = numbering.ids
    if ids is not None and delta.added:
        ids = np.concatenate([ids, np.arange(numbering.next_id, next_id)])
    deleted = numbering.deleted_rows.bitmap if numbering.deleted_rows else BitMap()
    deleted = deleted | BitMap(delta.removed.tolist())
    deleted_rows = RowSet(deleted, universe) if deleted else None
    return Numbering(universe, next_id, numbering.first_id, ids, deleted_rows)


def _edited(copy: Copy, column: Column, delta: WriteDelta) -> Copy | None:
    """Return a column's copy after a write, the same one where nothing changes in it."""
    changed = delta.positions(column.name)
    if not (len(changed) or delta.added):
        return copy
    places = delta.places[changed]
    written = delta.copies.get(column.name)
    if isinstance(copy, NumberCopy):
        if not isinstance(written, NumberCopy):
            written = NumberCopy.of(np.full(len(delta.places), np.nan), exact=True)
        return copy.edited(places, written.taken(changed), written.taken(delta.new))
    if not isinstance(written, ObjectCopy):
        written = ObjectCopy(np.full(len(delta.places), None, dtype=object))
    return copy.edited(places, written.taken(changed), written.taken(delta.new))


def _edited_ends(
    before: NumberCopy, after: NumberCopy, ends: Ends, name: str, delta: WriteDelta
) -> dict[str, Ends]:
    """Return a column's ends by its name; nothing where a value that was one of them is gone."""
    places = delta.places[delta.positions(name)]
    gone = before.at(np.concatenate([places, delta.removed]))
    if ends is not None and np.isin(gone, ends).any():
        return {}
    appended = np.arange(len(before.packed), len(after.packed))
    arrived = np.concatenate([after.at(places), after.at(appended)])
    known = [*(ends or ()), *arrived[np.isfinite(arrived)].tolist()]
    return {name: (min(known), max(known)) if known else None}


def reindexed(now: Snapshot, following: Snapshot) -> Snapshot:
    """Return the version that follows, with indexes wherever the present one has them."""
    copies, _ = following.vectors.store.in_memory()
    indexes = now.shared.indexes
    names = [
        column.name
        for column in following.schema.columns
        if column.ordered
        and column.name in copies
        and column.name in indexes
        and column in now.schema.columns
    ]
    for name in names:
        # Whoever still asks the present version keeps its index.
        now.vectors.bounds(name)
    oldest = min(names, key=lambda name: indexes[name].version, default=None)
    if oldest is not None and indexes[oldest].version + MISSED <= now.version:
        following.vectors.reindex(oldest)
    for name in names:
        following.vectors.bounds(name)
    return following
