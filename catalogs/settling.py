"""Writes that wait until somebody reads by SQL, and then are put into DuckDB's table at one go.

To mark the rows that go, DuckDB reads the whole table, for one write as for a hundred: 20 ms at
10⁶ rows. Most questions are answered from memory and never see the table.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from .columns import Schema
from .predicate import quoted
from .sending import sent_as
from .written_rows import MAX_WRITES, NEVER, Merged, Written, merged

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_ROWS = 1 << 16
"""So many rows wait at most, but for those of one write."""

COMING = "concede_coming"
GOING = "concede_going"


class Waiting:
    """The writes that a table does not have yet; safe across threads.

    `relation` has a column of row ids and two of marks, all quoted: the versions that added and
    removed a row.
    """

    def __init__(self, relation: str, row_id: str, marks: tuple[str, str], schema: Schema) -> None:
        self._relation, self._row_id, self._marks = relation, row_id, marks
        self._schema = schema
        self._writes: tuple[Written, ...] = ()
        self._lock = threading.Lock()

    def add(self, write: Written, connection: DuckDBPyConnection) -> None:
        """Let a write wait."""
        with self._lock:
            self._writes = (*self._writes, write)
            rows = sum(len(one.row_ids) + len(one.removed) for one in self._writes)
            is_much = rows > MAX_ROWS or len(self._writes) >= MAX_WRITES
        if is_much:
            self.settle(write.version, connection)

    def settle(self, version: int, connection: DuckDBPyConnection) -> None:
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

    def _write(self, cursor: DuckDBPyConnection, writes: tuple[Written, ...]) -> None:
        names = [name for name in self._schema.names if any(name in one.columns for one in writes)]
        made = merged(writes, names)
        cursor.execute("BEGIN TRANSACTION")
        if len(made.gone):
            self._mark(cursor, made)
        if len(made.row_ids):
            self._insert(cursor, made, names)
        cursor.execute("COMMIT")

    def _mark(self, cursor: DuckDBPyConnection, made: Merged) -> None:
        """Mark rows of the table as gone."""
        cursor.register(GOING, {"id": made.gone, "version": made.gone_with})
        removed = self._marks[1]
        cursor.execute(
            f"UPDATE {self._relation} AS t SET {removed} = g.version FROM {GOING} AS g "
            f"WHERE t.{self._row_id} = g.id AND t.{removed} = {NEVER}"
        )

    def _insert(self, cursor: DuckDBPyConnection, made: Merged, names: list[str]) -> None:
        """Add the rows that come, whose values may be those of rows marked before."""
        sent: dict[str, NDArray[Any]] = {
            "id": made.row_ids, "added": made.added, "removed": made.removed, "before": made.before
        }  # fmt: skip
        listed: list[str] = []
        keeps = made.keeps or (len(names) < len(self._schema.columns))
        for place, column in enumerate(self._schema.columns):
            kept = f"o.{quoted(column.name)}" if keeps else "NULL"
            if column.name not in made.columns:
                listed.append(kept)
                continue
            one = made.columns[column.name]
            sent[f"v{place}"] = one.values
            expression = sent_as(f"c.v{place}", column)
            if not one.given.all():
                sent[f"g{place}"] = one.given
                expression = f"CASE WHEN c.g{place} THEN {expression} ELSE {kept} END"
            listed.append(expression)
        cursor.register(COMING, sent)
        added, removed = self._marks
        columns = ", ".join((self._row_id, *map(quoted, self._schema.names), added, removed))
        before = (
            f"LEFT JOIN {self._relation} AS o ON o.{self._row_id} = c.id "
            f"AND o.{removed} = c.before AND c.before <> {NEVER}"
        )
        cursor.execute(
            f"INSERT INTO {self._relation} ({columns}) SELECT c.id, {', '.join(listed)}, c.added, "
            f"c.removed FROM {COMING} AS c {before if keeps else ''}"
        )
