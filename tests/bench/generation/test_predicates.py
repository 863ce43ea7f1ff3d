"""Candidates of a slice by hand: support, quantiles, near-extremes, dates, fractions."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest

from concede import Catalog, Constraint
from concede.bench.generation.columns import AskedColumn
from concede.bench.generation.predicates import (
    MOST_CANDIDATES,
    WIDE_STRICTNESS,
    candidate_slice,
    strictness_of,
)
from concede.bench.generation.settings import setting_named
from concede.bench.generation.slices import ADDITIONAL_COLUMNS, STRICTNESS
from concede.bench.instances import read_instances

NORTH = [Constraint(column="region", op="==", value="north")]


@pytest.fixture(scope="module")
def shop():
    """Ten rows in the north and three elsewhere."""
    days = [datetime.date(2024, 1, day) for day in range(1, 11)]
    return Catalog.open(
        pa.table(
            {
                "region": ["north"] * 10 + ["south"] * 3,
                "kind": ["b"] * 4 + ["a"] * 4 + ["c", None] + ["d"] * 3,
                "price": [float(index) + 0.25 for index in range(9)] + [None, 0.5, 0.5, 0.5],
                "year": [*range(2001, 2011), 1990, 1990, 1990],
                "day": [*days, None, None, None],
                "same": [1] * 13,
            }
        )
    )


def texts(shop, *columns, **arguments):
    asked = [AskedColumn(*column) for column in columns]
    part = candidate_slice(shop, NORTH, asked, **arguments)
    held = np.bitwise_count(part.candidates.words).sum(axis=1).tolist()
    told = [f"{constraint.op} {constraint.value}" for constraint in part.constraints]
    return list(zip(told, held, strict=True))


def test_values_with_support_the_more_frequent_first(shop):
    found = texts(shop, ("kind", ("==",)), strictness=[0.5], support=2)
    assert found == [("== a", 4), ("== b", 4)]
    assert texts(shop, ("region", ("==",)), strictness=[0.5], support=1) == []


def test_bounds_are_values_there_are_or_whole_numbers_and_the_near_extreme(shop):
    # Nine prices, 0.25 to 8.25: the middle one, and the third lowest.
    price = texts(shop, ("price", ("<=",)), strictness=[0.5], support=3)
    assert price == [("<= 2.25", 3), ("<= 4.25", 5)]
    year = texts(shop, ("year", (">=",)), strictness=[0.5], support=3)
    assert year == [(">= 2006", 5), (">= 2008", 3)]
    day = texts(shop, ("day", (">=",)), strictness=[0.5], support=2)
    assert day == [(">= 2024-01-05", 6), (">= 2024-01-09", 2)]


def test_both_bounds_of_a_column_are_about_that_column(shop):
    asked = [AskedColumn("price", (">=", "<=")), AskedColumn("year", (">=",))]
    part = candidate_slice(shop, NORTH, asked, strictness=[0.5], support=3)
    assert [constraint.op for constraint in part.constraints] == [
        ">=",
        ">=",
        "<=",
        "<=",
        ">=",
        ">=",
    ]
    assert part.candidates.columns.tolist() == [0, 0, 0, 0, 1, 1]


def test_every_value_but_none_twice_for_the_same_rows(shop):
    found = texts(shop, ("year", (">=",)), strictness="every value", support=1)
    assert [held for _, held in found] == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert texts(shop, ("same", (">=",)), strictness="every value", support=1) == []
    rounded = texts(shop, ("year", (">=",)), strictness=[0.5, 0.51, 0.52], support=3)
    assert [held for _, held in rounded] == [5, 3]


def test_a_column_never_takes_more_than_its_share():
    rows = range(300)
    many = pa.table({"base": ["x"] * 300 + ["y"], "n": [*rows, 0], "m": [*rows, 0]})
    asked = [AskedColumn("n", (">=",)), AskedColumn("m", ("<=",))]
    base = [Constraint(column="base", op="==", value="x")]
    part = candidate_slice(Catalog.open(many), base, asked, strictness="every value")
    assert np.bincount(part.candidates.columns).tolist() == [MOST_CANDIDATES // 2] * 2
    # Thinned evenly: the ends stay.
    assert part.constraints[0].value == 1
    assert part.constraints[MOST_CANDIDATES // 2 - 1].value == 297


def test_a_cell_that_is_no_value_is_no_candidate():
    table = pa.table(
        {"base": ["x"] * 40, "t": ["a\0b"] * 10 + ["ok"] * 30, "n": [float("inf")] * 40}
    )
    asked = [AskedColumn("t", ("==",)), AskedColumn("n", (">=",))]
    part = candidate_slice(Catalog.open(table), [], asked, strictness=[0.5])
    assert [constraint.value for constraint in part.constraints] == ["ok"]


def test_strictness_is_as_published_for_the_setting():
    assert strictness_of(setting_named("S1")) == strictness_of(setting_named("S3")) == STRICTNESS
    assert strictness_of(setting_named("S2")) == WIDE_STRICTNESS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "setting"), [("MUS-4_unique.json", "S1"), ("MUS-2_any.json", "S3")]
)
def test_published_bounds_are_among_the_candidates(name, setting, shared_data):
    cars = Catalog.open(shared_data / "cooperunion_cars" / "data.csv")
    asked = [AskedColumn(column, (op,)) for column, op in ADDITIONAL_COLUMNS.items()]
    levels = strictness_of(setting_named(setting))
    for read_instance in read_instances(shared_data / "aware_us" / name):
        query = read_instance.query(cars)
        part = candidate_slice(cars, query.base, asked, strictness=levels)
        rows = {cars.rows(cars.bind(c)).ids.tobytes() for c in part.constraints}
        published = [c for c in query.constraints if c.nulls != "match"]
        inside = cars.slice([cars.bind(c) for c in query.base]).ids
        for constraint in published:
            wanted = np.intersect1d(cars.rows(cars.bind(constraint)).ids, inside)
            found = [np.intersect1d(np.frombuffer(r, dtype=np.uint32), inside) for r in rows]
            assert any(np.array_equal(wanted, each) for each in found), constraint
