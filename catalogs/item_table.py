"""The rows of a catalog in DuckDB: every version that somebody may still read, in one table."""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, cast

import duckdb

from .columns import Schema
from .loading import TABLE, Loaded
from .predicate import quoted
from .settling import Waiting
from .written_rows import NEVER, Written

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_numbers = count(1)


class ItemTable:
    """One table with a column of row ids, and cursors to read it by; safe across threads.

    As it was loaded it holds one version. Made `writable`, each of its rows carries the version
    that added it and the one that removed it, so that one statement reads any version, whatever
    is written meanwhile. What was written waits until a version that has it is read.
    """

    def __init__(
        self,
        connection: DuckDBPyConnection,
        loaded: Loaded,
        relation: str = TABLE,
        marks: tuple[str, str] | None = None,
    ) -> None:
        self.connection = connection
        self.schema: Schema = loaded.schema
        self.loaded = loaded
        self.row_id = quoted(loaded.row_id)
        self.relation = relation
        self.marks = marks
        self._local = threading.local()
        self._waiting = marks and Waiting(
            relation, self.row_id, (quoted(marks[0]), quoted(marks[1])), loaded.schema
        )

    def cursor(self) -> DuckDBPyConnection:
        """Return this thread's cursor; a DuckDB connection is not safe across threads."""
        cursor = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self.connection.cursor()
        return cast("DuckDBPyConnection", cursor)

    def write(self, written: Written) -> None:
        """Have a write in the versions from its own on."""
        assert self._waiting is not None
        self._waiting.add(written, self.connection)

    def rows_at(self, version: int) -> str:
        """Return a FROM clause of the rows of a version, row ids included, to be read now."""
        if self.marks is None or self._waiting is None:
            return self.relation
        self._waiting.settle(version, self.connection)
        added, removed = map(quoted, self.marks)
        return (
            f"(SELECT * EXCLUDE ({added}, {removed}) FROM {self.relation} "
            f"WHERE {added} <= {version} AND {removed} > {version})"
        )

    def marked(self, version: int) -> ItemTable:
        """Return this table, which nobody reads yet and which holds one version, writable.

        Adding two columns takes a twentieth of the time of writing the rows again.
        """
        marks = self._free_marks()
        for name, held in zip(marks, (version, NEVER), strict=True):
            self.cursor().execute(
                f"ALTER TABLE {self.relation} ADD COLUMN {quoted(name)} UINTEGER DEFAULT {held}"
            )
        return ItemTable(self.connection, self.loaded, f"memory.main.{self.relation}", marks)

    def _free_marks(self) -> tuple[str, str]:
        taken = {name.casefold() for name in (*self.schema.names, self.loaded.row_id)}
        return _unused("added", taken), _unused("removed", taken)

    def rewritten(self, version: int) -> ItemTable:
        """Return a writable table of a version's rows alone, in the order of their ids.

        This one is dropped as soon as nobody reads it any more.
        """
        marks = self._free_marks()
        # In full, since the catalog's own name may be anything.
        relation = f"memory.main.{TABLE}_{next(_numbers)}"
        # Every row has to stand in the order of the ids, which only a rewritten table may lack.
        order = f" ORDER BY {self.row_id}" if self.marks else ""
        self.cursor().execute(
            f"CREATE TABLE {relation} AS SELECT *, {version}::UINTEGER AS {quoted(marks[0])}, "
            f"{NEVER}::UINTEGER AS {quoted(marks[1])} FROM {self.rows_at(version)}{order}"
        )
        # Not at the end of the process, which frees everything at once.
        weakref.finalize(self, _drop, self.connection, self.relation).atexit = False
        return ItemTable(self.connection, self.loaded, relation, marks)


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"_{name}"
    return name


def _drop(connection: DuckDBPyConnection, relation: str) -> None:
    # At the end of a process the connection may be gone before.
    with suppress(duckdb.Error):
        cursor = connection.cursor()
        cursor.execute(f"DROP TABLE IF EXISTS {relation}")
        cursor.close()
