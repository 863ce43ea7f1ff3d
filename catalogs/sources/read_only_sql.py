"""Run SQL of a caller: exactly one SELECT, in a read-only transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from ..errors import QueryError
from ..json_values import Row, plain

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def rows_of_select(cursor: DuckDBPyConnection, sql: str) -> list[Row]:
    """Return the rows of one SELECT; raise `QueryError` for anything else."""
    try:
        _check_read_only(cursor, sql)
        # A SELECT may hold an INSERT; the transaction refuses it.
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        cursor.execute(sql)
        names = [str(described[0]) for described in cursor.description or []]
        rows = cursor.fetchall()
    except duckdb.Error as error:
        raise QueryError(str(error).splitlines()[0]) from None
    return [dict(zip(names, map(plain, row), strict=True)) for row in rows]


def _check_read_only(connection: DuckDBPyConnection, sql: str) -> None:
    kinds = [statement.type for statement in connection.extract_statements(sql)]
    if kinds not in ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN]):
        listed = ", ".join(kind.name for kind in kinds) or "nothing"
        raise QueryError(f"only one SELECT runs here, not {listed}", hint="give one SELECT")
