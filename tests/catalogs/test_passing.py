"""Intervals of numbers pass what the predicate passes."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import pytest

from concede import Catalog, Constraint
from concede.catalogs.column_copies import TextCopy
from concede.catalogs.passing import Passing, PassingTests
from concede.catalogs.touched_rows import MAX_TEXTS
from live_twin import padding, table_of


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    made = Catalog.open(table_of(padding(300)))
    made.warm()
    return made


def passed(catalog: Catalog, passing: Passing) -> list[bool]:
    """Return which rows pass, from the intervals alone, one after another."""
    snapshot = catalog.snapshot()
    copy = snapshot.copies.copy(snapshot.schema.columns[passing.place])
    if isinstance(copy, TextCopy):
        values = [math.nan if one == MAX_TEXTS else float(one) for one in copy.codes.tolist()]
    else:
        values = copy.values.tolist()
    return [
        passing.nulls
        if math.isnan(value)
        else any(low <= value <= high for low, high in passing.intervals) != passing.negated
        for value in values
    ]


ASKED = [
    ("price", "<", 5),
    ("price", "<=", 5),
    ("price", ">", 5),
    ("price", ">=", 5),
    ("price", "==", 8),
    ("price", "!=", 8),
    ("price", "in", [1, 3, 1000]),
    ("price", "not in", [1, 3, 1000]),
    ("ratio", "between", [0.0, 0.2]),
    ("ratio", ">", 0.1),
    ("money", "<", 19.99),
    ("day", ">=", date(2024, 2, 29)),
    ("day", "!=", date(2024, 2, 29)),
    ("price", "is null", None),
    ("brand", "is not null", None),
    ("brand", "==", "it's"),
    ("brand", "!=", "日本"),
    ("brand", "in", ["a", "A"]),
    ("brand", "not in", ["a", "A"]),
    ("flag", "==", True),
    ("flag", "!=", True),
]


@pytest.mark.parametrize("nulls", ["match", "reject"])
@pytest.mark.parametrize(("column", "op", "value"), ASKED)
def test_they_pass_what_duckdb_passes(catalog, column, op, value, nulls):
    if op in ("is null", "is not null"):
        nulls = "reject"
    predicate = catalog.bind(Constraint(column=column, op=op, value=value, nulls=nulls))
    passing = PassingTests(catalog.snapshot()).of(predicate)
    assert passing is not None
    met = catalog.snapshot().rows_in_duckdb(predicate)
    assert np.flatnonzero(passed(catalog, passing)).tolist() == met.ids.tolist()
    assert 0 < len(met) < 300


@pytest.mark.parametrize(
    ("column", "op", "value"),
    [
        ("brand", "==", "nobody's"),
        ("brand", "not in", ["a", "nobody's"]),
        ("brand", "contains", "a"),
        ("wide", ">=", 1),
        ("price", "<=", 2**60),
    ],
)
def test_nothing_is_said_where_numbers_do_not_tell(catalog, column, op, value):
    predicate = catalog.bind(Constraint(column=column, op=op, value=value))
    assert PassingTests(catalog.snapshot()).of(predicate) is None
