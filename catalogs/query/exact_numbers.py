"""Numbers compared digit for digit: what columns of whole numbers and decimals are asked.

DuckDB compares two exact numbers in a DECIMAL that holds the digits of both, up to 38 of them;
beyond that it fails, and beside a double it rounds. A bound that does not fit is moved to the next
number the column can hold, on the side where no value lies between; what no value can equal, or
reach, becomes a double beyond all of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cache
from typing import cast

from ..cached_attribute import cached_attribute

MAX_DIGITS = 38
"""The width of DuckDB's widest DECIMAL."""

BEYOND_ALL = 1e39
"""A double beyond every exact number: UHUGEINT ends at 3.4e38."""

_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
_WIDE = Context(prec=2_000, Emin=-9_999, Emax=9_999)
_ROUNDED = {"<": ROUND_CEILING, ">": ROUND_FLOOR, "<=": ROUND_FLOOR, ">=": ROUND_CEILING}


@dataclass(frozen=True)
class ExactType:
    """The exact numbers that a column can hold: all from `low` to `high` with `scale` decimals."""

    low: Decimal
    high: Decimal
    scale: int

    @cached_attribute
    def whole_digits(self) -> int:
        """The most digits before the point."""
        return max(_whole_digits(self.low), _whole_digits(self.high))

    def holds(self, number: Decimal) -> bool:
        """Return whether a value of the column can equal a number."""
        return self.low <= number <= self.high and scale_of(number) <= self.scale

    def rounded(self, number: Decimal, rounding: str) -> Decimal:
        """Return the next number with as many decimals as the column has."""
        return number.quantize(Decimal(1).scaleb(-self.scale), rounding, _WIDE)


@cache
def exact_type(sql_type: str) -> ExactType | None:
    """Return what a column of exact numbers can hold; None for one of any other type."""
    decimal = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", sql_type)
    if decimal:
        width, scale = int(decimal[1]), int(decimal[2])
        high = Decimal(10**width - 1).scaleb(-scale, _WIDE)
        return ExactType(high.copy_negate(), high, scale)
    bits = _BITS.get(sql_type.removeprefix("U"))
    if bits is None:
        return None
    signed = not sql_type.startswith("U")
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return ExactType(Decimal(low), Decimal(high), 0)


def exact(value: float | Decimal) -> Decimal:
    """Return the number that a value stands for: a double that is no whole number stands for its
    shortest decimal."""
    is_short = isinstance(value, float) and not value.is_integer()
    return Decimal(repr(value) if is_short else value)


def is_double(number: Decimal) -> bool:
    """Return whether a double stands for exactly this number, so that none of it is lost."""
    return math.isfinite(double := float(number)) and exact(double) == number


def scale_of(number: Decimal) -> int:
    """Return how many digits behind the point a number needs."""
    _, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int) or exponent >= 0:
        return 0
    zeros = len(digits) - len(bytes(digits).rstrip(b"\0"))
    return max(0, -exponent - zeros) if any(digits) else 0


def fitted(
    op: str, values: Sequence[float | Decimal], kind: ExactType
) -> list[int | float | Decimal]:
    """Return values that DuckDB compares with a column of this type exactly, with the same result.

    Values that fit beside the column stay as they are, doubles as decimals. Of a list, values that
    the column cannot hold are left out where others stay.
    """
    if kind.scale == 0 and kind.whole_digits <= MAX_DIGITS and set(map(type, values)) == {int}:
        whole_numbers = cast("Sequence[int]", values)
        if max(map(abs, whole_numbers)) < 10**MAX_DIGITS:
            return list(whole_numbers)
    numbers = [exact(value) for value in values]
    whole = max(kind.whole_digits, *[_whole_digits(number) for number in numbers])
    if whole + max(kind.scale, *[scale_of(number) for number in numbers]) <= MAX_DIGITS:
        return [
            value if isinstance(value, int) else _bound(number, kind.scale)
            for value, number in zip(values, numbers, strict=True)
        ]
    if op == "between":
        return [_bound(end, kind.scale) for end in _ends(numbers[0], numbers[1], kind)]
    if op in _ROUNDED:
        return [_limit(op, numbers[0], kind)]
    held = [_bound(number, kind.scale) for number in numbers if kind.holds(number)]
    return cast("list[int | float | Decimal]", held or [BEYOND_ALL])


def _ends(low: Decimal, high: Decimal, kind: ExactType) -> tuple[Decimal, Decimal]:
    """Return the ends of a range that the column can hold; the wrong way round for none."""
    if low > min(high, kind.high) or high < kind.low:
        return kind.high, kind.low
    return (
        kind.rounded(max(low, kind.low), ROUND_CEILING),
        kind.rounded(min(high, kind.high), ROUND_FLOOR),
    )


def _limit(op: str, number: Decimal, kind: ExactType) -> int | float | Decimal:
    if kind.low <= number <= kind.high:
        return _bound(kind.rounded(number, _ROUNDED[op]), kind.scale)
    beyond = math.copysign(BEYOND_ALL, number)
    return beyond if abs(number) < BEYOND_ALL else float(number)


def _bound(number: Decimal, scale: int) -> int | Decimal:
    """Return a number as it is bound; DuckDB counts zeros as digits, and knows no exponent."""
    needed, (_, digits, exponent) = scale_of(number), number.as_tuple()
    if not needed and (scale == 0 or cast("int", exponent) > 0):
        return int(number)
    if len(digits) > MAX_DIGITS or cast("int", exponent) <= -MAX_DIGITS:
        return number.quantize(Decimal(1).scaleb(-needed), context=_WIDE)
    return number


def _whole_digits(number: Decimal) -> int:
    return max(0, number.adjusted() + 1) if number else 0
