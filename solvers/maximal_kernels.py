# pyright: basic, reportCallIssue=false
"""Numba kernels that find the maximal masks among rows without looking at most rows one by one,
and count the rows that meet some sets of constraints.

Layout as in `kernels.py`: `base` is uint64[n], `stack` uint64[k, n], row-major; bit i of word w is
row 64·w + i.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..catalogs.vectors.numba_kernel import (
    kernel,
    lowest_bit,
    popcount,
    reads,
    wide_vectors,
    writes,
)
from .masks import Counts, Masks

BLOCK = 128
"""Words read at once: what is left of them stays in the first-level cache."""

STARTING_BLOCKS = 16
"""At first more masks are maximal than in the end: the operations of so many blocks are spared."""


@njit(nogil=True, inline="always")
def _meet_any(stack, positions, first, met):
    """Write the rows that meet at least one constraint of a mask, some positions at least."""
    bit = lowest_bit(positions)
    positions &= positions - np.uint64(1)
    part = stack[bit, first : first + met.shape[0]]
    for word in range(met.shape[0]):
        met[word] = part[word]
    while positions != 0:
        bit = lowest_bit(positions)
        positions &= positions - np.uint64(1)
        part = stack[bit, first : first + met.shape[0]]
        for word in range(met.shape[0]):
            met[word] |= part[word]


@njit(nogil=True, inline="always")
def _enter(mask, masks, count):
    """Put a mask among masks that do not contain it, in place of those that it contains.

    Return how many there are then; −1 where there is no room.
    """
    kept = 0
    for place in range(count):
        if masks[place] & ~mask != 0:
            masks[kept] = masks[place]
            kept += 1
    if kept == masks.shape[0]:
        return -1
    masks[kept] = mask
    return kept + 1


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("u8"), "i8", "i8")
def find_maximal(
    base: Masks, stack: Masks, start: int, stop: int, masks: Masks, count: int, most: int
) -> int:
    """Add the masks of the base rows of some words to maximal ones; return how many there are.

    masks: uint64[m], of which the first `count` are those so far. −1 where they are more than m,
    or take more than `most` operations a block.

    A row's mask lies inside a maximal one M unless the row meets something outside M: all rows of
    a block are compared with M by one OR for each constraint outside it, and an AND. Only a row
    that lies inside none is read for itself, which a block holds none of once the maximal masks
    are known: the skyline of the rows by block nested loops (Börzsönyi, Kossmann and Stocker
    2001), many rows to an operation.
    """
    wide_vectors()
    width = stack.shape[0]
    full = ~np.uint64(0) >> np.uint64(64 - width)
    left = np.empty(BLOCK, dtype=np.uint64)
    outside = np.empty(BLOCK, dtype=np.uint64)
    allowed = STARTING_BLOCKS * most
    for first in range(start, stop, BLOCK):
        allowed += most
        size = min(BLOCK, stop - first)
        some = np.uint64(0)
        for word in range(size):
            left[word] = base[first + word]
            some |= left[word]
        for place in range(count):
            if some == 0 or masks[place] == full:
                some = np.uint64(0)
                break
            _meet_any(stack, full & ~masks[place], first, outside[:size])
            allowed -= 1 + popcount(full & ~masks[place])
            some = np.uint64(0)
            for word in range(size):
                left[word] &= outside[word]
                some |= left[word]
        if allowed < 0:
            return -1
        if some == 0:
            continue
        for word in range(size):
            while left[word] != 0:
                row = np.uint64(lowest_bit(left[word]))
                mask = np.uint64(0)
                for position in range(width):
                    met = (stack[position, first + word] >> row) & np.uint64(1)
                    mask |= met << np.uint64(position)
                if mask == full:
                    masks[0] = full
                    return 1
                count = _enter(mask, masks, count)
                allowed -= width
                if count < 0 or allowed < 0:
                    return -1
                rest = size - word
                _meet_any(stack, full & ~mask, first + word, outside[:rest])
                for other in range(rest):
                    left[word + other] &= outside[other]
    return count


@kernel(reads("u8"), reads("u8", 2), writes("i8"))
def count_drop_one(base: Masks, stack: Masks, counts: Counts) -> None:
    """Write how many base rows meet everything but each constraint.

    counts: int64[k]. The rows that meet all constraints before one, and all behind it: three ANDs
    for each constraint, and one popcount, a word.
    """
    wide_vectors()
    width = stack.shape[0]
    before = np.empty((width + 1) * BLOCK, dtype=np.uint64).reshape(width + 1, BLOCK)
    behind = np.empty(BLOCK, dtype=np.uint64)
    counts[:] = 0
    for first in range(0, base.shape[0], BLOCK):
        size = min(BLOCK, base.shape[0] - first)
        rows = before[0]
        for word in range(size):
            rows[word] = base[first + word]
            behind[word] = ~np.uint64(0)
        for position in range(width):
            part = stack[position, first : first + size]
            rows = before[position]
            next_rows = before[position + 1]
            for word in range(size):
                next_rows[word] = rows[word] & part[word]
        for position in range(width - 1, -1, -1):
            part = stack[position, first : first + size]
            rows = before[position]
            count = 0
            for word in range(size):
                count += popcount(rows[word] & behind[word])
                behind[word] &= part[word]
            counts[position] += count


@kernel(reads("u8"), reads("u8", 2), reads("u8"), writes("i8"))
def count_supersets(base: Masks, stack: Masks, wanted: Masks, counts: Counts) -> None:
    """Write how many base rows meet at least each mask.

    wanted: uint64[m]; counts: int64[m]. One AND for each constraint of a mask, and one popcount,
    a word.
    """
    wide_vectors()
    met = np.empty(BLOCK, dtype=np.uint64)
    counts[:] = 0
    for first in range(0, base.shape[0], BLOCK):
        size = min(BLOCK, base.shape[0] - first)
        for index in range(wanted.shape[0]):
            for word in range(size):
                met[word] = base[first + word]
            positions = wanted[index]
            while positions != 0:
                bit = lowest_bit(positions)
                positions &= positions - np.uint64(1)
                part = stack[bit, first : first + size]
                for word in range(size):
                    met[word] &= part[word]
            rows = 0
            for word in range(size):
                rows += popcount(met[word])
            counts[index] += rows
