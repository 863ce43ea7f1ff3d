"""Evaluates predicates on one column by NumPy over its copy in memory, as DuckDB would.

Costs one pass over the column. What doubles or dictionary codes cannot tell is left to DuckDB.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..query.constraint import Scalar
from ..query.exact_numbers import is_double
from ..query.predicate import ValueTest
from ..query.schema import Column
from .column_vectors import MAX_EXACT, SECONDS_A_DAY, NumberCopy, TextCopy

Truth = NDArray[np.bool_]

FEW = 8
"""Up to this many listed values are looked for one after another."""

_INTERVAL: dict[str, Callable[[float], tuple[float, float]]] = {
    "<": lambda value: (-math.inf, math.nextafter(value, -math.inf)),
    "<=": lambda value: (-math.inf, value),
    ">": lambda value: (math.nextafter(value, math.inf), math.inf),
    ">=": lambda value: (value, math.inf),
    "==": lambda value: (value, value),
    "in": lambda value: (value, value),
}
NEGATED = {"!=": "==", "not in": "in"}


def is_answerable(test: ValueTest | None, column: Column) -> bool:
    """Return whether a copy of the column may answer the test; its values decide further."""
    if test is None:
        return False
    if column.family == "numeric" or column.sql_type == "DATE":
        return test.op in (*_INTERVAL, *NEGATED, "between", "is null", "is not null")
    simple = test.op in ("==", "in", *NEGATED, "is null", "is not null")
    return column.family in ("text", "boolean") and simple


def truth_of_numbers(test: ValueTest, copy: NumberCopy, *, nulls_match: bool) -> Truth | None:
    """Return which rows pass, bool[rows]; None where doubles cannot tell what DuckDB would."""
    if test.op in ("is null", "is not null"):
        return copy.packed.is_null() == (test.op == "is null")
    ends = [_as_double(value) for value in test.values]
    if not copy.exact or None in ends:
        return None
    met = _compared(NEGATED.get(test.op, test.op), copy, cast("list[float]", ends))
    if test.op in NEGATED:
        # NaN equals nothing, so its negation would hold.
        met = ~met if nulls_match else ~met & ~copy.packed.is_null()
    elif nulls_match:
        met |= copy.packed.is_null()
    return met


def intervals_of(
    test: ValueTest, copy: NumberCopy, *, nulls_match: bool
) -> list[tuple[float, float]] | None:
    """Return the closed intervals of doubles that pass; None where these are not all that does."""
    if nulls_match or not copy.exact or test.op not in (*_INTERVAL, "between"):
        return None
    ends = [_as_double(value) for value in test.values]
    if None in ends:
        return None
    values = cast("list[float]", ends)
    return _intervals(test.op, values)


def _intervals(op: str, ends: list[float]) -> list[tuple[float, float]]:
    if op == "between":
        return [(ends[0], ends[1])]
    return [_INTERVAL[op](end) for end in ends]


def _compared(op: str, copy: NumberCopy, ends: list[float]) -> Truth:
    if len(ends) > FEW:
        # −0.0 equals 0.
        wanted, fits = copy.packed.encoded(np.array(ends) + 0.0)
        return np.isin(copy.packed.cells, wanted[fits])
    met, *others = [copy.packed.between(low, high) for low, high in _intervals(op, ends)]
    for more in others:
        met |= more
    return met


def _as_double(value: Scalar | Decimal) -> float | None:
    """Return a bound as a double that keeps its order among exact doubles; None without one."""
    if isinstance(value, datetime):
        moment = np.datetime64(value, "us").astype(np.int64)
        return float(moment) / 1e6
    if isinstance(value, date):
        return float((value - date(1970, 1, 1)).days * SECONDS_A_DAY)
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
