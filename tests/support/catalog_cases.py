"""A table with every kind of column, and random constraints on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from concede.catalogs.query.binding import typed
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.schema import Column

Row = dict[str, Any]

HELD: dict[str, list[Any]] = {
    "whole": [0, 1, -7, 2**53 + 1, -(2**62), None],
    "double": [0.1, 0.30000000000000004, 0.3, -2.5, 1e300, 5.0, None],
    "single": [float(np.float32(0.1)), 0.5, 16777216.0, None],
    "money": [Decimal("1.10"), Decimal("-0.05"), Decimal("24515.00"), None],
    "long": [Decimal("0.1000000000000000000001"), Decimal("0.1"), Decimal(3), None],
    'the "text"': ["", "ab", "it's", "Ünï 東", "a%b_c", "10", "x" * 300, "two\nlines", None],
    "flag": [True, False, None],
    "day": [date(2024, 2, 29), date(1999, 12, 31), date(2024, 1, 1), None],
    "moment": [datetime(2024, 2, 29, 10, 30, 0, 123456), datetime(2024, 1, 1), None],
}
TYPES = {
    "whole": pa.int64(),
    "double": pa.float64(),
    "single": pa.float32(),
    "money": pa.decimal128(10, 2),
    "long": pa.decimal128(38, 22),
    'the "text"': pa.string(),
    "flag": pa.bool_(),
    "day": pa.date32(),
    "moment": pa.timestamp("us"),
}


def table(rows: int = 120) -> pa.Table:
    """Return rows that go through all values of every column, out of step with each other."""
    return pa.table(
        {
            name: pa.array([values[i // (k + 1) % len(values)] for i in range(rows)], TYPES[name])
            for k, (name, values) in enumerate(HELD.items())
        }
    )


_PATTERNS = st.lists(st.sampled_from(["%", "_", "a", "b", "Ü", "'", "1", "\n"]), max_size=5)
_OTHERS: dict[str, list[Any]] = {
    "whole": [0.5, 2.0**53, "1", -1e300, 2**120],
    "double": [1, 0, "0.1", 0.1 + 0.2, -1e-7, 2**53 + 1],
    "single": [0.1, 0.25, 16777217],
    "money": [1.1, -0.05, 24515, "1.10", 0.001, 1e300, -(2**120)],
    "long": [0.1, 3.0, 0.2],
    'the "text"': ["' OR 1=1 --", '"', "é", 10],
    "flag": ["true"],
    "day": ["2024-02-29", "2024-01-01 00:00:00", datetime(2024, 2, 29, 1)],
    "moment": ["2024-01-01", date(2024, 2, 29), "2024-02-29 10:30:00.123456"],
}


@st.composite
def constraints(draw: st.DrawFn) -> Constraint:
    """Draw a constraint that fits its column."""
    name = draw(st.sampled_from(list(HELD)))
    is_text, is_flag = name == 'the "text"', name == "flag"
    ops = ["==", "!=", "in", "not in", "is null", "is not null"]
    ops += [] if is_flag else ["<", "<=", ">", ">=", "between"]
    op = draw(st.sampled_from([*ops, *(("like", "ilike", "contains") if is_text else ())]))
    values = st.sampled_from(
        [_plain(value) for value in HELD[name] if value is not None] + _OTHERS[name]
    )
    if is_text and op in ("<", "<=", ">", ">=", "between"):
        values = values.filter(lambda value: isinstance(value, str))
    count = {"in": (1, 3), "not in": (1, 3), "between": (2, 2)}.get(op)
    value: Any = draw(st.lists(values, min_size=count[0], max_size=count[1]) if count else values)
    if op in ("like", "ilike", "contains"):
        value = "".join(draw(_PATTERNS))
    fields = {} if op.endswith("null") else {"value": value}
    nulls = draw(st.sampled_from(["reject", "match"]))
    return Constraint(column=name, op=op, nulls=nulls, **fields)  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def satisfies(row: Row, constraint: Constraint, column: Column) -> bool:
    """Return whether a row, as Python values, satisfies a constraint: the meaning, spelled out."""
    cell = row[column.name]
    if constraint.op in ("is null", "is not null"):
        return (cell is None) == (constraint.op == "is null")
    if cell is None:
        return constraint.nulls == "match"
    given = constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)
    bounds = [_comparable(typed(bound, column), cell) for bound in given if bound is not None]
    return _MEANINGS[constraint.op](_comparable(cell, cell), bounds)


def _comparable(value: Any, cell: Any) -> Any:
    if isinstance(cell, Decimal) and isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value


def _like(text: str, pattern: str) -> bool:
    parts = ("(?s:.*)" if c == "%" else "(?s:.)" if c == "_" else re.escape(c) for c in pattern)
    return re.fullmatch("".join(parts), text) is not None


_MEANINGS: dict[str, Callable[[Any, Sequence[Any]], bool]] = {
    "==": lambda cell, bounds: cell == bounds[0],
    "!=": lambda cell, bounds: cell != bounds[0],
    "<": lambda cell, bounds: cell < bounds[0],
    "<=": lambda cell, bounds: cell <= bounds[0],
    ">": lambda cell, bounds: cell > bounds[0],
    ">=": lambda cell, bounds: cell >= bounds[0],
    "in": lambda cell, bounds: cell in bounds,
    "not in": lambda cell, bounds: cell not in bounds,
    "between": lambda cell, bounds: bounds[0] <= cell <= bounds[1],
    "contains": lambda cell, bounds: bounds[0] in cell,
    "like": lambda cell, bounds: _like(cell, bounds[0]),
    "ilike": lambda cell, bounds: _like(cell.lower(), bounds[0].lower()),
}
