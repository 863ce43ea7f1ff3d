# pyright: basic, reportCallIssue=false
"""Numba kernels over a table that has a count for each of 2^k masks.

Numba is untyped, so this file is checked less strictly.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..catalogs.vectors.numba_kernel import borrowed, kernel, reads, writes
from .masks import Counts, Masks

BLOCK = 1 << 12
"""Counts whose lowest bits are summed together: 32 KiB, which the nearest cache holds."""


@njit(nogil=True)
def _add_pairs(counts, start, stop, bit):
    """Add to each count that of the subset with one bit more, from a block's start to its stop."""
    step = 1 << bit
    for first in range(start, stop, 2 * step):
        # Two arrays, so that the compiler adds several counts at once.
        without, along = counts[first : first + step], counts[first + step : first + 2 * step]
        for subset in range(step):
            without[subset] += along[subset]


@njit(nogil=True)
def _add_three_bits(counts, start, stop):
    """Do what `_add_pairs` does for bits 0, 1 and 2, eight counts at a time."""
    for at in range(start, stop, 8):
        a, b = counts[at], counts[at + 1]
        c, d = counts[at + 2], counts[at + 3]
        e, f = counts[at + 4], counts[at + 5]
        g, h = counts[at + 6], counts[at + 7]
        ab, cd, ef, gh = a + b, c + d, e + f, g + h
        bd, fh = b + d, f + h
        abcd, efgh = ab + cd, ef + gh
        counts[at] = abcd + efgh
        counts[at + 1] = bd + fh
        counts[at + 2] = cd + gh
        counts[at + 3] = d + h
        counts[at + 4] = efgh
        counts[at + 5] = fh
        counts[at + 6] = gh


@kernel(writes("i8"), "i8", "i8")
def superset_sums(counts: Counts, first: int, last: int) -> None:
    """Turn counts by mask, int64[2^k], into counts by subset: rows that meet at least it.

    In place; for the bits from `first` to before `last`, 2^(k−1) additions each (Yates's method),
    the lowest block by block.
    """
    size = counts.shape[0]
    lowest = 0
    while lowest < last and (1 << lowest) < min(size, BLOCK):
        lowest += 1
    if first < lowest:
        block = 1 << lowest
        for start in range(0, size, block):
            bit = first
            if first == 0 and lowest >= 3:
                _add_three_bits(counts, start, start + block)
                bit = 3
            while bit < lowest:
                _add_pairs(counts, start, start + block, bit)
                bit += 1
    for bit in range(max(first, lowest), last):
        _add_pairs(counts, 0, size, bit)


@kernel(reads("i8"), writes("u8"), writes("i8"))
def list_counted(table: Counts, masks: Masks, counts: Counts) -> int:
    """Write the masks counted, ascending, and their counts; return how many there are.

    table: int64[2^k]; masks: uint64[2^k], counts: int64[2^k]. Without a branch, which would be
    guessed wrong every other time: a nanosecond a mask.
    """
    table, masks, counts = borrowed(table), borrowed(masks), borrowed(counts)
    found = 0
    for mask in range(table.shape[0]):
        masks[found] = np.uint64(mask)
        counts[found] = table[mask]
        found += np.int64(table[mask] != 0)
    return found
