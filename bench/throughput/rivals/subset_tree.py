"""Set algebra over row sets: one AND for each subset of the constraints, along a tree.

The published generator of AWARE-US holds a set of rows as a Python integer; pyroaring holds
it compressed. Both walk the same tree: a subset is its parent, less the last constraint, and
that constraint. Of the leaves only the size is wanted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....catalogs.vectors.row_set import RowSet
from ..comparison import Answer, Runner, method, too_long
from ..data import BASE_COLUMN, Question, column_of

SECONDS_A_SET = 1e-6
SECONDS_A_ROW = 2e-10
"""What an AND and a count took here, at least and for each row."""


def _too_much(question: Question, seconds: float) -> str:
    foreseen = (SECONDS_A_SET + question.table.rows * SECONDS_A_ROW) * (1 << question.width)
    return too_long(foreseen, seconds, f"2^{question.width} sets")


@method("Python integers", skip=_too_much)
def python_ints(stack: ExitStack, question: Question, seconds: float) -> Runner:
    """Return the walk over Python integers, one bit a row."""
    sets = [as_integer(rows) for rows in question.row_sets]
    base = question.base_rows
    everything = (1 << question.table.rows) - 1 if base is None else as_integer(base)
    size = sum(map(sys.getsizeof, sets))
    return Runner(lambda: _integer_counts(everything, sets), _answer, bytes=size)


@method("NumPy and Python integers", skip=_too_much)
def python_ints_from_columns(stack: ExitStack, question: Question, seconds: float) -> Runner:
    """Return the walk over Python integers made anew from the columns, which NumPy compares."""
    columns = [question.catalog.numbers(column_of(j)) for j in range(question.width)]
    base_column = question.catalog.numbers(BASE_COLUMN)

    def call() -> list[int]:
        pairs = zip(columns, question.shares, strict=True)
        sets = [_packed(column <= share) for column, share in pairs]
        base = question.base
        everything = (1 << question.table.rows) - 1
        if base is not None:
            everything = _packed(base_column <= base)
        return _integer_counts(everything, sets)

    return Runner(call, _answer, bytes=question.columns_bytes)


def _packed(truth: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(truth, bitorder="little").tobytes(), "little")


@method("pyroaring", needs=("pyroaring",), skip=_too_much)
def pyroaring_sets(stack: ExitStack, question: Question, seconds: float) -> Runner:
    """Return the walk over roaring bitmaps."""
    from pyroaring import BitMap

    sets = [rows.bitmap for rows in question.row_sets]
    base = question.base_rows
    everything = BitMap(range(question.table.rows)) if base is None else base.bitmap
    size_of_both = BitMap.intersection_cardinality
    size = sum(roaring_bytes(bitmap) for bitmap in sets)
    return Runner(lambda: _counts(everything, sets, len, size_of_both), _answer, bytes=size)


def roaring_bytes(bitmap: Any) -> int:
    """Return the bytes of a bitmap's containers."""
    statistics = bitmap.get_statistics()
    return sum(int(value) for key, value in statistics.items() if key.startswith("n_bytes_"))


def as_integer(rows: RowSet) -> int:
    """Return a row set as a Python integer, bit i being row i."""
    return int.from_bytes(np.ascontiguousarray(rows.words).tobytes(), "little")


def _integer_counts(everything: int, sets: Sequence[int]) -> list[int]:
    return _counts(everything, sets, int.bit_count, lambda a, b: (a & b).bit_count())


def _counts(
    everything: Any,
    sets: Sequence[Any],
    size: Callable[[Any], int],
    size_of_both: Callable[[Any, Any], int],
) -> list[int]:
    """Return the number of rows in every subset's intersection, by mask."""
    width = len(sets)
    counts = [0] * (1 << width)
    counts[0] = size(everything)

    def below(rows: Any, subset: int, start: int) -> None:
        for j in range(start, width):
            grown = subset | 1 << j
            if j + 1 == width:
                counts[grown] = size_of_both(rows, sets[j])
                continue
            both = rows & sets[j]
            counts[grown] = size(both)
            below(both, grown, j + 1)

    below(everything, 0, 0)
    return counts


def _answer(counts: list[int]) -> Answer:
    return {"subset counts": counts}
