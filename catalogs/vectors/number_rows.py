"""The rows of a column of numbers that meet any test which the numbers alone decide, by kernels.

Bounds and short lists are compared with the cells, 0.05 to 0.3 ms at 10⁶ rows and a value; the
cells of a longer list are looked for in a hash table, 2 to 5 ms.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from ..deadline import NEVER, Deadline
from ..query.constraint import NULL_TESTS
from ..query.predicate import ValueTest
from .array_types import Words
from .column_vectors import NumberCopy
from .packed_numbers import PackedNumbers
from .packed_rows import add_rows_between
from .recycled_memory import RECYCLED
from .row_set import RowSet, words_for
from .vectorized_predicates import FEW, NEGATED, ends_of_test, intervals_of_ends

PIECE = 1 << 20
"""Rows looked for in a hash table between two looks at the clock."""

FILTERED = 16
"""Bits of the filter for each cell listed: of other cells one in so many passes."""

FACTOR = np.uint64(int.from_bytes(os.urandom(8), "little") | 1)
"""What spreads cells in a hash table: drawn, so that nobody can choose values that collide."""

MARKED = 1 << 20
"""Coded cells below this are marked in a table of a bit each, 128 KiB at the most."""


def is_listed(test: ValueTest) -> bool:
    """Return whether a test has so many values that they are looked for in a hash table."""
    return len(test.values) > FEW


def is_decided(test: ValueTest, copy: NumberCopy) -> bool:
    """Return whether doubles can tell which rows pass."""
    return test.op in NULL_TESTS or (copy.exact and ends_of_test(test) is not None)


def rows_of_numbers(
    test: ValueTest, copy: NumberCopy, *, nulls_match: bool, until: Deadline = NEVER
) -> RowSet | None:
    """Return the rows that pass, as `truth_of_numbers` does; None where doubles cannot tell.

    Raises `DeadlinePassed` where time is short.
    """
    if not is_decided(test, copy):
        return None
    column = copy.packed
    if test.op in NULL_TESTS:
        words = _numbers_in(column)
        return RowSet.of_words(
            _others(words, column) if test.op == "is null" else words, len(column)
        )
    ends = ends_of_test(test) or []
    words = RECYCLED.zeros(words_for(len(column)), np.uint64)
    if is_listed(test):
        _add_listed(column, ends, words.reshape(-1), until)
    else:
        op = NEGATED.get(test.op, test.op)
        add_rows_between(column, intervals_of_ends(op, ends), words.reshape(-1))
    if test.op in NEGATED:
        # NaN equals nothing, so its negation would hold.
        words = _others(words, column) if nulls_match else words ^ _numbers_in(column)
    elif nulls_match:
        words |= _others(_numbers_in(column), column)
    return RowSet.of_words(words, len(column))


def _others(words: Words, column: PackedNumbers) -> Words:
    """Return the rows of a column that are not in a set."""
    return words ^ RowSet.everything(len(column)).words


def _numbers_in(column: PackedNumbers) -> Words:
    """Return the rows that are not NULL."""
    from .scan_kernels import add_between

    words = RECYCLED.zeros(words_for(len(column)), np.uint64)
    low, high = (0.0, float(column.null - 1)) if column.is_coded else (-np.inf, np.inf)
    add_between(column.address, len(column), low, high, words.reshape(-1))
    return words


def _add_listed(
    column: PackedNumbers, ends: Sequence[float], words: Words, until: Deadline
) -> None:
    """Add the rows whose number is one of some, none of them NaN."""
    from .scan_kernels import EMPTY, add_listed, fill_listed

    cells, fits = column.encoded(np.array(ends))
    cells = cells[fits]
    if not column.is_coded:
        # 0.0 and −0.0 are equal, but not their bits.
        cells = np.append(cells, -cells[cells == 0])
    listed = cells.view(f"u{cells.itemsize}").astype(np.uint64)
    if not len(listed):
        return
    greatest = int(listed.max())
    if column.is_coded and greatest < MARKED:
        bits, slots = np.zeros((greatest + 1 >> 6) + 1, dtype=np.uint64), np.zeros(0, np.uint64)
        np.bitwise_or.at(bits, listed >> 6, np.uint64(1) << (listed & 63))
    else:
        size = 1 << max(6, (len(listed) - 1).bit_length())
        bits = np.zeros(size * FILTERED >> 6, dtype=np.uint64)
        slots = np.full(2 * size, EMPTY, dtype=np.uint64)
        fill_listed(listed, FACTOR, bits, slots)
    for start, stop in until.pieces(len(column), PIECE):
        add_listed(column.address, start, stop, FACTOR, bits, slots, words)
