"""Upsert and delete: each makes the next version from the present one.

Rows are checked, matched by key and encoded; the columns in memory are edited; the file, if there
is one, commits; DuckDB's table in memory gets the rows later (`WriteBuffer`). 13 to 18 ms for 1,000
rows at 10⁶. Whoever calls holds the lock of the writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import BadConstraint
from ..storage.duckdb_values import duckdb_array
from ..storage.write_batch import BatchColumn, WriteBatch
from ..vectors.row_numbering import LongIds
from .compaction import compacted, writable
from .key_lookup import matched, unchanged
from .next_snapshot import WriteDelta, apply_write, batch_vectors, reindexed
from .row_batch import Cells, RowBatch, row_batch
from .snapshot import Snapshot

if TYPE_CHECKING:
    from ..storage.durable_table import Store

MAX_IDS = 1_000_000
"""The most row ids of one call."""


def upserted(
    now: Snapshot, rows: Iterable[Mapping[str, Any]], key: Sequence[str], store: Store | None
) -> Snapshot:
    """Return the version with the rows; see `Catalog.upsert`."""
    given = row_batch(rows, now.schema, key)
    if not given.count:
        return now
    now = writable(now)
    delta = _delta(now, given, matched(now, given))
    following = apply_write(now, delta)
    return _published(now, following, _written(following, given, delta), store)


def deleted(now: Snapshot, row_ids: Iterable[int], store: Store | None) -> Snapshot:
    """Return the version without the rows; see `Catalog.delete`."""
    wanted = _ids(row_ids, now.numbering.next_id)
    numbers = now.numbering.numbers(wanted)
    gone = np.unique(numbers[numbers >= 0])
    if not len(gone):
        return now
    now = writable(now)
    following = apply_write(now, WriteDelta(removed=gone))
    removed = now.numbering.row_ids(gone)
    return _published(now, following, WriteBatch.removing(following.version, removed), store)


def _published(
    now: Snapshot, following: Snapshot, written: WriteBatch, store: Store | None
) -> Snapshot:
    """Return the version that follows, ready to be read, once the file has it."""
    following = reindexed(now, following)
    if store is not None:
        store.write(following.state, written)
    following.table.write(written)
    return compacted(following)


def _delta(now: Snapshot, given: RowBatch, numbers: LongIds) -> WriteDelta:
    """Return what rows change that replace those of some numbers, or are new where that is −1."""
    is_new = numbers < 0
    new = np.flatnonzero(is_new)
    places = numbers.copy()
    places[new] = now.universe + np.arange(len(new))
    copies, _ = now.vectors.store.in_memory()
    changed: dict[str, LongIds] = {}
    for name, cells in given.columns.items():
        if name in given.key:
            continue
        written = np.flatnonzero(~is_new if cells.given is None else cells.given & ~is_new)
        alike = unchanged(
            copies.get(name), now.schema.find(name), places[written], cells.taken(written)
        )
        changed[name] = written[~alike]
    return WriteDelta(places=places, new=new, changed=changed, copies=batch_vectors(now, given))


def _written(following: Snapshot, given: RowBatch, delta: WriteDelta) -> WriteBatch:
    """Return the rows that are new, and those that replace one with another value."""
    replaced = delta.replaced
    positions = np.concatenate([replaced, delta.new])
    row_ids = following.numbering.row_ids(delta.places[positions])
    return WriteBatch(
        following.version,
        row_ids[: len(replaced)],
        row_ids,
        len(replaced),
        {
            name: _encoded(cells.taken(positions), following, name)
            for name, cells in given.columns.items()
        },
        frozenset(name for name, places in delta.changed.items() if len(places)),
    )


def _encoded(cells: Cells, following: Snapshot, name: str) -> BatchColumn:
    return BatchColumn(duckdb_array(cells.values, following.schema.find(name)), cells.is_given())


def _ids(row_ids: Iterable[int], next_id: int) -> LongIds:
    """Return row ids as an array; raise `BadConstraint` for what no row ever had."""
    if isinstance(row_ids, str | bytes) or not isinstance(cast("Any", row_ids), Iterable):
        raise BadConstraint("row ids", row_ids, "no list", hint="give a list of row ids")
    listed = list(islice(row_ids, MAX_IDS + 1))
    if len(listed) > MAX_IDS:
        raise BadConstraint("row ids", len(listed), f"{MAX_IDS} is the most of one call")
    for row_id in listed:
        if isinstance(row_id, bool) or not isinstance(cast("Any", row_id), int | np.integer):
            raise BadConstraint("row id", row_id, "not a whole number")
        if not 0 <= row_id < next_id:
            problem = f"no row ever had it; they end before {next_id}"
            raise BadConstraint("row id", row_id, problem)
    return np.array(listed, dtype=np.int64)
