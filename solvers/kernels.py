# pyright: basic, reportCallIssue=false
"""Numba kernels over dense words. Numba is untyped, so this file is checked less strictly.

Layout everywhere: `base` is uint64[n], `stack` uint64[k, n], row-major; bit i of word w is row
64·w + i. Kernels release the GIL, allocate nothing inside loops, and are compiled once per
machine (cached beside this file, or in the user's cache folder where that cannot be written).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..catalogs.vectors.numba_kernel import kernel, popcount, reads, writes
from .masks import Counts, Masks, Slots

SUBSET_WIDTH = 6
"""Up to this many constraints the rows of every subset are counted; 64 cost less than masks."""

BYTE_WIDTH = 8
"""Up to this many constraints a row's mask is a byte."""

DENSE_WIDTH = 16
"""Up to this many constraints masks are counted in a table of 2^k; beyond, in a hash table."""

LANES = 8
"""Tables counted into by turns, so that no count waits for the one before it."""

SIDE_BY_SIDE = 64
"""Words of each constraint transposed at once: 4 KiB of masks."""


@njit(nogil=True, inline="always")
def _gather(base, stack, position, first, masked):
    """Write one constraint's words of some base rows; zeros for a position it has not."""
    if position >= stack.shape[0]:
        masked[:] = 0
        return
    rows = base[first : first + masked.shape[0]]
    part = stack[position, first : first + masked.shape[0]]
    for word in range(rows.shape[0]):
        masked[word] = part[word] & rows[word]
    masked[rows.shape[0] :] = 0


@njit(nogil=True, inline="always")
def _swap(eight, upper, lower, shift, pattern):
    """Exchange two rows' bits that lie `shift` apart, where the pattern has them."""
    first = eight[upper]
    second = eight[lower]
    for word in range(first.shape[0]):
        swap = ((first[word] >> shift) ^ second[word]) & pattern
        second[word] ^= swap
        first[word] ^= swap << shift


@njit(nogil=True, inline="always")
def _transpose_bytes(eight):
    """Transpose each 8 × 8 bit block of eight rows of words (Hacker's Delight, section 7-3).

    In place, many words side by side. Afterwards byte b of row j is the mask of row 8·b + j.
    """
    for half in range(4):
        _swap(eight, half, half + 4, np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F))
    for pair in (0, 1, 4, 5):
        _swap(eight, pair, pair + 2, np.uint64(2), np.uint64(0x3333333333333333))
    for even in (0, 2, 4, 6):
        _swap(eight, even, even + 1, np.uint64(1), np.uint64(0x5555555555555555))


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
def _write_masks(stack, word, block):
    """Write the masks of the 64 rows of a word: uint64[64], from stack uint64[k, n]."""
    for position in range(64):
        block[position] = stack[position, word] if position < stack.shape[0] else np.uint64(0)
    _transpose(block)


