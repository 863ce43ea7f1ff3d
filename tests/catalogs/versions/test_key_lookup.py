"""Which rows a write replaces: what memory tells is what DuckDB's join tells."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog
from concede.catalogs.vectors import column_vectors as column_copies
from concede.catalogs.versions.key_lookup import matched, matched_in_duckdb, matched_in_memory
from concede.catalogs.versions.row_batch import row_batch

KEYS: dict[str, tuple[pa.DataType, list[Any]]] = {
    "whole": (pa.int64(), [0, 1, -1, 2**20, 2**53 - 1, -(2**53) + 1]),
    "long": (pa.int64(), [2**53, 2**53 + 1, -(2**63), 0]),
    "small": (pa.uint8(), [0, 7, 255]),
    "ratio": (pa.float64(), [0.0, -0.0, 0.1, 1e300, 5e-324]),
    "single": (pa.float32(), [0.0, 0.1, 0.25, 3e38]),
    "money": (pa.decimal128(10, 2), [Decimal("0.10"), Decimal("-19.99"), Decimal("0.00")]),
    "wide": (pa.decimal128(38, 4), [Decimal("0.1000"), Decimal("12345678901234567890.1234")]),
    "day": (pa.date32(), [dt.date(1, 1, 1), dt.date(1970, 1, 1), dt.date(9999, 12, 31)]),
    "at": (pa.timestamp("us"), [dt.datetime(2024, 1, 1, 0, 0, 0, 1), dt.datetime(1960, 1, 1)]),
    "text": (pa.string(), ["", "a", "A", "a ", "日本", "1"]),
    "flag": (pa.bool_(), [True, False]),
}

names = st.lists(st.sampled_from(list(KEYS)), min_size=1, max_size=3, unique=True)


def rows_of(key: list[str], most: int, *, nulls: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    held = {name: st.sampled_from([*KEYS[name][1], *([None] if nulls else [])]) for name in key}
    return st.lists(st.fixed_dictionaries(held), max_size=most)


@given(st.data(), names, st.booleans())
def test_memory_tells_what_duckdb_tells(data: st.DataObject, key: list[str], many: bool) -> None:
    rows = data.draw(rows_of(key, 12, nulls=True))
    asked = data.draw(rows_of(key, 12, nulls=False))
    table = {name: pa.array([row[name] for row in rows], KEYS[name][0]) for name in key}
    with pytest.MonkeyPatch.context() as patch:
        if many:
            # Then every column of texts is one of many different ones.
            for module in ("vectors.column_vectors", "vectors.column_store", "versions.key_lookup"):
                patch.setattr(f"concede.catalogs.{module}.MAX_TEXTS", 1)
        catalog = Catalog.open(pa.table(table))
        gone = data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True)) if rows else []
        catalog.delete(gone)
        catalog.warm()
        now = catalog.snapshot()
        if not asked:
            return
        wanted = row_batch(asked, now.schema, key)
        in_memory = matched_in_memory(now, wanted)
        left = [row for number, row in enumerate(rows) if number not in gone]
        same = [sum(entry == row for entry in left) for row in asked]
        if max(same) > 1:
            assert in_memory is None
            with pytest.raises(Exception, match="rows of the catalog have the same"):
                matched_in_duckdb(now, wanted)
            return
        by_join = matched_in_duckdb(now, wanted)
        assert matched(now, wanted).tolist() == by_join.tolist()
        if in_memory is None:
            assert {"long", "wide", "at"} & set(key)
        else:
            assert in_memory.tolist() == by_join.tolist()


def test_rows_beyond_one_chunk_are_found() -> None:
    count = 40_000
    skus = [f"s{index}" for index in range(count)]
    catalog = Catalog.open(pa.table({"sku": skus, "n": np.arange(count) * 3}))
    asked = [
        {"sku": f"s{entry}", "n": 3 * entry} for entry in (0, 16_383, 16_384, count - 1, count)
    ]
    for key in (["sku"], ["n"], ["n", "sku"]):
        wanted = row_batch(asked, catalog.schema, key)
        assert matched_in_memory(catalog.snapshot(), wanted) is None
        assert matched(catalog.snapshot(), wanted).tolist() == [0, 16_383, 16_384, count - 1, -1]
    catalog.warm()
    assert len(skus) < column_copies.MAX_TEXTS
    for key in (["sku"], ["n"], ["n", "sku"]):
        found = matched_in_memory(catalog.snapshot(), row_batch(asked, catalog.schema, key))
        assert found is not None
        assert found.tolist() == [0, 16_383, 16_384, count - 1, -1]
