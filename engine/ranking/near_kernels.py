# pyright: basic, reportCallIssue=false
"""Numba kernels over candidates: how far they are from what gave way, and who dominates them.

Layout: `stack` is uint64[k, n_words], row-major; `bounds` BOUND[k] and `terms` TERM[t], of which
the first k are the constraints.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...catalogs.vectors.array_types import Floats, Ids, Records, Words
from ...catalogs.vectors.numba_kernel import borrowed, kernel, lowest_bit, reads, writes
from ...catalogs.vectors.packed_kernels import number_at
from ...solvers.cheapest_repairs import PRICE_UNITS
from .blocks import has, is_met
from .distance_kernels import outside
from .record_types import BOUND, TERM, UNIT
from .score_kernels import satisfaction_of

STEPS = float(PRICE_UNITS)


@kernel(reads("u4"), reads("u8", 2), reads(BOUND), "u8", writes("f8"))
def write_violations(
    rows: Ids, stack: Words, bounds: Records, gone: np.uint64, violations: Floats
) -> None:
    """Write weight × distance, added up over the constraints of `gone`, in steps of 10⁻¹².

    rows: uint32[n]; gone: mask; violations: float64[n]. One step for each row and constraint.
    """
    stack, bounds = borrowed(stack), borrowed(bounds)
    violations[:] = 0.0
    for position in range(stack.shape[0]):
        if not has(gone, position) or bounds[position].weight == 0.0:
            continue
        bound = bounds[position]
        for at in range(rows.shape[0]):
            row = np.int64(rows[at])
            if not is_met(stack, position, row):
                violations[at] += bound.weight * outside(bound, row)
    for at in range(rows.shape[0]):
        violations[at] = np.rint(violations[at] * STEPS) / STEPS


@njit(nogil=True, inline="always")
def _cost_of_row(stack, bounds, units, row):
    """Return what giving up a row's misses costs, in steps, −1 where one may not give way.

    Then the units missed as a mask, how many they are, and how many of them cannot move.
    """
    cost = 0
    missed = np.uint64(0)
    count = 0
    stuck = 0
    for number in range(units.shape[0]):
        unit = units[number]
        met = True
        for position in range(stack.shape[0]):
            if has(unit.members, position) and not is_met(stack, position, row):
                met = False
                break
        if met:
            continue
        if unit.price < 0:
            return -1, missed, count, stuck
        missed |= np.uint64(1) << np.uint64(number)
        count += 1
        bound = bounds[unit.position]
        if unit.movable and np.isfinite(number_at(bound.column, row)):
            cost += np.int64(np.rint(bound.weight * outside(bound, row) * STEPS))
        else:
            cost += unit.price
            stuck += 1
    return cost, missed, count, stuck


@kernel(reads("u4"), reads("u8", 2), reads(BOUND), reads(UNIT))
def cheapest_row(rows: Ids, stack: Words, bounds: Records, units: Records) -> tuple[int, int]:
    """Return the row whose misses cost least to give up, and that cost; −1 for none.

    rows: uint32[n] ascending; units: UNIT[u]. Of equals the row of fewest units missed, then of
    the first units, of fewest that cannot move, the first. One step for each row and constraint.
    """
    stack, bounds, units = borrowed(stack), borrowed(bounds), borrowed(units)
    best_row = -1
    best_cost, best_missed, best_count, best_stuck = -1, np.uint64(0), 0, 0
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        cost, missed, count, stuck = _cost_of_row(stack, bounds, units, row)
        if cost < 0:
            continue
        if best_row >= 0:
            if cost != best_cost:
                if cost > best_cost:
                    continue
            elif count != best_count:
                if count > best_count:
                    continue
            elif missed != best_missed:
                # Of one size, the one with the lowest bit that the other has not comes first.
                if not has(missed, lowest_bit(missed ^ best_missed)):
                    continue
            elif stuck >= best_stuck:
                continue
        best_row = row
        best_cost, best_missed, best_count, best_stuck = cost, missed, count, stuck
    return int(best_row), int(best_cost)


@kernel(reads("u4"), reads("u8", 2), reads(TERM), reads("f8"))
def is_dominated(rows: Ids, stack: Words, terms: Records, own: Floats) -> bool:
    """Return whether some row satisfies each term as well as a row does, and one better.

    rows: uint32[n]; own: float64[t], how far that row satisfies each term. Ends with the first
    such row; leaves a row with its first term that is worse.
    """
    stack, terms = borrowed(stack), borrowed(terms)
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        no_worse = True
        better = False
        for position in range(terms.shape[0]):
            share = satisfaction_of(stack, terms, position, row)
            if share < own[position]:
                no_worse = False
                break
            better |= share > own[position]
        if no_worse and better:
            return True
    return False
