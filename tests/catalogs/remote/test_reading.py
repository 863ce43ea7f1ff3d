"""What is read of a remote catalog beside constraints: columns, profiles, ends, rows."""

import subprocess
import sys
from pathlib import Path

import ibis
import pytest

import edge_rows
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, CatalogError, UnknownColumn
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.predicate import Predicate

ORDERED = ("small", "n", "big", "price", "fine", "single", "double", "day", "at", "seen")


def test_the_columns_are_those_of_a_file(as_file: Catalog, remote: Catalog):
    assert remote.schema == as_file.schema
    assert remote.columns == as_file.columns
    assert remote.cost_column == as_file.cost_column == "price"
    assert remote.row_count == as_file.row_count
    assert remote.name == as_file.name
    assert (remote.row_id, remote.version) == ("id", None)


def test_profiles_are_those_of_a_file_and_take_two_statements(as_file: Catalog, remote: Catalog):
    snapshot = remote.snapshot()
    before = snapshot.statements
    profiles = remote.profiles()
    assert profiles == as_file.profiles()
    assert snapshot.statements - before <= 2
    assert [remote.profile(name) for name in remote.columns] == profiles
    assert snapshot.statements - before <= 2


@pytest.mark.parametrize("column", ["Name", "ok", "n", "fine", "day", "seen"])
def test_distinct_values_are_those_of_a_file(as_file: Catalog, remote: Catalog, column: str):
    assert remote.values(column) == as_file.values(column)
    assert remote.values(column, 3) == as_file.values(column, 3)
    if column == "Name":
        assert sorted(remote.snapshot().texts(column)) == sorted(as_file.snapshot().texts(column))


def test_ends_are_those_of_a_file_in_one_statement(as_file: Catalog, remote: Catalog):
    snapshot = remote.snapshot()
    before = snapshot.statements
    ends = snapshot.ends(ORDERED)
    assert snapshot.statements == before + 1
    assert ends == {name: as_file.snapshot().ends(name) for name in ORDERED}


def test_ends_of_some_rows_are_those_of_the_base_slice(as_file: Catalog, remote: Catalog):
    constraints = [
        Constraint(column="n", op=">", value=0),
        Constraint(column="Name", op="ilike", value="%a%"),
    ]
    base = as_file.base_slice([as_file.bind(constraint) for constraint in constraints])
    predicates = [remote.bind(constraint) for constraint in constraints]
    ends = remote.snapshot().ends(ORDERED, predicates)
    assert ends == {name: base.ends(name) for name in ORDERED}
    nothing: list[Predicate] = [remote.bind(Constraint(column="n", op=">", value=10**12))]
    assert set(remote.snapshot().ends(ORDERED, nothing).values()) == {None}


def test_rows_by_key_are_those_of_a_file(as_file: Catalog, remote: Catalog):
    rows = {row["id"]: row for row in as_file.fetch(range(as_file.row_count))}
    keys = [*list(rows)[::-3], 10**30, -(10**30), 5_000, -50, -50]
    snapshot = remote.snapshot()
    before = snapshot.statements
    found = remote.rows_by_id(keys)
    assert snapshot.statements == before + 1
    assert repr(found) == repr([rows.get(key) for key in keys])
    assert snapshot.fetch([-50], ["Name"]) == [{"Name": rows[-50]["Name"]}]
    assert snapshot.fetch([]) == []


def test_the_select_runs_on_the_engine_and_finds_the_rows(remote: Catalog):
    snapshot = remote.snapshot()
    constraints = [
        Constraint(column="Name", op="ilike", value="%a%"),
        Constraint(column="double", op="<", value=4.8),
        Constraint(op="sql", value="n > 3 OR small < 5", nulls="match"),
    ]
    predicates = [snapshot.bind(constraint) for constraint in constraints]
    text = snapshot.select_text(predicates)
    schema = snapshot.table.schema().to_pyarrow()
    found = snapshot.sessions.run(text, schema).column("id").to_pylist()
    assert len(found) == snapshot.count(predicates) > 0


def test_what_needs_rows_in_memory_is_refused(remote: Catalog):
    predicate = remote.bind(Constraint(column="n", op=">", value=0))
    for read in (lambda: remote.rows(predicate), lambda: remote.cursor(), lambda: remote.warm()):
        with pytest.raises(CatalogError, match="not in memory"):
            read()
    with pytest.raises(CatalogError, match="ask the engine"):
        remote.query("SELECT 1")


