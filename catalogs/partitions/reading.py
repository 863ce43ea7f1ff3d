"""How a column is read where it lies: as in a catalog that is copied, and NaN as NULL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from ..sources.loading import usual_reading, without_nan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SETTINGS = (
    # Nothing is fetched from the network, and no caller's variable passes for a table.
    "autoinstall_known_extensions = false",
    "GLOBAL python_enable_replacements = false",
    "enable_progress_bar = false",
)


def connected() -> DuckDBPyConnection:
    """Return a DuckDB in memory that reads files."""
    connection = duckdb.connect(":memory:")
    for setting in SETTINGS:
        connection.execute(f"SET {setting}")
    return connection


def read_as(name: str, sql_type: str) -> str:
    """Return the expression by which a column, in quotes, of this type is read."""
    expression, kind = usual_reading(name, sql_type)
    return without_nan(expression) if kind in ("FLOAT", "DOUBLE") else expression
