# pyright: basic
"""Numba kernels over dense chunk words. Numba is untyped, so this file is checked less strictly.

Layout everywhere: a chunk is 1,024 words of 64 rows; bit i of a word is row 64·word + i.
Kernels release the GIL, allocate nothing inside loops, and are compiled once per machine
(cached beside this file, or in the user's cache folder where that cannot be written).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np
from numba import njit

from .histogram import Counts, Masks

DENSE_WIDTH = 16
"""Up to this many constraints masks are counted in a table of 2^k int64."""

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def kernel(function: Kernel) -> Kernel:
    """Compile a function on its first call; callers see the type it is written with."""
    try:
        return cast("Kernel", njit(nogil=True, cache=True)(function))
    except RuntimeError:
        # No folder to cache in can be written: every process compiles for itself.
        return cast("Kernel", njit(nogil=True)(function))


@njit(nogil=True, inline="always")
def _transpose(block):
    """Transpose a 64 × 64 bit matrix in place, uint64[64] (Hacker's Delight, section 7-3)."""
    width = np.uint64(32)
    mask = np.uint64(0x00000000FFFFFFFF)
    one = np.uint64(1)
    while width != 0:
        row = np.uint64(0)
        while row < 64:
            other = row + width
            swap = ((block[row] >> width) ^ block[other]) & mask
            block[row] ^= swap << width
            block[other] ^= swap
            row = (other + one) & ~width
        width >>= one
        mask ^= mask << width


@njit(nogil=True, inline="always")
def _read_masks(constraints, word, block):
    """Fill the block, uint64[64], with the masks of the 64 rows of a word."""
    for bit in range(64):
        block[bit] = constraints[bit, word] if bit < constraints.shape[0] else np.uint64(0)
    _transpose(block)


@kernel
def count_masks(base: Masks, constraints: Masks, counts: Counts) -> None:
    """Add the mask of every base row to a table of counts.

    base: uint64[n_words]; constraints: uint64[k, n_words], row-major, k ≤ 16;
    counts: int64[2^k], added to. Reads each word once; words without base rows are skipped;
    about 400 operations for 64 rows whatever k is.
    """
    block = np.empty(64, dtype=np.uint64)
    for word in range(base.shape[0]):
        rows = base[word]
        if rows == 0:
            continue
        _read_masks(constraints, word, block)
        if rows == np.uint64(0xFFFFFFFFFFFFFFFF):
            for bit in range(64):
                counts[block[bit]] += 1
        else:
            for bit in range(64):
                if (rows >> np.uint64(bit)) & np.uint64(1):
                    counts[block[bit]] += 1


@kernel
def write_masks(base: Masks, constraints: Masks, masks: Masks) -> int:
    """Write the mask of every base row, in row order; return how many.

    base: uint64[n_words]; constraints: uint64[k, n_words], row-major, k ≤ 64;
    masks: uint64[rows of the base], written. Same reading and cost as `count_masks`.
    """
    block = np.empty(64, dtype=np.uint64)
    written = 0
    for word in range(base.shape[0]):
        rows = base[word]
        if rows == 0:
            continue
        _read_masks(constraints, word, block)
        for bit in range(64):
            if (rows >> np.uint64(bit)) & np.uint64(1):
                masks[written] = block[bit]
                written += 1
    return written
