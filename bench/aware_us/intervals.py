"""Bootstrap intervals of metrics, and paired comparisons of two runs with McNemar's exact test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...catalogs.errors import QueryError
from ..bootstrap import RESAMPLES, Interval, draw_counts, percentile_interval
from .measures import MEASURES, ratios
from .outcome import Outcome


def intervals(
    outcomes: Sequence[Outcome],
    names: Sequence[str] = tuple(MEASURES),
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> dict[str, Interval | None]:
    """Return each metric's 95 % percentile interval, instances drawn with replacement.

    An instance comes with all its episodes, which tell less than as many instances would.
    None where a metric is not defined. The same seed draws the same samples.
    """
    if not outcomes:
        return dict.fromkeys(names)
    sums_by_instance, instances = _by_instance(outcomes, names)
    sums = sums_by_instance @ draw_counts(len(instances), seed, resamples).T
    return {
        name: percentile_interval(_quotients(pair)) for name, pair in zip(names, sums, strict=True)
    }


def _by_instance(
    outcomes: Sequence[Outcome], names: Sequence[str]
) -> tuple[NDArray[np.float64], list[str]]:
    """Return what each instance adds to each metric, float64[metrics, 2, instances], and which."""
    places = {
        key: at for at, key in enumerate(dict.fromkeys(outcome.gold.id for outcome in outcomes))
    }
    member = np.zeros((len(outcomes), len(places)))
    for at, outcome in enumerate(outcomes):
        member[at, places[outcome.gold.id]] = 1
    return ratios(outcomes, names) @ member, list(places)


def _quotients(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[resamples]; a sample in which the metric is not defined is left out."""
    above, below = sums
    return above[below > 0] / below[below > 0]


@dataclass(frozen=True)
class Comparison:
    """One metric of two runs on the same instances; `difference` is the second less the first.

    `interval` is its paired bootstrap interval: instances are drawn, each with both episodes.
    `only_first` and `only_second` count the instances that only one of the two gets right,
    and `p` is McNemar's exact two-sided p over them; None for a metric that is no rate of
    right and wrong.
    """

    measure: str
    n: int
    first: float | None
    second: float | None
    difference: float | None
    interval: Interval | None
    only_first: int | None
    only_second: int | None
    p: float | None

    def record(self) -> dict[str, Any]:
        """Return the comparison as a JSON object."""
        return asdict(self)


def compare(
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    name: str,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare a metric of two runs over the instances both have.

    Several episodes on an instance count together; then nothing is said of who is right.
    Raises `QueryError` where no instance is in both.
    """
    before_sums, before_ids = _by_instance(first, [name])
    after_sums, after_ids = _by_instance(second, [name])
    shared = [key for key in before_ids if key in set(after_ids)]
    if not shared:
        raise QueryError("no instance in both runs", hint="compare runs on the same data")
    before_sums = before_sums[0][:, [before_ids.index(key) for key in shared]]
    after_sums = after_sums[0][:, [after_ids.index(key) for key in shared]]
    draws = draw_counts(len(shared), seed, resamples).T
    apart = _differences(before_sums @ draws, after_sums @ draws)
    before, after = _quotient(before_sums), _quotient(after_sums)
    repeated = len(before_ids) < len(first) or len(after_ids) < len(second)
    only = None if repeated else _only(before_sums, after_sums)
    return Comparison(
        name,
        len(shared),
        before,
        after,
        None if before is None or after is None else after - before,
        percentile_interval(apart),
        *(only or (None, None)),
        None if only is None else mcnemar(*only),
    )


def _quotient(sums: NDArray[np.float64]) -> float | None:
    above, below = sums.sum(axis=1)
    return float(above / below) if below else None


def _differences(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
    defined = (before[1] > 0) & (after[1] > 0)
    return after[0, defined] / after[1, defined] - before[0, defined] / before[1, defined]


def _only(before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[int, int] | None:
    """Return on how many instances only one of them is right; None if it is no yes or no."""
    both = np.stack([before, after])
    if not np.isin(both, (0.0, 1.0)).all():
        return None
    right = both[:, 0] * both[:, 1]
    return int((right[0] > right[1]).sum()), int((right[1] > right[0]).sum())


def mcnemar(only_first: int, only_second: int) -> float:
    """Return McNemar's exact two-sided p: the sign test over the instances that differ."""
    n, few = only_first + only_second, min(only_first, only_second)
    tail = sum(math.comb(n, k) for k in range(few + 1)) / 2**n
    return min(1.0, 2 * tail)
