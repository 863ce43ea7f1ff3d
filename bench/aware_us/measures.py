"""The metrics of AWARE-US (appendix E, Table 6), each as a ratio of sums over episodes; and pass^k.

Written so, one pass gives a metric, its bootstrap and its paired difference: an episode adds
to a numerator and to a denominator, and the metric is the quotient of the two sums.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...catalogs.errors import QueryError
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


MOST_RUNS = 16
"""The largest k that is reported."""


def pass_hat(outcomes: Iterable[Outcome], k: int, name: str = "car_match") -> float | None:
    """Return pass^k: the chance that k runs drawn of an instance's runs are all right.

    The mean over instances of C(right, k) / C(runs, k), the unbiased estimate of
    "τ-bench" (Yao et al., 2024, section 4). None without instances. Raises `QueryError` for
    k below 1 and where an instance has fewer than k runs.
    """
    runs: defaultdict[str, list[bool]] = defaultdict(list)
    for outcome in outcomes:
        above, below = MEASURES[name](outcome)
        if below:
            runs[outcome.gold.id].append(above >= below)
    fewest = min(map(len, runs.values()), default=k)
    if not 1 <= k <= fewest:
        raise QueryError(f"pass^{k} of {fewest} runs", hint=f"ask for 1 to {fewest}")
    chances = [
        math.comb(sum(successes), k) / math.comb(len(successes), k) for successes in runs.values()
    ]
    return sum(chances) / len(chances) if chances else None


def pass_hats(outcomes: Sequence[Outcome], name: str = "car_match") -> dict[int, float]:
    """Return pass^1, pass^2, … as far as every instance has so many runs; {} for one run each."""
    runs: Counter[str] = Counter(
        outcome.gold.id for outcome in outcomes if MEASURES[name](outcome)[1]
    )
    fewest = min(runs.values(), default=0)
    if fewest < 2:
        return {}
    chances = {k: pass_hat(outcomes, k, name) for k in range(1, min(fewest, MOST_RUNS) + 1)}
    return {k: chance for k, chance in chances.items() if chance is not None}
