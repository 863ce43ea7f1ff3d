"""Lists of numbers or moments, such as embeddings: only NULL can be asked of them."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from concede import BadConstraint, Catalog, Constraint, Query, RepairEngine
from concede.solvers.registry import solver_names

TYPES = ["FLOAT[]", "FLOAT[2]", "DOUBLE[]", "DECIMAL(4,1)[]", "TIMESTAMP[]", "TIMESTAMP_NS[2]"]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path: Path = tmp_path_factory.mktemp("lists") / "items.duckdb"
    cells = ["'inf', 'nan'"] * 3 + ["'1.5', '2'"] + ["'2024-01-01', 'infinity'"] * 2
    listed = [f"[{cell}]::{kind}" for cell, kind in zip(cells, TYPES, strict=True)]
    columns = [f'"{kind}" {kind}' for kind in TYPES]
    with duckdb.connect(path) as connection:
        connection.execute(f"CREATE TABLE items (price INTEGER, {', '.join(columns)})")
        connection.execute(f"INSERT INTO items VALUES (9, {', '.join(listed)})")
        connection.execute("INSERT INTO items (price) VALUES (3)")
    return Catalog.open(path)


def test_they_leave_the_rest_of_a_catalog_alone(catalog: Catalog) -> None:
    catalog.warm()
    for kind in TYPES:
        assert json.dumps(catalog.profile(kind).record(), allow_nan=False)
        assert not catalog.schema.find(kind).ordered
    answer = RepairEngine(catalog).repair(Query(constraints=[]))
    assert json.loads(answer.to_json())["count"] == 2


@pytest.mark.parametrize("solver", solver_names())
@pytest.mark.parametrize("kind", TYPES)
def test_null_can_be_asked(catalog: Catalog, kind: str, solver: str) -> None:
    constraints = [
        Constraint(column=kind, op="is not null"),
        Constraint(column="price", op="<", value=5),
    ]
    answer = RepairEngine(catalog, solver=solver).repair(Query(constraints=constraints))
    assert answer.conflicts == (frozenset({0, 1}),)
    assert answer.count == len(catalog.query(answer.sql)) == 1


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    ("op", "value"),
    [("==", 1), ("<=", 5), ("between", [1, 2]), ("in", ["2024-01-01"]), ("contains", "a")],
)
def test_nothing_else_can(catalog: Catalog, kind: str, op: str, value: object) -> None:
    asked = Constraint.model_validate({"column": kind, "op": op, "value": value})
    with pytest.raises(BadConstraint) as refused:
        RepairEngine(catalog).repair(Query(constraints=[asked]))
    assert f"{kind!r}" in str(refused.value)
