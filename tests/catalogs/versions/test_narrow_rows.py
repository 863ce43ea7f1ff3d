"""Few rows between bounds, listed by an index, are those that comparing every value finds."""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.versions.narrow_rows import narrow_rows

COUNT = 70_000
COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
BOUNDS = st.tuples(
    st.sampled_from(["price", "shelf"]),
    st.sampled_from([*COMPARED, "=="]),
    st.one_of(st.floats(-1, 60), st.integers(0, 40)),
)


@pytest.fixture(scope="module")
def shop() -> Iterator[Catalog]:
    dice = np.random.default_rng(3)
    columns = {
        "price": pa.array(dice.lognormal(3, 1, COUNT), mask=dice.random(COUNT) < 0.1),
        "shelf": dice.integers(0, 40, COUNT),
        "kind": dice.choice(["a", "b"], COUNT),
        "sku": range(COUNT),
    }
    with pytest.MonkeyPatch.context() as patch, Catalog.open(pa.table(columns), key="sku") as shop:
        patch.setenv("CONCEDE_KERNELS", "wait")
        shop.warm()
        yield shop


def between(low: float, high: float, column: str = "price") -> list[Constraint]:
    return [Constraint(column=column, op=op, value=v) for op, v in ((">=", low), ("<=", high))]


def compared(shop: Catalog, constraints: list[Constraint]) -> list[int]:
    met = np.ones(COUNT, dtype=bool)
    for each in constraints:
        values = shop.numbers(str(each.column))
        met &= COMPARED.get(each.op, operator.eq)(values, each.value)
    return np.flatnonzero(met).tolist()


def found(shop: Catalog, constraints: list[Constraint]) -> list[int] | None:
    rows = narrow_rows(shop.snapshot().vectors, [shop.bind(each) for each in constraints])
    return None if rows is None else rows.ids.tolist()


@given(bounds=st.lists(BOUNDS, min_size=1, max_size=4))
@settings(max_examples=200)
def test_the_rows_between_bounds_are_those_whose_values_are(shop, bounds):
    constraints = [Constraint(column=name, op=op, value=value) for name, op, value in bounds]
    expected = compared(shop, constraints)
    rows = shop.slice([shop.bind(each) for each in constraints])
    assert rows.ids.tolist() == expected
    assert found(shop, constraints) in (None, expected)


def test_few_rows_of_two_columns_are_found_by_the_index_of_the_narrower_one(shop):
    narrow = between(20, 20.5)
    assert found(shop, narrow) == compared(shop, narrow) != []
    both = [*between(10, 30, "shelf"), *narrow]
    assert found(shop, both) == compared(shop, both) != []
    assert found(shop, between(20.5, 20)) == []


def test_many_rows_and_what_is_no_bound_are_left_to_sets_of_all_rows(shop):
    assert found(shop, between(0, 100)) is None
    narrow, kind = between(20, 20.5), Constraint(column="kind", op="==", value="a")
    assert found(shop, [*narrow, kind]) is None
    assert found(shop, [*narrow, Constraint(op="sql", value="price > 1")]) is None


def test_rows_written_since_an_index_was_made_are_found_and_deleted_ones_are_not():
    table = pa.table({"price": np.arange(COUNT) / 100, "sku": range(COUNT)})
    with pytest.MonkeyPatch.context() as patch, Catalog.open(table, key="sku") as shop:
        patch.setenv("CONCEDE_KERNELS", "wait")
        shop.warm()
        narrow = between(20, 20.5)
        shop.upsert([{"sku": 7, "price": 20.25}, {"sku": 2010, "price": 3.0}])
        assert 7 in (now := found(shop, narrow) or [])
        assert 2010 not in now
        assert now == compared(shop, narrow)
        shop.delete([2020])
        assert found(shop, narrow) is None
        assert shop.slice([shop.bind(each) for each in narrow]).ids.tolist() == [
            row for row in now if row != 2020
        ]
