"""Encode Python values of a column: arrays that DuckDB reads, and the doubles kept in memory.

Whole numbers and doubles without NULL go as they are; everything else as text, which DuckDB casts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from ..errors import QueryError
from ..query.far_dates import EPOCH
from ..query.schema import Column
from ..vectors.column_store import MAX_DECIMAL_WIDTH
from ..vectors.column_vectors import MAX_EXACT, SECONDS_A_DAY, Numbers

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

GIVEN = "concede_given"
"""The relation of the rows given, in SQL."""


def duckdb_array(values: Sequence[Any], column: Column) -> NDArray[Any]:
    """Return values that the column holds, None for NULL, as an array that DuckDB reads.

    Numbers are sent as they are where none is NULL, and everything else as text.
    """
    if column.sql_type in ("BIGINT", "INTEGER", "DOUBLE") and None not in values:
        return np.array(values, dtype=np.float64 if column.sql_type == "DOUBLE" else np.int64)
    return np.array([None if value is None else _text(value) for value in values], dtype=object)


@contextmanager
def registered(
    connection: DuckDBPyConnection, columns: Mapping[str, NDArray[Any]]
) -> Generator[DuckDBPyConnection]:
    """Yield a cursor for which these columns are the relation `GIVEN`.

    Raises `QueryError` for what DuckDB cannot make of them.
    """
    cursor = connection.cursor()
    try:
        cursor.register(GIVEN, dict(columns))
        yield cursor
    except duckdb.Error as error:
        raise QueryError(f"the rows cannot be written: {str(error).splitlines()[0]}") from None
    finally:
        cursor.close()


def _text(value: Any) -> str:
    if isinstance(value, list):
        return json.dumps(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def duckdb_cast(name: str, column: Column) -> str:
    """Return the expression that casts the array `name` (`duckdb_array`) to the column's type."""
    if column.family in ("unknown", "other"):
        # These hold what cannot be written.
        return "NULL"
    if column.family == "list":
        return f"CAST(CAST({name} AS JSON) AS {column.sql_type})"
    return f"CAST({name} AS {column.sql_type})"


def encode_float64(values: Sequence[Any], column: Column) -> Numbers | None:
    """Return values of an ordered column as its copy has them, NaN for NULL.

    None where a double does not say which value it is, and only DuckDB knows which it makes.
    """
    if column.sql_type == "DATE":
        days = [None if day is None else (day - EPOCH).days for day in values]
        return np.array(days, dtype=np.float64) * SECONDS_A_DAY
    if column.sql_type == "DOUBLE":
        return np.array(values, dtype=np.float64)
    if column.sql_type == "FLOAT":
        return np.array(values, dtype=np.float32).astype(np.float64)
    if not (column.is_integer or _is_short_decimal(column)):
        return None
    numbers = np.array(values, dtype=np.float64)
    return None if (np.abs(numbers) >= MAX_EXACT).any() else numbers


def _is_short_decimal(column: Column) -> bool:
    width = re.match(r"DECIMAL\((\d+),", column.sql_type)
    return width is not None and int(width[1]) <= MAX_DECIMAL_WIDTH
