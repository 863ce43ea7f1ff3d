"""The same rows in a file, and where they stay: a Parquet folder, a table of Ibis, Postgres."""

from collections.abc import Iterator
from typing import Any

import ibis
import pytest

from concede.catalogs.catalog import Catalog
from postgres_server import postgres_server
from remote_cases import TYPES, made_rows, written_parquet
from remote_rows import COST, ROWS, SEED, Rows, parquet_folder

POSTGRES_TYPES = {"FLOAT": "real", "DOUBLE": "double precision"}


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Give the rows, and a file of them in the order of their key."""
    path = tmp_path_factory.mktemp("file") / "items.parquet"
    values = made_rows(ROWS, SEED)
    written_parquet(values, str(path))
    return Rows(values, path)


@pytest.fixture(scope="session")
def in_memory(rows: Rows) -> Catalog:
    """Give the file as a catalog."""
    return Catalog.open(rows.path, cost_column=COST)


def ibis_table(rows: Rows) -> Any:
    """Return a table of DuckDB with the rows, in no order."""
    backend = ibis.duckdb.connect()
    backend.con.execute(f"CREATE TABLE items AS FROM '{rows.path}' ORDER BY hash(id)")
    return backend.table("items")


def fill_postgres(connection: Any, rows: Rows) -> None:
    """Make a table whose texts another alphabet sorts, and fill it from its last row on."""
    columns = ", ".join(
        f"{name} {POSTGRES_TYPES.get(kind, kind)}"
        + (' COLLATE "en-x-icu"' if kind == "VARCHAR" else "")
        for name, kind in TYPES.items()
    )
    connection.execute(f"CREATE TABLE items ({columns}, PRIMARY KEY (id))")
    with connection.cursor().copy("COPY items FROM STDIN") as copy:
        for row in reversed(rows.values):
            copy.write_row(row)
    connection.execute("GRANT SELECT ON items TO reader")


@pytest.fixture(scope="session")
def address(rows: Rows) -> Iterator[str]:
    """Give the address of a database whose sessions live in another zone."""
    with postgres_server() as server:
        with server.connect() as connection:
            fill_postgres(connection, rows)
        yield server.address()


@pytest.fixture(scope="session", params=("folder", "ibis", "postgres"))
def remote(
    request: pytest.FixtureRequest, rows: Rows, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Catalog]:
    """Give the rows as a catalog that stays where it is: in each engine, in turn."""
    if request.param == "postgres":
        address = request.getfixturevalue("address")
        catalog = Catalog.open(address, table="items", key="id", cost_column=COST)
    elif request.param == "folder":
        folder = parquet_folder(rows, tmp_path_factory.mktemp("parts"))
        catalog = Catalog.open(folder, key="id", cost_column=COST)
    else:
        catalog = Catalog.open(ibis_table(rows), key="id", cost_column=COST)
    yield catalog
    catalog.close()
