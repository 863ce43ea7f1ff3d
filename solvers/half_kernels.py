# pyright: basic, reportCallIssue=false
"""A Numba kernel that counts masks of up to 8 constraints, for processors that count the bits of
many words at once.

Layout as in `kernels.py`: `base` is uint64[n], `stack` uint64[k, n], row-major; bit i of word w is
row 64·w + i.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import njit

from ..catalogs.vectors.numba_kernel import kernel, popcount, reads, wide_vectors, writes
from .masks import Counts, Masks

HALF = 4
"""Constraints of the lower half."""

BLOCK = 128
"""Words read at once: both halves' rows, 32 KiB, lie in the first-level cache."""

LINE = 8
"""Words in a line of the cache."""

FEATURE = "avx512vpopcntdq"


@cache
def pays() -> bool:
    """Return whether the processor has an instruction for the bits of several words at once.

    Without it one popcount a mask and word takes longer than counting bytes, from 7 constraints on.
    """
    from llvmlite.binding import get_host_cpu_features

    return bool(get_host_cpu_features().get(FEATURE))


@njit(nogil=True, inline="always")
def _blocks(lines):
    """Return zeros, uint64[lines, BLOCK], that begin with a line of the cache.

    Loads of 64 bytes that cross such a line take twice as long, a third of all the time.
    """
    cells = np.zeros(lines * BLOCK + LINE, dtype=np.uint64)
    first = -(cells.ctypes.data >> 3) & (LINE - 1)
    return cells[first : first + lines * BLOCK].reshape(lines, BLOCK)


@njit(nogil=True, inline="always")
def _split(rows, stack, positions, first, masks, present):
    """Write the rows of each mask of some constraints; return how many masks have rows.

    rows: uint64[n], the rows to split, n ≤ BLOCK; positions: first and last; masks:
    uint64[·, BLOCK]; present: int64[·], the masks that have rows.
    """
    size = rows.shape[0]
    if size < BLOCK:
        masks[:] = 0
    every = masks[0]
    for word in range(size):
        every[word] = rows[word]
    for bit in range(positions[1] - positions[0]):
        part = stack[positions[0] + bit, first : first + size]
        for mask in range(1 << bit):
            without = masks[mask]
            along = masks[mask | (1 << bit)]
            for word in range(size):
                along[word] = without[word] & part[word]
                without[word] &= ~part[word]
    count = 0
    for mask in range(1 << (positions[1] - positions[0])):
        row = masks[mask]
        some = np.uint64(0)
        for word in range(BLOCK):
            some |= row[word]
        present[count] = mask
        count += some != 0
    return count


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("i8"))
def count_halves(base: Masks, stack: Masks, start: int, stop: int, counts: Counts) -> None:
    """Add the mask of every base row of some words to a table of counts.

    stack: uint64[k, n], k ≤ 8; counts: int64[256], added to. The rows of each mask of the first
    four constraints, and of the others, are ANDed and counted: one AND and one popcount for each
    of 2^k masks and each word, less where masks have no rows in a block. Reads each word once.
    """
    wide_vectors()
    width = stack.shape[0]
    half = min(width, HALF)
    lower = _blocks((1 << HALF) + 1)
    upper = _blocks(1 << HALF)
    lows = np.empty((1 << HALF) + HALF, dtype=np.int64)
    highs = np.empty((1 << HALF) + 1, dtype=np.int64)
    everything = np.full(BLOCK, ~np.uint64(0))
    for first in range(start, stop, BLOCK):
        size = min(BLOCK, stop - first)
        low_count = _split(base[first : first + size], stack, (0, half), first, lower, lows)
        if low_count == 0:
            continue
        # Four at a time: the last ones may be a mask without rows.
        lows[low_count : low_count + HALF] = 1 << HALF
        high_count = _split(everything[:size], stack, (half, width), first, upper, highs)
        for high in range(high_count):
            above = upper[highs[high]]
            for low in range(0, low_count, 4):
                one, two, three, four = lows[low], lows[low + 1], lows[low + 2], lows[low + 3]
                _count_four(
                    above,
                    (lower[one], lower[two], lower[three], lower[four]),
                    (one, two, three, four),
                    counts,
                    highs[high] << HALF,
                )


@njit(nogil=True, inline="always")
def _count_four(above, lower, lows, counts, high):
    """Add how many rows each of four masks has in common with `above`, uint64[BLOCK]."""
    first, second, third, fourth = lower
    one = two = three = four = 0
    for word in range(BLOCK):
        rows = above[word]
        one += popcount(rows & first[word])
        two += popcount(rows & second[word])
        three += popcount(rows & third[word])
        four += popcount(rows & fourth[word])
    # A mask without rows adds nothing, wherever it is counted.
    counts[high | lows[0]] += one
    counts[high | lows[1]] += two
    counts[high | lows[2]] += three
    counts[high | lows[3]] += four
