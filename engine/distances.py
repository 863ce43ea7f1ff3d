"""How far rows are from meeting constraints, in [0, 1] of a column's range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..catalogs.binding import typed
from ..catalogs.columns import Column
from ..catalogs.constraint import Constraint, Scalar
from ..catalogs.row_set import Ids
from .case import Case

Floats = NDArray[np.float64]

BOUNDS = ("<", "<=", ">", ">=", "==", "between")
JUST_OUTSIDE = 1e-9
"""The distance of a row that sits on a strict bound."""


def shiftable_column(case: Case, position: int) -> Column | None:
    """Return the column whose bound the constraint sets.

    None if it sets no bound on an order, or ends that nothing can lie between.
    """
    constraint = case.query.constraints[position]
    if constraint.op not in BOUNDS or constraint.column is None:
        return None
    column = case.catalog.schema.find(constraint.column)
    if not column.ordered:
        return None
    low, high = interval(constraint, column)
    return column if low <= high else None


def interval(constraint: Constraint, column: Column) -> tuple[float, float]:
    """Return the closed interval of numbers a bound allows; strictness is not seen here."""
    value = constraint.value
    ends = [
        _number(typed(one, column))
        for one in cast("Sequence[Scalar]", value if isinstance(value, tuple) else (value,))
    ]
    if constraint.op in ("<", "<="):
        return -np.inf, ends[0]
    if constraint.op in (">", ">="):
        return ends[0], np.inf
    return ends[0], ends[-1]


def _number(value: Scalar) -> float:
    """Return a bound on the scale of `Catalog.numbers`: dates in seconds since 1970."""
    if isinstance(value, int | float):
        return float(value)
    return float(np.datetime64(value, "us").astype(np.int64)) / 1e6


def distance(case: Case, position: int, ids: Ids) -> Floats:
    """Return how far each row is from meeting a constraint, float64[len(ids)].

    0 where it is met; for a bound on a number or date the way to the bound over the range of
    the base slice and the bound together, so at most 1; 1 for everything else and for NULL.
    """
    met = case.row_sets[position].within(ids)
    column = shiftable_column(case, position)
    if column is None:
        return np.where(met, 0.0, 1.0)
    low, high = interval(case.query.constraints[position], column)
    values = case.catalog.numbers(column.name)[ids]
    # An infinite value less the infinite end of a bound is NaN; such a row meets the bound.
    with np.errstate(invalid="ignore"):
        gap = np.maximum(np.maximum(low - values, values - high), 0.0)
    far = gap / _span(case.known_range(column.name), low, high)
    outside = np.where(np.isnan(values), 1.0, np.clip(far, JUST_OUTSIDE, 1.0))
    return np.where(met, 0.0, outside)


def _span(known: tuple[float, float] | None, *bounds: float) -> float:
    """Return the range of the known values and the finite bounds together; 1 if it is empty."""
    ends = [*(known or ()), *(bound for bound in bounds if np.isfinite(bound))]
    return (max(ends) - min(ends)) or 1.0
