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
