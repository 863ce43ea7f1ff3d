"""Items whose values follow from their numbers: the same in the file, the rows, and the arrays."""

import json

import duckdb
import numpy as np

from concede.bench.serving.synthetic_items import CODED, KEY, records, values, write_file


def test_the_file_holds_what_the_numbers_say(tmp_path):
    path = tmp_path / "items.parquet"
    write_file(path, 3_000, 1)
    with duckdb.connect() as connection:
        cursor = connection.execute(f"SELECT * FROM '{path}' ORDER BY {KEY}")
        names = [entry[0] for entry in cursor.description]
        read = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert read == records(np.arange(3_000), 1)


def test_editions_differ_and_each_is_always_the_same():
    items = np.arange(500)
    first, again, other = values(items, 0), values(items, 0), values(items, 1)
    for name in first:
        assert np.array_equal(first[name], again[name], equal_nan=True)
        if name != KEY:
            assert not np.array_equal(first[name], other[name], equal_nan=True)


def test_some_items_are_a_part_of_all():
    every, some = values(np.arange(100), 3), values(np.array([7, 99, 0]), 3)
    for name, column in some.items():
        assert np.array_equal(column, every[name][[7, 99, 0]], equal_nan=True)


def test_every_value_occurs_and_some_are_unknown():
    drawn = values(np.arange(20_000), 0)
    for name, count in CODED.items():
        assert set(drawn[name].tolist()) == set(range(count))
    assert 0.02 < np.isnan(drawn["rating"]).mean() < 0.06
    assert (drawn["price"].min(), drawn["weight"].max()) == (50, 5.0)


def test_rows_are_plain_json():
    rows = records(np.arange(50), 2)
    assert json.loads(json.dumps(rows)) == rows
    assert any(row["rating"] is None for row in rows)
