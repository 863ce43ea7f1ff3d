"""What DuckDB would make of an expression: its type, and its value where it reads no column.

An empty table with the catalog's columns answers, so that no rule of DuckDB's types is written
down a second time. About a millisecond an expression.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import duckdb

from ..errors import QueryError
from ..query.predicate import Slot, quoted
from ..query.schema import Schema
from .engines import OTHER

Parts = Sequence[str | Slot]


class TypeOracle:
    """Types and constants of expressions over one schema; safe across threads."""

    def __init__(self, schema: Schema) -> None:
        self._connection = duckdb.connect(":memory:")
        self._connection.execute("SET enable_external_access = false")
        self._lock = threading.Lock()
        listed = ", ".join(
            f"{quoted(column.name)} {'VARCHAR' if column.sql_type == OTHER else column.sql_type}"
            for column in schema.columns
        )
        self._connection.execute(f"CREATE TABLE items ({listed})")

    def types(self, expressions: Sequence[Parts]) -> list[str]:
        """Return the types of expressions; raise `QueryError` for what DuckDB cannot type."""
        if not expressions:
            return []
        listed = ", ".join(f"{_text(parts)} AS c{i}" for i, parts in enumerate(expressions))
        values = [part.value for parts in expressions for part in parts if isinstance(part, Slot)]
        rows = self._rows(f"DESCRIBE SELECT {listed} FROM items", values)
        return [str(row[1]).upper() for row in rows]

    def constant(self, parts: Parts, sql_type: str | None = None) -> Any:
        """Return the value of an expression without columns, cast to a type where one is given."""
        text = _text(parts) if sql_type is None else f"CAST({_text(parts)} AS {sql_type})"
        values = [part.value for part in parts if isinstance(part, Slot)]
        return self._rows(f"SELECT {text}", values)[0][0]

    def _rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, list(values)).fetchall()
            except duckdb.Error as error:
                raise QueryError(
                    f"the catalog cannot evaluate this: {str(error).splitlines()[0]}",
                    hint="check the types the expression compares",
                ) from None


def _text(parts: Parts) -> str:
    return "".join(part if isinstance(part, str) else "?" for part in parts)
