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
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from ..catalogs.compiled import kernel, lowest_bit

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Addresses = NDArray[np.int64]
Ids = NDArray[np.uint32]

BLOCK_WORDS = 512
GROUP_WORDS = 16
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


@intrinsic
def _words(typingctx, address):
    def code(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint64)(types.int64), code


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


@njit(nogil=True, inline="always")
def _occupied(acc, count, places):
    """Write which of the first words hold rows; return how many.

    Empty groups are left at once; inside a group there is no branch to guess wrong.
    """
    found = 0
    whole = count // GROUP_WORDS * GROUP_WORDS
    for start in range(0, whole, GROUP_WORDS):
        group = acc[start : start + GROUP_WORDS]
        some = np.uint64(0)
        for word in range(GROUP_WORDS):
            some |= group[word]
        if some == 0:
            continue
        for word in range(GROUP_WORDS):
            places[found] = start + word
            found += group[word] != 0
    for word in range(whole, count):
        places[found] = word
        found += acc[word] != 0
    return found


@njit(nogil=True, inline="always")
def _fill_around(base, stack, start, stop, before, after):
    """Write the rows that meet the constraints before each position, and those from it on.

    Whatever meets all but one constraint is then one AND: 3·k operations instead of k².
    """
    width = stack.shape[0]
    part = base[start:stop]
    row = before[0]
    for word in range(part.shape[0]):
        row[word] = part[word]
    for position in range(width):
        part = stack[position, start:stop]
        row = before[position]
        following = before[position + 1]
        for word in range(part.shape[0]):
            following[word] = row[word] & part[word]
    row = after[width]
    for word in range(stop - start):
        row[word] = ~np.uint64(0)
    for position in range(width - 1, -1, -1):
        part = stack[position, start:stop]
        row = after[position + 1]
        following = after[position]
        for word in range(part.shape[0]):
            following[word] = row[word] & part[word]


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
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    before = np.empty((width + 1, BLOCK_WORDS), dtype=np.uint64)
    after = np.empty((width + 1, BLOCK_WORDS), dtype=np.uint64)
    full = ~np.uint64(0) >> np.uint64(64 - width) if width else np.uint64(0)
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
        _fill_around(base, stack, start, stop, before, after)
        for one in range(keeps.shape[0]):
            gone = full & ~keeps[one]
            if gone != 0 and gone & (gone - np.uint64(1)) == 0:
                lone = lowest_bit(gone)
                left = before[lone]
                right = after[lone + 1]
                for word in range(acc.shape[0]):
                    acc[word] = left[word] & right[word]
            else:
                _fill(base, stack, keeps[one], start, stop, acc)
            for at in range(_occupied(acc, stop - start, occupied)):
                place = occupied[at]
                bits = acc[place]
                while bits != 0:
                    row = ((start + place) << 6) + lowest_bit(bits)
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
def rows_common(
    base: Words, stack: Words, must: np.uint64, ranges: NDArray[np.int64], found: Ids
) -> int:
    """Write the rows that meet the constraints of `must` and may lie in all ranges.

    must: uint64 mask; ranges: int64[m, 4]: addresses of three bitmaps, uint64[n], and how many
    words the first two have: a range has the rows of the second without those of the first, and
    those of the third (address 0 for none), and all from that word on; found: uint32[n],
    written ascending. Returns how many rows there are; only the first n are written. Reads each
    word once.
    """
    acc = np.empty(BLOCK_WORDS, dtype=np.uint64)
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    words = base.shape[0]
    count = 0
    for start in range(0, words, BLOCK_WORDS):
        stop = min(words, start + BLOCK_WORDS)
        _fill(base, stack, must, start, stop, acc)
        for one in range(ranges.shape[0]):
            size = min(stop, ranges[one, 3]) - start
            if size <= 0:
                continue
            below = carray(_words(ranges[one, 0] + 8 * start), size)
            up_to = carray(_words(ranges[one, 1] + 8 * start), size)
            if ranges[one, 2] == 0:
                for word in range(below.shape[0]):
                    acc[word] &= up_to[word] & ~below[word]
                continue
            unsure = carray(_words(ranges[one, 2] + 8 * start), size)
            for word in range(below.shape[0]):
                acc[word] &= (up_to[word] & ~below[word]) | unsure[word]
        for at in range(_occupied(acc, stop - start, occupied)):
            place = occupied[at]
            bits = acc[place]
            while bits != 0:
                if count < found.shape[0]:
                    found[count] = ((start + place) << 6) + lowest_bit(bits)
                count += 1
                bits &= bits - np.uint64(1)
    return count


