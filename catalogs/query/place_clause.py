"""Constraints on places and hours in a WHERE text, as calls of functions that no database has.

`distance_km(40.75, -73.98) <= 1`, `travel_minutes(40.75, -73.98, 'walk') <= 15` and
`open_at('2026-05-01 22:30')`, each alone between ANDs.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ..errors import ParseError
from .constraint import Constraint

FORMS = {
    "distance_km": "distance_km(lat, lon) <= km",
    "travel_minutes": "travel_minutes(lat, lon, 'walk') <= minutes",
    "open_at": "open_at('YYYY-MM-DD HH:MM')",
}
"""How each is written."""

_OPS = {"distance_km": "within", "travel_minutes": "reachable", "open_at": "open at"}
_COUNTS = {"distance_km": 2, "travel_minutes": 3, "open_at": 1}

ValueOf = Callable[[exp.Expr], object]


def place_constraint(node: exp.Expr, text: str, value_of: ValueOf) -> Constraint | None:
    """Return a conjunct as a constraint on places or hours; None where it is none.

    `value_of` gives the value of a literal, None for anything else. Raises `ParseError` for one
    written otherwise and `BadConstraint` for values that cannot be.
    """
    call, most = _called(node), None
    if call is None and isinstance(node, exp.LTE):
        call, most = _called(node.this), node.expression
    elif call is None and isinstance(node, exp.GTE):
        call, most = _called(node.expression), node.this
    if call is None:
        found = next((each for each in node.find_all(exp.Anonymous) if _called(each)), None)
        if found is not None:
            raise _miswritten(found, text)
        return None
    name = str(call.this).casefold()
    values = [value_of(argument) for argument in call.expressions]
    bound = None if most is None else value_of(most)
    is_complete = (most is None) == (name == "open_at") and (most is None or bound is not None)
    if not is_complete or None in values or len(values) != _COUNTS[name]:
        raise _miswritten(call, text)
    value = values[0] if name == "open_at" else [*values, bound]
    return Constraint.model_validate({"op": _OPS[name], "value": value})


def _called(node: object) -> exp.Anonymous | None:
    """Return a call of one of the functions; None for anything else."""
    if isinstance(node, exp.Anonymous) and str(node.this).casefold() in FORMS:
        return node
    return None


def _miswritten(call: exp.Anonymous, text: str) -> ParseError:
    name = str(call.this).casefold()
    position = text.casefold().find(name) + 1
    hint = f"write {FORMS[name]}, alone between ANDs, with numbers and texts as they are"
    return ParseError(text, position, f"{name}() is not written like that", hint=hint)
