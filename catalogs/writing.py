"""From one version of a catalog to the next; whoever calls holds the lock of the writer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .compaction import compacted, writable
from .errors import BadConstraint
from .incoming import incoming
from .item_table import NEVER
from .numbering import LongIds
from .predicate import quoted
from .snapshot import Snapshot
from .sources import ROW_IDS
from .staging import NEW_ID, ORDINAL, STAGED, Staged, clear, stage
from .succession import Edit, succeed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from .store import Store

MAX_IDS = 1_000_000
"""The most row ids of one call."""


def upserted(
    now: Snapshot, rows: Iterable[Mapping[str, Any]], key: Sequence[str], store: Store | None
) -> Snapshot:
    """Return the version with the rows; see `Catalog.upsert`."""
    given = incoming(rows, now.schema, key)
    if not given.rows:
        return now
    now = writable(now)
    with now.table.transaction() as cursor:
        edit = _upsert(now, stage(now, given, cursor))
        replaced = edit.replaced
        _remove(now, edit.places[replaced], cursor)
        _insert(now, np.concatenate([replaced, edit.new]), cursor)
        following = succeed(now, edit)
        if store is not None:
            changed = [name for name, positions in edit.changed.items() if len(positions)]
            store.write(
                following.state,
                removed=(),
                replaced=_written(cursor, replaced, changed),
                added=_written(cursor, edit.new, now.columns),
            )
        clear(cursor)
    return compacted(following)


def _written(
    cursor: DuckDBPyConnection, positions: LongIds, columns: Sequence[str]
) -> dict[str, list[Any]]:
    """Return columns of staged rows as texts, row ids too; nothing for no rows."""
    if not len(positions):
        return {}
    listed = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in columns)
    found = cursor.execute(
        f"SELECT {NEW_ID}, {listed} FROM {STAGED} "
        f"WHERE {ORDINAL} IN (SELECT unnest(?::BIGINT[])) ORDER BY {ORDINAL}",
        [positions.tolist()],
    ).fetchall()
    cells = zip(*found, strict=True)
    return {name: list(one) for name, one in zip((ROW_IDS, *columns), cells, strict=True)}


def deleted(now: Snapshot, row_ids: Iterable[int], store: Store | None) -> Snapshot:
    """Return the version without the rows; see `Catalog.delete`."""
    wanted = _ids(row_ids, now.facts.numbering.next_id)
    numbers = now.facts.numbering.numbers(wanted)
    gone = np.unique(numbers[numbers >= 0])
    if not len(gone):
        return now
    now = writable(now)
    with now.table.transaction() as cursor:
        _remove(now, gone, cursor)
        following = succeed(now, Edit(removed=gone))
        if store is not None:
            store.write(following.state, removed=now.row_ids(gone), replaced={}, added={})
    return compacted(following)


def _upsert(now: Snapshot, staged: Staged) -> Edit:
    """Return what staged rows change; rows that change nothing are left out."""
    changed = {name: np.flatnonzero(flags) for name, flags in staged.changed.items()}
    new = np.flatnonzero(staged.is_new)
    places = now.facts.numbering.numbers(staged.row_ids)
    places[new] = now.universe + np.arange(len(new))
    return Edit(places=places, new=new, changed=changed, columns=staged.columns)


def _remove(now: Snapshot, numbers: LongIds, cursor: DuckDBPyConnection) -> None:
    """Mark rows as gone from the next version on."""
    assert now.table.marks is not None
    removed = quoted(now.table.marks[1])
    cursor.execute(
        f"UPDATE {now.table.relation} SET {removed} = {now.version + 1} "
        f"WHERE {removed} = {NEVER} AND {now.table.row_id} IN (SELECT unnest(?::BIGINT[]))",
        [now.row_ids(numbers)],
    )


def _insert(now: Snapshot, positions: NDArray[np.integer], cursor: DuckDBPyConnection) -> None:
    """Add staged rows, which are there from the next version on."""
    assert now.table.marks is not None
    names = ", ".join(map(quoted, now.columns))
    marks = ", ".join(map(quoted, now.table.marks))
    cursor.execute(
        f"INSERT INTO {now.table.relation} ({now.table.row_id}, {names}, {marks}) "
        f"SELECT {NEW_ID}, {names}, {now.version + 1}, {NEVER} FROM {STAGED} "
        f"WHERE {ORDINAL} IN (SELECT unnest(?::BIGINT[])) ORDER BY {ORDINAL}",
        [positions.tolist()],
    )


def _ids(row_ids: Iterable[int], next_id: int) -> LongIds:
    """Return row ids as an array; raise `BadConstraint` for what no row ever had."""
    if isinstance(row_ids, str | bytes) or not isinstance(cast("Any", row_ids), Iterable):
        raise BadConstraint("row ids", row_ids, "no list", way_out="give a list of row ids")
    listed = list(islice(row_ids, MAX_IDS + 1))
    if len(listed) > MAX_IDS:
        raise BadConstraint("row ids", len(listed), f"{MAX_IDS} is the most of one call")
    for one in listed:
        if isinstance(one, bool) or not isinstance(cast("Any", one), int | np.integer):
            raise BadConstraint("row id", one, "not a whole number")
        if not 0 <= one < next_id:
            raise BadConstraint("row id", one, f"no row ever had it; they end before {next_id}")
    return np.array(listed, dtype=np.int64)