@kernel
def least_by_bucket(edges: Floats, scales: Floats, table: Floats) -> None:
    """Write the least that a row in a bucket adds to a violation: table float64[m, 256].

    edges: float64[m, b] ascending, up to 255: bucket i lies from edge i − 1 to edge i; scales:
    float64[m, 5]: low, high, span and slack of the bound, and its weight. The last bucket, 255,
    holds rows without a value, which add the whole weight.
    """
    count = edges.shape[1]
    for one in range(edges.shape[0]):
        low, high, span, slack, weight = scales[one]
        table[one, :] = 0.0
        for bucket in range(count + 1):
            gap = 0.0
            if bucket < count and np.isfinite(edges[one, bucket]):
                gap = max(gap, low - edges[one, bucket] - slack)
            if bucket > 0 and np.isfinite(edges[one, bucket - 1]):
                gap = max(gap, edges[one, bucket - 1] - high - slack)
            table[one, bucket] = weight * min(gap / span, 1.0)
        table[one, 255] = weight


@kernel
def violations_of(
    rows: Ids,
    stack: Words,
    must: np.uint64,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    spans: Floats,
    weights: Floats,
    violations: Floats,
) -> int:
    """Write weight × distance summed up by position, of those rows that meet `must`.

    rows: uint32[n]; columns: int64[k] addresses of the values of just these rows, float64[n];
    violations: float64[n]. Returns how many were written.
    """
    count = 0
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        violation = 0.0
        for position in range(stack.shape[0]):
            if _is_met(stack, position, row):
                continue
            if (must >> np.uint64(position)) & np.uint64(1):
                violation = np.nan
                break
            violation += weights[position] * _outside(
                columns[position], lows[position], highs[position], spans[position], at
            )
        if not np.isnan(violation):
            violations[count] = violation
            count += 1
    return count


@kernel
def distances(
    places: NDArray[np.intp],
    stack: Words,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    spans: Floats,
    weights: Floats,
    far: Floats,
    violations: Floats,
) -> None:
    """Write how far rows are from meeting each constraint: far float64[k, n], 0 where met.

    violations: float64[n], weight × distance summed up by position.
    """
    violations[:] = 0.0
    for position in range(stack.shape[0]):
        for at in range(places.shape[0]):
            row = places[at]
            if _is_met(stack, position, row):
                far[position, at] = 0.0
            else:
                far[position, at] = _outside(
                    columns[position], lows[position], highs[position], spans[position], row
                )
                violations[at] += weights[position] * far[position, at]


@kernel
def measure_near(
    places: Ids,
    stack: Words,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    spans: Floats,
    weights: Floats,
    buckets: Addresses,
    least: Floats,
    reach: float,
    near: NDArray[np.intp],
    far: Floats,
    violations: Floats,
) -> int:
    """Write the rows whose violation is at most `reach`, ascending; return how many.

    places: uint32[n] ascending; buckets: int64[m] addresses of uint8 columns; least:
    float64[m, 256], the least a row in a bucket adds to a violation; near: intp[n]; far:
    float64[k, n] and violations: float64[n] as of `distances`, of the rows written. Column by
    column, so that no load waits for another; a row is left as soon as its buckets say that it is
    too far.
    """
    # Sums of buckets and of distances round differently.
    almost = reach * (1 + 1e-9)
    left = places.shape[0]
    for at in range(left):
        near[at] = places[at]
        violations[at] = 0.0
    for position in range(stack.shape[0]):
        if columns[position] == 0:
            for at in range(left):
                if not _is_met(stack, position, near[at]):
                    violations[at] += weights[position]
    for one in range(buckets.shape[0]):
        column = _octets(buckets[one])
        added = least[one]
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
    distances(near[:left], stack, columns, lows, highs, spans, weights, far, violations[:left])
    count = 0
    for at in range(left):
        if violations[at] <= reach:
            near[count] = near[at]
            violations[count] = violations[at]
            for position in range(stack.shape[0]):
                far[position, count] = far[position, at]
            count += 1
    return count


