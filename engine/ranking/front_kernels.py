# pyright: basic, reportCallIssue=false
"""Numba kernels over the front of moved bounds: rows that no other is nearer than in every way.

A row dominates another where it is as near to each bound and nearer to one. Layout: `stack` is
uint64[k, n_words], row-major; `bounds` BOUND[k].
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ...catalogs.vectors.array_types import Floats, Ids, Records, Words
from ...catalogs.vectors.numba_kernel import borrowed, kernel, reads, writes
from ...catalogs.vectors.packed_kernels import number_at
from .blocks import has, is_met
from .distance_kernels import outside
from .record_types import BOUND


@njit(nogil=True, inline="always")
def _cost_of_moving(place, distances, inside, bounds):
    """Return weight × distance and distance summed up; −1 for both where it cannot be done.

    distances: float64[k] of the row at this place.
    """
    cost = 0.0
    total = 0.0
    for position in range(distances.shape[0]):
        distance = distances[position]
        if distance == 0:
            continue
        if not has(inside, position):
            return -1.0, -1.0
        if distance == 1 and not np.isfinite(number_at(bounds[position].column, place)):
            return -1.0, -1.0
        cost += bounds[position].weight * distance
        total += distance
    return cost, total


@kernel(reads("i8"), reads("f8", 2), "u8", reads(BOUND), "f8", writes("i8"))
def pareto_front(
    places: NDArray[np.intp],
    distances: Floats,
    inside: np.uint64,
    bounds: Records,
    radius: float,
    points: NDArray[np.intp],
) -> int:
    """Write the cheapest points that none cheaper dominates; return how many.

    places: intp[n] ascending; distances: float64[k, n]; inside: mask of the bounds that may move.
    Points meet everything outside the mask, have finite values where a bound would move, and
    cost (weight × distance summed up) no more than `radius`. points: intp[top], written by cost,
    then sum of distances, then place. Costs up to top · n · k steps.
    """
    distances, bounds = borrowed(distances), borrowed(bounds)
    costs = np.empty(places.shape[0])
    totals = np.empty(places.shape[0])
    left = np.empty(places.shape[0], dtype=np.int64)
    count = 0
    for at in range(places.shape[0]):
        cost, total = _cost_of_moving(places[at], distances[:, at], inside, bounds)
        if cost <= radius and total > 0:
            costs[at] = cost
            totals[at] = total
            left[count] = at
            count += 1
    for taken in range(points.shape[0]):
        if count == 0:
            return taken
        best = left[0]
        for number in range(1, count):
            at = left[number]
            if costs[at] < costs[best] or (costs[at] == costs[best] and totals[at] < totals[best]):
                best = at
        points[taken] = places[best]
        nearest = distances[:, best].copy()
        # Only what is nearer in some direction stays; without branches, which would be guessed
        # wrong every other time.
        kept = 0
        for number in range(count):
            at = left[number]
            nearer = 0
            for position in range(distances.shape[0]):
                nearer |= distances[position, at] < nearest[position]
            left[kept] = at
            kept += nearer
        count = kept
    return points.shape[0]


@njit(nogil=True, inline="always")
def _is_dominated(distances, at, points):
    """Return whether some point is as near in every way as a row, and nearer in one."""
    for number in range(points.shape[0]):
        nearer = False
        farther = False
        for position in range(distances.shape[0]):
            if distances[position, at] < points[number, position]:
                nearer = True
                break
            farther |= distances[position, at] > points[number, position]
        if farther and not nearer:
            return True
    return False


@kernel(
    reads("u4"), reads("u8", 2), "u8", reads(BOUND), reads("f8", 2), writes("i8"), writes("f8", 2)
)
def keep_undominated(
    rows: Ids,
    stack: Words,
    inside: np.uint64,
    bounds: Records,
    points: Floats,
    places: NDArray[np.intp],
    distances: Floats,
) -> int:
    """Write the rows that no point of some dominates, and their distances; return how many.

    rows: uint32[n]; inside: mask of the bounds that may move: a row that fails another is left
    out; points: float64[m, k], the distances of rows. Written: places intp[n], distances
    float64[k, n]. Costs k steps a row, and some for each point until one dominates it.
    """
    stack, bounds, points = borrowed(stack), borrowed(bounds), borrowed(points)
    distances, places = borrowed(distances), borrowed(places)
    count = 0
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        reachable = True
        for position in range(distances.shape[0]):
            distances[position, count] = 0.0
            if not is_met(stack, position, row):
                if not has(inside, position):
                    reachable = False
                    break
                distances[position, count] = outside(bounds[position], row)
        if reachable and not _is_dominated(distances, count, points):
            places[count] = row
            count += 1
    return count
