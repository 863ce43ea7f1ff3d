"""Cells that stand for no value are NULL, whatever holds them, and the rest keeps its type."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog
from concede.catalogs.sources.null_cells import retyped

COLUMNS = {"power": {"nulls": ["NA", "-"]}, "day": {"nulls": ["NA"]}}


def test_of_a_csv_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("power,day\n1.5, NA \nNA,2020-01-02\n - ,NA\n", encoding="utf-8")
    catalog = Catalog.open(str(path), columns=COLUMNS)
    assert [row["power"] for row in catalog.fetch([0, 1, 2])] == [1.5, None, None]
    assert catalog.profile("power").sql_type == "DOUBLE"
    assert catalog.profile("day").sql_type == "DATE"


def test_of_a_parquet_file_with_types_of_its_own(tmp_path):
    path = tmp_path / "a.parquet"
    duckdb.sql("SELECT * FROM (VALUES (1, '7'), (-1, 'NA'), (3, '9')) t(n, t)").write_parquet(
        str(path)
    )
    told = {"n": {"nulls": ["-1", "none"]}, "t": {"nulls": ["NA"], "kind": "numeric"}}
    catalog = Catalog.open(str(path), columns=told)
    assert catalog.fetch([0, 1, 2]) == [
        {"n": 1, "t": 7.0},
        {"n": None, "t": None},
        {"n": 3, "t": 9.0},
    ]


def test_rows_that_are_written_are_read_alike(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("sku,power,day\na,1.5,NA\n", encoding="utf-8")
    catalog = Catalog.open(str(path), columns=COLUMNS, key="sku")
    catalog.upsert([{"sku": "a", "Power": " NA "}, {"sku": "b", "power": 3}])
    assert [row["power"] for row in catalog.fetch([0, 1])] == [None, 3.0]


WRITTEN = {
    "BIGINT": st.integers(-(10**12), 10**12).map(str),
    "DOUBLE": st.floats(0.1, 1e6).map(lambda number: f"{number:.3f}"),
    "DATE": st.dates().map(lambda day: day.isoformat()),
}


@pytest.mark.parametrize("kind", WRITTEN)
@given(data=st.data())
def test_no_value_is_lost_by_a_type(kind, data):
    cells = data.draw(st.lists(WRITTEN[kind] | st.just("NA"), min_size=1, max_size=8))
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (x VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?)", [[cell] for cell in cells])
    found = retyped(connection, "t", {"x": "VARCHAR"}, {"x": ["NA"]})
    told = [cell for cell in cells if cell != "NA"]
    if not told:
        assert found == {}
        return
    read = connection.execute(
        f"SELECT CAST(x AS {found['x']}) FROM t WHERE x <> 'NA' ORDER BY rowid"
    ).fetchall()
    if kind == "DATE":
        assert [str(value)[:10] for (value,) in read] == told
    else:
        assert [float(value) for (value,) in read] == [float(cell) for cell in told]