@kernel
def front(
    places: NDArray[np.intp],
    far: Floats,
    inside: np.uint64,
    columns: Addresses,
    weights: Floats,
    reach: float,
    found: NDArray[np.intp],
) -> int:
    """Write the cheapest points that none cheaper dominates; return how many.

    places: intp[n] ascending; far: float64[k, n]; inside: mask of the bounds that may move.
    Points meet everything outside the mask, have finite values where a bound would move, and
    cost (weight × distance summed up) no more than `reach`. found: intp[top], written by cost,
    then sum of distances, then place. Costs top · n · k steps.
    """
    width = far.shape[0]
    costs = np.empty(places.shape[0])
    totals = np.empty(places.shape[0])
    left = np.empty(places.shape[0], dtype=np.intp)
    count = 0
    for at in range(places.shape[0]):
        cost = 0.0
        total = 0.0
        allowed = True
        for position in range(width):
            distance = far[position, at]
            if distance == 0:
                continue
            if (inside >> np.uint64(position)) & np.uint64(1) == 0:
                allowed = False
                break
            if distance == 1 and not np.isfinite(_doubles(columns[position])[places[at]]):
                allowed = False
                break
            cost += weights[position] * distance
            total += distance
        if allowed and cost <= reach and total > 0:
            costs[at] = cost
            totals[at] = total
            left[count] = at
            count += 1
    for taken in range(found.shape[0]):
        if count == 0:
            return taken
        best = left[0]
        for one in range(1, count):
            at = left[one]
            if costs[at] < costs[best] or (costs[at] == costs[best] and totals[at] < totals[best]):
                best = at
        found[taken] = places[best]
        # Only what is nearer in some direction stays.
        kept = 0
        for one in range(count):
            at = left[one]
            for position in range(width):
                if far[position, at] < far[position, best]:
                    left[kept] = at
                    kept += 1
                    break
        count = kept
    return found.shape[0]


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
def scores_of(
    rows: Ids,
    stack: Words,
    keep: np.uint64,
    directions: Addresses,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    weights: Floats,
    scores: Floats,
) -> None:
    """Write the scores of some rows; −∞ for one that fails a constraint of `keep`.

    rows: uint32[n]; directions: int64[t], a term each: the first k are the constraints;
    columns: int64[t] addresses; lows, highs, weights: float64[t]; scores: float64[n]. A score
    is the sum of weight × satisfaction in the terms' order.
    """
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        met = True
        for position in range(stack.shape[0]):
            if (keep >> np.uint64(position)) & np.uint64(1) and not _is_met(stack, position, row):
                met = False
                break
        if not met:
            scores[at] = -np.inf
            continue
        score = 0.0
        for term in range(directions.shape[0]):
            score += weights[term] * _satisfaction(
                stack, term, directions[term], columns[term], lows[term], highs[term], row
            )
        scores[at] = score


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
def lowest(
    places: NDArray[np.intp],
    keys: Floats,
    cost_column: int,
    found: NDArray[np.intp],
    found_costs: Floats,
) -> int:
    """Write where the lowest keys stand, lowest first; return how many.

    Ties go to the lower cost, then to the first. places: intp[n] ascending; keys: float64[n];
    cost_column: address of float64 values, 0 for none; found: intp[top], with found_costs
    float64[top]. One pass, with a step for each of the top where a row enters them.
    """
    top = found.shape[0]
    count = 0
    for at in range(places.shape[0]):
        key = keys[at]
        if count == top and key > keys[found[count - 1]]:
            continue
        cost = 0.0
        if cost_column != 0:
            cost = _doubles(cost_column)[places[at]]
            if np.isnan(cost):
                cost = np.inf
        slot = count
        while slot > 0:
            above = keys[found[slot - 1]]
            if above < key or (above == key and found_costs[slot - 1] <= cost):
                break
            slot -= 1
        if slot == top:
            continue
        if count < top:
            count += 1
        for shifted in range(count - 1, slot, -1):
            found[shifted] = found[shifted - 1]
            found_costs[shifted] = found_costs[shifted - 1]
        found[slot] = at
        found_costs[slot] = cost
    return count


