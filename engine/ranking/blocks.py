# pyright: basic, reportCallIssue=false
"""Parts of kernels over rows: row sets read in blocks of words.

All of it is inlined. Numba's cache notices a change of a kernel's own file alone: after a change
here, remove the `.nbi` files of the kernels.

Layout: `base` is uint64[n_words], `stack` uint64[k, n_words], row-major: bit i of word w is
row 64·w + i.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.np.numpy_support import carray

from ...catalogs.vectors.packed_kernels import words_at

BLOCK_WORDS = 512
GROUP_WORDS = 16


@njit(nogil=True, inline="always")
def has(mask, position):
    """Return whether a mask has a position."""
    return (mask >> np.uint64(position)) & np.uint64(1) != 0


@njit(nogil=True, inline="always")
def is_met(stack, position, row):
    """Return whether a row meets the constraint at a position."""
    return has(stack[position, row >> 6], row & 63)


@njit(nogil=True, inline="always")
def fill(base, stack, keep, start, stop, block):
    """Write the words of the rows that meet all constraints of `keep` into a block."""
    # Views that start at 0 let the compiler see that no index is negative, and vectorise.
    part = base[start:stop]
    for word in range(part.shape[0]):
        block[word] = part[word]
    for position in range(stack.shape[0]):
        if has(keep, position):
            part = stack[position, start:stop]
            for word in range(part.shape[0]):
                block[word] &= part[word]


@njit(nogil=True, inline="always")
def fill_around(base, stack, start, stop, before, after):
    """Write the rows that meet the constraints before each position, and those from it on.

    before, after: uint64[k + 1, BLOCK_WORDS]. Whatever meets all but one constraint is then one
    AND: 3·k operations instead of k².
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


@njit(nogil=True)
def narrow(block, ranges, first, last):
    """Leave the rows of a block, the words from `first` to `last`, inside each group.

    ranges: int64[m, 5], see `kernels.rows_in_ranges`: a row lies in a range of each group.
    """
    if ranges.shape[0] == 0:
        return
    inside = np.empty(last - first, dtype=np.uint64)
    number = 0
    while number < ranges.shape[0]:
        group = ranges[number, 4]
        inside[:] = 0
        while number < ranges.shape[0] and ranges[number, 4] == group:
            _add_range(inside, ranges[number], first, last)
            number += 1
        for word in range(inside.shape[0]):
            block[word] &= inside[word]


@njit(nogil=True)
def _add_range(inside, wide, first, last):
    """Add the rows of a range to those of a block."""
    size = max(min(last, wide[3]) - first, 0)
    below = carray(words_at(wide[0] + 8 * first), size)
    up_to = carray(words_at(wide[1] + 8 * first), size)
    for word in range(below.shape[0]):
        inside[word] |= up_to[word] & ~below[word]
    if wide[2] != 0:
        unsure = carray(words_at(wide[2] + 8 * first), size)
        for word in range(unsure.shape[0]):
            inside[word] |= unsure[word]
    for word in range(size, last - first):
        inside[word] = ~np.uint64(0)


@njit(nogil=True, inline="always")
def occupied_words(block, count, places):
    """Write which of the first words hold rows; return how many.

    Empty groups are left at once; inside a group there is no branch to guess wrong.
    """
    occupied = 0
    whole = count // GROUP_WORDS * GROUP_WORDS
    for start in range(0, whole, GROUP_WORDS):
        group = block[start : start + GROUP_WORDS]
        some = np.uint64(0)
        for word in range(GROUP_WORDS):
            some |= group[word]
        if some == 0:
            continue
        for word in range(GROUP_WORDS):
            places[occupied] = start + word
            occupied += group[word] != 0
    for word in range(whole, count):
        places[occupied] = word
        occupied += block[word] != 0
    return occupied
