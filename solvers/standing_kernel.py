# pyright: basic, reportCallIssue=false
"""A Numba kernel that tells whether rows that changed may matter to an answer."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..catalogs.compiled import kernel
from .row_kernels import JUST_OUTSIDE

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Octets = NDArray[np.uint8]


@njit(nogil=True, inline="always")
def _passes(value, first, last, lows, highs, negated, nulls):
    if np.isnan(value):
        return nulls != 0
    inside = False
    for one in range(first, last):
        if lows[one] <= value <= highs[one]:
            inside = True
            break
    return inside != (negated != 0)


@njit(nogil=True, inline="always")
def _violation(rows, row, mask, columns, lows, highs, spans, weights):
    """Return weight × distance summed up over the constraints that a row does not meet."""
    total = 0.0
    for position in range(columns.shape[0]):
        if (mask >> position) & 1:
            continue
        far = 1.0
        if columns[position] >= 0:
            value = rows[columns[position], row]
            if not np.isnan(value):
                outside = max(max(lows[position] - value, value - highs[position]), 0.0)
                far = min(max(outside / spans[position], JUST_OUTSIDE), 1.0)
        total += weights[position] * far
    return total


@njit(nogil=True, inline="always")
def _score(rows, row, mask, directions, columns, lows, highs, weights):
    score = 0.0
    for term in range(directions.shape[0]):
        share = 0.0
        if directions[term] == 0:
            share = 1.0 if (mask >> term) & 1 else 0.0
        else:
            value = rows[columns[term], row]
            if not np.isnan(value):
                share = 1.0
                if lows[term] != highs[term]:
                    span = highs[term] - lows[term]
                    share = min(max((value - lows[term]) / span, 0.0), 1.0)
                if directions[term] < 0:
                    share = 1.0 - share
        score += weights[term] * share
    return score


@kernel
def matters(
    rows: Floats,
    sign: int,
    base: int,
    places: Longs,
    starts: Longs,
    lows: Floats,
    highs: Floats,
    negated: Octets,
    nulls: Octets,
    bound_columns: Longs,
    bound_numbers: Floats,
    hard: int,
    apart: Longs,
    reach: float,
    term_columns: Longs,
    term_numbers: Floats,
    least: float,
    end_columns: Longs,
    ends: Floats,
    counts: Longs,
    held: Longs,
) -> bool:
    """Return whether some row that came (sign 1) or went (−1) may change an answer.

    rows: float64[c, n]; column `places[t]` of it passes test t if it lies in one of the intervals
    `starts[t]` to `starts[t + 1]` of `lows` and `highs`, or in none where `negated`; NaN where
    `nulls`. The first `base` tests are those of the base slice, the others give the mask.

    Rows of the base slice matter whose mask contains one of `apart`; that meet `hard` and whose
    violation is at most `reach` (bound_columns: int64[k], −1 for none; bound_numbers: float64[4,
    k], lows, highs, spans and weights); that meet everything and score at least `least`
    (term_columns int64[2, t]: directions and columns; term_numbers: float64[3, t], lows, highs
    and weights); and that come with a value outside `ends`, float64[2, e], of `end_columns`.

    Brought up to date are `counts`, int64[2^k], the rows that meet at least each mask, and
    `held`, int64[2, e], the rows known to have the ends.
    """
    width = bound_columns.shape[0]
    full = (1 << width) - 1
    # One interval on one column is what most slices are, and keeps most rows out.
    is_plain = base > 0 and starts[1] == 1 and negated[0] == 0 and nulls[0] == 0
    low, high = (lows[0], highs[0]) if is_plain else (0.0, 0.0)
    firsts = rows[places[0]] if is_plain else rows[0]
    for row in range(rows.shape[1]):
        if is_plain and not low <= firsts[row] <= high:
            continue
        met = True
        for test in range(base):
            if not _passes(
                rows[places[test], row], starts[test], starts[test + 1], lows, highs,
                negated[test], nulls[test],
            ):  # fmt: skip
                met = False
                break
        if not met:
            continue
        mask = 0
        for position in range(width):
            test = base + position
            if _passes(
                rows[places[test], row], starts[test], starts[test + 1], lows, highs,
                negated[test], nulls[test],
            ):  # fmt: skip
                mask |= 1 << position
        for one in range(apart.shape[0]):
            if mask & apart[one] == apart[one]:
                return True
        if mask & hard == hard and reach >= _violation(
            rows, row, mask, bound_columns, bound_numbers[0], bound_numbers[1], bound_numbers[2],
            bound_numbers[3],
        ):  # fmt: skip
            return True
        if mask == full and least <= _score(
            rows, row, mask, term_columns[0], term_columns[1], term_numbers[0], term_numbers[1],
            term_numbers[2],
        ):  # fmt: skip
            return True
        for one in range(end_columns.shape[0]):
            value = rows[end_columns[one], row]
            if not np.isfinite(value):
                continue
            if sign > 0 and not ends[0, one] <= value <= ends[1, one]:
                return True
            for side in range(2):
                if value == ends[side, one]:
                    held[side, one] += sign
        # Every subset of the mask, the empty one last.
        part = mask
        while True:
            counts[part] += sign
            if part == 0:
                break
            part = (part - 1) & mask
    return False
