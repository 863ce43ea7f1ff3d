"""What a column holds, asked of DuckDB: one reading for the counts and ends, one for the values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..json_values import plain
from ..query.predicate import quoted
from ..query.schema import Column, ColumnOverride, ColumnProfile, guess_desirable, guess_kind

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_LISTED_VALUES = 1_000


def distinct_values(
    cursor: DuckDBPyConnection, rows_clause: str, column: Column, limit: int | None = None
) -> list[Any]:
    """Return a column's distinct values, most frequent first, then in order."""
    name = quoted(column.name)
    result = cursor.execute(
        f"SELECT {name} FROM {rows_clause} WHERE {name} IS NOT NULL GROUP BY 1 "
        f"ORDER BY count(*) DESC, 1" + (f" LIMIT {int(limit)}" if limit is not None else "")
    )
    return [plain(row[0]) for row in result.fetchall()]


def profile_of(
    cursor: DuckDBPyConnection, rows_clause: str, column: Column, override: ColumnOverride
) -> ColumnProfile:
    """Return what a column holds in the rows of a FROM clause."""
    name = quoted(column.name)
    ordered = column.family in ("numeric", "date", "text")
    ends = f"min({name}), max({name})" if ordered else "NULL, NULL"
    result = cursor.execute(
        f"SELECT count(*), count(*) - count({name}), count(DISTINCT {name}), {ends} "
        f"FROM {rows_clause}"
    )
    rows, nulls, distinct, low, high = cast("tuple[int, int, int, Any, Any]", result.fetchone())
    kind = override.kind or guess_kind(column.family, distinct, rows)
    desirable = override.desirable or guess_desirable(column.name, column.family)
    is_listed = kind in ("categorical", "boolean")
    values = distinct_values(cursor, rows_clause, column, MAX_LISTED_VALUES) if is_listed else ()
    return ColumnProfile(
        name=column.name,
        sql_type=column.sql_type,
        kind=kind,
        rows=rows,
        nulls=nulls,
        distinct=distinct,
        minimum=plain(low),
        maximum=plain(high),
        desirable=None if desirable == "none" else desirable,
        values=tuple(values),
    )
