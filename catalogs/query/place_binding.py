"""Bind constraints on places and hours: SQL that runs anywhere, and what they measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import BadConstraint
from .constraint import Constraint
from .opening_hours import is_open
from .place_values import moment_of
from .places import Measure, PlaceColumns, distance_parts, limit_of, measure_of
from .predicate import Measured, Predicate, Slot, ValueTest, quoted
from .schema import Schema


def bind_place(
    constraint: Constraint, schema: Schema, texts_of: Callable[[str], Sequence[str]]
) -> Predicate:
    """Return a constraint on places or hours as a predicate.

    `texts_of` gives the distinct texts of a column. Raises `BadConstraint` where the catalog has
    no such columns, or of another type.
    """
    op, value = constraint.op, constraint.value
    measure = measure_of(op, value, _checked(schema))
    measured = Measured(measure.name, limit_of(op, value))
    nulls_match = constraint.nulls == "match"
    if op == "open at":
        return _open_at(constraint, measure, measured, texts_of(measure.columns[0]))
    named = Measure(measure.kind, tuple(map(quoted, measure.columns)), measure.point, measure.mode)
    parts = [part if isinstance(part, str) else Slot(part) for part in distance_parts(named)]
    return Predicate(
        (*parts, " <= ", Slot(measured.most)), measure.columns, nulls_match, measured=measured
    )


def _checked(schema: Schema) -> PlaceColumns:
    """Return the columns of places and hours, in the catalog's spelling and of the right types."""
    places = schema.places
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
        parts: tuple[str | Slot, ...] = (f"{name} <> {name}",)
        return Predicate(parts, measure.columns, nulls_match, measured=measured)
    listed = [part for text in among for part in (", ", Slot(text))][1:]
    return Predicate(
        (f"{name} IN (", *listed, ")"),
        measure.columns,
        nulls_match,
        test=ValueTest("in", among),
        measured=measured,
    )
