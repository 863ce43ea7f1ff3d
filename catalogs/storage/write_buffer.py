"""Write buffer, flushed to DuckDB on the first SQL read that needs it, or at 65,536 rows.

To mark rows as removed DuckDB reads the whole table, for one write as for a hundred: 20 ms at 10⁶
rows. Most questions are answered from memory and never read the table.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..query.predicate import quoted
from ..query.schema import Schema
from .duckdb_values import duckdb_cast
from .write_batch import MAX_WRITES, NEVER, MergedWrites, WriteBatch, merged

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_ROWS = 1 << 16
"""The most rows buffered, but for those of one write."""

ADDED = "concede_added"
REMOVED = "concede_removed"


class WriteBuffer:
    """The writes that a table does not have yet; safe across threads.

    `relation` has a column of row ids and two of versions, all quoted: those that added and
    removed a row.
    """

    def __init__(
        self, relation: str, row_id: str, version_columns: tuple[str, str], schema: Schema
    ) -> None:
        self._relation, self._row_id, self._version_columns = relation, row_id, version_columns
        self._schema = schema
        self._writes: tuple[WriteBatch, ...] = ()
        self._lock = threading.Lock()

    def add(self, write: WriteBatch, connection: DuckDBPyConnection) -> None:
        """Buffer a write; flush if that makes too many."""
        with self._lock:
            self._writes = (*self._writes, write)
            rows = sum(len(batch.row_ids) + len(batch.removed) for batch in self._writes)
            is_full = rows > MAX_ROWS or len(self._writes) >= MAX_WRITES
        if is_full:
            self.flush(write.version, connection)

    def flush(self, version: int, connection: DuckDBPyConnection) -> None:
        """Put the writes into the table, unless they are all of later versions."""
        if not self._writes or self._writes[0].version > version:
            return
        with self._lock:
            if self._writes:
                # A cursor of its own: whoever asked may be interrupted, the write may not.
                cursor = connection.cursor()
                try:
                    self._write(cursor, self._writes)
                finally:
                    cursor.close()
                self._writes = ()

    def _write(self, cursor: DuckDBPyConnection, writes: tuple[WriteBatch, ...]) -> None:
        names = [
            name for name in self._schema.names if any(name in batch.columns for batch in writes)
        ]
        together = merged(writes, names)
        cursor.execute("BEGIN TRANSACTION")
        if len(together.gone):
            self._mark_removed(cursor, together)
        if len(together.row_ids):
            self._insert(cursor, together, names)
        cursor.execute("COMMIT")

    def _mark_removed(self, cursor: DuckDBPyConnection, writes: MergedWrites) -> None:
        cursor.register(REMOVED, {"id": writes.gone, "version": writes.gone_with})
        removed = self._version_columns[1]
        cursor.execute(
            f"UPDATE {self._relation} AS t SET {removed} = g.version FROM {REMOVED} AS g "
            f"WHERE t.{self._row_id} = g.id AND t.{removed} = {NEVER}"
        )

    def _insert(self, cursor: DuckDBPyConnection, writes: MergedWrites, names: list[str]) -> None:
        """Add the rows that come, whose values may be those of rows marked before."""
        arrays: dict[str, NDArray[Any]] = {
            "id": writes.row_ids,
            "added": writes.added,
            "removed": writes.removed,
            "before": writes.before,
        }
        expressions: list[str] = []
        keeps = writes.keeps or (len(names) < len(self._schema.columns))
        for place, column in enumerate(self._schema.columns):
            kept = f"o.{quoted(column.name)}" if keeps else "NULL"
            if column.name not in writes.columns:
                expressions.append(kept)
                continue
            batch = writes.columns[column.name]
            arrays[f"v{place}"] = batch.values
            expression = duckdb_cast(f"c.v{place}", column)
            if not batch.given.all():
                arrays[f"g{place}"] = batch.given
                expression = f"CASE WHEN c.g{place} THEN {expression} ELSE {kept} END"
            expressions.append(expression)
        cursor.register(ADDED, arrays)
        added, removed = self._version_columns
        columns = ", ".join((self._row_id, *map(quoted, self._schema.names), added, removed))
        before = (
            f"LEFT JOIN {self._relation} AS o ON o.{self._row_id} = c.id "
            f"AND o.{removed} = c.before AND c.before <> {NEVER}"
        )
        cursor.execute(
            f"INSERT INTO {self._relation} ({columns}) SELECT c.id, {', '.join(expressions)}, "
            f"c.added, c.removed FROM {ADDED} AS c {before if keeps else ''}"
        )
