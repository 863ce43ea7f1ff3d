"""The metrics of AWARE-US (appendix E, Table 6), each as a ratio of sums over episodes.

Written so, one pass gives a metric, its bootstrap and its paired difference: an episode adds
to a numerator and to a denominator, and the metric is the quotient of the two sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...engine.answer import Status
from .outcome import Outcome

Ratio = tuple[float, float]
Measure = Callable[[Outcome], Ratio]


def _ended(status: Status) -> Measure:
    return lambda outcome: (outcome.status is status, 1)


MEASURES: dict[str, Measure] = {
    "avg_slots": lambda outcome: (len(outcome.slots), 1),
    "avg_constraints": lambda outcome: (len(outcome.parsed), 1),
    "slot_completion": lambda outcome: (len(outcome.filled), len(outcome.slots)),
    "sat_no_relaxation": _ended(Status.SAT_NO_RELAXATION),
    "sat_after_relaxation": _ended(Status.SAT_AFTER_RELAXATION),
    "unsat": _ended(Status.UNSAT_EVEN_AFTER_RELAXATION),
    "unknown": _ended(Status.UNKNOWN),
    "recommended": lambda outcome: (outcome.item is not None, 1),
    "relax_match": lambda outcome: (outcome.relax_match, outcome.gold.relaxed is not None),
    "car_match": lambda outcome: (
        outcome.car_match,
        outcome.gold.relaxed is not None and outcome.gold.item is not None,
    ),
    "car_match_ungated": lambda outcome: (outcome.same_item, outcome.gold.item is not None),
    "questions": lambda outcome: (outcome.questions or 0, outcome.questions is not None),
    "tokens": lambda outcome: (outcome.tokens or 0, outcome.tokens is not None),
}
"""Metrics by name; all are means or rates an episode, but `slot_completion` is one a slot."""


def ratios(outcomes: Sequence[Outcome], names: Sequence[str]) -> NDArray[np.float64]:
    """Return what each episode adds to each metric, float64[metrics, 2, episodes]."""
    pairs = [[MEASURES[name](outcome) for outcome in outcomes] for name in names]
    return np.asarray(pairs, np.float64).reshape(len(names), len(outcomes), 2).swapaxes(1, 2)


def measure(outcomes: Sequence[Outcome], name: str) -> float | None:
    """Return a metric over episodes; None where it is not defined for any of them."""
    pairs = [MEASURES[name](outcome) for outcome in outcomes]
    total = sum(below for _, below in pairs)
    return sum(above for above, _ in pairs) / total if total else None


def slot_rates(outcomes: Sequence[Outcome]) -> dict[str, Ratio]:
    """Return for each slot how often it was filled, and how often it was to be filled."""
    rates: dict[str, Ratio] = {}
    for outcome in outcomes:
        for slot in outcome.slots:
            filled, wanted = rates.get(slot, (0, 0))
            rates[slot] = filled + (slot in outcome.filled), wanted + 1
    return dict(sorted(rates.items()))
