# pyright: basic, reportCallIssue=false
"""Numba kernels over how well rows satisfy the terms of a score: scores, the best, domination.

Layout: `stack` is uint64[k, n_words], row-major; `terms` TERM[t], of which the first k are the
constraints. A score is weight × satisfaction, added up in the order of the terms.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ...catalogs.vectors.array_types import Floats, Ids, Records, Words
from ...catalogs.vectors.numba_kernel import borrowed, kernel, reads, writes
from ...catalogs.vectors.packed_kernels import number_at
from .blocks import has, is_met
from .record_types import TERM


@njit(nogil=True, inline="always")
def satisfaction_of(stack, terms, position, row):
    """Return 0 or 1 by membership (direction 0), else the normalised value (1) or 1 − it (−1)."""
    term = terms[position]
    if term.direction == 0:
        return 1.0 if is_met(stack, position, row) else 0.0
    value = number_at(term.column, row)
    if np.isnan(value):
        return 0.0
    share = 1.0
    if term.low != term.high:
        share = min(max((value - term.low) / (term.high - term.low), 0.0), 1.0)
    return share if term.direction > 0 else 1.0 - share


@kernel(reads("u4"), reads("u8", 2), "u8", reads(TERM), writes("f8"))
def write_scores(rows: Ids, stack: Words, keep: np.uint64, terms: Records, scores: Floats) -> None:
    """Write the scores of some rows; −∞ for one that fails a constraint of `keep`.

    rows: uint32[n]; scores: float64[n].
    """
    stack, terms = borrowed(stack), borrowed(terms)
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        met = True
        for position in range(stack.shape[0]):
            if has(keep, position) and not is_met(stack, position, row):
                met = False
                break
        if not met:
            scores[at] = -np.inf
            continue
        score = 0.0
        for position in range(terms.shape[0]):
            score += terms[position].weight * satisfaction_of(stack, terms, position, row)
        scores[at] = score


@kernel(reads("i8"), reads("u8", 2), reads(TERM), writes("f8", 2))
def write_satisfaction(
    places: NDArray[np.intp], stack: Words, terms: Records, satisfaction: Floats
) -> None:
    """Write the satisfaction of each term by some rows: float64[t, n]."""
    stack, terms = borrowed(stack), borrowed(terms)
    for position in range(terms.shape[0]):
        for at in range(places.shape[0]):
            satisfaction[position, at] = satisfaction_of(
                stack, terms, position, np.int64(places[at])
            )


@kernel(reads("i8"), reads("f8"), "i8", writes("i8"), writes("f8"))
def lowest_keys(
    places: NDArray[np.intp],
    keys: Floats,
    cost_column: int,
    lowest: NDArray[np.intp],
    costs: Floats,
) -> int:
    """Write where the lowest keys stand, lowest first; return how many.

    Ties go to the lower cost, then to the first. places: intp[n] ascending; keys: float64[n];
    cost_column: address of a column's description, 0 for none; lowest: intp[top], with costs
    float64[top]. One pass, with a step for each of the top where a row enters them.
    """
    top = lowest.shape[0]
    count = 0
    for at in range(places.shape[0]):
        key = keys[at]
        if count == top and key > keys[lowest[count - 1]]:
            continue
        cost = 0.0
        if cost_column != 0:
            cost = number_at(cost_column, places[at])
            if np.isnan(cost):
                cost = np.inf
        slot = count
        while slot > 0:
            above = keys[lowest[slot - 1]]
            if above < key or (above == key and costs[slot - 1] <= cost):
                break
            slot -= 1
        if slot == top:
            continue
        if count < top:
            count += 1
        for shifted in range(count - 1, slot, -1):
            lowest[shifted] = lowest[shifted - 1]
            costs[shifted] = costs[shifted - 1]
        lowest[slot] = at
        costs[slot] = cost
    return count


@kernel(reads("i8"), reads("f8"), "f8", reads("u8", 2), reads(TERM), reads("f8", 2), writes("?"))
def mark_undominated(
    places: NDArray[np.intp],
    scores: Floats,
    floor: float,
    stack: Words,
    terms: Records,
    best: Floats,
    undominated: NDArray[np.bool_],
) -> None:
    """Write for each of the best rows whether no row that scores at least `floor` dominates it.

    best: float64[t, b], the satisfaction of the best rows; undominated: bool[b]. Costs t steps a
    row looked at, and t · b for each above the floor.
    """
    stack, terms = borrowed(stack), borrowed(terms)
    own = np.empty(terms.shape[0])
    undominated[:] = True
    for at in range(places.shape[0]):
        if scores[at] < floor:
            continue
        for position in range(own.shape[0]):
            own[position] = satisfaction_of(stack, terms, position, places[at])
        for number in range(undominated.shape[0]):
            no_worse = True
            better = False
            for position in range(own.shape[0]):
                if own[position] < best[position, number]:
                    no_worse = False
                    break
                if own[position] > best[position, number]:
                    better = True
            if no_worse and better:
                undominated[number] = False
