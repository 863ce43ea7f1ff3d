"""Values of a result as the doubles that a catalog in memory holds of them.

DuckDB makes them, as it does when a column is copied: its casts of long decimals are not Python's.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import duckdb

_local = threading.local()


def doubles_of(values: Sequence[Any], sql_type: str) -> list[float | None]:
    """Return values of a column type as doubles, dates in seconds since 1970."""
    value = f"CAST(? AS {sql_type})"
    if sql_type.startswith(("DATE", "TIMESTAMP")):
        value = f"epoch({value})"
    if not values:
        return []
    if not hasattr(_local, "connection"):
        # One a thread: making one takes longer than all else here.
        _local.connection = duckdb.connect(":memory:")
    listed = ", ".join(f"CAST({value} AS DOUBLE)" for _ in values)
    row = _local.connection.execute(f"SELECT {listed}", list(values)).fetchone()
    return list(row or ())
