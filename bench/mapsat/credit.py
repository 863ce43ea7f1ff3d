"""What an item earns for each implicit factor: c in {0, 1}, for graded soft bounds in quarters.

The rule needs nothing but the task and the catalog's row:

- c = 1 where the row meets the factor's constraint, else 0; a row whose value is missing, or whose
  hours cannot be read, does not meet it;
- a soft factor with a `spread` that asks for a bound (`<`, `<=`, `>`, `>=`, `between`, `within`,
  `reachable`) and is missed by d, in the units of the bound, earns ¾ for d ≤ spread/4, ½ for
  d ≤ spread/2, ¼ for d ≤ spread, and 0 beyond.

IISR = Σ w·c / Σ w; 1 where no factor has a weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.places import limit_of, measure_of
from .items import Items
from .task import ImplicitNeed

Floats = NDArray[np.float64]

GRADES = ((0.25, 0.75), (0.5, 0.5), (1.0, 0.25))
"""The most that a bound is missed by, in spreads, and the credit up to there."""


def credits_of(items: Items, need: ImplicitNeed) -> Floats:
    """Return what each item earns for a factor, float64[items]."""
    met = items.met(need.constraint).astype(np.float64)
    if need.spread is None or need.type == "hard":
        return met
    missed = np.array([_missed_by(items, need.constraint, row) for row in items.rows])
    return np.where(met > 0, 1.0, _graded(missed / need.spread))


def _graded(missed: Floats) -> Floats:
    credit = np.zeros(len(missed))
    for most, grade in reversed(GRADES):
        credit[missed <= most] = grade
    return credit


def _missed_by(items: Items, constraint: Constraint, row: dict[str, Any]) -> float:
    """Return by how much a row misses a bound; infinite where there is none, or no value."""
    op, value = constraint.op, constraint.value
    if op in ("within", "reachable"):
        measure = measure_of(op, value, items.catalog.schema.places)
        distance = measure.of_row(row)
        return distance - limit_of(op, value) if distance == distance else np.inf
    low, high = _ends(op, value)
    number = row.get(constraint.column or "")
    if low is None or isinstance(number, bool) or not isinstance(number, int | float):
        return np.inf
    return max(low - number, number - (high if high is not None else number), 0.0)


def _ends(op: str, value: Any) -> tuple[float | None, float | None]:
    if op == "between":
        return float(value[0]), float(value[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None, None
    if op in (">", ">="):
        return float(value), np.inf
    return (-np.inf, float(value)) if op in ("<", "<=") else (None, None)


def weighted(weights: Sequence[float], credit: Floats) -> Floats:
    """Return Σ w·c / Σ w by item, for credit float64[factors, items]."""
    own: Floats = np.array(weights, dtype=np.float64)
    if not own.any():
        return np.full((credit.shape[1],), 1.0)
    return own @ credit / own.sum()


def satisfaction(items: Items, needs: Sequence[ImplicitNeed]) -> Floats:
    """Return the IISR that each item would earn, float64[items]."""
    credit = np.array([credits_of(items, need) for need in needs]).reshape(len(needs), len(items))
    return weighted([need.weight for need in needs], credit)
