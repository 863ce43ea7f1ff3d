"""What a column holds, asked of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .columns import Column, ColumnOverride, ColumnProfile, guess_desirable, guess_kind
from .plain_values import plain
from .predicate import quoted

if TYPE_CHECKING:
    from .snapshot import Snapshot

MAX_LISTED_VALUES = 1_000


def profile_of(catalog: Snapshot, column: Column) -> ColumnProfile:
    """Return what a column of a version holds."""
    name = quoted(column.name)
    ordered = column.family in ("numeric", "date", "text")
    ends = f"min({name}), max({name})" if ordered else "NULL, NULL"
    found = catalog.cursor().execute(
        f"SELECT count(*) - count({name}), count(DISTINCT {name}), {ends} "
        f"FROM {catalog.rows_clause}"
    )
    nulls, distinct, low, high = cast("tuple[int, int, Any, Any]", found.fetchone())
    override = catalog.facts.overrides.get(column.name, ColumnOverride())
    kind = override.kind or guess_kind(column.family, distinct, catalog.row_count)
    desirable = override.desirable or guess_desirable(column.name, column.family)
    listed = kind in ("categorical", "boolean")
    return ColumnProfile(
        name=column.name,
        sql_type=column.sql_type,
        kind=kind,
        rows=catalog.row_count,
        nulls=nulls,
        distinct=distinct,
        minimum=plain(low),
        maximum=plain(high),
        desirable=None if desirable == "none" else desirable,
        values=tuple(catalog.values(column.name, MAX_LISTED_VALUES)) if listed else (),
    )
