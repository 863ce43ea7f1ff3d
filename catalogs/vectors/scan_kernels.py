# pyright: basic, reportCallIssue=false
"""Numba kernels that read a packed column whole, where no index of it is made: at memory speed.

Columns are given by the address of their description (`PackedNumbers.description`). Bit i of word
w of a set is row 64·w + i. Numba is untyped, so this file is checked less strictly.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from .array_types import Floats, Words
from .numba_kernel import borrowed, kernel, list_ids, lowest_bit, reads, writes
from .packed_kernels import (
    doubles_at,
    longs_at,
    number_at,
    octets_at,
    pairs_at,
    quads_at,
    singles_at,
    words_at,
)

BLOCK = 256
"""Words whose rows that are unsure are listed together: 64 KiB."""

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""An empty slot of a hash table of cells: no number, as a double, has these bits."""


@intrinsic
def _word_between(typingctx, cells, start, low, high):
    """Return which of 64 cells from `start` on lie from `low` to `high`, as bits.

    Compared as one vector, whose truths are the bits: LLVM finds no such thing in a loop.
    """
    cell = cells.dtype

    def code(context, builder, signature, args):
        pointer, first, *ends = args
        kind = context.get_value_type(cell)
        vector = ir.VectorType(kind, 64)
        some = builder.load(
            builder.bitcast(builder.gep(pointer, [first]), vector.as_pointer()),
            align=cell.bitwidth // 8,
        )
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), 64), None)
        least, most = (
            builder.shuffle_vector(
                builder.insert_element(ir.Constant(vector, ir.Undefined), end, ir.IntType(32)(0)),
                ir.Constant(vector, ir.Undefined),
                lanes,
            )
            for end in ends
        )
        compare = builder.fcmp_ordered if isinstance(cell, types.Float) else builder.icmp_unsigned
        met = builder.and_(compare(">=", some, least), compare("<=", some, most))
        return builder.bitcast(met, ir.IntType(64))

    return types.uint64(cells, types.int64, cell, cell), code


@njit(nogil=True, inline="always")
def _bits_between(cells, start, count, low, high):
    """Return `_word_between`, of as many cells as there are up to `count` where fewer are left."""
    if count - start >= 64:
        return _word_between(cells, start, low, high)
    bits = np.uint64(0)
    for at in range(start, count):
        bits |= np.uint64((cells[at] >= low) & (cells[at] <= high)) << np.uint64(at - start)
    return bits


@njit(nogil=True)
def _add_between(cells, count, low, high, words):
    """Add the rows whose cell lies from `low` to `high`, all of one type."""
    for word in range((count + 63) >> 6):
        words[word] |= _bits_between(cells, word << 6, count, low, high)


@kernel("i8", "i8", "f8", "f8", writes("u8"))
def add_between(column: int, count: int, low: float, high: float, words: Words) -> None:
    """Add the rows of a column whose cell lies from `low` to `high`, both included, to a set.

    count: the rows; low, high: of `PackedNumbers.bounds`, exact in the type of the cells; words:
    uint64[at least ⌈count / 64⌉].
    """
    fields = longs_at(column)
    kind = fields[1]
    if kind == 0:
        _add_between(doubles_at(fields[0]), count, low, high, words)
    elif kind == 1:
        _add_between(singles_at(fields[0]), count, np.float32(low), np.float32(high), words)
    elif kind == 2:
        _add_between(quads_at(fields[0]), count, np.uint32(low), np.uint32(high), words)
    elif kind == 3:
        _add_between(pairs_at(fields[0]), count, np.uint16(low), np.uint16(high), words)
    else:
        _add_between(octets_at(fields[0]), count, np.uint8(low), np.uint8(high), words)


@kernel("i8", "i8", "i8", reads("f8"), "f8", "f8", writes("u8"))
def add_bucketed(
    column: int, buckets: int, count: int, edges: Floats, low: float, high: float, words: Words
) -> None:
    """Add the rows whose number lies from `low` to `high`, both included, by their buckets.

    buckets: the address of uint8[count], how many edges, float64[up to 254] ascending, are at most
    each number, 255 for NULL; words: uint64[at least ⌈count / 64⌉]. Only the numbers of the buckets
    that an end lies in are looked at, some listed before, so that no load waits for another.
    """
    first = np.int64(0)
    last = np.int64(0)
    for edge in range(edges.shape[0]):
        first += np.int64(edges[edge] <= low)
        last += np.int64(edges[edge] <= high)
    octets = octets_at(buckets)
    least = np.uint8(first)
    most = np.uint8(last)
    # No number of the first bucket is below minus infinity, none of the last above infinity.
    low_unsure = most if low == -np.inf else least
    high_unsure = least if high == np.inf else most
    unsure = np.empty(BLOCK, dtype=np.uint64)
    rows = np.empty(BLOCK << 6, dtype=np.uint32)
    for block in range(0, (count + 63) >> 6, BLOCK):
        stop = min(block + BLOCK, (count + 63) >> 6)
        for word in range(block, stop):
            met = _bits_between(octets, word << 6, count, least, most)
            ends = _bits_between(octets, word << 6, count, low_unsure, low_unsure)
            ends |= _bits_between(octets, word << 6, count, high_unsure, high_unsure)
            words[word] |= met & ~ends
            unsure[word - block] = met & ends
        for at in range(list_ids(unsure[: stop - block], rows)):
            row = (block << 6) + np.int64(rows[at])
            number = number_at(column, row)
            is_met = np.uint64(number >= low) & np.uint64(number <= high)
            words[row >> 6] |= is_met << np.uint64(row & 63)


