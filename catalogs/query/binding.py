"""Bind a constraint to a schema: find the column, type the values, paste none into SQL."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import cast

from ..errors import BadConstraint
from .constraint import COMPARISONS, LISTS, NULL_TESTS, PATTERNS, Constraint, Scalar, spoken
from .exact_numbers import exact_type, fitted, is_double
from .far_dates import FarMoment, far_moment
from .place_binding import bind_measured, bind_place, no_texts
from .place_values import PLACE_TESTS
from .predicate import (
    FEW_VALUES,
    Part,
    Predicate,
    Slot,
    SlotList,
    TypedValue,
    ValueTest,
    beside,
    literal_text,
    quoted,
)
from .schema import Column, Family, MeasuredColumn, Schema

OWN_INTEGERS = 10**15
"""Whole numbers up to this are compared digit for digit with a column of any whole numbers."""

_SQL_OPERATORS = {"==": "=", "!=": "<>"}
LIST_TESTS = ("==", "!=", *LISTS, "contains", "contains any")
"""Operators that fit a column of lists, beside the tests for NULL: each asks of its values.

A value equals a list that holds it, as in document stores (Elasticsearch, MongoDB).
"""

TRUTHS = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}
"""Words for the values of a yes/no column."""

_ORDERINGS = ("<", "<=", ">", ">=", "between")


def bind(
    constraint: Constraint,
    schema: Schema,
    texts_of: Callable[[str], Sequence[str]] = no_texts,
) -> Predicate:
    """Return the constraint as a predicate over the catalog's columns.

    `texts_of` gives the distinct texts of a column of opening hours.

    Values are converted to the column's type: numbers written as text become numbers, ISO
    text becomes dates, numbers become text for text columns (a model called `300`).
    Raises `UnknownColumn`, `BadConstraint` for a value of the wrong type, and `ParseError`
    for a SQL expression that is not allowed.
    """
    if constraint.op in PLACE_TESTS:
        return bind_place(constraint, schema, texts_of)
    if constraint.op == "sql":
        from .sql_expression import bind_expression

        return bind_expression(
            str(constraint.value), schema, texts_of, nulls_match=constraint.nulls == "match"
        )
    column = schema.find(cast("str", constraint.column))
    if isinstance(column, MeasuredColumn):
        return bind_measured(constraint, column, schema)
    _check_fit(constraint, column)
    return bind_to(column, constraint)


def bind_to(column: Column, constraint: Constraint) -> Predicate:
    """Return a constraint whose operator fits its column as a predicate; see `bind`."""
    values = _values(column, constraint)
    parts = _parts(column, constraint.op, _compared(column, constraint.op, values))
    return Predicate(
        beside((column.sql_type,), parts),
        (column.name,),
        nulls_match=constraint.nulls == "match",
        test=ValueTest(constraint.op, tuple(values)),
    )


def text_to(column: Column, constraint: Constraint) -> str:
    """Return the text of `bind_to`, without making what else a predicate holds."""
    op = constraint.op
    values = _compared(column, op, _values(column, constraint))
    body = literal_text(_parts(column, op, values))
    return f"coalesce({body}, TRUE)" if constraint.nulls == "match" else body


def is_own(value: object, column: Column) -> bool:
    """Return whether a column holds a number itself, so that `bind` converts nothing."""
    if type(value) is float:
        return column.sql_type == "DOUBLE"
    return type(value) is int and column.is_integer and 0 <= value < OWN_INTEGERS


def _are_own(values: Sequence[Scalar], column: Column) -> bool:
    """Return whether a column holds such numbers itself, so that none is converted."""
    types = set(map(type, values))
    if types == {float}:
        return column.sql_type == "DOUBLE"
    if types == {int} and column.is_integer:
        whole = cast("Sequence[int]", values)
        return min(whole) >= 0 and max(whole) < OWN_INTEGERS
    return False


def _values(column: Column, constraint: Constraint) -> list[TypedValue]:
    op = constraint.op
    if op in NULL_TESTS:
        return []
    ordering = op in _ORDERINGS
    values = cast("Sequence[Scalar]", constraint.values)
    if len(values) > FEW_VALUES and _are_own(values, column):
        return list(values)
    return [typed(item, column, ordering=ordering) for item in values]


def _compared(column: Column, op: str, values: Sequence[TypedValue]) -> Sequence[TypedValue]:
    """Return what is bound: exact columns are compared with exact numbers, or they are rounded."""
    kind = exact_type(column.sql_type)
    if kind is None or not values:
        return values
    return fitted(op, cast("Sequence[float]", values), kind)


def _parts(column: Column, op: str, values: Sequence[TypedValue]) -> tuple[Part, ...]:
    name = quoted(column.name)
    if op in LISTS and column.family != "list":
        return (f"{name} {op.upper()} (", SlotList(tuple(values)), ")")
    slots = list(map(Slot, values))
    if op in NULL_TESTS:
        return (f"{name} {op.upper()}",)
    if op in ("contains", "contains any"):
        return _containing(column, slots)
    if column.family == "list":
        held = _containing(column, slots)
        return held if op in ("==", "in") else ("(NOT ", *held, ")")
    if op == "between":
        return (f"{name} BETWEEN ", slots[0], " AND ", slots[1])
    return (f"{name} {_SQL_OPERATORS.get(op, op.upper())} ", slots[0])


def _containing(column: Column, slots: Sequence[Slot]) -> tuple[Part, ...]:
    """Return that a text holds one of some parts, or a list one of some values."""
    # Of `contains` DuckDB believes that everything holds an empty text, lists too.
    test = "list_contains" if column.family == "list" else "contains"
    call = f"{test}({quoted(column.name)}, "
    tests = [part for slot in slots for part in (f" OR {call}", slot, ")")]
    return (call, *tests[1:]) if len(slots) == 1 else ("(", call, *tests[1:], ")")


def _check_fit(constraint: Constraint, column: Column) -> None:
    op, family = constraint.op, column.family
    if family == "unknown":
        # No row has a value there, so nothing can be of the wrong type.
        return
    if family == "list" and op not in (*LIST_TESTS, *NULL_TESTS):
        hint = f"{column.name!r} holds lists: use {', '.join(LIST_TESTS)}"
        raise BadConstraint("op", op, "does not fit the column", hint=hint)
    if op in PATTERNS and family not in ("text", "list"):
        hint = f"{column.name!r} is {_article(family)} column: use {', '.join(COMPARISONS)}"
        raise BadConstraint("op", op, "compares text", hint=hint)
    if family == "other" and op not in NULL_TESTS:
        hint = f"{column.name!r} is of type {column.sql_type}: only is null, is not null"
        raise BadConstraint("op", op, "does not fit the column", hint=hint)
    if family == "boolean" and op in _ORDERINGS:
        hint = f"{column.name!r} is a yes/no column: use == true or == false"
        raise BadConstraint("op", op, "needs an order", hint=hint)


def typed(value: Scalar, column: Column, *, ordering: bool = False) -> TypedValue:
    """Return the value as the column's family holds it; raise `BadConstraint` if it cannot be.

    A number that is text, and that no double stands for, becomes a decimal where the column is
    exact.

    With `ordering` the value is a bound, and a number is no bound on text.
    """
    if column.family == "text" and ordering and not isinstance(value, str):
        raise _wrong_type(value, column, "text in quotes")
    return _CONVERSIONS[column.family](value, column)


def _wrong_type(value: Scalar, column: Column, expected: str) -> BadConstraint:
    problem = f"{column.name!r} is {_article(column.family)} column"
    return BadConstraint("value", value, problem, hint=f"give {expected}")


def _article(family: Family) -> str:
    return {"numeric": "a number", "boolean": "a yes/no", "other": "an unusual"}.get(
        family, f"a {family}"
    )


def _as_number(value: Scalar, column: Column) -> TypedValue:
    number = _number_in(value, column) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal):
        raise _wrong_type(value, column, "a number")
    if exact_type(column.sql_type):
        is_whole = isinstance(number, float) and column.is_integer and number.is_integer()
        return int(number) if is_whole else number
    if isinstance(number, Decimal):
        number = float(number)
    if column.sql_type == "FLOAT":
        return _single_precision(number, column)
    # Beyond 2⁵³ DuckDB would round one of the two.
    return float(number) if isinstance(number, int) and abs(number) > 2**53 else number


def _number_in(text: str, column: Column) -> float | Decimal:
    if re.fullmatch(r"\s*[+-]?\d{1,40}\s*", text, re.ASCII):
        number = int(text)
    elif len(text) <= 400 and re.fullmatch(r"\s*[+-]?[\d.]+([eE][+-]?\d+)?\s*", text, re.ASCII):
        number = _decimal_or_nan(text)
    else:
        raise _wrong_type(text, column, "a number")
    if not math.isfinite(number) or not -(2**127) <= number < 2**128:
        raise _wrong_type(text, column, "a number")
    return number


def _decimal_or_nan(text: str) -> float | Decimal:
    """Return a number, as a decimal where no double stands for it."""
    try:
        double, number = float(text), Decimal(text.strip())
    except (ValueError, InvalidOperation):
        return math.nan
    return double if not math.isfinite(double) or is_double(number) else number


def _single_precision(value: float, column: Column) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except (OverflowError, struct.error):
        raise _wrong_type(value, column, "a number that fits 32 bits") from None


def _as_text(value: Scalar, column: Column) -> Scalar:
    if isinstance(value, bool):
        raise _wrong_type(value, column, "text")
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, int | float):
        return spoken(value, "year") if float(value).is_integer() else repr(value)
    return _as_clock(value) if column.is_clock else value


def _as_clock(text: str) -> str:
    """Return a time of day as its columns hold it: `9:30:00` is `09:30`; other text as it is."""
    time = re.fullmatch(r"\s*(\d{1,2})(:\d\d)(:\d\d)?(\.\d+)?\s*", text, re.ASCII)
    if time is None:
        return text
    seconds = (time[3] or ":00") + (time[4] or "").rstrip("0").rstrip(".")
    return f"{time[1]:0>2}{time[2]}{'' if seconds == ':00' else seconds}"


def _as_boolean(value: Scalar, column: Column) -> Scalar:
    if isinstance(value, str) and (truth := TRUTHS.get(value.casefold())) is not None:
        return truth
    if not isinstance(value, bool):
        raise _wrong_type(value, column, "true or false")
    return value


def _as_date(value: Scalar, column: Column) -> date | FarMoment:
    if not isinstance(value, str | date):
        raise _wrong_type(value, column, "a date such as '2024-05-31'")
    try:
        moment = _in_utc(value if isinstance(value, date) else _moment_in(value))
    except (ValueError, OverflowError):
        moment = far_moment(value) if isinstance(value, str) else None
    if moment is None:
        raise _wrong_type(value, column, "a date such as '2024-05-31'")
    return moment


def _moment_in(text: str) -> date:
    is_day = len(text) <= len("2024-05-31")
    return date.fromisoformat(text) if is_day else datetime.fromisoformat(text)


def _in_utc(moment: date) -> date:
    """Return a moment without its zone, in UTC, which is how a catalog keeps moments."""
    if isinstance(moment, datetime):
        aware = moment.utcoffset() is not None
        # Rebuilt, since subclasses such as pandas' Timestamp carry more than a microsecond.
        plain = moment.astimezone(UTC) if aware else moment
        return datetime(*plain.timetuple()[:6], plain.microsecond)
    return moment


_CONVERSIONS: dict[Family, Callable[[Scalar, Column], TypedValue]] = {
    "numeric": _as_number,
    "text": _as_text,
    "list": _as_text,
    "boolean": _as_boolean,
    "date": _as_date,
    # Text compares with a column that holds nothing.
    "unknown": lambda value, column: str(value),
    "other": lambda value, column: value,
}
