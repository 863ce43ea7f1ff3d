# pyright: basic, reportCallIssue=false
"""Numba kernels that read a packed column whole, where no index of it is made: at memory speed.

Columns are given by the address of their description (`PackedNumbers.description`). Bit i of word
w of a set is row 64·w + i. Numba is untyped, so this file is checked less strictly.
"""

from __future__ import annotations

import numpy as np
from numba import njit

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


@njit(nogil=True)
def _add_between(cells, count, low, high, words):
    """Add the rows whose cell lies from `low` to `high`, all of one type.

    64 rows are compared at once, a byte each, and eight bytes packed into one by a multiplication.
    """
    met = np.zeros(64, dtype=np.uint8)
    eights = met.view(np.uint64)
    for word in range((count + 63) >> 6):
        start = word << 6
        if count - start < 64:
            met[:] = 0
            for at in range(count - start):
                met[at] = (cells[start + at] >= low) & (cells[start + at] <= high)
        else:
            for at in range(64):
                met[at] = (cells[start + at] >= low) & (cells[start + at] <= high)
        bits = np.uint64(0)
        for eight in range(8):
            packed = (eights[eight] * np.uint64(0x0102040810204080)) >> np.uint64(56)
            bits |= packed << np.uint64(8 * eight)
        words[word] |= bits


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
