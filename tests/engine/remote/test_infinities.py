"""Columns of rows that stay in their database whose least or greatest value is infinite."""

import ibis
import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.query import Query
from concede.engine.repair_engine import RepairEngine
from remote_answers import same_keys

ENDLESS = float("inf")
ROWS = {
    "id": list(range(12)),
    "area": [ENDLESS, 20.5, 31.0, -ENDLESS, 44.0, None, 52.25, 61.0, ENDLESS, 75.0, 80.0, 18.0],
    "rent": pa.array([900, 450, 500, 610, -ENDLESS, 700, 820, 640, 300, 990, 1010, 250], "float"),
    "floor": [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5],
}
QUERIES = [
    {"constraints": [["area", ">=", 90], ["rent", "<=", 200], ["floor", "<=", 3]]},
    {"base": [["floor", ">=", 3]], "constraints": [["area", ">=", 79], ["rent", "<=", 300]]},
    {"base": [["floor", "==", 0]], "constraints": [["area", "<", 50], ["rent", "<", 850]]},
]


def asked(query: dict) -> Query:
    names = ("column", "op", "value")
    return Query.model_validate(
        {part: [dict(zip(names, each, strict=True)) for each in query[part]] for part in query}
    )


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("policy", ["fewest", "closest"])
def test_the_answer_is_that_of_a_copy(query: dict, policy: str) -> None:
    table = pa.table(ROWS)
    backend = ibis.duckdb.connect()
    backend.con.register("arrow_rows", table)
    backend.con.execute("CREATE TABLE flats AS FROM arrow_rows")
    remote = Catalog.open(backend.table("flats"), key="id")
    expected = RepairEngine(Catalog.open(table)).repair(asked(query), policy=policy)
    answer = RepairEngine(remote).repair(asked(query), policy=policy)
    assert expected.shifts or policy == "closest"
    assert same_keys(answer) == same_keys(expected)
