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
from .numba_kernel import kernel, lowest_bit, reads, writes
from .packed_kernels import (
    doubles_at,
    longs_at,
    number_at,
    octets_at,
    pairs_at,
    quads_at,
    singles_at,
)

BLOCK = 256
"""Words whose rows that are unsure are listed together: 64 KiB."""


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
def _rest_between(cells, start, stop, low, high):
    """Return what `_word_between` does of fewer cells than 64."""
    bits = np.uint64(0)
    for at in range(start, stop):
        bits |= np.uint64((cells[at] >= low) & (cells[at] <= high)) << np.uint64(at - start)
    return bits


@njit(nogil=True, inline="always")
def _list_rows(words, first, rows):
    """Write the rows of some words, the first of which is that many words on; return how many."""
    count = 0
    for word in range(words.shape[0]):
        bits = words[word]
        while bits != 0:
            rows[count] = ((first + word) << 6) + lowest_bit(bits)
            count += 1
            bits &= bits - np.uint64(1)
    return count


@njit(nogil=True)
def _add_between(cells, count, low, high, words):
    """Add the rows whose cell lies from `low` to `high`, all of one type."""
    whole = count >> 6
    for word in range(whole):
        words[word] |= _word_between(cells, word << 6, low, high)
    if count & 63:
        words[whole] |= _rest_between(cells, whole << 6, count, low, high)


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
    whole = count >> 6
    unsure = np.empty(BLOCK, dtype=np.uint64)
    rows = np.empty(BLOCK << 6, dtype=np.uint32)
    for block in range(0, (count + 63) >> 6, BLOCK):
        stop = min(block + BLOCK, (count + 63) >> 6)
        for word in range(block, stop):
            start = word << 6
            if word < whole:
                met = _word_between(octets, start, least, most)
                ends = _word_between(octets, start, low_unsure, low_unsure)
                ends |= _word_between(octets, start, high_unsure, high_unsure)
            else:
                met = _rest_between(octets, start, count, least, most)
                ends = _rest_between(octets, start, count, low_unsure, low_unsure)
                ends |= _rest_between(octets, start, count, high_unsure, high_unsure)
            words[word] |= met & ~ends
            unsure[word - block] = met & ends
        listed = _list_rows(unsure[: stop - block], block, rows)
        for at in range(listed):
            row = np.int64(rows[at])
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