@njit(nogil=True, inline="always")
def _rows_of(words):
    rows = 0
    for word in range(words.shape[0]):
        rows += popcount(words[word])
    return rows


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("i8"))
def count_subsets(base: Masks, stack: Masks, start: int, stop: int, counts: Counts) -> None:
    """Add the mask of every base row of some words to a table of counts.

    stack: uint64[k, n], k ≤ 6; counts: int64[64], added to. Rows that meet at least each subset
    are counted, one AND and one popcount a subset and word, from which the masks follow
    (inclusion and exclusion). Reads each word once, in cache after that.
    """
    width = stack.shape[0]
    met = np.empty((1 << width, SIDE_BY_SIDE), dtype=np.uint64)
    sums = np.zeros(1 << width, dtype=np.int64)
    for first in range(start, stop, SIDE_BY_SIDE):
        size = min(SIDE_BY_SIDE, stop - first)
        rows = base[first : first + size]
        count = _rows_of(rows)
        if count == 0:
            continue
        sums[0] += count
        every = met[0]
        for word in range(rows.shape[0]):
            every[word] = rows[word]
        for position in range(width):
            part = stack[position, first : first + size]
            for subset in range(1 << position):
                along = subset | (1 << position)
                without = met[subset]
                both = met[along]
                count = 0
                for word in range(part.shape[0]):
                    both[word] = without[word] & part[word]
                    count += popcount(both[word])
                sums[along] += count
    for position in range(width):
        for subset in range(1 << width):
            if not (subset >> position) & 1:
                sums[subset] -= sums[subset | (1 << position)]
    for subset in range(1 << width):
        counts[subset] += sums[subset]


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("i8"))
def count_bytes(base: Masks, stack: Masks, start: int, stop: int, counts: Counts) -> None:
    """Add the mask of every base row of some words to a table of counts.

    stack: uint64[k, n], k ≤ 8; counts: int64[256], added to. Reads each word once, up to 2³⁰
    rows a call; blocks of words without base rows are skipped; about 200 operations for 64 rows.
    """
    eight = np.empty((8, SIDE_BY_SIDE), dtype=np.uint64)
    lanes = np.zeros((LANES, 256), dtype=np.uint32)
    one = np.uint32(1)
    outside = 0
    low = np.uint64(0xFF)
    for first in range(start, stop, SIDE_BY_SIDE):
        size = min(SIDE_BY_SIDE, stop - first)
        rows = _rows_of(base[first : first + size])
        if rows == 0:
            continue
        outside += 64 * size - rows
        for position in range(8):
            _gather(base, stack, position, first, eight[position])
        _transpose_bytes(eight)
        for position in range(8):
            for word in range(size):
                masks = eight[position, word]
                lanes[0, masks & low] += one
                lanes[1, (masks >> np.uint64(8)) & low] += one
                lanes[2, (masks >> np.uint64(16)) & low] += one
                lanes[3, (masks >> np.uint64(24)) & low] += one
                lanes[4, (masks >> np.uint64(32)) & low] += one
                lanes[5, (masks >> np.uint64(40)) & low] += one
                lanes[6, (masks >> np.uint64(48)) & low] += one
                lanes[7, masks >> np.uint64(56)] += one
    for lane in range(LANES):
        for mask in range(256):
            counts[mask] += np.int64(lanes[lane, mask])
    # Rows outside the base were counted as rows that meet nothing.
    counts[0] -= outside


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("i8"))
def count_pairs(base: Masks, stack: Masks, start: int, stop: int, counts: Counts) -> None:
    """Add the mask of every base row of some words to a table of counts.

    stack: uint64[k, n], k ≤ 16; counts: int64[65536], added to. As `count_bytes`, with two
    bytes a mask; the table lies in the second-level cache.
    """
    lows = np.empty((8, SIDE_BY_SIDE), dtype=np.uint64)
    highs = np.empty((8, SIDE_BY_SIDE), dtype=np.uint64)
    outside = 0
    low = np.uint64(0xFF)
    for first in range(start, stop, SIDE_BY_SIDE):
        size = min(SIDE_BY_SIDE, stop - first)
        rows = _rows_of(base[first : first + size])
        if rows == 0:
            continue
        outside += 64 * size - rows
        for position in range(8):
            _gather(base, stack, position, first, lows[position])
            _gather(base, stack, position + 8, first, highs[position])
        _transpose_bytes(lows)
        _transpose_bytes(highs)
        for position in range(8):
            for word in range(size):
                first_byte = lows[position, word]
                second_byte = highs[position, word]
                for _ in range(8):
                    counts[(first_byte & low) | ((second_byte & low) << np.uint64(8))] += 1
                    first_byte >>= np.uint64(8)
                    second_byte >>= np.uint64(8)
    counts[0] -= outside


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("i8"))
def count_wide(base: Masks, stack: Masks, start: int, stop: int, counts: Counts) -> None:
    """Add the mask of every base row of some words to a table of counts.

    stack: uint64[k, n]; counts: int64[2^k], added to.
    """
    block = np.empty(64, dtype=np.uint64)
    for word in range(start, stop):
        rows = base[word]
        if rows == 0:
            continue
        _write_masks(stack, word, block)
        for bit in range(64):
            if (rows >> np.uint64(bit)) & np.uint64(1):
                counts[block[bit]] += 1


