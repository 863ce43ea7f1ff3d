"""Bootstrap intervals: units drawn with replacement, and percentiles of the figures that result.

A sample is how often each unit is drawn, one row of a multinomial matrix, so that all samples
of all sums are one matrix product. Cost: resamples times units times sums.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
LEVEL = 0.95

Interval = tuple[float, float]


def draw_counts(units: int, seed: int, resamples: int) -> NDArray[np.float64]:
    """Return how often each unit is drawn in each sample, float64[resamples, units]."""
    fair = np.full(units, 1 / units)
    return np.random.default_rng(seed).multinomial(units, fair, resamples).astype(np.float64)


def percentile_interval(values: NDArray[np.float64]) -> Interval | None:
    """Return the 95 % percentile interval of a figure's samples, float64[resamples].

    Samples in which the figure is not defined (NaN) are left out; None where no other is left.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
