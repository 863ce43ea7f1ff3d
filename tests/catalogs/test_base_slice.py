"""A base slice holds its rows, columns and sets by place, whatever numbering it has."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from concede.catalogs.base_slice import BaseSlice
from concede.catalogs.buckets import bucketed
from concede.catalogs.catalog import Catalog
from concede.catalogs.constraint import Constraint


def catalog_of(count: int) -> Catalog:
    dice = np.random.default_rng(count)
    missing = dice.random(count) < 0.1
    return Catalog.open(
        pa.table(
            {
                "price": pa.array(dice.lognormal(3, 1, count), mask=missing),
                "shelf": dice.integers(0, 20, count),
            }
        )
    )


def base_of(catalog: Catalog, shelves: int) -> BaseSlice:
    kept = [catalog.bind(Constraint(column="shelf", op="<", value=shelves))]
    return catalog.base_slice(kept if shelves < 20 else [])


@pytest.mark.parametrize("shelves", [20, 12, 1])
@pytest.mark.parametrize("count", [1, 64, 1_000, 70_000])
def test_a_slice_holds_the_columns_of_its_rows(count, shelves):
    catalog = catalog_of(count)
    base = base_of(catalog, shelves)
    rows = np.flatnonzero(catalog.numbers("shelf") < shelves)
    assert base.rows.ids.tolist() == rows.tolist()
    places = np.arange(base.size) if base.is_compact else rows
    assert base.row_ids(places).tolist() == rows.tolist()
    prices = catalog.numbers("price")[rows]
    assert np.array_equal(base.numbers("price")[places], prices, equal_nan=True)
    edges, octets = base.buckets("price")
    assert np.array_equal(octets[places], bucketed(edges, prices))
    known = prices[~np.isnan(prices)]
    assert base.ends("price") == ((known.min(), known.max()) if len(known) else None)
    drawn, step = base.drawn
    assert drawn.tolist() == [one for one in places.tolist() if one % step == 0]
    assert np.array_equal(base.drawn_numbers("price"), base.numbers("price")[drawn], equal_nan=True)


@pytest.mark.parametrize("shelves", [20, 12, 1])
@pytest.mark.parametrize("count", [1, 64, 1_000, 70_000])
def test_a_stack_says_which_places_are_in_which_set(count, shelves):
    catalog = catalog_of(count)
    base = base_of(catalog, shelves)
    wishes = [("price", "<", 20.0), ("shelf", "==", 0), ("price", ">", 1e9)]
    asked = [catalog.bind(Constraint(column=c, op=op, value=v)) for c, op, v in wishes]
    stack = base.stack([catalog.rows(one) for one in asked])
    assert stack.dtype == np.uint64
    assert stack.shape == (3, len(base.words))
    bits = np.unpackbits(stack.view(np.uint8), axis=1, bitorder="little")[:, : base.size]
    prices, shelf = base.numbers("price"), base.numbers("shelf")
    assert bits.astype(bool).tolist() == [
        (prices < 20).tolist(), (shelf == 0).tolist(), [False] * base.size
    ]  # fmt: skip


@pytest.mark.parametrize("count", [100, 70_000])
def test_a_bucket_is_the_number_of_edges_up_to_a_value(count):
    dice = np.random.default_rng(count)
    values = dice.normal(0, 3, count).round(1)
    values[:5] = np.nan, np.inf, -np.inf, 0.0, -0.0
    for edges in (np.unique(values[7:60]), np.array([0.0]), np.zeros(0)):
        found = bucketed(edges, values)
        assert found[0] == 255
        expected = [int((edges <= value).sum()) for value in values[1:200]]
        assert found[1:200].tolist() == expected
