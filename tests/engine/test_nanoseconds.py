"""Nanoseconds are rounded to microseconds; every count is what the SQL shown counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from concede import Catalog, Constraint, Query, RepairEngine
from concede.catalogs.query.predicate import literal
from concede.solvers.registry import solver_names

CELLS = ["2024-01-01 00:00:00.000000005", "2024-01-02", "2024-01-01 00:00:00.000000999"]
ASKED = [
    # operator, value, rows that meet it
    *(("<=", "2023-12-31", 0), (">=", "2024-01-03", 0), ("==", "2023-06-01", 0)),
    *(("<=", "9999-12-31", 3), (">", "9999-12-31", 0), ("<", "0001-01-01", 0)),
    *(("==", "2024-01-01T00:00:00.000001", 1), ("!=", "9999-12-31", 3), ("is null", None, 1)),
    *(("between", ["2020-01-01", "2021-01-01"], 0), ("between", ["2030-01-01", "2031-01-01"], 0)),
    *(("in", ["2024-01-02", "9999-12-31"], 1), ("not in", ["2024-01-02", "9999-12-31"], 2)),
]


@pytest.fixture(scope="module", params=["items.parquet", "items.duckdb", "folder/1.parquet"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("moments") / request.param
    path.parent.mkdir(exist_ok=True)
    listed = ", ".join(
        f"({place}, {literal(cell)}::TIMESTAMP_NS)" for place, cell in enumerate(CELLS)
    )
    select = f"SELECT * FROM (VALUES {listed}, (9, NULL)) AS t (id, ready)"
    with duckdb.connect(path if path.suffix == ".duckdb" else ":memory:") as connection:
        connection.execute(f"CREATE TABLE items AS {select}")
        if path.suffix == ".parquet":
            connection.table("items").write_parquet(str(path))
    return path


@pytest.fixture(scope="module")
def catalog(path: Path) -> Catalog:
    return Catalog.open(path.parent, key="id") if path.name == "1.parquet" else Catalog.open(path)


def own_rows(path: Path, sql: str) -> list[Any]:
    """Return what a query gives of the file itself."""
    with duckdb.connect(path if path.suffix == ".duckdb" else ":memory:") as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("policy", ["fewest", "closest"])
@pytest.mark.parametrize(("op", "value", "count"), ASKED)
def test_counts(path: Path, catalog: Catalog, policy: str, op: str, value: Any, count: int) -> None:
    query = Query(constraints=[Constraint(column="ready", op=op, value=value)])
    answer = RepairEngine(catalog).repair(query, policy=policy)
    assert bool(answer.relaxed) == (not count)
    assert answer.count == len(own_rows(path, answer.sql)) > 0
    for repair in (*answer.repairs, *answer.shifts):
        assert repair.count == len(own_rows(path, repair.sql)) > 0
    names = ["bitset"] if catalog.snapshot().is_remote else solver_names()
    for name in names:
        engine = RepairEngine(catalog, solver=name)
        assert engine.check(query).count == count
        assert engine.check(Query(base=query.constraints, constraints=[])).count == count