@kernel("i8", reads("u8"), writes("f8"))
def widen_ends(column: int, rows: Words, ends: Floats) -> None:
    """Widen the ends, float64[2], to the finite numbers of a set's rows, uint64[words]."""
    low, high = ends[0], ends[1]
    for word in range(rows.shape[0]):
        bits = rows[word]
        while bits != 0:
            number = number_at(column, (word << 6) + lowest_bit(bits))
            bits &= bits - np.uint64(1)
            if np.isfinite(number):
                low = min(low, number)
                high = max(high, number)
    ends[0], ends[1] = low, high


@njit(nogil=True, inline="always")
def _hash(cell, factor, shift):
    """Return a number below 2^(64 − shift), by a multiplication."""
    return np.int64((cell * factor) >> np.uint64(shift))


@njit(nogil=True)
def _add_listed(cells, start, stop, factor, bits, slots, words):
    """Add the rows whose cell, as bits, is in a hash table; `bits` leave out nearly all others."""
    filter_shift = 64 - lowest_bit(np.uint64(bits.shape[0] << 6))
    slot_shift = 64 - lowest_bit(np.uint64(slots.shape[0]))
    last = slots.shape[0] - 1
    for word in range(start >> 6, (stop + 63) >> 6):
        first = word << 6
        count = min(64, stop - first)
        maybe = np.uint64(0)
        for at in range(count):
            place = _hash(np.uint64(cells[first + at]), factor, filter_shift)
            maybe |= (bits[place >> 6] >> np.uint64(place & 63) & np.uint64(1)) << np.uint64(at)
        met = np.uint64(0)
        while maybe != 0:
            at = lowest_bit(maybe)
            maybe &= maybe - np.uint64(1)
            cell = np.uint64(cells[first + at])
            place = _hash(cell, factor, slot_shift)
            while slots[place] != cell and slots[place] != EMPTY:
                place = (place + 1) & last
            is_met = np.uint64(slots[place] == cell) & np.uint64(cell != EMPTY)
            met |= is_met << np.uint64(at)
        words[word] |= met


@njit(nogil=True)
def _add_marked(cells, start, stop, bits, words):
    """Add the rows whose cell is marked in a table of a bit for each cell; none is beyond it."""
    last = np.uint64((bits.shape[0] << 6) - 1)
    for word in range(start >> 6, (stop + 63) >> 6):
        first = word << 6
        met = np.uint64(0)
        for at in range(min(64, stop - first)):
            cell = min(np.uint64(cells[first + at]), last)
            met |= (
                bits[cell >> np.uint64(6)] >> (cell & np.uint64(63)) & np.uint64(1)
            ) << np.uint64(at)
        words[word] |= met


@kernel(reads("u8"), "u8", writes("u8"), writes("u8"))
def fill_listed(listed: Words, factor: np.uint64, bits: Words, slots: Words) -> None:
    """Enter cells, as bits, in a filter and in a hash table, both powers of two.

    listed: uint64[n], none of them all ones; factor: odd, what they are spread by; bits:
    uint64[m / 64], zeros; slots: uint64[at least 2·n], all ones.
    """
    filter_shift = 64 - lowest_bit(np.uint64(bits.shape[0] << 6))
    slot_shift = 64 - lowest_bit(np.uint64(slots.shape[0]))
    for cell in listed:
        place = _hash(cell, factor, filter_shift)
        bits[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
        place = _hash(cell, factor, slot_shift)
        while slots[place] != EMPTY and slots[place] != cell:
            place = (place + 1) & (slots.shape[0] - 1)
        slots[place] = cell


@kernel("i8", "i8", "i8", "u8", reads("u8"), reads("u8"), writes("u8"))
def add_listed(
    column: int, start: int, stop: int, factor: np.uint64, bits: Words, slots: Words, words: Words
) -> None:
    """Add the rows from `start`, a multiple of 64, to before `stop` whose cell is listed to a set.

    factor, bits, slots: of `fill_listed`; words: uint64[at least ⌈stop / 64⌉]. 2 to 5 ns a row.
    Without slots `bits` has one for each cell there may be, the last of them 0: 1 ns a row.
    """
    fields = longs_at(column)
    kind = fields[1]
    bits, slots, words = borrowed(bits), borrowed(slots), borrowed(words)
    if slots.shape[0] == 0:
        if kind == 2:
            _add_marked(quads_at(fields[0]), start, stop, bits, words)
        elif kind == 3:
            _add_marked(pairs_at(fields[0]), start, stop, bits, words)
        else:
            _add_marked(octets_at(fields[0]), start, stop, bits, words)
        return
    if kind == 0:
        _add_listed(words_at(fields[0]), start, stop, factor, bits, slots, words)
    else:
        _add_listed(quads_at(fields[0]), start, stop, factor, bits, slots, words)
