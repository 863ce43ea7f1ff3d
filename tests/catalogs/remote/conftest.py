"""The same edge rows as a file, and in each engine that is at hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import edge_rows
from concede.catalogs.catalog import Catalog
from postgres_server import PostgresServer, postgres_server

ENGINES = ("duckdb", "parquet", "postgres")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Give a running cluster; skip where there is no Postgres."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def edge_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a DuckDB file of the edge rows."""
    folder = tmp_path_factory.mktemp("edges")
    return edge_rows.duckdb_file(folder / "items.duckdb", list(edge_rows.edge_rows()))


@pytest.fixture(scope="session")
def as_file(edge_file: Path) -> Catalog:
    """Give the edge rows as a catalog in memory."""
    return Catalog.open(edge_file, table="items")


@pytest.fixture(scope="session")
def edge_table(postgres: PostgresServer) -> PostgresServer:
    """Give the cluster with the edge rows in a table `items`."""
    with postgres.connect() as connection:
        connection.execute(edge_rows.ANY_CASE)
        edge_rows.fill_postgres(connection, list(edge_rows.edge_rows()))
    return postgres


@pytest.fixture(scope="session", params=ENGINES)
def remote(request: pytest.FixtureRequest, edge_file: Path, tmp_path_factory: Any) -> Catalog:
    """Give the edge rows as a catalog that stays in an engine: in each, in turn."""
    if request.param == "postgres":
        server = request.getfixturevalue("edge_table")
        return Catalog.open(server.address(), table="items", key="id")
    if request.param == "parquet":
        folder = tmp_path_factory.mktemp("parts")
        edge_rows.parquet_folder(edge_file, folder)
        return Catalog.open(folder, key="id", name="items")
    return Catalog.open(edge_rows.ibis_table(edge_file), key="id")
