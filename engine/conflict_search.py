"""One conflict inside an infeasible set of constraints, without looking for all of them.

Costs a few passes over the row masks, each over those that the pass before has left.
"""

from __future__ import annotations

import numpy as np

from ..solvers.histogram import MaskHistogram
from ..solvers.masks import Masks


def conflict_within(histogram: MaskHistogram, infeasible: int, masks: Masks | None = None) -> int:
    """Return a MUS inside a mask that no row meets: what deletion, lowest position first, leaves.

    `masks` are row masks that decide what is feasible, by default all of the histogram.
    """
    if "subset_counts" in histogram.__dict__:
        return _by_deletion(histogram, infeasible)
    return _by_filtering(histogram.masks if masks is None else masks, infeasible)


def _by_deletion(histogram: MaskHistogram, conflict: int) -> int:
    for position in range(histogram.width):
        smaller = conflict & ~(1 << position)
        if not histogram.feasible(smaller):
            conflict = smaller
    return conflict


def _by_filtering(masks: Masks, infeasible: int) -> int:
    """Take back in from the highest position down: the first that leaves no row is needed.

    With it and what was needed before, the rest is searched again above it.
    """
    needed = lowest = 0
    while len(masks):
        left = masks
        for position in reversed(range(lowest, infeasible.bit_length())):
            if not infeasible >> position & 1:
                continue
            bit = np.uint64(1 << position)
            left = left[(left & bit) != 0]
            if not len(left):
                needed |= 1 << position
                masks, lowest = masks[(masks & bit) != 0], position + 1
                break
        else:
            raise ValueError(f"mask {infeasible:b} is feasible")
    return needed
