"""pass^k: the chance that k runs of an instance are all right, estimated from repeated runs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from ...catalogs.errors import QueryError
from .measures import MEASURES
from .outcome import Outcome

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
