# pyright: basic, reportCallIssue=false
"""Numba kernels between the words of row sets, the ids in them, and the values behind them.

Bit i of word w of a set is row 64·w + i. Numba is untyped, so this file is checked less strictly.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .array_types import Floats, Ids, Longs, Octets, Words
from .numba_kernel import kernel, list_ids, reads, writes
from .packed_kernels import number_at, take_cells

GROUP_WORDS = 64
"""Words looked at between two decisions to go on."""

LANES = 32
"""Numbers whose ends are found side by side."""


@kernel(reads("u8"), writes("u4"))
def write_ids(words: Words, ids: Ids) -> None:
    """Write the ids in a set, ascending. words: uint64[n]; ids: uint32[len of the set]."""
    list_ids(words, ids)


@kernel(reads("u8"), reads("u4"), writes("u8"))
def take_bits(words: Words, ids: Ids, taken: Words) -> None:
    """Write which of some ids are in a set: bit i for ids[i].

    words: uint64[n]; ids: uint32[m]; taken: uint64[⌈m / 64⌉], written whole.
    """
    for word in range(taken.shape[0]):
        start = word << 6
        some = ids[start : start + 64]
        bits = np.uint64(0)
        for at in range(some.shape[0]):
            row = some[at]
            bits |= ((words[row >> 6] >> np.uint64(row & 63)) & np.uint64(1)) << np.uint64(at)
        taken[word] = bits


@kernel("i8", reads("u4"), writes("f8"), writes("f8"))
def take_numbers(column: int, ids: Ids, taken: Floats, ends: Floats) -> None:
    """Write the numbers, NaN for NULL, of some ids, uint32[m]: float64[m]; and their ends.

    column: address of the description of a packed column; ends: float64[2], the least and the
    greatest number, infinity and minus infinity where there is none. Takes half the time that
    NumPy does: no load waits for another.
    """
    take_cells(column, ids, taken)
    # Side by side, since a comparison waits for the one before: a quarter of the time.
    least = np.full(LANES, np.inf)
    greatest = np.full(LANES, -np.inf)
    for start in range(0, taken.shape[0], LANES):
        some = taken[start : start + LANES]
        for lane in range(some.shape[0]):
            value = some[lane]
            least[lane] = value if value < least[lane] else least[lane]
            greatest[lane] = value if value > greatest[lane] else greatest[lane]
    ends[0] = least.min()
    ends[1] = greatest.max()


@kernel(reads("u4"), "i8", writes("u4"), writes("u4"))
def sort_ids(ids: Ids, width: int, between: Ids, ordered: Ids) -> None:
    """Write ids, uint32[n] below 4^width, in ascending order.

    By half of their bits at a time, the lower ones first. between, ordered: uint32[n]. Costs some
    2 ns an id, and 2^width steps twice.
    """
    digits = np.uint32((1 << width) - 1)
    for half in range(2):
        shift = np.uint32(half * width)
        given = between if half else ids
        sorted_ids = ordered if half else between
        places = np.zeros((1 << width) + 1, dtype=np.int64)
        for at in range(given.shape[0]):
            places[((given[at] >> shift) & digits) + 1] += 1
        for digit in range(places.shape[0] - 1):
            places[digit + 1] += places[digit]
        for at in range(given.shape[0]):
            digit = (given[at] >> shift) & digits
            sorted_ids[places[digit]] = given[at]
            places[digit] += 1


@kernel(reads("u4"), reads("u4"), reads("i8"), writes("i8"))
def write_sources(ids: Ids, before: Ids, touched: Longs, sources: Longs) -> None:
    """Write where each id stood before, −1 for one that was not there or was touched since.

    ids: uint32[n], before: uint32[m], touched: int64[t], each ascending; sources: int64[n].
    """
    old = 0
    new = 0
    for at in range(ids.shape[0]):
        row = np.int64(ids[at])
        while old < before.shape[0] and np.int64(before[old]) < row:
            old += 1
        while new < touched.shape[0] and touched[new] < row:
            new += 1
        stays = old < before.shape[0] and np.int64(before[old]) == row
        if new < touched.shape[0] and touched[new] == row:
            stays = False
        sources[at] = old if stays else -1


@njit(nogil=True, inline="always")
def _edges_up_to(padded, value, bits):
    """Return how many edges are at most the value; padded: float64[2^bits − 1], with infinity.

    Halving without branches, which would be guessed wrong every other time.
    """
    count = 0
    for bit in range(bits - 1, -1, -1):
        width = 1 << bit
        count += width * np.int64(padded[count + width - 1] <= value)
    return count


@kernel(reads("f8"), reads("f8"), writes("u1"))
def write_buckets(values: Floats, edges: Floats, octets: Octets) -> None:
    """Write how many edges are at most each value, 255 for NaN.

    values: float64[n]; edges: float64[m] ascending, m up to 254; octets: uint8[n].
    """
    padded = np.full(255, np.inf)
    padded[: edges.shape[0]] = edges
    for row in range(values.shape[0]):
        value = values[row]
        bucket = min(_edges_up_to(padded, value, 8), edges.shape[0])
        octets[row] = 255 if np.isnan(value) else bucket


@kernel(reads("f8"), reads("f8"), writes("u8", 2), writes("i8"), writes("u4"))
def write_steps(values: Floats, edges: Floats, below: Words, starts: Longs, order: Ids) -> None:
    """Sort rows into the steps between edges.

    values: float64[n], NaN for NULL; edges: float64[m] ascending, up to 64; step i lies from
    edge i − 1 to edge i. Written: below: uint64[m + 2, words], zeros: row s has the rows of the
    steps before s; order: uint32[rows with a value], or of no row at all, the rows of one step
    after those of another, each ascending; starts: int64[m + 2], where each step begins in them.
    """
    steps = edges.shape[0] + 1
    padded = np.full(127, np.inf)
    padded[: edges.shape[0]] = edges
    step_of = np.empty(values.shape[0], dtype=np.uint8)
    starts[:] = 0
    for row in range(values.shape[0]):
        value = values[row]
        if np.isnan(value):
            step_of[row] = 255
            continue
        step = min(_edges_up_to(padded, value, 7), steps - 1)
        step_of[row] = step
        starts[step + 1] += 1
        below[step + 1, row >> 6] |= np.uint64(1) << np.uint64(row & 63)
    for step in range(1, steps):
        starts[step + 1] += starts[step]
        for word in range(below.shape[1]):
            below[step + 1, word] |= below[step, word]
    if order.shape[0] == 0:
        return
    at = starts.copy()
    for row in range(values.shape[0]):
        step = step_of[row]
        if step != 255:
            order[at[step]] = row
            at[step] += 1


@njit(nogil=True, inline="always")
def _place(edges, starts, column, value, after):
    """Return how many rows listed have a lesser value, or with `after` one no greater.

    And the step that begins nearest to there: the value's own or the next one.
    """
    step = 0
    for number in range(edges.shape[0]):
        step += np.int64(edges[number] <= value)
    low = starts[step]
    high = starts[step + 1]
    while low < high:
        middle = (low + high) >> 1
        number = number_at(column, middle)
        if number < value or (after and number == value):
            low = middle + 1
        else:
            high = middle
    return low, step if low - starts[step] <= starts[step + 1] - low else step + 1


@njit(nogil=True, inline="always")
def _add(rows, words):
    for at in range(rows.shape[0]):
        row = rows[at]
        words[row >> 6] |= np.uint64(1) << np.uint64(row & 63)


@njit(nogil=True, inline="always")
def _remove(rows, words):
    for at in range(rows.shape[0]):
        row = rows[at]
        words[row >> 6] &= ~(np.uint64(1) << np.uint64(row & 63))


@kernel(
    reads("u8", 2), reads("f8"), reads("i8"), reads("u4"), "i8", "f8", "f8", writes("u8")
)  # fmt: skip
def write_between(
    below: Words,
    edges: Floats,
    starts: Longs,
    order: Ids,
    column: int,
    low: float,
    high: float,
    words: Words,
) -> None:
    """Write the rows whose value lies from `low` to `high`, both included: uint64[n_words].

    below, edges, starts, order: of `write_steps`, with the rows of each step by value; column:
    address of the description of the values in that order. Whole steps are the difference of two
    bitmaps; at each end up to half a step of rows is added, or taken out again.
    """
    first, start = _place(edges, starts, column, low, False)
    last, stop = _place(edges, starts, column, high, True)
    if low > high or start >= stop:
        words[:] = 0
        _add(order[first:last], words)
        return
    lower = below[start]
    upper = below[stop]
    count = below.shape[1]
    for word in range(count):
        words[word] = upper[word] & ~lower[word]
    words[count:] = 0
    _add(order[first : starts[start]], words)
    _remove(order[starts[start] : first], words)
    _add(order[starts[stop] : last], words)
    _remove(order[last : starts[stop]], words)


@njit(nogil=True, inline="always")
def _hold(words, row, met):
    """Have a set hold a row, or not."""
    bit = np.uint64(1) << np.uint64(row & 63)
    if met:
        words[row >> 6] |= bit
    else:
        words[row >> 6] &= ~bit


@kernel(reads("f8"), reads("i8"), reads("f8", 2), writes("u8"))
def put_between(values: Floats, rows: Longs, intervals: Floats, words: Words) -> None:
    """Have a set hold exactly those of some rows whose value lies in an interval.

    values: float64[m], side by side with rows: int64[m]; intervals: float64[i, 2], both ends
    included; words: uint64[n_words].
    """
    for at in range(rows.shape[0]):
        value = values[at]
        met = False
        for number in range(intervals.shape[0]):
            met |= (value >= intervals[number, 0]) & (value <= intervals[number, 1])
        _hold(words, rows[at], met)


@kernel(writes("u8"), reads("i8"), reads("?"))
def put(words: Words, ids: Longs, met: NDArray[np.bool_]) -> None:
    """Have a set hold exactly those of some ids that are met; the others stay as they are.

    words: uint64[n]; ids: int64[m]; met: bool[m].
    """
    for at in range(ids.shape[0]):
        _hold(words, ids[at], met[at])


@njit(nogil=True, inline="always")
def _meet(left, right):
    for start in range(0, left.shape[0], GROUP_WORDS):
        some = np.uint64(0)
        for word in range(start, min(start + GROUP_WORDS, left.shape[0])):
            some |= left[word] & right[word]
        if some != 0:
            return True
    return False


@njit(nogil=True, inline="always")
def _meet_above(known, below, rows):
    for start in range(0, known.shape[0], GROUP_WORDS):
        some = np.uint64(0)
        for word in range(start, min(start + GROUP_WORDS, known.shape[0])):
            some |= known[word] & ~below[word] & rows[word]
        if some != 0:
            return True
    return False


@njit(nogil=True, inline="always")
def _ends_among(column, order, start, stop, rows, ends):
    """Widen the ends to the finite values of those rows listed that are in the set."""
    for at in range(start, stop):
        row = order[at]
        if (rows[row >> 6] >> np.uint64(row & 63)) & np.uint64(1):
            value = number_at(column, at)
            if np.isfinite(value):
                ends[0] = min(ends[0], value)
                ends[1] = max(ends[1], value)


@kernel(reads("u8", 2), reads("i8"), reads("u4"), "i8", reads("u8"), writes("f8"))
def ends_of_rows(
    below: Words, starts: Longs, order: Ids, column: int, rows: Words, ends: Floats
) -> None:
    """Widen the ends to the finite values of a set's rows that are sorted into steps.

    below, starts, order: of `write_steps`; column: address of the description of the values in
    that order; rows: uint64[words]; ends: float64[2].
    Finds the first and the last step that count by halving, and reads the values of those.
    """
    last = below.shape[0] - 1
    known = below[last]
    low = 1
    high = last
    while low < high:
        middle = (low + high) >> 1
        if _meet(below[middle], rows):
            high = middle
        else:
            low = middle + 1
    # All values of a step may be infinite.
    listed = np.array([np.inf, -np.inf])
    for step in range(low, last + 1):
        start, stop = starts[step - 1], starts[step]
        _ends_among(column, order, start, stop, rows, listed)
        if listed[0] < np.inf:
            break
    low = 0
    high = last - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if _meet_above(known, below[middle], rows):
            low = middle
        else:
            high = middle - 1
    for step in range(low, -1, -1):
        before = listed[1]
        listed[1] = -np.inf
        start, stop = starts[step], starts[step + 1]
        _ends_among(column, order, start, stop, rows, listed)
        if listed[1] > -np.inf:
            break
        listed[1] = before
    ends[0] = min(ends[0], listed[0])
    ends[1] = max(ends[1], listed[1])