def test_writes_are_refused(remote: Catalog):
    writes = [
        lambda: remote.upsert([{"id": 1}]),
        lambda: remote.delete([1]),
        lambda: remote.reload(),
        lambda: remote.compact(),
    ]
    for write in writes:
        with pytest.raises(CatalogError):
            write()


def test_names_are_found_whatever_their_case(remote: Catalog):
    predicate = remote.bind(Constraint(column="NAME", op="==", value="Ada"))
    assert predicate.columns == ("Name",)
    with pytest.raises(UnknownColumn, match="Name"):
        remote.bind(Constraint(column="Nme", op="==", value="Ada"))


def test_a_hidden_column_is_not_read_at_all(edge_file: Path):
    table = edge_rows.ibis_table(edge_file)
    catalog = Catalog.open(table, key="id", hidden=["price", "note"])
    assert "price" not in catalog.columns
    assert "price" not in catalog.snapshot().select_text([])
    with pytest.raises(UnknownColumn):
        catalog.bind(Constraint(column="price", op=">", value=1))
    with pytest.raises(BadConstraint, match="hidden"):
        Catalog.open(table, key="id", hidden=["id"])


@pytest.mark.parametrize(
    ("key", "problem"),
    [("Name", "whole numbers"), ("small", "rows have none"), ("twice", "the key of another")],
)
def test_a_key_is_a_unique_whole_number(edge_file: Path, key: str, problem: str):
    table = edge_rows.ibis_table(edge_file)
    table = table.mutate(twice=table.id // 6)
    with pytest.raises(BadConstraint, match=problem):
        Catalog.open(table, key=key)


def test_a_key_that_was_not_checked_in_time_fails_where_it_names_two_rows(
    edge_file: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("concede.catalogs.remote.key_check.CHECK_SECONDS", 0.0)
    table = edge_rows.ibis_table(edge_file)
    table = table.mutate(twice=(table.id // 6).cast("int64"))
    catalog = Catalog.open(table, key="twice")
    with pytest.raises(BadConstraint, match="several rows"):
        catalog.rows_by_id([1, 2])


def test_options_that_need_the_rows_are_refused(edge_file: Path, tmp_path: Path):
    table = edge_rows.ibis_table(edge_file)
    with pytest.raises(CatalogError, match="key"):
        Catalog.open(table)
    with pytest.raises(CatalogError, match="not written to"):
        Catalog.open(table, key="id", writable=True)
    with pytest.raises(BadConstraint, match="as its database has it"):
        Catalog.open(table, key="id", columns={"n": {"kind": "text"}})
    with pytest.raises(CatalogError, match="without Parquet"):
        Catalog.open(tmp_path, key="id")


def test_other_types_are_asked_for_null_alone(edge_file: Path):
    table = edge_rows.ibis_table(edge_file)
    raw = ibis.ifelse(table.Name.isnull(), ibis.null("binary"), ibis.literal(b"ab"))
    table = table.mutate(raw=raw, clock=table["at"].time())
    catalog = Catalog.open(table, key="id")
    snapshot = catalog.snapshot()
    known = snapshot.bind(Constraint(column="raw", op="is not null"))
    assert snapshot.count([known]) == 192
    for name in ("raw", "clock"):
        with pytest.raises(BadConstraint):
            catalog.bind(Constraint(column=name, op="==", value="x"))
    with pytest.raises(BadConstraint, match="only NULL"):
        catalog.bind(Constraint(op="sql", value="raw = 'x'"))
    assert isinstance(snapshot.fetch([-50])[0]["clock"], str)


NO_IBIS = """
import sys
from concede.catalogs.catalog import Catalog
from concede.engine.repair_engine import RepairEngine
from concede.catalogs.query.query import Query
catalog = Catalog.open("sample:cars")
RepairEngine(catalog).repair(Query.model_validate({"constraints": [
    {"column": "year", "op": ">", "value": 3000}]}))
import concede.interfaces.cli.main
loaded = [name for name in ("ibis", "psycopg", "pyarrow", "pyspark") if name in sys.modules]
sys.exit(f"imported: {loaded}" if loaded else 0)
"""


def test_ibis_is_not_imported_without_a_remote_catalog():
    done = subprocess.run(
        [sys.executable, "-c", NO_IBIS], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
