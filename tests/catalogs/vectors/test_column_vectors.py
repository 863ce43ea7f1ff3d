"""Copies of columns answer and show what DuckDB answers and shows."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint
from concede.catalogs.vectors.column_vectors import MAX_TEXTS, ObjectCopy

DAY = dt.date(2024, 2, 29)
COLUMNS = {
    "tiny": (pa.int8(), st.integers(-128, 127)),
    "big": (pa.int64(), st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)),
    "unsigned": (pa.uint64(), st.integers(0, 2**64 - 1) | st.integers(0, 3)),
    "double": (pa.float64(), st.floats(width=64) | st.sampled_from([0.1, 0.3, -0.0])),
    "single": (pa.float32(), st.floats(width=32) | st.sampled_from([0.5, 0.25])),
    "money": (pa.decimal128(10, 2), st.decimals(-10, 10, places=2)),
    "wide": (pa.decimal128(30, 2), st.decimals(-10, 10, places=2)),
    "day": (pa.date32(), st.dates(DAY - dt.timedelta(9), DAY + dt.timedelta(9))),
    "moment": (pa.timestamp("us"), st.datetimes(dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 3))),
    "yes": (pa.bool_(), st.booleans()),
    "word": (pa.string(), st.sampled_from(["", "a", "A", "ä", "a ", "b"])),
}
OPS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "is null", "is not null")


@st.composite
def columns(draw: st.DrawFn) -> tuple[str, list[object]]:
    name = draw(st.sampled_from(sorted(COLUMNS)))
    return name, draw(st.lists(COLUMNS[name][1] | st.none(), min_size=1, max_size=30))


def catalog_of(name: str, cells: list[object], **options: int) -> Catalog:
    table = pa.table({"v": pa.array(cells, COLUMNS[name][0]), "n": range(len(cells))})
    return Catalog.open(table, **options)


def constraint_on(draw, name: str, cells: list[object]) -> Constraint | None:
    known = [
        cell for cell in cells if cell is not None and cell == cell and abs_or_0(cell) < 2**126
    ]
    family = "text" if name == "word" else "boolean" if name == "yes" else "number"
    ops = [op for op in OPS if family == "number" or op in ("==", "!=", "in", "not in", "is null")]
    op = draw(st.sampled_from(ops))
    if op in ("is null", "is not null"):
        return Constraint(column="v", op=op)
    near = st.sampled_from(known) if known else COLUMNS[name][1]
    values = [
        plain(entry) for entry in draw(st.lists(near | COLUMNS[name][1], min_size=2, max_size=9))
    ]
    values = [value for value in values if value == value and abs_or_0(value) < 2**126]
    if len(values) < 2 or (family == "number" and name == "big" and draw(st.booleans())):
        return None
    value = values if op in ("in", "not in") else values[:2] if op == "between" else values[0]
    nulls = draw(st.sampled_from(["reject", "match"]))
    return Constraint(column="v", op=op, value=value, nulls=nulls)


def abs_or_0(value: object) -> float:
    return abs(value) if isinstance(value, int | float | Decimal) else 0


def plain(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, dt.date) else value


@given(columns(), st.data())
def test_rows_from_memory_are_the_rows_of_duckdb(column, data):
    name, cells = column
    constraint = constraint_on(data.draw, name, cells)
    if constraint is None:
        return
    catalog = catalog_of(name, cells)
    predicate = catalog.bind(constraint)
    expected = catalog.snapshot().evaluator.rows_in_duckdb(predicate)
    for _ in range(4):
        found = catalog.snapshot().evaluator.rows_in_memory(predicate)
        assert found is None or found == expected, (constraint, cells)
    if name in ("tiny", "money", "day"):
        assert found is not None


@given(columns(), st.data())
def test_rows_shown_from_memory_are_those_of_duckdb(column, data):
    name, cells = column
    ids = data.draw(st.lists(st.integers(0, len(cells) - 1), max_size=8))
    cold = catalog_of(name, cells, column_bytes=0).fetch(ids)
    warm = catalog_of(name, cells)
    warm.warm()
    shown = warm.fetch(ids)
    assert repr(shown) == repr(cold)


def test_infinite_dates_are_shown_as_duckdb_shows_them():
    table = "SELECT CAST(d AS DATE) AS d FROM (VALUES ('infinity'), ('-infinity'), (NULL)) t(d)"
    import duckdb

    relation = duckdb.sql(table)
    warm = Catalog.open(relation)
    cold = Catalog.open(relation, column_bytes=0).fetch([0, 1, 2])
    warm.warm()
    assert warm.fetch([0, 1, 2]) == cold


def test_a_column_of_very_many_texts_is_kept_as_it_is():
    words = [f"w{index}" for index in range(MAX_TEXTS + 2)]
    catalog = Catalog.open(pa.table({"w": [*words, None]}))
    catalog.warm()
    assert isinstance(catalog.snapshot().vectors.store.copy(catalog.schema.find("w")), ObjectCopy)
    assert [row["w"] for row in catalog.fetch([5, len(words)])] == ["w5", None]
    predicate = catalog.bind(Constraint(column="w", op="==", value="w9"))
    assert list(catalog.rows(predicate).ids) == [9]


def test_numbers_are_in_the_order_of_the_rows():
    catalog = Catalog.open(pa.table({"a": np.arange(300_000)[::-1].copy()}))
    assert np.array_equal(catalog.numbers("a"), np.arange(300_000.0)[::-1])


@pytest.mark.parametrize("op", ["==", "!=", "<", ">=", "in"])
def test_texts_asked_often_are_answered_from_memory(op):
    catalog = Catalog.open(pa.table({"w": ["a", "b", None, "a"]}))
    predicate = catalog.bind(Constraint(column="w", op=op, value=["a", "b"] if op == "in" else "a"))
    found = [catalog.snapshot().evaluator.rows_in_memory(predicate) for _ in range(4)]
    assert (found[-1] is not None) == (op in ("==", "!=", "in"))
    assert found[0] is None
