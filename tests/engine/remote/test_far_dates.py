"""Dates of Postgres that no file holds: an error that names them, never a wrong count."""

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.catalogs.query.query import Query
from concede.engine.repair_engine import RepairEngine
from postgres_server import postgres_server

FAR = ("infinity", "-infinity", "0044-03-15 BC", "20000-01-01")


@pytest.mark.slow
def test_far_dates_are_named() -> None:
    with postgres_server() as server:
        for place, far in enumerate(FAR):
            table = f"far_{place}"
            server.run(
                f"CREATE TABLE {table} (id bigint PRIMARY KEY, day date, places int)",
                f"INSERT INTO {table} VALUES (1, '{far}', 1), (2, '2024-05-05', 5)",
                f"GRANT SELECT ON {table} TO reader",
            )
            catalog = Catalog.open(server.address(), table=table, key="id")
            asked = {"column": "places", "op": "==", "value": 1}
            with pytest.raises(QueryError, match=f"too (small|large) .*'{far}'"):
                RepairEngine(catalog).repair(Query.model_validate({"constraints": [asked]}))
            catalog.close()
