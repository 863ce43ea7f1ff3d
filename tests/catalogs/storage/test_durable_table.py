"""A writable catalog's file holds what the catalog holds, and nobody else writes to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, CatalogError, QueryError
from concede.catalogs.errors import CatalogInUse, UnreadableCatalog
from example_counts import examples
from live_twin import LiveTwin, first_rows, keyed_rows, table_of

UNUSUAL = """
CREATE TYPE mood AS ENUM ('ok', 'bad');
CREATE TABLE items (
    sku VARCHAR PRIMARY KEY, price INTEGER NOT NULL, mood mood, made TIMESTAMPTZ, id UUID,
    fine TIMESTAMP_NS, tags VARCHAR[], nested STRUCT(Ab INTEGER), big HUGEINT, money DECIMAL(30, 4)
);
INSERT INTO items SELECT 's' || i, i, 'ok', '2024-01-01 00:00:00+02',
    '00000000-0000-0000-0000-00000000000' || i, '2024-01-01 00:00:00.123456789', ['t' || i],
    {'Ab': i}, 170141183460469231731687303715884105727, 12345678901234567890.1234
FROM range(4) t(i);
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(UNUSUAL)
    return path


def held(path: Path, select: str = "* EXCLUDE (concede_row_id)") -> list[tuple[Any, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(f"SELECT {select} FROM items ORDER BY sku").fetchall()


def test_what_is_not_written_stays_to_the_last_digit(file: Path) -> None:
    texts = "CAST(COLUMNS(* EXCLUDE (concede_row_id)) AS VARCHAR)"
    before = held(file, "CAST(COLUMNS(*) AS VARCHAR)")
    with Catalog.open(file, key="sku", writable=True) as catalog:
        assert catalog.upsert([{"sku": "s1", "price": 99}, {"sku": "s2", "mood": "bad"}]) == 2
        assert catalog.upsert([{"sku": "s9", "price": 5, "made": "2024-05-05T10:00:00"}]) == 3
        assert catalog.delete([0]) == 4
    after = held(file, texts)
    assert after[0] == (before[1][0], "99", *before[1][2:])
    assert after[1] == (*before[2][:2], "bad", *before[2][3:])
    assert after[2] == before[3]
    assert after[3][:2] == ("s9", "5")
    assert held(file, "epoch(made)::BIGINT")[3] == (1714903200,)


@pytest.mark.parametrize(
    "row",
    [
        {"sku": "new", "price": 1, "mood": "strange"},
        {"sku": "new", "price": 1, "id": "no uuid"},
        {"sku": "new"},
        {"sku": "s1", "price": None},
    ],
)
def test_what_the_file_refuses_is_in_no_version(file: Path, row: dict[str, Any]) -> None:
    with Catalog.open(file, key="sku", writable=True) as catalog:
        with pytest.raises(CatalogError, match="refuses the write") as caught:
            catalog.upsert([{"sku": "s2", "price": 7}, row])
        assert str(caught.value).isprintable()
        assert (catalog.version, catalog.row_count) == (1, 4)
        assert catalog.upsert([{"sku": "s2", "price": 8}]) == 2
        assert catalog.rows_by_id([2])[0]["price"] == 8  # type: ignore[index]
    assert [price for (price,) in held(file, "price")] == [0, 1, 8, 3]


def test_writes_stay_when_the_log_is_moved_into_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("concede.catalogs.storage.durable_table.LOGGED", 2)
    log = file.with_name(f"{file.name}.wal")
    sizes = list[int]()
    with Catalog.open(file, key="sku", writable=True) as catalog:
        for price in range(1, 6):
            catalog.upsert([{"sku": "s1", "price": price}, {"sku": f"n{price}", "price": 0}])
            sizes.append(log.stat().st_size if log.exists() else 0)
    assert 0 in sizes
    assert max(sizes) > 0
    assert held(file, "sku, price") == [
        *((f"n{index}", 0) for index in range(1, 6)),
        *(("s0", 0), ("s1", 5), ("s2", 2), ("s3", 3)),
    ]


def test_versions_and_row_ids_go_on_after_opening_again(file: Path) -> None:
    with Catalog.open(file, key="sku", writable=True) as catalog:
        catalog.delete([1, 3])
        catalog.upsert([{"sku": "a", "price": 1}])
        numbers = catalog.slice(()).ids
        expected = catalog.version, catalog.row_ids(numbers), catalog.fetch(numbers)
    with Catalog.open(file, key="sku", writable=True) as catalog:
        numbers = catalog.slice(()).ids
        assert expected == (catalog.version, catalog.row_ids(numbers), catalog.fetch(numbers))
        assert catalog.row_ids(numbers) == [0, 2, 4]
        catalog.delete([4])
    with Catalog.open(file, key="sku", writable=True) as catalog:
        catalog.upsert([{"sku": "b", "price": 1}])
        # No id is given twice, not even that of a row that is gone.
        assert catalog.row_ids(catalog.slice(()).ids) == [0, 2, 5]
    reader = Catalog.open(file)
    assert (reader.name, reader.row_count, reader.columns) == ("items", 3, catalog.columns)


def test_rows_of_other_programs_get_row_ids(file: Path) -> None:
    Catalog.open(file, writable=True).close()
    with duckdb.connect(str(file)) as connection:
        connection.execute("INSERT INTO items (sku, price) VALUES ('x', 1), ('y', 2)")
    with Catalog.open(file, key="sku", writable=True) as catalog:
        assert catalog.version == 2
        assert catalog.row_ids(catalog.slice(()).ids) == [0, 1, 2, 3, 4, 5]
    with duckdb.connect(str(file)) as connection:
        connection.execute("UPDATE items SET concede_row_id = 1")
    with pytest.raises(UnreadableCatalog, match="a row id twice"):
        Catalog.open(file, writable=True)


def test_one_writer_at_a_time(file: Path) -> None:
    with Catalog.open(file, writable=True):
        for writable in (False, True):
            with pytest.raises(CatalogInUse, match="open elsewhere"):
                Catalog.open(file, writable=writable)
        code = (
            "import sys; from concede import Catalog\n"
            "for writable in (False, True):\n"
            "    try: Catalog.open(sys.argv[1], writable=writable)\n"
            "    except Exception as error: print(type(error).__name__)"
        )
        run = subprocess.run(
            [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True
        )
        assert run.stdout.split() == ["CatalogInUse"] * 2
    Catalog.open(file, writable=True).close()


def test_a_closed_catalog_answers_and_takes_nothing(file: Path) -> None:
    catalog = Catalog.open(file, key="sku", writable=True)
    catalog.close()
    catalog.close()
    assert catalog.fetch([1])[0]["price"] == 1
    for write in (lambda: catalog.upsert([{"sku": "s1", "price": 2}]), lambda: catalog.delete([1])):
        with pytest.raises(CatalogError, match="closed"):
            write()
    for source in (None, "sample:cars"):
        with pytest.raises(CatalogError, match="closed"):
            catalog.reload(source)
    assert held(file, "price")[1] == (1,)


def test_what_cannot_be_written_to(tmp_path: Path, file: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "b.duckdb").write_text("no database")
    for source in (tmp_path / "a.csv", tmp_path / "b.duckdb", pa.table({"a": [1]}), "sample:cars"):
        with pytest.raises(UnreadableCatalog):
            Catalog.open(source, writable=True)
    with pytest.raises(CatalogError, match="no table 'others'"):
        Catalog.open(file, table="others", writable=True)
    # Nothing above holds on to a lock.
    Catalog.open(file, table="items", writable=True).close()


def test_a_reload_is_kept_in_the_file_whole_or_not_at_all(file: Path) -> None:
    with Catalog.open(file, key="sku", writable=True) as catalog:
        with pytest.raises(QueryError, match="2 rows have the same"):
            catalog.reload(pa.table({"sku": ["a", "a"]}))
        assert catalog.upsert([{"sku": "s1", "price": 2}]) == 2
        assert catalog.reload(pa.table({"sku": ["a", "b"], "n": [1, 2]})) == 3
        assert catalog.upsert([{"sku": "b", "n": 3}, {"sku": "c"}]) == 4
        assert catalog.row_ids(catalog.slice(()).ids) == [4, 5, 6]
        assert catalog.reload() == 5
        assert [row["n"] for row in catalog.fetch(range(3))] == [1, 3, None]
    assert held(file) == [("a", 1), ("b", 3), ("c", None)]


def test_other_tables_of_the_file_stay_out_of_reach(file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE secrets AS SELECT 'x' AS password")
    with Catalog.open(file, table="items", key="sku", writable=True) as catalog:
        catalog.upsert([{"sku": "s1", "price": 2}])
        for schema in ("", "concede_store.", "source_database.", "shop.", "memory.main."):
            with pytest.raises(QueryError):
                catalog.query(f"SELECT * FROM {schema}secrets")


@settings(max_examples=examples(20))
@given(
    rows=first_rows(),
    writes=st.lists(keyed_rows() | st.lists(st.integers(0, 20), max_size=4), max_size=5),
)
def test_the_file_is_the_twin(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], writes: list[list[Any]]
) -> None:
    path = tmp_path_factory.mktemp("twin") / "shop.duckdb"
    given_table = table_of(rows)
    with duckdb.connect(str(path)) as connection:
        connection.from_arrow(given_table).create("items")
    twin = LiveTwin(rows)
    with Catalog.open(path, key="sku", writable=True) as catalog:
        for write in writes:
            if write and isinstance(write[0], int):
                known = [entry for entry in write if entry < twin.next_id]
                twin.delete(known)
                catalog.delete(known)
            else:
                twin.upsert(write, "sku")
                catalog.upsert(write)
        version = catalog.version
    with Catalog.open(path, key="sku", writable=True) as catalog:
        assert catalog.version == version
        assert catalog.fetch(range(catalog.row_count)) == twin.shown
        assert catalog.row_ids(range(catalog.row_count)) == twin.ids