@njit(nogil=True, inline="always")
def _slot(mask, slots):
    """Return where a mask is looked for first, by Fibonacci hashing."""
    return np.int64((mask * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & (slots - 1)


@kernel(reads("u8"), reads("u8", 2), "i8", "i8", writes("i4"), writes("u8"), writes("i8"), "i8")
def hash_masks(
    base: Masks,
    stack: Masks,
    start: int,
    stop: int,
    slots: Slots,
    masks: Masks,
    counts: Counts,
    used: int,
) -> int:
    """Add the mask of every base row of some words to those that occur; return how many do then.

    stack: uint64[k, n], k ≤ 64; masks: uint64[m] and counts: int64[m], of which the first `used`
    are taken; slots: int32[2^s], by hash one more than the place of a mask among them, 0 where
    free. There has to be a place for every row, and twice as many slots.
    """
    block = np.empty(64, dtype=np.uint64)
    size = slots.shape[0]
    for word in range(start, stop):
        rows = base[word]
        if rows == 0:
            continue
        _write_masks(stack, word, block)
        for bit in range(64):
            if (rows >> np.uint64(bit)) & np.uint64(1) == 0:
                continue
            slot = _slot(block[bit], size)
            place = slots[slot] - 1
            while place >= 0 and masks[place] != block[bit]:
                slot = (slot + 1) & (size - 1)
                place = slots[slot] - 1
            if place < 0:
                slots[slot] = used + 1
                masks[used] = block[bit]
                counts[used] = 1
                used += 1
            else:
                counts[place] += 1
    return used


@kernel(reads("u8"), "i8", "i8", writes("i4"))
def fill_slots(masks: Masks, start: int, stop: int, slots: Slots) -> None:
    """Enter the places of some masks into a larger table of `hash_masks`."""
    size = slots.shape[0]
    for place in range(start, stop):
        slot = _slot(masks[place], size)
        while slots[slot] != 0:
            slot = (slot + 1) & (size - 1)
        slots[slot] = place + 1


@kernel(reads("i8"), "i8", "i8", "i8", writes("u8"), writes("u8"))
def minimal_and_maximal(
    sums: Counts, width: int, start: int, stop: int, conflicts: Masks, maximal: Masks
) -> tuple[int, int]:
    """Write the minimal infeasible and the maximal feasible subsets; return how many of each.

    sums: int64[2^k], rows by subset; looked at are those from `start` to before `stop`;
    conflicts, maximal: uint64[stop − start], written ascending. A subset is looked at until one
    neighbour decides: k steps each at most.
    """
    infeasible = 0
    feasible = 0
    for subset in range(start, stop):
        extreme = True
        if sums[subset] == 0:
            for bit in range(width):
                if (subset >> bit) & 1 and sums[subset ^ (1 << bit)] == 0:
                    extreme = False
                    break
            if extreme:
                conflicts[infeasible] = subset
                infeasible += 1
        else:
            for bit in range(width):
                if not (subset >> bit) & 1 and sums[subset | (1 << bit)] != 0:
                    extreme = False
                    break
            if extreme:
                maximal[feasible] = subset
                feasible += 1
    return infeasible, feasible


@kernel(reads("u8"), reads("u8"), writes("u8"))
def uncovered(candidates: Masks, covers: Masks, kept: Masks) -> int:
    """Write the candidates that lie inside none of the covers; return how many.

    All uint64; kept: as long as the candidates. A candidate costs a step a cover, until one
    covers it.
    """
    count = 0
    for number in range(candidates.shape[0]):
        candidate = candidates[number]
        inside = False
        for other in range(covers.shape[0]):
            if candidate & ~covers[other] == 0:
                inside = True
                break
        if not inside:
            kept[count] = candidate
            count += 1
    return count


@kernel(reads("u8"), reads("i8"), writes("u8"))
def cheapest_failed(failed: Masks, units: Counts, cheapest: Masks) -> int:
    """Write the cheapest masks that contain none taken before; return how many.

    failed: uint64[m]; units: int64[k], what each bit costs; cheapest: uint64[top], written by
    total price, number of bits, lowest positions. Costs top · m steps.
    """
    count = failed.shape[0]
    totals = np.zeros(count, dtype=np.int64)
    for number in range(count):
        for bit in range(units.shape[0]):
            if (failed[number] >> np.uint64(bit)) & np.uint64(1):
                totals[number] += units[bit]
    for taken in range(cheapest.shape[0]):
        best = -1
        for number in range(count):
            # A total of −1 stands for: contains one taken before.
            if totals[number] < 0:
                continue
            if best >= 0:
                if totals[number] > totals[best]:
                    continue
                if totals[number] == totals[best]:
                    size, least = popcount(failed[number]), popcount(failed[best])
                    # Of equals the one with the lowest bit that only one of them has.
                    differ = failed[number] ^ failed[best]
                    lowest = differ & (~differ + np.uint64(1))
                    if size > least or (size == least and failed[best] & lowest != 0):
                        continue
            best = number
        if best < 0:
            return taken
        first = failed[best]
        cheapest[taken] = first
        for number in range(count):
            if failed[number] & first == first:
                totals[number] = -1
    return cheapest.shape[0]


@kernel(reads("u8"), reads("u8"), reads("u8"), reads("u8"))
def count_common(first: Masks, second: Masks, third: Masks, fourth: Masks) -> int:
    """Count the bits common to four arrays of words, uint64[n] each: popcount of their AND.

    A set may be given twice. Unrolled, since a loop over the sets is ten times slower.
    """
    total = 0
    for word in range(first.shape[0]):
        total += popcount(first[word] & second[word] & third[word] & fourth[word])
    return total


@kernel(reads("u8"), reads("i8", 2), writes("i8"))
def price_masks(masks: Masks, tables: Counts, totals: Counts) -> None:
    """Write what the bits of each mask cost together.

    masks: uint64[n]; tables: int64[bytes, 256], what the bits of each byte cost; totals: int64[n].
    """
    low = np.uint64(0xFF)
    for number in range(masks.shape[0]):
        rest = masks[number]
        total = np.int64(0)
        for octet in range(tables.shape[0]):
            total += tables[octet, np.int64(rest & low)]
            rest >>= np.uint64(8)
        totals[number] = total


@kernel(reads("u8"), reads("i8"), "u8", writes("u8"), writes("i8"))
def drop_containing(
    masks: Masks, totals: Counts, contained: np.uint64, kept: Masks, kept_totals: Counts
) -> int:
    """Write the masks that do not contain one, with their totals; return how many.

    masks, kept: uint64[n]; totals, kept_totals: int64[n].
    """
    count = 0
    for number in range(masks.shape[0]):
        kept[count] = masks[number]
        kept_totals[count] = totals[number]
        if masks[number] & contained != contained:
            count += 1
    return count
