"""Decimals of Postgres that have no digits said, or too many, are read as doubles."""

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.query import Query
from concede.engine.repair_engine import RepairEngine
from postgres_server import postgres_server
from remote_answers import same_keys

PRICES = ("19.99", "0.1", "20", "NaN", "1234567890123456789.125", None, "-0.5", "19.990")
QUERIES = (
    [["price", "<", 19.99], ["size", "==", 40], ["price", ">", 0.1]],
    [["price", "==", 20], ["size", ">=", 43], ["weight", "<=", 0.25]],
    [["price", "between", [0.05, 19.99]], ["size", "<", 41], ["weight", ">", 2]],
)


@pytest.mark.slow
def test_the_answer_is_that_of_a_copy_with_doubles() -> None:
    """NaN is NULL, and SQL counts what the answer says."""
    rows = [(at, price, 40 + at % 5, at / 8) for at, price in enumerate(PRICES * 3)]
    known = [None if price in (None, "NaN") else float(price) for _, price, _, _ in rows]
    file = Catalog.open(
        pa.table(
            {
                "id": [row[0] for row in rows],
                "price": pa.array(known, pa.float64()),
                "size": [row[2] for row in rows],
                "weight": [row[3] for row in rows],
            }
        )
    )
    with postgres_server() as server:
        server.run(
            "CREATE TABLE shoes "
            "(id int PRIMARY KEY, price numeric, size int, weight numeric(60, 5))",
            "GRANT SELECT ON shoes TO reader",
        )
        with server.connect() as connection:
            connection.cursor().executemany("INSERT INTO shoes VALUES (%s, %s, %s, %s)", rows)
        remote = Catalog.open(server.address(), table="shoes", key="id")
        for constraints in QUERIES:
            names = ("column", "op", "value")
            listed = [dict(zip(names, each, strict=True)) for each in constraints]
            query = Query.model_validate({"constraints": listed})
            expected, answer = (RepairEngine(each).repair(query) for each in (file, remote))
            assert same_keys(answer) == same_keys(expected)
            with server.connect() as connection:
                for repair in answer.repairs:
                    assert len(connection.execute(repair.sql.encode()).fetchall()) == repair.count
        remote.close()
