"""Ranges of buckets say which places lie in them, whatever numbering the slice has."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from concede.catalogs.base_slice import BUCKETS
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


@pytest.mark.parametrize("shelves", [20, 12, 1])
@pytest.mark.parametrize("count", [1, 64, 1_000, 70_000])
def test_a_range_of_buckets_holds_the_rows_of_its_values(count, shelves):
    catalog = catalog_of(count)
    kept = [catalog.bind(Constraint(column="shelf", op="<", value=shelves))]
    base = catalog.base_slice(kept if shelves < 20 else [])
    prices = base.numbers("price")
    edges, buckets = base.buckets("price")
    ends = [-np.inf, *edges, np.inf]
    for start, end in [(0, BUCKETS), (0, 3), (7, 7), (100, 180), (BUCKETS, BUCKETS)]:
        words = base.bucket_range("price", start, end)
        assert words.dtype == np.uint64
        assert len(words) == len(base.words)
        held = np.unpackbits(words.view(np.uint8), bitorder="little")[: base.size]
        expected = (prices >= ends[start]) & (prices < ends[end + 1])
        assert held.astype(bool).tolist() == expected.tolist()
        assert not held[buckets[: base.size] == 255].any()
        assert base.bucket_range("price", start, end) is words
