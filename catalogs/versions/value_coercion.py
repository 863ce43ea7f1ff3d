"""Convert one value to a column's type where nothing is lost; refuse it otherwise."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Context, Decimal, InvalidOperation
from functools import cache
from typing import Any, cast

import numpy as np

from ..errors import BadConstraint
from ..query.binding import typed
from ..query.constraint import character_problem
from ..query.far_dates import FarMoment
from ..query.schema import Column

MAX_TEXT = 2**20
"""The most characters of a text."""

LARGEST_SINGLE = 3.4028234663852886e38
_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}


class Unfit(ValueError):
    """A value that a column cannot hold; the message says why."""


def stored(value: Any, column: Column) -> Any:
    """Return a value as the column will hold it, None for NULL; raise `Unfit`.

    Numbers written as text become numbers and ISO text becomes dates, as in constraints;
    nothing is rounded, cut or clipped.
    """
    if value is None or _fits_plainly(value, column):
        return value
    if isinstance(value, np.generic):
        value = cast("Any", value.item())
    return _CONVERSIONS[column.family](value, column)


def _fits_plainly(value: Any, column: Column) -> bool:
    """Whether a value plainly is one of the column's: most are, and there are many."""
    kind = cast("object", type(value))
    if kind is str:
        plain = column.sql_type == "VARCHAR" and not column.is_clock
        return plain and value.isascii() and "\0" not in value and len(value) <= MAX_TEXT
    if kind is int:
        return fits_whole(value, column)
    return kind is float and column.sql_type == "DOUBLE" and math.isfinite(value)


def fits_whole(number: int, column: Column) -> bool:
    """Return whether a column of whole numbers can hold this one."""
    low, high = _whole_numbers(column.sql_type)
    return low <= number < high


def _number(value: Any, column: Column) -> Any:
    exact = _exact(value)
    if column.is_integer:
        return _whole(exact, column)
    if column.sql_type.startswith("DECIMAL"):
        return _decimal(exact, column)
    if abs(exact) > (LARGEST_SINGLE if column.sql_type == "FLOAT" else 1.7976931348623157e308):
        raise Unfit(f"too large for {column.sql_type}")
    return float(exact)


def _exact(value: Any) -> Decimal:
    if isinstance(value, str):
        if len(value) > 400 or not re.fullmatch(
            r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?\s*", value, re.ASCII
        ):
            raise Unfit("not a number")
        return Decimal(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise Unfit("not a number")
    if isinstance(value, int):
        if abs(value) >= 2**1024:
            raise Unfit("too large a number")
        return Decimal(value)
    if not math.isfinite(value):
        raise Unfit("not a finite number")
    return value if isinstance(value, Decimal) else Decimal(repr(value))


def _whole(exact: Decimal, column: Column) -> int:
    if exact.adjusted() > 40:
        raise Unfit(f"too large for {column.sql_type}")
    number = int(exact)
    if number != exact:
        raise Unfit("not a whole number")
    low, high = _whole_numbers(column.sql_type)
    if not low <= number < high:
        raise Unfit(f"out of the range of {column.sql_type}")
    return number


@cache
def _whole_numbers(sql_type: str) -> tuple[int, int]:
    """Return the least whole number of a type, and one more than the greatest; (0, 0) for none."""
    bits = _BITS.get(sql_type.removeprefix("U"), 0)
    if not bits:
        return 0, 0
    return (0, 2**bits) if sql_type.startswith("U") else (-(2 ** (bits - 1)), 2 ** (bits - 1))


def _decimal(exact: Decimal, column: Column) -> Decimal:
    width, scale = map(int, re.findall(r"\d+", column.sql_type)[:2])
    if exact and exact.adjusted() >= width - scale:
        raise Unfit(f"too large for {column.sql_type}")
    try:
        rounded = exact.quantize(Decimal(1).scaleb(-scale), context=_WIDE)
    except InvalidOperation:
        raise Unfit(f"does not fit {column.sql_type}") from None
    if rounded != exact:
        raise Unfit(f"more than {scale} digits behind the point")
    return rounded


def _text(value: Any, column: Column) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise Unfit("not a finite number")
    if column.is_clock and isinstance(value, time):
        value = value.isoformat()
    text = _as_constrained(value, column)
    if len(text) > MAX_TEXT:
        raise Unfit(f"{len(text)} characters, and {MAX_TEXT} is the most")
    problem = character_problem(text)
    if problem:
        raise Unfit(f"holds {problem[1]}")
    return text


def _texts(value: Any, column: Column) -> list[str]:
    """Return a list of texts; of one text, its parts between `;` or `|`."""
    parts = re.split(r"\s*[;|]\s*", value.strip()) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise Unfit("not a list of texts")
    return [_text(part, column) for part in cast("Sequence[Any]", parts) if part != ""]


def _as_constrained(value: Any, column: Column) -> Any:
    """Return the value as a constraint on the column would compare it."""
    if not isinstance(value, str | bool | int | float | date):
        raise Unfit(f"not a value of a {column.family} column")
    try:
        return typed(value, column)
    except BadConstraint as error:
        raise Unfit(error.hint or error.problem) from None


def _moment(value: Any, column: Column) -> date:
    if isinstance(value, bool | int | float):
        raise Unfit("not a date")
    moment = _as_constrained(value, column)
    if isinstance(moment, FarMoment):
        raise Unfit("a date outside the years 1 to 9999")
    if column.sql_type == "DATE" and isinstance(moment, datetime):
        if moment.time() != datetime.min.time():
            raise Unfit("a time of day in a column of days")
        return moment.date()
    return moment


def _nothing(value: Any, column: Column) -> None:
    raise Unfit(f"the column is of type {column.sql_type}, which cannot be written")


_WIDE = Context(prec=60)
_CONVERSIONS: dict[str, Callable[[Any, Column], Any]] = {
    "numeric": _number,
    "text": _text,
    "boolean": _as_constrained,
    "date": _moment,
    "list": _texts,
    "unknown": _nothing,
    "other": _nothing,
}
