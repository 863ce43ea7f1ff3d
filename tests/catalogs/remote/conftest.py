"""One Postgres cluster for all tests of remote catalogs."""

from collections.abc import Iterator

import pytest

from postgres_server import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Give a running cluster; skip where there is no Postgres."""
    with postgres_server() as server:
        yield server
