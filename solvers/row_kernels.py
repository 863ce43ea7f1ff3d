# pyright: basic, reportCallIssue=false
"""Numba kernels that look at single rows: nearest, candidates for it, distances, scores.

Layout: `base` is uint64[n_words], `stack` uint64[k, n_words], row-major: bit i of word w is
row 64·w + i. Columns are handed over by address (`data_pointer`): float64[rows] values, or
uint8[rows] buckets. Position j of a `Bounds` array belongs to constraint j.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from .kernels import kernel

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Addresses = NDArray[np.int64]
Octets = NDArray[np.uint8]
Ids = NDArray[np.uint32]

BLOCK_WORDS = 512
BLOCK_ROWS = 1024
JUST_OUTSIDE = 1e-9
"""The distance of a row that sits on a strict bound."""


@intrinsic
def _doubles(typingctx, address):
    def code(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.float64)(types.int64), code


@intrinsic
def _octets(typingctx, address):
    def code(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint8)(types.int64), code


@njit(nogil=True, inline="always")
def _lowest_bit(bits):
    low = bits & (~bits + np.uint64(1))
    place = 0
    # de Bruijn and ctz both cost more lines; a row is met rarely enough for a short search.
    for step in (32, 16, 8, 4, 2, 1):
        if low >> np.uint64(place + step) != 0:
            place += step
    return place


@njit(nogil=True, inline="always")
def _is_met(stack, position, row):
    return (stack[position, row >> 6] >> np.uint64(row & 63)) & np.uint64(1) != 0


@njit(nogil=True, inline="always")
def _outside(address, low, high, span, row):
    """Return how far an unmet row is, in [1e-9, 1]; 1 without a column or a value."""
    if address == 0:
        return 1.0
    value = _doubles(address)[row]
    if np.isnan(value):
        return 1.0
    far = max(max(low - value, value - high), 0.0) / span
    return min(max(far, JUST_OUTSIDE), 1.0)


@njit(nogil=True, inline="always")
def _fill(base, stack, keep, start, stop, acc):
    """Write the words of the rows that meet all constraints of `keep` into `acc`."""
    # Views that start at 0 let the compiler see that no index is negative, and vectorise.
    part = base[start:stop]
    for word in range(part.shape[0]):
        acc[word] = part[word]
    for position in range(stack.shape[0]):
        if (keep >> np.uint64(position)) & np.uint64(1):
            part = stack[position, start:stop]
            for word in range(part.shape[0]):
                acc[word] &= part[word]


@kernel
def survey(
    base: Words,
    stack: Words,
    keeps: Words,
    insides: Words,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    spans: Floats,
    weights: Floats,
    first: Addresses,
    best: Addresses,
    costs: Floats,
    sample: Floats,
    sampled_rows: Addresses,
) -> int:
    """For each subset kept, find its first row and the row nearest to what is let go.

    keeps, insides: uint64[m] masks of constraints; columns: int64[k] addresses of float64
    values, 0 for a constraint without an order; lows, highs, spans, weights: float64[k].
    Written: first, best: int64[m], -1 for none; costs: float64[m]. `best` has the least sum of
    weight × distance over the mask inside, among rows whose unmet bounds inside have finite
    values and that fail one of them; ties go to the least sum of distances, then the first row.
    sample: float64[n], filled with the sum of weight × distance over all constraints of the
    first rows met, sampled_rows: int64[n] with the rows. Returns how many were written. Reads
    k·m blocks of words, in cache.
    """
    words = base.shape[0]
    width = stack.shape[0]
    acc = np.empty(BLOCK_WORDS, dtype=np.uint64)
    totals = np.empty(keeps.shape[0])
    share = max(1, sample.shape[0] // max(1, keeps.shape[0]))
    taken = np.zeros(keeps.shape[0], dtype=np.int64)
    sampled = 0
    for one in range(keeps.shape[0]):
        first[one] = -1
        best[one] = -1
        costs[one] = np.inf
        totals[one] = np.inf
    for start in range(0, words, BLOCK_WORDS):
        stop = min(words, start + BLOCK_WORDS)
        for one in range(keeps.shape[0]):
            _fill(base, stack, keeps[one], start, stop, acc)
            for place in range(stop - start):
                bits = acc[place]
                while bits != 0:
                    row = ((start + place) << 6) + _lowest_bit(bits)
                    bits &= bits - np.uint64(1)
                    if first[one] < 0:
                        first[one] = row
                    cost = 0.0
                    total = 0.0
                    known = True
                    for position in range(width):
                        if (insides[one] >> np.uint64(position)) & np.uint64(1) == 0:
                            continue
                        if _is_met(stack, position, row):
                            continue
                        if not np.isfinite(_doubles(columns[position])[row]):
                            known = False
                            break
                        far = _outside(
                            columns[position], lows[position], highs[position],
                            spans[position], row,
                        )  # fmt: skip
                        cost += weights[position] * far
                        total += far
                    if known and total > 0.0:
                        nearer = cost < costs[one] or (cost == costs[one] and total < totals[one])
                        if nearer:
                            best[one] = row
                            costs[one] = cost
                            totals[one] = total
                    if taken[one] < share and sampled < sample.shape[0]:
                        taken[one] += 1
                        violation = 0.0
                        for position in range(width):
                            if weights[position] > 0 and not _is_met(stack, position, row):
                                violation += weights[position] * _outside(
                                    columns[position], lows[position], highs[position],
                                    spans[position], row,
                                )  # fmt: skip
                        sample[sampled] = violation
                        sampled_rows[sampled] = row
                        sampled += 1
    return sampled


@kernel
def rows_near(
    base: Words,
    stack: Words,
    must: np.uint64,
    buckets: Addresses,
    starts: Octets,
    ends: Octets,
    rows: int,
    found: Ids,
) -> int:
    """Write the rows that meet the constraints of `must` and lie in all bucket ranges.

    must: uint64 mask; buckets: int64[k] addresses of uint8 columns, 0 for no range;
    starts, ends: uint8[k], the range, ends included; rows: how long the columns are;
    found: uint32[n], written ascending.
    Returns how many rows there are; only the first n are written.
    """
    words = base.shape[0]
    block = BLOCK_ROWS // 64
    acc = np.empty(block, dtype=np.uint64)
    near = np.empty(BLOCK_ROWS, dtype=np.uint8)
    groups = near.view(np.uint64)
    count = 0
    for start in range(0, words, block):
        stop = min(words, start + block)
        _fill(base, stack, must, start, stop, acc)
        some = np.uint64(0)
        for place in range(stop - start):
            some |= acc[place]
        if some == 0:
            continue
        near[:] = 1
        for position in range(buckets.shape[0]):
            if buckets[position] == 0:
                continue
            column = _octets(buckets[position])
            low = starts[position]
            spread = np.uint8(ends[position] - low)
            offset = start * 64
            for row in range(min((stop - start) * 64, rows - offset)):
                near[row] &= np.uint8(np.uint8(column[offset + row] - low) <= spread)
        for group in range((stop - start) * 8):
            if groups[group] == 0:
                continue
            for row in range(group * 8, group * 8 + 8):
                if near[row] and (acc[row >> 6] >> np.uint64(row & 63)) & np.uint64(1):
                    if count < found.shape[0]:
                        found[count] = start * 64 + row
                    count += 1
    return count


@kernel
def distances(
    ids: NDArray[np.intp],
    stack: Words,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    spans: Floats,
    far: Floats,
) -> None:
    """Write how far rows are from meeting each constraint: far float64[k, n], 0 where met."""
    for position in range(stack.shape[0]):
        for place in range(ids.shape[0]):
            row = np.int64(ids[place])
            if _is_met(stack, position, row):
                far[position, place] = 0.0
            else:
                far[position, place] = _outside(
                    columns[position], lows[position], highs[position], spans[position], row
                )


@njit(nogil=True, inline="always")
def _satisfaction(stack, position, direction, column, low, high, row):
    """Return 0 or 1 by membership (direction 0), else the normalised value (1) or 1 − it (−1)."""
    if direction == 0:
        return 1.0 if _is_met(stack, position, row) else 0.0
    value = _doubles(column)[row]
    if np.isnan(value):
        return 0.0
    share = 1.0
    if low != high:
        share = min(max((value - low) / (high - low), 0.0), 1.0)
    return share if direction > 0 else 1.0 - share


@kernel
def score_rows(
    base: Words,
    stack: Words,
    keep: np.uint64,
    directions: Addresses,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    weights: Floats,
    ids: Ids,
    scores: Floats,
) -> None:
    """Write the rows that meet the constraints of `keep`, ascending, and their scores.

    directions: int64[t], a term each: the first k are the constraints; columns: int64[t]
    addresses; lows, highs, weights: float64[t]. ids: uint32[n], scores: float64[n], n the
    rows that meet `keep`. A score is the sum of weight × satisfaction in the terms' order.
    """
    words = base.shape[0]
    acc = np.empty(BLOCK_WORDS, dtype=np.uint64)
    count = 0
    for start in range(0, words, BLOCK_WORDS):
        stop = min(words, start + BLOCK_WORDS)
        _fill(base, stack, keep, start, stop, acc)
        for place in range(stop - start):
            bits = acc[place]
            while bits != 0:
                row = ((start + place) << 6) + _lowest_bit(bits)
                bits &= bits - np.uint64(1)
                score = 0.0
                for term in range(directions.shape[0]):
                    score += weights[term] * _satisfaction(
                        stack, term, directions[term], columns[term],
                        lows[term], highs[term], row,
                    )  # fmt: skip
                if count == ids.shape[0]:
                    return
                ids[count] = row
                scores[count] = score
                count += 1


@kernel
def satisfactions(
    ids: NDArray[np.intp],
    stack: Words,
    directions: Addresses,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    out: Floats,
) -> None:
    """Write the satisfaction of each term by some rows: out float64[t, n]."""
    for term in range(directions.shape[0]):
        for place in range(ids.shape[0]):
            out[term, place] = _satisfaction(
                stack, term, directions[term], columns[term],
                lows[term], highs[term], np.int64(ids[place]),
            )  # fmt: skip


@kernel
def count_within(
    base: Words,
    stack: Words,
    keep: np.uint64,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    nulls_match: NDArray[np.bool_],
) -> int:
    """Count the rows that meet the constraints of `keep` and whose values lie in all ranges.

    columns: int64[m] addresses of float64 columns; lows, highs: float64[m], included;
    nulls_match: bool[m], whether NaN lies in the range.
    """
    words = base.shape[0]
    acc = np.empty(BLOCK_WORDS, dtype=np.uint64)
    count = 0
    for start in range(0, words, BLOCK_WORDS):
        stop = min(words, start + BLOCK_WORDS)
        _fill(base, stack, keep, start, stop, acc)
        for place in range(stop - start):
            bits = acc[place]
            while bits != 0:
                row = ((start + place) << 6) + _lowest_bit(bits)
                bits &= bits - np.uint64(1)
                inside = True
                for one in range(columns.shape[0]):
                    value = _doubles(columns[one])[row]
                    missing = np.isnan(value) and nulls_match[one]
                    if not (missing or lows[one] <= value <= highs[one]):
                        inside = False
                        break
                if inside:
                    count += 1
    return count
