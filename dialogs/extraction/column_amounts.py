"""What a number said is in a column: in its unit, as a year.

Each is a few comparisons with the range that the column holds.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from math import isnan, nan

from ...catalogs.query.schema import ColumnProfile
from ..language.column_phrases import column_topics
from ..language.numbers import MAGNITUDES
from ..language.units import UNITS, column_unit, converted, unit_kinds
from .quantity import Quantity

ABSURD = 1_000
"""An amount so many times less than the least of a column is none of its: ten minutes of a stay
in months."""


def fitted(
    quantity: Quantity, profile: ColumnProfile, today: date
) -> tuple[tuple[int | float, ...], float] | None:
    """Return a number in the column's unit and how it fits, None where it cannot be of the column.

    A range has two ends.
    """
    ends = [quantity.value] if quantity.high is None else [quantity.value, quantity.high]
    unit, kinds, fit = quantity.unit, unit_kinds(profile.name, profile.unit), 0.5
    topics = ("years",) if is_calendar_year(profile) else column_topics(profile.name)
    if quantity.only and quantity.only not in topics:
        return None
    if unit is not None and is_calendar_year(profile):
        years = converted(1.0, unit, "year") or 0.0
        # An age: a car of the last three years.
        ends = [today.year - end * years for end in reversed(ends)]
        fits = years >= 1 and ends[0].is_integer()
        return (tuple(map(plain, ends)), 1.0) if fits else None
    if quantity.suffix and kinds and "money" not in kinds and not in_range(ends[-1], profile):
        # `8k` on foot and `5.5m` of rope are no thousands and no millions.
        alone = [end / MAGNITUDES[quantity.suffix] for end in ends]
        ends, fit = (alone, 1.0) if in_range(alone[-1], profile) == 1 else (ends, fit)
    money = quantity.currency or (unit == "pound" and "money" in kinds)
    if money and kinds and "money" not in kinds:
        return None
    if money:
        fit = 1.0 if kinds else 0.3
    elif unit is not None and kinds:
        kind = UNITS[unit][0]
        if kind not in kinds:
            # Sixty watts are no price and no height; letters may be short for other things, and
            # `min` is least.
            letters = 1 if kinds == frozenset(("money",)) else 3
            if len(unit) > letters and unit != "min":
                return None
            fit = 0.1
        else:
            own = column_unit(profile.name, profile.unit) or unit
            binary = isinstance(profile.maximum, int) and profile.maximum % 1024 == 0
            there = [converted(end, unit, own, binary=binary) or 0.0 for end in ends]
            # `six min` may be the minimum.
            least = unit == "min" and in_range(there[0], profile) < in_range(ends[0], profile)
            if not least and 0 < there[-1] * ABSURD < in_numbers(profile)[0]:
                return None
            ends, fit = (ends, 0.5) if least else (there, 1.0)
    elif unit is not None:
        fit = 0.3
    return tuple(map(plain, ends)), fit


def plain(value: float) -> int | float:
    """Return a number to six digits, a whole one as such."""
    rounded = round(float(value), 6)
    return int(rounded) if rounded.is_integer() else rounded


def in_range(value: float, profile: ColumnProfile) -> float:
    """Return 1 for a number within what a column holds, down to 0 for one far outside."""
    low, high = in_numbers(profile)
    if low <= value <= high:
        return 1.0
    if isnan(low):
        return 0.0
    room = max(high - low, abs(high), 1.0)
    return max(0.0, 0.9 - max(low - value, value - high) / room)


def in_numbers(profile: ColumnProfile) -> tuple[float, float]:
    """Return the least and the greatest number that a column holds; NaN where it holds none."""
    low, high = profile.minimum, profile.maximum
    if isinstance(low, int | float | Decimal) and isinstance(high, int | float | Decimal):
        return float(low), float(high)
    return nan, nan


def is_calendar_year(profile: ColumnProfile) -> bool:
    """Return whether a column holds years as dates do, not a number of years."""
    topics = column_topics(profile.name)
    low = profile.minimum
    named = "year" in topics or "built" in topics
    return named and isinstance(low, int | float) and 1_000 <= low <= 3_000
