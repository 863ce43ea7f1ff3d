"""Columns read until a deadline: what was read is kept, and never passes for the whole."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import DeadlinePassed
from concede.catalogs.vectors.column_store import PIECE
from concede.catalogs.vectors.column_vectors import shown_values
from counted_looks import ends_after

ROWS = 3 * PIECE + 5


@pytest.fixture
def catalog() -> Catalog:
    days = [date(2024, 1, 1) + timedelta(days=day) for day in range(300)]
    columns = {
        "number": np.arange(ROWS) / 7,
        "day": pa.array([days[row % 300] for row in range(ROWS)]),
        "text": pa.array([f"text {row % 11}" for row in range(ROWS)]),
        "name": pa.array([f"name {row}" for row in range(ROWS)]),
    }
    return Catalog.open(pa.table(columns))


@pytest.mark.parametrize("name", ["number", "day", "text", "name"])
def test_a_column_cut_off_is_not_there(catalog: Catalog, name: str):
    vectors = catalog.snapshot().vectors
    column = catalog.schema.find(name)
    with pytest.raises(DeadlinePassed):
        vectors.copy(column, ends_after(3))
    assert not vectors.is_copied(name)
    some = np.array([0, PIECE, ROWS - 1])
    fetched = [row[name] for row in catalog.fetch(some.tolist())]
    every = vectors.copy(column)
    assert vectors.is_copied(name)
    assert shown_values(column, every, some) == fetched


def test_the_next_call_goes_on_where_the_last_was_cut_off(catalog: Catalog):
    store = catalog.snapshot().vectors.store
    column = catalog.schema.find("number")
    read: list[int] = []
    pieces = store._pieces

    def counted(*given, start: int = 0, **options):
        read.append(start)
        return pieces(*given, start=start, **options)

    store._pieces = counted  # type: ignore[method-assign]
    for _ in range(2):
        with pytest.raises(DeadlinePassed):
            store.numbers(column, ends_after(2))
    values = store.numbers(column).values
    assert read == [0, PIECE, 2 * PIECE]
    assert values.tolist() == (np.arange(ROWS) / 7).tolist()
