"""Tables of a database file with several schemas: which of them is read, written and named."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from concede import Catalog, UnknownTable

TABLES = [
    ("t", "t", 1, '"t"'),
    ("main.t", "t", 1, '"t"'),
    ("zzz.t", "zzz.t", 2, '"zzz"."t"'),
    ("only", "only", 3, '"zzz"."only"'),
    ("zzz.only", "only", 3, '"zzz"."only"'),
    ("view", "view", 4, '"zzz"."view"'),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT 1 AS a; CREATE SCHEMA zzz; CREATE TABLE zzz.t AS SELECT 2 AS "
            "a; CREATE TABLE zzz.only AS SELECT 3 AS a; CREATE VIEW zzz.view AS SELECT 4 AS a"
        )
    return path


@pytest.mark.parametrize(("table", "name", "cell", "relation"), TABLES)
def test_a_table_is_read_and_named_as_it_is_in_its_schema(
    path: Path, table: str, name: str, cell: int, relation: str
) -> None:
    catalog = Catalog.open(path, table=table)
    for _ in range(2):
        sql = catalog.select_text([])
        assert (catalog.name, sql) == (name, f"SELECT *\nFROM {relation}")
        assert catalog.query(sql) == [{"a": cell}]
        with duckdb.connect(str(path), read_only=True) as connection:
            assert connection.sql(sql).fetchall() == [(cell,)]
        catalog.reload()


@pytest.mark.parametrize(("table", "name", "cell"), [row[:3] for row in TABLES[:5]])
def test_a_table_is_written_in_its_schema(path: Path, table: str, name: str, cell: int) -> None:
    with Catalog.open(path, table=table, key="a", writable=True) as catalog:
        catalog.upsert([{"a": 9}])
        assert catalog.reload(path, table=table) == 3
        assert catalog.name == name
        assert catalog.query(catalog.select_text([])) == [{"a": cell}, {"a": 9}]
    assert Catalog.open(path, table=table).row_count == 2
    others = {row[1] for row in TABLES} - {name}
    assert all(Catalog.open(path, table=other).row_count == 1 for other in others)


def test_tables_are_listed_by_the_names_they_are_asked_for_by(path: Path) -> None:
    for table in (None, "nope"):
        with pytest.raises(UnknownTable) as caught:
            Catalog.open(path, table=table)
        assert caught.value.tables == ("t", "only", "zzz.t", "view")


def test_a_table_is_not_written_in_the_place_of_a_view_of_its_name(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP TABLE t; CREATE VIEW t AS SELECT 1 AS a")
    with pytest.raises(UnknownTable) as caught:
        Catalog.open(path, table="t", writable=True)
    assert caught.value.tables == ("only", "zzz.t")


def test_two_schemas_beside_main_share_no_name(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for schema in ("a", "b"):
            connection.execute(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.t AS SELECT 1 AS a")
    with pytest.raises(UnknownTable) as caught:
        Catalog.open(path, table="t")
    assert caught.value.tables == ("a.t", "b.t")
