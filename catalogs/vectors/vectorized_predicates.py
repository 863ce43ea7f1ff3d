"""Evaluates predicates on one column by NumPy over its copy in memory, as DuckDB would.

Costs one pass over the column. What doubles or dictionary codes cannot tell is left to DuckDB.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..query.constraint import Scalar
from ..query.exact_numbers import is_double
from ..query.predicate import ValueTest
from ..query.schema import Column
from .column_vectors import MAX_EXACT, MAX_TEXTS, SECONDS_A_DAY, NumberCopy, TextCopy

Truth = NDArray[np.bool_]

FEW = 8
"""Up to this many listed values are looked for one after another."""

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
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
        return test.op in (*_COMPARE, *NEGATED, "in", "between", "is null", "is not null")
    simple = test.op in ("==", "in", *NEGATED, "is null", "is not null")
    return column.family in ("text", "boolean") and simple


def truth_of_numbers(test: ValueTest, copy: NumberCopy, *, nulls_match: bool) -> Truth | None:
    """Return which rows pass, bool[rows]; None where doubles cannot tell what DuckDB would."""
    if test.op in ("is null", "is not null"):
        return np.isnan(copy.values) == (test.op == "is null")
    ends = [_as_double(value) for value in test.values]
    if not copy.exact or None in ends:
        return None
    met = _compared(NEGATED.get(test.op, test.op), copy.values, ends)
    if test.op in NEGATED:
        # NaN equals nothing, so its negation would hold.
        met = ~met if nulls_match else ~met & ~np.isnan(copy.values)
    elif nulls_match:
        met |= np.isnan(copy.values)
    return met


def intervals_of(
    test: ValueTest, copy: NumberCopy, *, nulls_match: bool
) -> list[tuple[float, float]] | None:
    """Return the closed intervals of doubles that pass; None where these are not all that does."""
    if nulls_match or not copy.exact or test.op not in (*_COMPARE, "in", "between"):
        return None
    ends = [_as_double(value) for value in test.values]
    if None in ends:
        return None
    values = cast("list[float]", ends)
    if test.op == "between":
        return [(values[0], values[1])]
    return [_INTERVAL[test.op](value) for value in values]


def _compared(op: str, values: NDArray[np.float64], ends: list[Any]) -> Truth:
    if op == "between":
        return (values >= ends[0]) & (values <= ends[1])
    if op != "in":
        return _COMPARE[op](values, ends[0])
    if len(ends) > FEW:
        return np.isin(values, np.array(ends))
    met = np.zeros(len(values), dtype=np.bool_)
    for end in ends:
        met |= values == end
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
    unknown = copy.codes == MAX_TEXTS
    if test.op in ("is null", "is not null"):
        return unknown == (test.op == "is null")
    wanted = [copy.places[text] for text in test.values if text in copy.places]
    if len(wanted) == 1:
        met = copy.codes == wanted[0]
    else:
        chosen = np.zeros(MAX_TEXTS + 1, dtype=np.bool_)
        chosen[wanted] = True
        met = chosen[copy.codes]
    if test.op in NEGATED:
        met = ~met if nulls_match else ~met & ~unknown
    elif nulls_match:
        met = met | unknown
    return met
