"""Evaluates predicates on one column by NumPy over its copy in memory, as DuckDB would.

Costs one pass over the column. What doubles or dictionary codes cannot tell is left to DuckDB.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..query.constraint import NULL_TESTS
from ..query.exact_numbers import is_double
from ..query.far_dates import FarMoment
from ..query.predicate import TypedValue, ValueTest
from ..query.schema import Column
from .column_vectors import MAX_EXACT, SECONDS_A_DAY, Copy, NumberCopy, TextCopy

Truth = NDArray[np.bool_]
Interval = tuple[float, float]
"""Doubles from the first to the second, both included."""

FEW = 8
"""Up to this many listed values are looked for one after another."""

TABLE = 1 << 22
"""The longest table of numbers listed: one bit of truth, a byte, for each."""

HASH_BITS = 20
"""Bits of a hash: of a long list nearly all other cells have another."""

_INTERVAL: dict[str, Callable[[float], Interval]] = {
    "<": lambda value: (-math.inf, math.nextafter(value, -math.inf)),
    "<=": lambda value: (-math.inf, value),
    ">": lambda value: (math.nextafter(value, math.inf), math.inf),
    ">=": lambda value: (value, math.inf),
    "==": lambda value: (value, value),
    "in": lambda value: (value, value),
}
NEGATED = {"!=": "==", "not in": "in"}

_LISTED_INTERVALS = frozenset((*_INTERVAL, "between"))
_OF_NUMBERS = frozenset((*_LISTED_INTERVALS, *NEGATED, *NULL_TESTS))
_OF_VALUES = frozenset(("==", "in", *NEGATED, *NULL_TESTS))
"""Operators that intervals, copies of numbers, and copies of texts and truths answer."""


def is_answerable(test: ValueTest | None, column: Column) -> bool:
    """Return whether a copy of the column may answer the test; its values decide further."""
    if test is None:
        return False
    if column.family == "numeric" or column.sql_type == "DATE":
        return test.op in _OF_NUMBERS
    return column.family in ("text", "boolean") and test.op in _OF_VALUES


def hides_nulls(test: ValueTest | None, column: Column, copy: Copy) -> bool:
    """Return whether NULL is asked of a copy in which it looks like an infinite day."""
    if test is None or test.op not in NULL_TESTS or column.family != "date":
        return False
    return isinstance(copy, NumberCopy) and not copy.exact


def truth_of_numbers(test: ValueTest, copy: NumberCopy, *, nulls_match: bool) -> Truth | None:
    """Return which rows pass, bool[rows]; None where doubles cannot tell what DuckDB would."""
    if test.op in NULL_TESTS:
        return copy.packed.is_null() == (test.op == "is null")
    ends = ends_of_test(test)
    if not copy.exact or ends is None:
        return None
    met = _compared(NEGATED.get(test.op, test.op), copy, ends)
    if test.op in NEGATED:
        # NaN equals nothing, so its negation would hold.
        met = ~met if nulls_match else ~met & ~copy.packed.is_null()
    elif nulls_match:
        met |= copy.packed.is_null()
    return met


def intervals_of(test: ValueTest, copy: NumberCopy, *, nulls_match: bool) -> list[Interval] | None:
    """Return the closed intervals of doubles that pass; None where these are not all that does."""
    if nulls_match or not copy.exact or test.op not in _LISTED_INTERVALS:
        return None
    if len(test.values) > FEW:
        # Each would take a pass over the column.
        return None
    ends = ends_of_test(test)
    return None if ends is None else intervals_of_ends(test.op, ends)


def ends_of_test(test: ValueTest) -> list[float] | None:
    """Return the values as doubles, made once; None where some is none."""
    if "ends" not in test.prepared:
        test.prepared["ends"] = _as_doubles(test.values)
    return cast("list[float] | None", test.prepared["ends"])


def _as_doubles(values: Sequence[TypedValue]) -> list[float] | None:
    if len(values) > FEW and set(map(type, values)) <= {int, float}:
        numbers = cast("Sequence[float]", values)
        return list(map(float, numbers)) if max(map(abs, numbers)) < MAX_EXACT else None
    ends = [_as_double(value) for value in values]
    return None if None in ends else cast("list[float]", ends)


def intervals_of_ends(op: str, ends: list[float]) -> list[Interval]:
    """Return the closed intervals of doubles that a comparison lets through, one or one a value."""
    if op == "between":
        return [(ends[0], ends[1])]
    return [_INTERVAL[op](end) for end in ends]


def _compared(op: str, copy: NumberCopy, ends: list[float]) -> Truth:
    if len(ends) > FEW:
        # −0.0 equals 0.
        wanted, fits = copy.packed.encoded(np.array(ends) + 0.0)
        return are_listed(copy.packed.cells, np.unique(wanted[fits]))
    met, *others = [copy.packed.between(low, high) for low, high in intervals_of_ends(op, ends)]
    for more in others:
        met |= more
    return met


def are_listed(cells: NDArray[Any], listed: NDArray[Any]) -> Truth:
    """Return which cells are among some of the same type, ascending: bool[len(cells)].

    By a table where whole numbers lie close, else by halving for the cells that share a hash with
    one listed: no cell is sorted.
    """
    if not len(listed):
        return np.zeros(len(cells), dtype=np.bool_)
    low, high = listed[0], listed[-1]
    if listed.dtype.kind == "u" and high - low <= TABLE:
        table = np.zeros(int(high - low) + 1, dtype=np.bool_)
        table[listed - low] = True
        return table[np.minimum(cells - low, high - low)] & (cells >= low) & (cells <= high)
    hashes = np.zeros(1 << HASH_BITS, dtype=np.bool_)
    hashes[_hashed(listed)] = True
    met = hashes[_hashed(cells)]
    found = cells[met]
    places = np.minimum(np.searchsorted(listed, found), len(listed) - 1)
    met[met] = listed[places] == found
    return met


def _hashed(cells: NDArray[Any]) -> NDArray[np.intp]:
    """Return numbers below 2²⁰, equal for equal cells."""
    kind = np.dtype(f"u{cells.itemsize}").type
    # 0.0 and −0.0 are equal.
    words = cells if cells.dtype.kind == "u" else (cells + cells.dtype.type(0)).view(kind)
    spread = words * kind(0x9E3779B97F4A7C15 >> 64 - 8 * cells.itemsize | 1)
    return (spread >> kind(8 * cells.itemsize - HASH_BITS)).astype(np.intp)


def _as_double(value: TypedValue) -> float | None:
    """Return a bound as a double that keeps its order among exact doubles; None without one."""
    if isinstance(value, datetime):
        moment = np.datetime64(value, "us").astype(np.int64)
        return float(moment) / 1e6
    if isinstance(value, date):
        return float((value - date(1970, 1, 1)).days * SECONDS_A_DAY)
    if isinstance(value, FarMoment):
        return value.seconds
    if isinstance(value, Decimal) and not is_double(value):
        return None
    if isinstance(value, int | float | Decimal) and abs(value) < MAX_EXACT:
        return float(value)
    return None


def truth_of_texts(test: ValueTest, copy: TextCopy, *, nulls_match: bool) -> Truth:
    """Return which rows pass, bool[rows]."""
    unknown = copy.codes == copy.null
    if test.op in ("is null", "is not null"):
        return unknown == (test.op == "is null")
    wanted = [code for text in test.values if (code := copy.code(text)) is not None]
    if len(wanted) == 1:
        met = copy.codes == wanted[0]
    else:
        chosen = np.zeros(copy.null + 1, dtype=np.bool_)
        chosen[wanted] = True
        met = chosen[copy.codes]
    if test.op in NEGATED:
        met = ~met if nulls_match else ~met & ~unknown
    elif nulls_match:
        met = met | unknown
    return met
