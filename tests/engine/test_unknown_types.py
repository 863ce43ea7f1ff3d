"""Columns without any value fit every question, and nothing satisfies it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from concede import Catalog, Constraint, Query, RepairEngine, Status

ASKED = [
    Constraint(column="x", op=">", value=5),
    Constraint(column="x", op="between", value=["a", "b"]),
    Constraint(column="x", op="like", value="%"),
    Constraint(column="x", op="==", value=True),
    Constraint(column="x", op="in", value=[1, 2.5]),
]


@pytest.mark.parametrize("solver", ["bitset", "sql", "z3", "brute"])
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_column_of_nulls(asked: Constraint, solver: str) -> None:
    catalog = Catalog.open(pa.table({"x": pa.nulls(3), "y": [1, 2, 3]}))
    query = Query(constraints=[asked, Constraint(column="y", op=">", value=2)])
    answer = RepairEngine(catalog, solver=solver).repair(query)
    assert (answer.conflicts, answer.count) == ((frozenset({0}),), 1)
    matching = Constraint.model_validate(asked.record() | {"nulls": "match"})
    check = RepairEngine(catalog, solver=solver).check(Query(constraints=[matching]))
    assert check.count == 3


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_file_with_only_a_header(tmp_path: Path, asked: Constraint) -> None:
    path = tmp_path / "header.csv"
    path.write_text("x,y\n")
    answer = RepairEngine(Catalog.open(path)).repair(Query(constraints=[asked]))
    assert answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION
    assert "no rows" in answer.explanation
    assert duckdb.sql(answer.sql).fetchall() == []
