"""The bounds of constraints on ordered columns, and the terms of the score.

Two small records and how a predicate becomes an interval of numbers; nothing is read from rows.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from ..catalogs.query.far_dates import FarMoment
from ..catalogs.query.predicate import TypedValue, ValueTest
from ..catalogs.query.schema import Column

JUST_OUTSIDE = 1e-9
"""The distance of a row that sits on a strict bound."""

BOUNDS = ("<", "<=", ">", ">=", "==", "between")
RISING = (">", ">=")
FALLING = ("<", "<=")


class Bound(NamedTuple):
    """The closed interval a constraint allows on an ordered column, and the length of its scale.

    `span` is the range of the base slice and the interval's finite ends together; 1 if empty.
    """

    column: Column
    low: float
    high: float
    span: float


class Term(NamedTuple):
    """One summand of the score: weight × satisfaction.

    `direction` is 1 where more of `column` is better, −1 where less is, 0 where only meeting
    the constraint at `position` counts. `low` and `high` are the ends of the column over the
    base slice.
    """

    column: str
    position: int | None
    weight: float
    direction: int
    low: float = 0.0
    high: float = 0.0


def interval(test: ValueTest) -> tuple[float, float]:
    """Return the closed interval of numbers a bound allows; strictness is not seen here."""
    low, high = _number(test.values[0]), _number(test.values[-1])
    if test.op in FALLING:
        return -math.inf, low
    if test.op in RISING:
        return low, math.inf
    return low, high


def span(column: tuple[float, float] | None, *bounds: float) -> float:
    """Return the range of a column's ends and the finite bounds together; 1 if it is empty.

    Never infinite, however far apart they are: a distance over it would be no number.
    """
    ends = [*(column or ()), *filter(math.isfinite, bounds)]
    return min(max(ends) - min(ends), sys.float_info.max) or 1.0


def scale(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a score's scale, drawn in where their difference would be infinite."""
    if math.isfinite(high - low):
        return low, high
    widest = sys.float_info.max / 2
    return max(low, -widest), min(high, widest)


def _number(value: TypedValue) -> float:
    """Return a bound on the scale of `Catalog.numbers`: dates in seconds since 1970."""
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, FarMoment):
        return value.seconds
    return float(np.datetime64(value, "us").astype(np.int64)) / 1e6
