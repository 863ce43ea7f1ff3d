"""Bind constraints on places and hours: SQL that runs anywhere, and what they measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from ..errors import BadConstraint
from .constraint import NULL_TESTS, Constraint
from .opening_hours import is_open
from .place_values import check_limit, moment_of
from .places import Measure, PlaceColumns, distance_parts, limit_of, measure_of
from .predicate import Measured, Predicate, Slot, ValueTest, quoted
from .schema import MeasuredColumn, Schema

Parts = tuple[str | Slot, ...]
TextsOf = Callable[[str], Sequence[str]]
"""Gives the distinct texts of a column."""


def no_texts(column: str) -> Sequence[str]:
    """Return the texts of a column of which none are known."""
    return ()


BOUNDS = ("<", "<=", ">", ">=", "between")
"""What compares a distance, or minutes, with numbers."""


def bind_place(constraint: Constraint, schema: Schema, texts_of: TextsOf) -> Predicate:
    """Return a constraint on places or hours as a predicate.

    `texts_of` gives the distinct texts of a column. Raises `BadConstraint` where the catalog has
    no such columns, or of another type.
    """
    op, value = constraint.op, constraint.value
    measure = measure_of(op, value, checked_places(schema))
    measured = Measured(measure.name, limit_of(op, value))
    if op == "open at":
        return _open_at(constraint, measure, measured, texts_of(measure.columns[0]))
    parts = (*measure_parts(measure), " <= ", Slot(measured.most))
    return Predicate(parts, measure.columns, constraint.nulls == "match", measured=measured)


def bind_measured(constraint: Constraint, column: MeasuredColumn, schema: Schema) -> Predicate:
    """Return a bound on what is measured, `distance_km(40.75, -73.98) > 5`, as a predicate.

    Raises `BadConstraint` for another comparison, or with no number.
    """
    op, measure = constraint.op, column.measure
    if measure.kind == "open at":
        raise BadConstraint("column", column.name, "no column", hint="use op 'open at'")
    if op not in BOUNDS and op not in NULL_TESTS:
        hint = f"use {', '.join((*BOUNDS, *NULL_TESTS))}"
        raise BadConstraint("op", op, f"does not fit {column.name}", hint=hint)
    checked_places(schema)
    ends = _ends(constraint, measure)
    parts, nulls_match = measure_parts(measure), constraint.nulls == "match"
    if op in NULL_TESTS:
        return Predicate((*parts, f" {op.upper()}"), measure.columns, nulls_match)
    tail = [part for end in ends for part in (" AND ", Slot(end))][1:]
    least = -math.inf if op in ("<", "<=") else ends[0]
    most = math.inf if op in (">", ">=") else ends[-1]
    measured = Measured(column.name, most, least, strict=op in ("<", ">"))
    return Predicate(
        (*parts, f" {op.upper()} ", *tail), measure.columns, nulls_match, measured=measured
    )


def _ends(constraint: Constraint, measure: Measure) -> list[float]:
    """Return what a bound compares with: nothing, one number or two."""
    for end in constraint.values:
        check_limit(measure.kind, end)
    return [float(cast("float", end)) for end in constraint.values]


def measure_parts(measure: Measure) -> Parts:
    """Return the SQL of a distance or of minutes, NULL where it is unknown."""
    named = replace(measure, columns=tuple(map(quoted, measure.columns)))
    parts = tuple(part if isinstance(part, str) else Slot(part) for part in distance_parts(named))
    if measure.known is None:
        return parts
    pairs = [
        part
        for item, minutes in sorted(measure.known.minutes.items())
        for part in ("), (", Slot(item), ", ", Slot(minutes))
    ]
    pairs[0] = 'coalesce((SELECT "concede minutes" FROM (VALUES ('
    item = f"CAST({quoted(measure.known.column)} AS VARCHAR)"
    table = 'AS known("concede item", "concede minutes")'
    return (*pairs, f')) {table} WHERE "concede item" = {item}), ', *parts, ")")


def open_parts(measure: Measure, texts: Sequence[str]) -> Parts:
    """Return the SQL of whether a place is open, for any expression: NULL where it is unknown."""
    name, known = (
        quoted(measure.columns[0]),
        {text: is_open(text, measure.moment) for text in texts},
    )
    branches: list[str | Slot] = []
    for truth in (True, False):
        among = sorted(text for text, is_true in known.items() if is_true is truth)
        if among:
            branches += [f" WHEN {name} IN (", *_listed(among), f") THEN {str(truth).upper()}"]
    return ("CASE", *branches, " END") if branches else ("CAST(NULL AS BOOLEAN)",)


def _listed(texts: Sequence[str]) -> list[str | Slot]:
    return [part for text in texts for part in (", ", Slot(text))][1:]


def checked_places(schema: Schema) -> PlaceColumns:
    """Return the columns of places and hours, in the catalog's spelling and of the right types."""
    places = schema.places
    if places.travel is not None:
        column = schema.find(places.travel.column)
        if not (column.is_integer or column.family in ("text", "unknown")):
            raise BadConstraint(
                "column", column.name, "names no items", hint="texts or whole numbers"
            )
    for name in places.location or ():
        if schema.find(name).family not in ("numeric", "unknown"):
            raise BadConstraint("column", name, "holds no degrees", hint="give numbers")
    if places.hours and schema.find(places.hours).family not in ("text", "unknown"):
        raise BadConstraint("column", places.hours, "holds no texts", hint="give opening hours")
    return places


def _open_at(
    constraint: Constraint, measure: Measure, measured: Measured, texts: Sequence[str]
) -> Predicate:
    """Return that a place is open: one of the texts that say so, which DuckDB compares itself."""
    moment, nulls_match = moment_of(constraint.value), constraint.nulls == "match"
    wanted = (True, None) if nulls_match else (True,)
    among = tuple(sorted(text for text in texts if is_open(text, moment) in wanted))
    name = quoted(measure.columns[0])
    if not among:
        # No list is empty in SQL.
        parts: Parts = (f"{name} <> {name}",)
        return Predicate(parts, measure.columns, nulls_match, measured=measured)
    return Predicate(
        (f"{name} IN (", *_listed(among), ")"),
        measure.columns,
        nulls_match,
        test=ValueTest("in", among),
        measured=measured,
    )
