# pyright: basic, reportCallIssue=false
"""Numba kernels over candidates: how far they are from what gave way, and who dominates them.

Layout: `stack` is uint64[k, n_words], row-major; `bounds` BOUND[k] and `terms` TERM[t], of which
the first k are the constraints.
"""

from __future__ import annotations

import numpy as np

from ...catalogs.vectors.array_types import Floats, Ids, Records, Words
from ...catalogs.vectors.numba_kernel import kernel
from ...solvers.cheapest_repairs import PRICE_UNITS
from .blocks import has, is_met
from .distance_kernels import outside
from .score_kernels import satisfaction_of

STEPS = float(PRICE_UNITS)


@kernel
def write_violations(
    rows: Ids, stack: Words, bounds: Records, gone: np.uint64, violations: Floats
) -> None:
    """Write weight × distance, added up over the constraints of `gone`, in steps of 10⁻¹².

    rows: uint32[n]; gone: mask; violations: float64[n]. One step for each row and constraint.
    """
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


@kernel
def is_dominated(rows: Ids, stack: Words, terms: Records, own: Floats) -> bool:
    """Return whether some row satisfies each term as well as a row does, and one better.

    rows: uint32[n]; own: float64[t], how far that row satisfies each term. Ends with the first
    such row; leaves a row with its first term that is worse.
    """
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
