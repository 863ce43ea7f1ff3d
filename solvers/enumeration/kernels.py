# pyright: basic, reportCallIssue=false
"""Numba kernels that list minimal conflicts and unique-repair quads among candidates.

Layout everywhere, n candidates over the rows of a slice, all arrays C-contiguous:

- words:  uint64[n, row_words]; bit r of candidate c says that it holds for row r;
- met:    uint64[rows, spans], the transpose; bit c of row r says the same;
- others: uint64[n, spans]; bit d of candidate c says that d may stand beside c;
- beside: uint64[n, spans]; bit d of candidate c says that both can be in what is sought and
          together leave rows: overlapping candidates of two columns, and for conflicts neither
          within the other, since the wider one would be redundant.

A set of candidates (`spans` words of 64) is what the inner loops work on: the candidates that
some row of a conjunction meets are the OR of the `met` of its rows, so a conjunction's whole
next level costs one word operation for each of its rows and 64 candidates. Conjunctions of two
are kept for one first candidate at a time: n · (row_words + spans) words.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ...catalogs.vectors.numba_kernel import kernel, lowest_bit, popcount, reads, writes
from ..masks import Masks

Members = NDArray[np.int32]
Counts = NDArray[np.int32]
Place = NDArray[np.int64]


@njit(nogil=True, inline="always")
def _has(sets, line, candidate):
    """Return whether a line of sets of candidates, uint64[lines, spans], holds this one."""
    return (sets[line, candidate >> 6] >> np.uint64(candidate & 63)) & np.uint64(1) != 0


@njit(nogil=True, inline="always")
def _from(candidate, span):
    """Return the word of a span with the bits of this candidate and all after it."""
    start = candidate - (span << 6)
    if start >= 64:
        return np.uint64(0)
    return ~np.uint64(0) << np.uint64(max(start, 0))


@njit(nogil=True, inline="always")
def _collect(rows, met, reached):
    """Set `reached`, uint64[spans], to the candidates met by any of the rows."""
    reached[:] = np.uint64(0)
    for word in range(rows.shape[0]):
        left = rows[word]
        while left != 0:
            row = (word << 6) + lowest_bit(left)
            left &= left - np.uint64(1)
            for span in range(reached.shape[0]):
                reached[span] |= met[row, span]


@njit(nogil=True, inline="always")
def _strike(rows, met, remaining):
    """Take the candidates met by any of the rows from `remaining`; return whether any is left."""
    for word in range(rows.shape[0]):
        left = rows[word]
        while left != 0:
            row = (word << 6) + lowest_bit(left)
            left &= left - np.uint64(1)
            some = np.uint64(0)
            for span in range(remaining.shape[0]):
                remaining[span] &= ~met[row, span]
                some |= remaining[span]
            if some == 0:
                return False
    return True


@njit(nogil=True, inline="always")
def _both(first, second):
    """Return how many rows are in both of two sets, uint64[row_words] each."""
    count = np.int64(0)
    for word in range(first.shape[0]):
        count += popcount(first[word] & second[word])
    return count


@njit(nogil=True, inline="always")
def _and(first, second, joined):
    """Write the rows of both sets and return how many there are."""
    count = np.int64(0)
    for word in range(first.shape[0]):
        joined[word] = first[word] & second[word]
        count += popcount(joined[word])
    return count


@kernel(reads("u8", 2), reads("u8", 2), reads("u8", 2), writes("u8", 2), writes("u8", 2))
def overlaps(words: Masks, met: Masks, others: Masks, overlapping: Masks, crossing: Masks) -> None:
    """Fill both `beside` tables: candidates that overlap, and of these the ones not nested.

    Reads each word once; one operation for every row a candidate holds for and 64 candidates,
    and one for every overlapping pair.
    """
    n, spans = others.shape
    for c in range(n):
        for span in range(spans):
            met_by_some = np.uint64(0)
            met_by_all = ~np.uint64(0)
            for word in range(words.shape[1]):
                left = words[c, word]
                while left != 0:
                    line = met[(word << 6) + lowest_bit(left), span]
                    left &= left - np.uint64(1)
                    met_by_some |= line
                    met_by_all &= line
            overlapping[c, span] = met_by_some & others[c, span]
            crossing[c, span] = overlapping[c, span] & ~met_by_all
    for c in range(n):
        for span in range(spans):
            left = crossing[c, span]
            while left != 0:
                d = (span << 6) + lowest_bit(left)
                left &= left - np.uint64(1)
                if not _has(crossing, d, c):
                    crossing[c, span] ^= np.uint64(1) << np.uint64(d & 63)


@kernel(
    reads("u8", 2),
    reads("u8", 2),
    reads("u8", 2),
    reads("u8", 2),
    "?",
    writes("i8"),
    writes("i4", 2),
    writes("i4", 2),
)
def triples(
    words: Masks,
    met: Masks,
    others: Masks,
    beside: Masks,
    feasible: bool,
    place: Place,
    members: Members,
    counts: Counts,
) -> int:
    """Write conflicts of three, or all triples that some row meets; return how many.

    place: int64[4], the first and second candidate to go on with, the first to stop before,
    and nothing; updated. Stops early when fewer than n lines of `members` are free; then
    place[0] < place[2]. members, counts: int32[lines, ≥ 3], n lines at least. Counts are the
    rows that remain when a member is dropped; for feasible triples the rows, three times.
    Cost: one step for each overlapping pair and 64 candidates, and the triples written.
    """
    n, spans = others.shape
    joined = np.empty(words.shape[1], dtype=np.uint64)
    remaining = np.empty(spans, dtype=np.uint64)
    written = 0
    while place[0] < place[2]:
        i = place[0]
        for j in range(max(i + 1, place[1]), n):
            if not _has(beside, i, j):
                continue
            if written + n > members.shape[0]:
                place[1] = j
                return written
            rows = _and(words[i], words[j], joined)
            if feasible:
                _collect(joined, met, remaining)
                for span in range(spans):
                    remaining[span] &= others[i, span] & others[j, span] & _from(j + 1, span)
            else:
                for span in range(spans):
                    remaining[span] = beside[i, span] & beside[j, span] & _from(j + 1, span)
                if not _strike(joined, met, remaining):
                    continue
            for span in range(spans):
                left = remaining[span]
                while left != 0:
                    k = (span << 6) + lowest_bit(left)
                    left &= left - np.uint64(1)
                    members[written, 0] = i
                    members[written, 1] = j
                    members[written, 2] = k
                    if feasible:
                        counts[written, :3] = _both(joined, words[k])
                    else:
                        counts[written, 0] = _both(words[j], words[k])
                        counts[written, 1] = _both(words[i], words[k])
                        counts[written, 2] = rows
                    written += 1
        place[0] = i + 1
        place[1] = 0
    return written


@njit(nogil=True, inline="always")
def _space(n, row_words, spans):
    """Return `shared` uint64[n, row_words], `fourths` uint64[n, spans] and scratch."""
    shared = np.empty((n, row_words), dtype=np.uint64)
    fourths = np.empty((n, spans), dtype=np.uint64)
    scratch = np.empty((2, row_words), dtype=np.uint64)
    remaining = np.empty(spans, dtype=np.uint64)
    return shared, fourths, scratch, remaining


@njit(nogil=True, inline="always")
def _open_fourths(words, met, others, beside, pair, unique_repair, space):
    """Fill line j of `shared` with the rows of i ∧ j, of `fourths` with what may join i and j.

    For conflicts: the candidates of other columns that some row of i ∧ j meets and some fails,
    since what every row meets would be redundant. For unique-repair quads: those none meets.
    """
    i, j = pair
    shared, fourths = space[0], space[1]
    row_words = words.shape[1]
    spans = others.shape[1]
    for word in range(row_words):
        shared[j, word] = words[i, word] & words[j, word]
    for span in range(spans):
        met_by_some = np.uint64(0)
        met_by_all = ~np.uint64(0)
        for word in range(row_words):
            left = shared[j, word]
            while left != 0:
                line = met[(word << 6) + lowest_bit(left), span]
                left &= left - np.uint64(1)
                met_by_some |= line
                met_by_all &= line
        if unique_repair:
            fourths[j, span] = ~met_by_some & others[i, span] & others[j, span]
        else:
            crossed = met_by_some & ~met_by_all
            fourths[j, span] = crossed & beside[i, span] & beside[j, span]


@njit(nogil=True, inline="always")
def _write_quads(words, met, space, triple, start, unique_repair, output, line):
    """Write the quads of a feasible triple from this line on; return the line after them.

    space: as `_space` makes it, with lines j and k filled for i; start: the lowest fourth
    wanted; output: members and counts.
    """
    shared, fourths, scratch, remaining = space
    members, counts = output
    i, j, k = triple
    row_words, spans = words.shape[1], remaining.shape[0]
    some = np.uint64(0)
    for span in range(start >> 6, spans):
        remaining[span] = fourths[j, span] & fourths[k, span]
        some |= remaining[span]
    if some == 0:
        return line
    remaining[start >> 6] &= ~np.uint64(0) << np.uint64(start & 63)
    rows = np.int64(0)
    for word in range(row_words):
        scratch[0, word] = shared[j, word] & words[k, word]
        scratch[1, word] = words[j, word] & words[k, word]
        rows += popcount(scratch[0, word])
    if not unique_repair:
        # In a unique-repair quad no row of i ∧ j meets the fourth, so none of the triple does.
        for word in range(row_words):
            left = scratch[0, word]
            while left != 0:
                row = (word << 6) + lowest_bit(left)
                left &= left - np.uint64(1)
                some = np.uint64(0)
                for span in range(start >> 6, spans):
                    remaining[span] &= ~met[row, span]
                    some |= remaining[span]
                if some == 0:
                    return line
    for span in range(start >> 6, spans):
        left = remaining[span]
        while left != 0:
            fourth = (span << 6) + lowest_bit(left)
            left &= left - np.uint64(1)
            without_i = np.int64(0)
            without_j = np.int64(0)
            without_k = np.int64(0)
            for word in range(row_words):
                rows_met = words[fourth, word]
                without_i += popcount(scratch[1, word] & rows_met)
                without_j += popcount(shared[k, word] & rows_met)
                without_k += popcount(shared[j, word] & rows_met)
            if (without_i == 0) != unique_repair:
                continue
            members[line, 0] = i
            members[line, 1] = j
            members[line, 2] = k
            members[line, 3] = fourth
            counts[line, 0] = without_i
            counts[line, 1] = without_j
            counts[line, 2] = without_k
            counts[line, 3] = rows
            line += 1
    return line


@kernel(
    reads("u8", 2),
    reads("u8", 2),
    reads("u8", 2),
    reads("u8", 2),
    "?",
    writes("i8"),
    writes("i4", 2),
    writes("i4", 2),
)
def quads(
    words: Masks,
    met: Masks,
    others: Masks,
    beside: Masks,
    unique_repair: bool,
    place: Place,
    members: Members,
    counts: Counts,
) -> int:
    """Write conflicts of four, or unique-repair quads; return how many.

    A conflict of four comes as i < j < k < l. A unique-repair quad comes as the triple that
    some row meets, i < j < k, and then the one repair, any candidate l.
    place: int64[4], the first, second and third candidate to go on with and the first to stop
    before; updated. Stops early when fewer than n lines of `members` are free; then
    place[0] < place[3]. members, counts: int32[lines, 4], n lines at least. Counts are the
    rows that remain when a member is dropped.
    Cost: one step for each feasible triple and 64 candidates, a few for each row of the
    triple, and the quads written.
    """
    n, spans = others.shape
    space = _space(n, words.shape[1], spans)
    fourths = space[1]
    output = members, counts
    room = members.shape[0] - n
    line = 0
    while place[0] < place[3]:
        i = place[0]
        for j in range(i + 1, n):
            if _has(beside, i, j):
                _open_fourths(words, met, others, beside, (i, j), unique_repair, space)
        for j in range(max(i + 1, place[1]), n):
            if not _has(beside, i, j):
                continue
            next_third = max(j + 1, place[2])
            for span in range(next_third >> 6, spans):
                thirds = fourths[j, span]
                if unique_repair:
                    thirds = ~thirds & others[i, span] & others[j, span]
                thirds &= _from(next_third, span)
                while thirds != 0:
                    k = (span << 6) + lowest_bit(thirds)
                    thirds &= thirds - np.uint64(1)
                    if line > room:
                        place[1] = j
                        place[2] = k
                        return line
                    start = 0 if unique_repair else k
                    line = _write_quads(
                        words, met, space, (i, j, k), start, unique_repair, output, line
                    )
            place[2] = 0
        place[0] = i + 1
        place[1] = 0
        place[2] = 0
    return line


@kernel(
    reads("u8", 2),
    reads("u8", 2),
    reads("u8", 2),
    reads("u8", 2),
    "?",
    # Only read, but given as made.
    writes("i4", 2),
    writes("i4", 2),
    writes("i4", 2),
)
def first_quad(
    words: Masks,
    met: Masks,
    others: Masks,
    beside: Masks,
    unique_repair: bool,
    good: Members,
    members: Members,
    counts: Counts,
) -> int:
    """Write all quads of the first feasible triple that has any; return how many.

    good: int32[m, 3], triples that some row meets, in the order to try. A fourth may be any
    candidate. members, counts: int32[≥ n, 4], as in `quads`.
    """
    n, spans = others.shape
    space = _space(n, words.shape[1], spans)
    output = members, counts
    for number in range(good.shape[0]):
        i, j, k = np.int64(good[number, 0]), np.int64(good[number, 1]), np.int64(good[number, 2])
        _open_fourths(words, met, others, beside, (i, j), unique_repair, space)
        _open_fourths(words, met, others, beside, (i, k), unique_repair, space)
        line = _write_quads(words, met, space, (i, j, k), 0, unique_repair, output, 0)
        if line:
            return line
    return 0