@kernel
def undominated(
    places: NDArray[np.intp],
    scores: Floats,
    floor: float,
    stack: Words,
    directions: Addresses,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    best: Floats,
    flags: NDArray[np.bool_],
) -> None:
    """Write for each of the best rows whether no row that scores at least `floor` dominates it.

    best: float64[t, b], the satisfactions of the best rows; flags: bool[b]. Costs t steps a
    row looked at, and t · b for each above the floor.
    """
    own = np.empty(directions.shape[0])
    flags[:] = True
    for at in range(places.shape[0]):
        if scores[at] < floor:
            continue
        for term in range(own.shape[0]):
            own[term] = _satisfaction(
                stack, term, directions[term], columns[term], lows[term], highs[term], places[at]
            )
        for one in range(flags.shape[0]):
            least = True
            better = False
            for term in range(own.shape[0]):
                if own[term] < best[term, one]:
                    least = False
                    break
                if own[term] > best[term, one]:
                    better = True
            if least and better:
                flags[one] = False


@njit(nogil=True, inline="always")
def _is_let_in(stack, moved, witness, columns, lows, highs, row):
    """Return whether a row meets each moved constraint, or lies no farther than the witness."""
    for position in range(stack.shape[0]):
        if (moved >> np.uint64(position)) & np.uint64(1) == 0 or _is_met(stack, position, row):
            continue
        values = _doubles(columns[position])
        low = min(lows[position], values[witness])
        high = max(highs[position], values[witness])
        if not low <= values[row] <= high:
            return False
    return True


@kernel
def count_let_in(
    base: Words,
    stack: Words,
    keep: np.uint64,
    moved: np.uint64,
    witness: int,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
) -> int:
    """Count the rows that meet the constraints of `keep`, once others let the witness in.

    keep, moved: masks; the bounds moved are widened just so far that the row at place `witness`
    lies inside. columns, lows, highs: as of `survey`.
    """
    words = base.shape[0]
    acc = np.empty(BLOCK_WORDS, dtype=np.uint64)
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    count = 0
    for start in range(0, words, BLOCK_WORDS):
        stop = min(words, start + BLOCK_WORDS)
        _fill(base, stack, keep, start, stop, acc)
        for at in range(_occupied(acc, stop - start, occupied)):
            place = occupied[at]
            bits = acc[place]
            while bits != 0:
                row = ((start + place) << 6) + lowest_bit(bits)
                bits &= bits - np.uint64(1)
                count += _is_let_in(stack, moved, witness, columns, lows, highs, row)
    return count


@kernel
def count_near(
    places: NDArray[np.intp],
    far: Floats,
    stack: Words,
    keeps: Words,
    moved: Words,
    witnesses: Addresses,
    columns: Addresses,
    lows: Floats,
    highs: Floats,
    counts: Addresses,
) -> None:
    """Count as `count_let_in`, among some rows whose distances are known, for many shifts.

    places: intp[n]; far: float64[k, n]; keeps, moved: uint64[m] masks; witnesses: int64[m]
    places; counts: int64[m], written. Costs n · (k + m) steps.
    """
    counts[:] = 0
    for at in range(places.shape[0]):
        met = np.uint64(0)
        for position in range(far.shape[0]):
            if far[position, at] == 0.0:
                met |= np.uint64(1) << np.uint64(position)
        for one in range(keeps.shape[0]):
            if keeps[one] & ~met == 0:
                counts[one] += _is_let_in(
                    stack, moved[one], witnesses[one], columns, lows, highs, places[at]
                )
