"""A test of one column as a comparison with values that the column itself can hold.

Engines compare a whole number with a double, a decimal with a longer one or a date with a moment
by casting one of the two, each in a way of its own. Here every bound is moved to the next value of
the column's own type, on the side where nothing lies between, so that nothing is cast at all; what
no value can equal or reach leaves all rows or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, cast

from ..errors import BadConstraint
from ..query.exact_numbers import ExactType, exact, exact_type
from ..query.far_dates import FarMoment
from ..query.predicate import ValueTest
from ..query.schema import Column

_OPPOSITES = {"!=": "==", "not in": "in"}


@dataclass(frozen=True)
class ReducedTest:
    """What is asked of a value that is not NULL.

    `op` is a comparison, `in`, `between`, a pattern, or `every` and `none`, which compare nothing.
    With `negated` the opposite is asked.
    """

    op: str
    values: tuple[Any, ...] = ()
    negated: bool = False


def reduced(test: ValueTest, column: Column) -> ReducedTest:
    """Return a test as one whose values are of the column's own type."""
    negated, op = test.op in _OPPOSITES, _OPPOSITES.get(test.op, test.op)
    if op == "==":
        op = "in"
    op, values = _reduced(op, test.values, column)
    if op == "in" and len(values) == 1:
        op = "=="
    if negated and op in ("every", "none"):
        return ReducedTest("none" if op == "every" else "every")
    return ReducedTest(op, tuple(values), negated)


def _reduced(op: str, values: Sequence[Any], column: Column) -> tuple[str, Sequence[Any]]:
    kind = exact_type(column.sql_type)
    if kind is not None:
        return _of_numbers(op, [exact(value) for value in values], kind)
    if column.family == "date":
        moments = [_moment(value) for value in values]
        return _of_days(op, moments) if column.sql_type == "DATE" else (op, moments)
    return op, values


def _of_numbers(op: str, numbers: Sequence[Decimal], kind: ExactType) -> tuple[str, list[Decimal]]:
    if op == "in":
        held = [kind.rounded(each, ROUND_FLOOR) for each in numbers if kind.holds(each)]
        return ("in", held) if held else ("none", [])
    if op == "between":
        low, high = numbers
        if low > high or low > kind.high or high < kind.low:
            return "none", []
        ends = [
            kind.rounded(max(low, kind.low), ROUND_CEILING),
            kind.rounded(min(high, kind.high), ROUND_FLOOR),
        ]
        return ("between", ends) if ends[0] <= ends[1] else ("none", [])
    return _of_bound(op, numbers[0], kind)


def _of_bound(op: str, bound: Decimal, kind: ExactType) -> tuple[str, list[Decimal]]:
    is_most, strict = op[0] == "<", len(op) == 1
    # Whether a bound at the very end of the type lets its value in.
    if bound > kind.high or (bound == kind.high and is_most != strict):
        return ("every" if is_most else "none"), []
    if bound < kind.low or (bound == kind.low and is_most == strict):
        return ("none" if is_most else "every"), []
    rounding = ROUND_CEILING if is_most == strict else ROUND_FLOOR
    return op, [kind.rounded(bound, rounding)]


def _moment(value: date | FarMoment) -> datetime:
    if isinstance(value, FarMoment):
        hint = "where rows stay in their database dates are those of the years 1 to 9999"
        raise BadConstraint("value", value.text, "too far from now", hint=hint)
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)


def _of_days(op: str, moments: Sequence[datetime]) -> tuple[str, list[date]]:
    """Return a test of days: midnight is the day, any other moment lies between two."""
    if op == "in":
        days = [moment.date() for moment in moments if _is_midnight(moment)]
        return ("in", days) if days else ("none", [])
    if op == "between":
        low, high = moments[0].date(), moments[1].date()
        if not _is_midnight(moments[0]):
            if low == date.max:
                return "none", []
            low += timedelta(days=1)
        return ("between", [low, high]) if low <= high else ("none", [])
    moment = moments[0]
    if not _is_midnight(moment):
        op = {"<": "<=", ">=": ">"}.get(op, op)
    return op, [moment.date()]


def _is_midnight(moment: datetime) -> bool:
    return moment.time() == datetime.min.time()


def of_text(value: Any) -> str:
    """Return a number, a day or a moment as text that every engine casts back exactly."""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    return repr(float(cast("float", value)))
