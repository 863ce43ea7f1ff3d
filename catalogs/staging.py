"""Rows beside the catalog's table: which rows they replace, and what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from .column_store import ColumnStore
from .columns import Column
from .errors import BadConstraint, QueryError
from .incoming import Incoming
from .numbering import Numbering
from .predicate import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from .snapshot import Snapshot

GIVEN = "temp.main.concede_given"
STAGED = "temp.main.concede_staged"
ORDINAL = "concede_ordinal"
"""Columns of ours in the staged tables; a catalog's own column of that name is refused."""

OLD_ID = "concede_old_id"
NEW_ID = "concede_new_id"
_OURS = (ORDINAL, OLD_ID, NEW_ID)


@dataclass(frozen=True)
class Staged:
    """Complete rows in a temporary table, in order.

    `row_ids` int64[n]; `is_new` bool[n]; `changed` for each column bool[n], which of the rows
    that replace another have another value there. `columns` reads the rows by their position.
    """

    row_ids: NDArray[np.int64]
    is_new: NDArray[np.bool_]
    changed: dict[str, NDArray[np.bool_]]
    columns: ColumnStore


def stage(now: Snapshot, given: Incoming, cursor: DuckDBPyConnection) -> Staged:
    """Put rows into a temporary table of the cursor, completed from the rows they replace.

    Raises `BadConstraint` for a key that several rows of the catalog share.
    """
    for name in now.columns:
        if name.casefold() in _OURS or name.casefold().startswith("concede_given_"):
            raise BadConstraint("column", name, "is a name used here", way_out="rename it")
    try:
        _put(now, given, cursor)
        _match(now, given.key, cursor)
        _complete(now, given, cursor)
        return _staged(now, given, cursor)
    except duckdb.Error as error:
        raise QueryError(f"the rows cannot be written: {str(error).splitlines()[0]}") from None


def clear(cursor: DuckDBPyConnection) -> None:
    """Drop the temporary tables of `stage`."""
    for name in ("concede_given", "concede_pairs", "concede_staged"):
        cursor.execute(f"DROP TABLE IF EXISTS temp.main.{name}")


def _put(now: Snapshot, given: Incoming, cursor: DuckDBPyConnection) -> None:
    columns = [now.schema.find(name) for name in given.columns]
    listed = [f"unnest(range({len(given.rows)})) AS {ORDINAL}"]
    values: list[list[Any]] = []
    for place, column in enumerate(columns):
        cells = [row.get(column.name) for row in given.rows]
        listed.append(f"unnest({_parameter(column)}) AS {quoted(column.name)}")
        values.append(
            [
                str(one) if isinstance(one, int | Decimal) and not isinstance(one, bool) else one
                for one in cells
            ]
        )
        if any(column.name not in row for row in given.rows):
            listed.append(f"unnest(?::BOOLEAN[]) AS concede_given_{place}")
            values.append([column.name in row for row in given.rows])
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE concede_given AS SELECT {', '.join(listed)}", values
    )


def _parameter(column: Column) -> str:
    """Return a list of values of the column as a parameter; whole numbers are given as text."""
    if column.family in ("unknown", "other"):
        return "?::VARCHAR[]"
    if column.is_integer or column.sql_type.startswith("DECIMAL"):
        return f"?::VARCHAR[]::{column.sql_type}[]"
    return f"?::{column.sql_type}[]"


def _match(now: Snapshot, key: Sequence[str], cursor: DuckDBPyConnection) -> None:
    """Find the row each given row replaces, in a table of pairs."""
    row_id = now.table.row_id
    if not key:
        cursor.execute(
            f"CREATE OR REPLACE TEMP TABLE concede_pairs AS SELECT {ORDINAL}, "
            f"NULL::BIGINT AS {OLD_ID} FROM {GIVEN} LIMIT 0"
        )
        return
    same = " AND ".join(f"g.{quoted(one)} = o.{quoted(one)}" for one in key)
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE concede_pairs AS SELECT g.{ORDINAL}, o.{row_id} AS {OLD_ID} "
        f"FROM {now.rows_clause} AS o JOIN {GIVEN} AS g ON {same}"
    )
    names = ", ".join(f"g.{quoted(one)}" for one in key)
    found = cursor.execute(
        f"SELECT {names}, c.pairs FROM {GIVEN} AS g JOIN (SELECT {ORDINAL}, count(*) AS pairs "
        f"FROM temp.main.concede_pairs GROUP BY 1 HAVING count(*) > 1) AS c USING ({ORDINAL}) "
        f"ORDER BY {ORDINAL} LIMIT 1"
    )
    for *same_values, count in found.fetchall():
        shown = same_values[0] if len(same_values) == 1 else tuple(same_values)
        problem = f"{count} rows of the catalog have the same, {shown!r}"
        raise BadConstraint("key", list(key), problem, way_out="name columns that tell rows apart")


def _complete(now: Snapshot, given: Incoming, cursor: DuckDBPyConnection) -> None:
    """Make the rows as they will be, with a flag for every column that changes."""
    places = {name: place for place, name in enumerate(given.columns)}
    partly = {name for name in places if any(name not in row for row in given.rows)}
    complete: list[str] = []
    flags: list[str] = []
    for place, column in enumerate(now.schema.columns):
        name = quoted(column.name)
        value = f"o.{name}"
        if column.name in places:
            own = "NULL" if column.family in ("unknown", "other") else f"g.{name}"
            asked = f"g.concede_given_{places[column.name]}"
            value = (
                f"CASE WHEN {asked} THEN {own} ELSE o.{name} END"
                if (column.name in partly)
                else own
            )
        complete.append(f"{value} AS {name}")
        flags.append(
            f"(p.{OLD_ID} IS NOT NULL AND ({value}) IS DISTINCT FROM o.{name}) "
            f"AS concede_changed_{place}"
        )
    first = now.facts.numbering.next_id
    row_id = now.table.row_id
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE concede_staged AS SELECT g.{ORDINAL}, p.{OLD_ID}, "
        f"coalesce(p.{OLD_ID}, {first} - 1 + count(*) FILTER (p.{OLD_ID} IS NULL) "
        f"OVER (ORDER BY g.{ORDINAL})) AS {NEW_ID}, {', '.join([*complete, *flags])} "
        f"FROM {GIVEN} AS g LEFT JOIN temp.main.concede_pairs AS p USING ({ORDINAL}) "
        f"LEFT JOIN (SELECT * FROM {now.rows_clause} WHERE {row_id} IN "
        f"(SELECT {OLD_ID} FROM temp.main.concede_pairs)) AS o ON o.{row_id} = p.{OLD_ID}"
    )


def _staged(now: Snapshot, given: Incoming, cursor: DuckDBPyConnection) -> Staged:
    flags = ", ".join(f"concede_changed_{place}" for place in range(len(now.columns)))
    found = cast(
        "dict[str, NDArray[Any]]",
        cursor.execute(
            f"SELECT {NEW_ID}, {OLD_ID} IS NULL AS is_new, {flags} FROM {STAGED} ORDER BY {ORDINAL}"
        ).fetchnumpy(),
    )
    changed = {
        name: np.asarray(found[f"concede_changed_{place}"], dtype=np.bool_)
        for place, name in enumerate(now.columns)
    }
    count = len(given.rows)
    columns = ColumnStore(
        lambda: cursor, STAGED, ORDINAL, Numbering.of_count(count), max_bytes=2**62
    )
    row_ids = np.asarray(found[NEW_ID], dtype=np.int64)
    return Staged(row_ids, np.asarray(found["is_new"], dtype=np.bool_), changed, columns)
