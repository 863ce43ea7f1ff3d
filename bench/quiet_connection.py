"""A DuckDB connection in memory without progress bar, which would write to standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def quiet_connection() -> DuckDBPyConnection:
    """Return a connection to an empty database in memory; a context manager."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    return connection
