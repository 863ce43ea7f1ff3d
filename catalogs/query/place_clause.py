"""Places and hours in SQL texts, as calls of functions that no database has.

`distance_km(40.75, -73.98)` and `travel_minutes(40.75, -73.98, 'walk')` are numbers,
`open_at('2026-05-01 22:30')` a truth. Between ANDs a bound on one is a constraint that can move;
anywhere else a call is written out as SQL, NULL where nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from sqlglot import exp

from ..errors import ParseError
from .constraint import Constraint
from .place_binding import Parts, checked_places, measure_parts, open_parts
from .place_values import check_limit, check_place_value
from .places import Measure, PlaceColumns, measure_of
from .schema import Schema

FORMS = {
    "distance_km": "distance_km(lat, lon) <= km",
    "travel_minutes": "travel_minutes(lat, lon, 'walk') <= minutes",
    "open_at": "open_at('YYYY-MM-DD HH:MM')",
}
"""How each is written."""

_OPS = {"distance_km": "within", "travel_minutes": "reachable", "open_at": "open at"}
_COUNTS = {"distance_km": (2,), "travel_minutes": (2, 3), "open_at": (1,)}
_SIGNS: dict[type[exp.Expr], str] = {exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_DENIED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}

ValueOf = Callable[[exp.Expr], object]


def is_place_call(node: object) -> bool:
    """Return whether a node calls one of the functions."""
    return isinstance(node, exp.Anonymous) and str(node.this).casefold() in FORMS


def place_constraint(node: exp.Expr, text: str, value_of: ValueOf) -> Constraint | None:
    """Return a conjunct as a constraint on places or hours; None where it is none.

    `value_of` gives the value of a literal, None for anything else. Raises `ParseError` for a call
    written otherwise and `BadConstraint` for values that cannot be.
    """
    if isinstance(node, exp.Anonymous) and is_place_call(node):
        op, values = place_arguments(node, text, value_of)
        if op != "open at":
            raise miswritten(node, text)
        return Constraint.model_validate({"op": op, "value": values[0]})
    compared = _compared(node, value_of)
    if compared is None:
        return None
    call, sign, bounds = compared
    op, values = place_arguments(call, text, value_of)
    if op == "open at" or None in bounds:
        raise miswritten(call, text)
    if sign == "<=":
        return Constraint.model_validate({"op": op, "value": [*values, bounds[0]]})
    for bound in bounds:
        check_limit(op, bound)
    column = Measure.called(op, values)
    value = list(bounds) if sign == "between" else bounds[0]
    return Constraint.model_validate({"column": column, "op": sign, "value": value})


def _compared(node: Any, value_of: ValueOf) -> tuple[exp.Anonymous, str, Sequence[object]] | None:
    """Return a call that is compared with literals: the call, the operator, the literals."""
    if isinstance(node, exp.Not | exp.Paren):
        inner: Any = node.this
        found = _compared(inner, value_of)
        if found is None or isinstance(node, exp.Paren):
            return found
        # What is unknown is so either way.
        return (found[0], _DENIED[found[1]], found[2]) if found[1] in _DENIED else None
    if isinstance(node, exp.Between) and is_place_call(node.this):
        if node.args.get("symmetric") is not None:
            return None
        return node.this, "between", [value_of(node.args["low"]), value_of(node.args["high"])]
    sign = _SIGNS.get(cast("type[exp.Expr]", type(node)))
    if sign is None:
        return None
    for call, other, op in ((node.this, node.expression, sign),
                            (node.expression, node.this, _FLIPPED[sign])):  # fmt: skip
        if is_place_call(call) and (str(call.this).casefold() == "open_at" or _is_value(other)):
            return call, op, [value_of(other)]
    return None


def _is_value(node: object) -> bool:
    return isinstance(node, exp.Literal | exp.Boolean | exp.Null) or (
        isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)
    )


def place_arguments(
    call: exp.Anonymous, text: str, value_of: ValueOf
) -> tuple[str, tuple[Any, ...]]:
    """Return operator and arguments of a call, checked; raise `ParseError` or `BadConstraint`."""
    name = str(call.this).casefold()
    op, values = _OPS[name], tuple(value_of(argument) for argument in call.expressions)
    if None in values or len(values) not in _COUNTS[name]:
        raise miswritten(call, text)
    check_place_value(op, values[0] if op == "open at" else (*values, 0))
    return op, values


def place_sql(
    call: exp.Anonymous,
    text: str,
    value_of: ValueOf,
    schema: Schema,
    texts_of: Callable[[str], Sequence[str]],
) -> tuple[Parts, tuple[str, ...]]:
    """Return a call as SQL, and the columns that it reads; raise what `place_arguments` raises."""
    op, values = place_arguments(call, text, value_of)
    compared = _compared(call.parent, value_of)
    for bound in compared[2] if compared and op != "open at" else ():
        check_limit(op, bound)
    places: PlaceColumns = checked_places(schema)
    measure = measure_of(op, values[0] if op == "open at" else values, places)
    if op == "open at":
        return open_parts(measure, texts_of(measure.columns[0])), measure.columns
    return measure_parts(measure), measure.columns


def miswritten(call: exp.Anonymous, text: str) -> ParseError:
    """Return that a call is not written as it should be."""
    name = str(call.this).casefold()
    position = text.casefold().find(name) + 1
    hint = f"write {FORMS[name]}, with numbers and texts as they are"
    return ParseError(text, position, f"{name}() is not written like that", hint=hint)
