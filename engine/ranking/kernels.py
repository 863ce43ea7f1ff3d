# pyright: basic, reportCallIssue=false
"""Numba kernels over the rows of a whole slice: those inside ranges, those that shifts let in.

Layout: `base` is uint64[n_words], `stack` uint64[k, n_words], row-major; `bounds` BOUND[k], a
record at the position of each constraint.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ...catalogs.vectors.array_types import Floats, Ids, Longs, Records, Words
from ...catalogs.vectors.numba_kernel import borrowed, kernel, lowest_bit, reads, writes
from ...catalogs.vectors.packed_kernels import number_at
from .blocks import BLOCK_WORDS, fill, has, is_met, narrow, occupied_words
from .record_types import BOUND, SHIFT


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", "u8", reads("i8", 2), writes("u4"))
def rows_in_ranges(
    base: Words, stack: Words, start: int, stop: int, must: np.uint64, ranges: Longs, rows: Ids
) -> int:
    """Write the rows that meet the constraints of `must` and may lie in a range of each group.

    Reads the words from `start` to `stop`, 64 rows each, once. must: uint64 mask; ranges:
    int64[m, 5]: addresses of three bitmaps, uint64[n], how many words the first two have, and a
    group, side by side: a range has the rows of the second bitmap without those of the first, and
    those of the third (address 0 for none), and all from that word on; rows: uint32[n], written
    ascending, with room for all. Returns how many rows there are.
    """
    base, stack = borrowed(base), borrowed(stack)
    block = np.empty(BLOCK_WORDS, dtype=np.uint64)
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    count = 0
    for first in range(start, stop, BLOCK_WORDS):
        last = min(stop, first + BLOCK_WORDS)
        fill(base, stack, must, first, last, block)
        narrow(block, ranges, first, last)
        for at in range(occupied_words(block, last - first, occupied)):
            place = occupied[at]
            bits = block[place]
            while bits != 0:
                rows[count] = ((first + place) << 6) + lowest_bit(bits)
                count += 1
                bits &= bits - np.uint64(1)
    return count


@njit(nogil=True, inline="always")
def _is_let_in(stack, bounds, moved, witness, row):
    """Return whether a row meets each moved constraint, or lies no farther than the witness."""
    for position in range(stack.shape[0]):
        if not has(moved, position) or is_met(stack, position, row):
            continue
        column = bounds[position].column
        value = number_at(column, witness)
        low = min(bounds[position].low, value)
        high = max(bounds[position].high, value)
        if not low <= number_at(column, row) <= high:
            return False
    return True


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", reads(BOUND), reads(SHIFT), reads("i8", 2))
def count_let_in(
    base: Words,
    stack: Words,
    start: int,
    stop: int,
    bounds: Records,
    shift: Records,
    ranges: Longs,
) -> int:
    """Count the rows that meet what a shift keeps, once its other bounds let the witness in.

    Reads the words from `start` to `stop`. shift: SHIFT[1]; the bounds moved are widened just
    so far that its witness lies inside; ranges: as `rows_in_ranges` takes them, which all rows
    to be counted lie in.
    """
    base, stack, bounds = borrowed(base), borrowed(stack), borrowed(bounds)
    keep, moved, witness = shift[0].keep, shift[0].moved, shift[0].witness
    block = np.empty(BLOCK_WORDS, dtype=np.uint64)
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    count = 0
    for first in range(start, stop, BLOCK_WORDS):
        last = min(stop, first + BLOCK_WORDS)
        fill(base, stack, keep, first, last, block)
        narrow(block, ranges, first, last)
        for at in range(occupied_words(block, last - first, occupied)):
            place = occupied[at]
            bits = block[place]
            while bits != 0:
                row = ((first + place) << 6) + lowest_bit(bits)
                bits &= bits - np.uint64(1)
                count += _is_let_in(stack, bounds, moved, witness, row)
    return count


@kernel(reads("i8"), reads("f8", 2), reads("u8", 2), reads(BOUND), writes(SHIFT))
def count_near(
    places: NDArray[np.intp], distances: Floats, stack: Words, bounds: Records, shifts: Records
) -> None:
    """Count as `count_let_in`, among some rows whose distances are known, for many shifts.

    places: intp[n]; distances: float64[k, n]; shifts: SHIFT[m], counts written. Costs
    n · (k + m) steps.
    """
    stack, bounds = borrowed(stack), borrowed(bounds)
    for number in range(shifts.shape[0]):
        shifts[number].count = 0
    for at in range(places.shape[0]):
        met = np.uint64(0)
        for position in range(distances.shape[0]):
            if distances[position, at] == 0.0:
                met |= np.uint64(1) << np.uint64(position)
        for number in range(shifts.shape[0]):
            shift = shifts[number]
            if shift.keep & ~met == 0:
                shift.count += _is_let_in(stack, bounds, shift.moved, shift.witness, places[at])
