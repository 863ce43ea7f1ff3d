"""What the columns of a remote table hold: counts and ends of all in one statement, values in one.

Values are counted by the engine and put in order here, by bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..json_values import plain
from ..query.schema import Column, ColumnOverride, ColumnProfile, Kind, guess_desirable, guess_kind
from .libraries import ibis
from .library_types import ArrowTable, Table

Execute = Callable[[Table], ArrowTable]
"""Runs an expression of Ibis in one statement."""

MAX_LISTED_VALUES = 1_000
"""Distinct values that a profile lists."""

_LISTED = ("categorical", "boolean")


def read_profiles(
    table: Table,
    columns: Sequence[Column],
    overrides: Mapping[str, ColumnOverride],
    execute: Execute,
) -> list[ColumnProfile]:
    """Return the profile of every column."""
    wanted: dict[str, Any] = {"rows": table.count()}
    for place, column in enumerate(columns):
        values = table[column.name]
        wanted[f"known_{place}"] = values.count()
        wanted[f"distinct_{place}"] = values.nunique()
        if column.family in ("numeric", "date", "text"):
            wanted[f"low_{place}"], wanted[f"high_{place}"] = values.min(), values.max()
    (found,) = execute(table.aggregate(**wanted)).to_pylist()
    kinds: list[Kind] = [
        _override(overrides, column).kind
        or guess_kind(column.family, found[f"distinct_{place}"], found["rows"])
        for place, column in enumerate(columns)
    ]
    listed = [column for column, kind in zip(columns, kinds, strict=True) if kind in _LISTED]
    values_of = listed_values(table, listed, execute)
    profiles: list[ColumnProfile] = []
    for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        told = _override(overrides, column).desirable
        desirable = told or guess_desirable(column.name, column.family)
        profiles.append(
            ColumnProfile(
                name=column.name,
                sql_type=column.sql_type,
                kind=kind,
                rows=found["rows"],
                nulls=found["rows"] - found[f"known_{place}"],
                distinct=found[f"distinct_{place}"],
                minimum=plain(found.get(f"low_{place}")),
                maximum=plain(found.get(f"high_{place}")),
                desirable=None if desirable == "none" else desirable,
                values=tuple(values_of.get(column.name, ())),
                unit=column.unit,
            )
        )
    return profiles


def _override(overrides: Mapping[str, ColumnOverride], column: Column) -> ColumnOverride:
    return overrides.get(column.name, ColumnOverride())


def listed_values(
    table: Table, columns: Sequence[Column], execute: Execute
) -> dict[str, list[Any]]:
    """Return the distinct values of columns of text and truths, in one statement."""
    if not columns:
        return {}
    parts: list[Any] = []
    for place, column in enumerate(columns):
        counted = table.filter(table[column.name].notnull()).group_by(value=table[column.name])
        told = counted.aggregate(many=_rows)
        is_text = column.family == "text"
        nothing = ibis.null("string"), ibis.null("boolean")
        parts.append(
            told.select(
                place=ibis.literal(place, "int32"),
                text=told["value"] if is_text else nothing[0],
                truth=nothing[1] if is_text else told["value"],
                many=told["many"],
            )
        )
    joined = ibis.union(*parts) if len(parts) > 1 else parts[0]
    values: dict[str, list[tuple[int, Any]]] = {column.name: [] for column in columns}
    for row in execute(joined).to_pylist():
        place: int = row["place"]
        column = columns[place]
        value = row["text"] if column.family == "text" else row["truth"]
        values[column.name].append((row["many"], value))
    return {name: in_order(counted)[:MAX_LISTED_VALUES] for name, counted in values.items()}


def _rows(table: Table) -> Any:
    return table.count()


def in_order(counted: Sequence[tuple[int, Any]]) -> list[Any]:
    """Return values, most frequent first, then in order; texts by their bytes."""
    # The order of code points is that of UTF-8.
    return [value for _, value in sorted(counted, key=lambda pair: (-pair[0], pair[1]))]


def distinct_values(table: Table, column: Column, limit: int | None, execute: Execute) -> list[Any]:
    """Return a column's distinct values, most frequent first, then in order."""
    known = table.filter(table[column.name].notnull())
    counted = known.group_by(value=known[column.name]).aggregate(many=_rows)
    ordered = counted.order_by(counted["many"].desc(), counted["value"].asc())
    found = execute(ordered if limit is None else ordered.limit(limit))
    pairs = list(
        zip(found.column("many").to_pylist(), found.column("value").to_pylist(), strict=True)
    )
    return [plain(value) for value in in_order(pairs)]
