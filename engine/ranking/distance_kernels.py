# pyright: basic, reportCallIssue=false
"""Numba kernels over how far rows are from meeting constraints: the nearest rows.

Layout: `base` is uint64[n_words], `stack` uint64[k, n_words], row-major; `bounds` BOUND[k], a
record at the position of each constraint. A violation is weight × distance, added up by position.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ...catalogs.vectors.array_types import Floats, Ids, Longs, Records, Words
from ...catalogs.vectors.numba_kernel import borrowed, kernel, lowest_bit, reads, writes
from ...catalogs.vectors.packed_kernels import doubles_at, longs_at, number_at, octets_at
from ..scoring_terms import JUST_OUTSIDE
from .blocks import (
    BLOCK_WORDS,
    fill,
    fill_around,
    has,
    is_met,
    narrow,
    occupied_words,
)
from .record_types import BOUND, PROBE


@njit(nogil=True, inline="always")
def outside(bound, row):
    """Return how far an unmet row is, in [1e-9, 1]; 1 without a column or a value."""
    if bound.column == 0:
        return 1.0
    value = number_at(bound.column, row)
    return 1.0 if np.isnan(value) else _beyond(bound, value)


@njit(nogil=True, inline="always")
def _beyond(bound, value):
    """Return how far a value outside a bound is from it, in [1e-9, 1]."""
    return _away(bound.low, bound.high, bound.span, value)


@njit(nogil=True, inline="always")
def _away(low, high, span, value):
    distance = max(max(low - value, value - high), 0.0) / span
    return min(max(distance, JUST_OUTSIDE), 1.0)


@njit(nogil=True, inline="always")
def _fill_kept(base, stack, keep, start, stop, around, block):
    """Write the rows that meet all constraints of `keep`, by `fill_around` where one is left."""
    width = stack.shape[0]
    every = ~np.uint64(0) >> np.uint64(64 - width) if width else np.uint64(0)
    gone = every & ~keep
    if gone == 0 or gone & (gone - np.uint64(1)) != 0:
        fill(base, stack, keep, start, stop, block)
        return
    alone = lowest_bit(gone)
    left = around[0][alone]
    right = around[1][alone + 1]
    for word in range(block.shape[0]):
        block[word] = left[word] & right[word]


@njit(nogil=True, inline="always")
def _take_nearer(probe, stack, bounds, row):
    """Note a row that a probe lets in: the first one, and the nearest to the bounds inside."""
    if probe.first < 0:
        probe.first = row
    cost = 0.0
    distances = 0.0
    for position in range(stack.shape[0]):
        if not has(probe.inside, position) or is_met(stack, position, row):
            continue
        value = number_at(bounds[position].column, row)
        if not np.isfinite(value):
            return
        distance = _beyond(bounds[position], value)
        cost += bounds[position].weight * distance
        distances += distance
    if cost < probe.cost or (cost == probe.cost and distances < probe.distance):
        # Where a row meets all bounds inside, none needs to move.
        probe.nearest = row if distances > 0.0 else -1
        probe.cost = cost
        probe.distance = distances


@njit(nogil=True, inline="always")
def _violation(stack, bounds, row):
    violation = 0.0
    for position in range(stack.shape[0]):
        if bounds[position].weight > 0 and not is_met(stack, position, row):
            violation += bounds[position].weight * outside(bounds[position], row)
    return violation


@njit(nogil=True)
def _is_let_in(probes, count, stack, row):
    """Return whether one of the first probes lets a row in."""
    met = np.uint64(0)
    for position in range(stack.shape[0]):
        if is_met(stack, position, row):
            met |= np.uint64(1) << np.uint64(position)
    found = False
    for number in range(count):
        found |= probes[number].keep & ~met == 0
    return found


@kernel(
    reads("u8"),
    reads("u8", 2),
    "i8",
    "i8",
    reads(BOUND),
    reads("i8", 2),
    writes(PROBE),
    writes("f8"),
)
def probe_rows(
    base: Words,
    stack: Words,
    start: int,
    stop: int,
    bounds: Records,
    ranges: Longs,
    probes: Records,
    sample: Floats,
) -> int:
    """For each subset kept, find its first row and the row nearest to what is let go.

    Reads the words from `start` to `stop`. probes: PROBE[m]. Written: `first` and `nearest`, −1
    for none, with `cost`. The nearest has the least sum of weight × distance over the mask
    `inside`, among rows whose unmet bounds inside have finite values; ties go to the least sum of
    distances, then the first row. There is none where some row meets all of them, which has no
    `distance`. ranges: as `rows_in_ranges` takes them; a probe that has some reads only the rows
    inside. sample: float64[n], filled with the violations of the first rows met, each row's once.
    Returns how many were written. Reads k·m blocks of words, in cache.
    """
    stack, bounds, probes = borrowed(stack), borrowed(bounds), borrowed(probes)
    block = np.empty(BLOCK_WORDS, dtype=np.uint64)
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    before = np.empty((stack.shape[0] + 1, BLOCK_WORDS), dtype=np.uint64)
    after = np.empty((stack.shape[0] + 1, BLOCK_WORDS), dtype=np.uint64)
    share = max(1, sample.shape[0] // max(1, probes.shape[0]))
    sampled = 0
    for number in range(probes.shape[0]):
        probe = probes[number]
        probe.first = probe.nearest = -1
        probe.cost = probe.distance = np.inf
        probe.sampled = 0
    for first in range(start, stop, BLOCK_WORDS):
        last = min(stop, first + BLOCK_WORDS)
        fill_around(base, stack, first, last, before, after)
        for number in range(probes.shape[0]):
            probe = probes[number]
            _fill_kept(base, stack, probe.keep, first, last, (before, after), block)
            narrow(block, ranges[probe.ranges : probe.end], first, last)
            for at in range(occupied_words(block, last - first, occupied)):
                place = occupied[at]
                bits = block[place]
                while bits != 0:
                    row = ((first + place) << 6) + lowest_bit(bits)
                    bits &= bits - np.uint64(1)
                    _take_nearer(probe, stack, bounds, row)
                    if probe.sampled < share and sampled < sample.shape[0]:
                        if _is_let_in(probes, number, stack, row):
                            continue
                        probe.sampled += 1
                        sample[sampled] = _violation(stack, bounds, row)
                        sampled += 1
    return sampled


@kernel(reads("f8", 2), reads("f8", 2), writes("f8", 2))
def least_by_bucket(edges: Floats, scales: Floats, table: Floats) -> None:
    """Write the least that a row in a bucket adds to a violation: table float64[m, 256].

    edges: float64[m, b] ascending, up to 255: bucket i lies from edge i − 1 to edge i; scales:
    float64[m, 5]: low, high, span and slack of the bound, and its weight. The last bucket, 255,
    holds rows without a value, which add the whole weight.
    """
    count = edges.shape[1]
    for number in range(edges.shape[0]):
        low, high, span, slack, weight = scales[number]
        table[number, :] = 0.0
        for bucket in range(count + 1):
            gap = 0.0
            if bucket < count and np.isfinite(edges[number, bucket]):
                gap = max(gap, low - edges[number, bucket] - slack)
            if bucket > 0 and np.isfinite(edges[number, bucket - 1]):
                gap = max(gap, edges[number, bucket - 1] - high - slack)
            table[number, bucket] = weight * min(gap / span, 1.0)
        table[number, 255] = weight


@kernel(reads("u4"), reads("u8", 2), "u8", reads(BOUND), writes("f8"))
def violations_of(
    rows: Ids, stack: Words, must: np.uint64, bounds: Records, violations: Floats
) -> int:
    """Write the violations of those rows that meet `must`; return how many were written.

    rows: uint32[n]; bounds: with columns of the values of just these rows, float64[n];
    violations: float64[n]. Column by column, without a branch that rows may take either way.
    """
    stack, bounds = borrowed(stack), borrowed(bounds)
    violations[:] = 0.0
    for position in range(stack.shape[0]):
        column, weight = bounds[position].column, bounds[position].weight
        low, high, span = bounds[position].low, bounds[position].high, bounds[position].span
        missed = np.inf if has(must, position) else weight
        if column == 0:
            for at in range(rows.shape[0]):
                met = is_met(stack, position, np.int64(rows[at]))
                violations[at] += 0.0 if met else missed
            continue
        values = doubles_at(longs_at(column)[0])
        for at in range(rows.shape[0]):
            value = values[at]
            distance = _away(low, high, span, value) if value == value else 1.0
            met = is_met(stack, position, np.int64(rows[at]))
            violations[at] += 0.0 if met else missed * distance
    count = 0
    for at in range(rows.shape[0]):
        violations[count] = violations[at]
        count += violations[at] < np.inf
    return count


@kernel(reads("i8"), reads("u8", 2), reads(BOUND), writes("f8", 2), writes("f8"))
def write_distances(
    places: NDArray[np.intp], stack: Words, bounds: Records, distances: Floats, violations: Floats
) -> None:
    """Write how far rows are from meeting each constraint: float64[k, n], 0 where met.

    violations: float64[n], written too.
    """
    stack, bounds = borrowed(stack), borrowed(bounds)
    violations[:] = 0.0
    for position in range(stack.shape[0]):
        for at in range(places.shape[0]):
            row = places[at]
            if is_met(stack, position, row):
                distances[position, at] = 0.0
            else:
                distances[position, at] = outside(bounds[position], row)
                violations[at] += bounds[position].weight * distances[position, at]


@njit(nogil=True, inline="always")
def _add_missed(met, weight, along, violations):
    """Write 0 for each row of a set, uint64[⌈n / 64⌉], and add weight × distance: float64[n]."""
    for word in range(met.shape[0]):
        bits = met[word]
        some = along[word << 6 : (word + 1) << 6]
        sums = violations[word << 6 : (word + 1) << 6]
        for bit in range(some.shape[0]):
            distance = 0.0 if (bits >> np.uint64(bit)) & np.uint64(1) else some[bit]
            some[bit] = distance
            sums[bit] += weight * distance


@kernel(reads("u8", 2), reads(BOUND), "u8", writes("f8", 2), writes("f8"))
def measure_rows(
    stack: Words, bounds: Records, must: np.uint64, distances: Floats, violations: Floats
) -> None:
    """Write what `write_distances` does of all rows, whose columns are kept as doubles.

    violations: float64[n], infinite for a row that misses a constraint of the mask `must`. Column
    by column, several rows at once: half a nanosecond a row and constraint.
    """
    stack, bounds = borrowed(stack), borrowed(bounds)
    distances, violations = borrowed(distances), borrowed(violations)
    violations[:] = 0.0
    for position in range(stack.shape[0]):
        along = distances[position]
        column, weight = bounds[position].column, bounds[position].weight
        low, high, span = bounds[position].low, bounds[position].high, bounds[position].span
        if column == 0:
            along[:] = 1.0
        else:
            values = doubles_at(longs_at(column)[0])
            for row in range(along.shape[0]):
                value = values[row]
                distance = _away(low, high, span, value)
                along[row] = distance if value == value else 1.0
        _add_missed(stack[position], weight, along, violations)
        if has(must, position):
            for row in range(along.shape[0]):
                violations[row] = np.inf if along[row] > 0.0 else violations[row]


@njit(nogil=True)
def _keep_nearer(near, stack, bounds, almost, violations):
    """Add up what rows violate, the heaviest bound first; keep those that may be near enough."""
    left = near.shape[0]
    added = np.uint64(0)
    for _ in range(stack.shape[0]):
        heaviest = -1
        for position in range(stack.shape[0]):
            if bounds[position].column == 0 or has(added, position):
                continue
            if heaviest < 0 or bounds[position].weight > bounds[heaviest].weight:
                heaviest = position
        if heaviest < 0:
            break
        added |= np.uint64(1) << np.uint64(heaviest)
        kept = 0
        for at in range(left):
            row = near[at]
            violation = violations[at]
            if not is_met(stack, heaviest, row):
                violation += bounds[heaviest].weight * outside(bounds[heaviest], row)
            near[kept] = row
            violations[kept] = violation
            kept += violation <= almost
        left = kept
    return left


@kernel(
    writes("i8"),
    reads("u8", 2),
    reads(BOUND),
    reads("i8"),
    reads("f8", 2),
    "f8",
    writes("f8", 2),
    writes("f8"),
)
def keep_near(
    near: NDArray[np.intp],
    stack: Words,
    bounds: Records,
    buckets: Longs,
    least: Floats,
    radius: float,
    distances: Floats,
    violations: Floats,
) -> int:
    """Keep the rows whose violation is at most `radius`; return how many.

    near: intp[n] ascending, in place; buckets: int64[m] addresses of uint8 columns; least:
    float64[m, 256], the least a row in a bucket adds to a violation; distances: float64[k, n]
    and violations: float64[n] as of `write_distances`, of the rows kept. Column by column, so
    that no load waits for another; a row is left as soon as its buckets, or without buckets the
    heaviest bounds, say that it is too far.
    """
    # Sums of buckets and of distances round differently.
    stack, bounds = borrowed(stack), borrowed(bounds)
    almost = radius * (1 + 1e-9)
    left = near.shape[0]
    violations[:] = 0.0
    for position in range(stack.shape[0]):
        if bounds[position].column == 0:
            for at in range(left):
                if not is_met(stack, position, near[at]):
                    violations[at] += bounds[position].weight
    for number in range(buckets.shape[0]):
        column = octets_at(buckets[number])
        added = least[number]
        # A loop of its own, so that the processor waits for many loads at once.
        for at in range(left):
            violations[at] += added[column[near[at]]]
        kept = 0
        for at in range(left):
            bound = violations[at]
            near[kept] = near[at]
            violations[kept] = bound
            kept += bound <= almost
        left = kept
    if buckets.shape[0] == 0 and radius < np.inf:
        left = _keep_nearer(near, stack, bounds, almost, violations)
    write_distances(near[:left], stack, bounds, distances, violations[:left])
    count = 0
    for at in range(left):
        if violations[at] <= radius:
            near[count] = near[at]
            violations[count] = violations[at]
            for position in range(stack.shape[0]):
                distances[position, count] = distances[position, at]
            count += 1
    return count
