"""One DuckDB table for every version that somebody may still read.

Two columns say which version added a row and which removed it; a version is a WHERE clause.
Rows written stay in a buffer until a version that has them is read by SQL.
"""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, cast

import duckdb

from ..keyboard_interrupt import WATCHER
from ..query.predicate import quoted
from ..query.schema import Schema
from ..sources.loading import TABLE, Loaded
from .write_batch import NEVER, WriteBatch
from .write_buffer import WriteBuffer

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_numbers = count(1)


class VersionedTable:
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
        version_columns: tuple[str, str] | None = None,
    ) -> None:
        self.connection = connection
        self.schema: Schema = loaded.schema
        self.loaded = loaded
        self.row_id = quoted(loaded.row_id)
        self.relation = relation
        self.version_columns = version_columns
        self._local = threading.local()
        self._write_buffer = version_columns and WriteBuffer(
            relation,
            self.row_id,
            (quoted(version_columns[0]), quoted(version_columns[1])),
            loaded.schema,
        )

    @property
    def is_writable(self) -> bool:
        """Whether its rows carry their versions, so that others may be added."""
        return self.version_columns is not None

    def cursor(self) -> DuckDBPyConnection:
        """Return this thread's cursor; a DuckDB connection is not safe across threads."""
        cursor = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self.connection.cursor()
            WATCHER.watch(cursor)
        return cast("DuckDBPyConnection", cursor)

    def write(self, written: WriteBatch) -> None:
        """Have a write in the versions from its own on."""
        assert self._write_buffer is not None
        self._write_buffer.add(written, self.connection)

    def rows_at(self, version: int) -> str:
        """Return a FROM clause of the rows of a version, row ids included, to be read now."""
        if self.version_columns is None or self._write_buffer is None:
            return self.relation
        self._write_buffer.flush(version, self.connection)
        added, removed = map(quoted, self.version_columns)
        return (
            f"(SELECT * EXCLUDE ({added}, {removed}) FROM {self.relation} "
            f"WHERE {added} <= {version} AND {removed} > {version})"
        )

    def made_writable(self, version: int) -> VersionedTable:
        """Return this table, which nobody reads yet and which holds one version, writable.

        Adding two columns takes a twentieth of the time of writing the rows again.
        """
        version_columns = self._free_version_columns()
        for name, value in zip(version_columns, (version, NEVER), strict=True):
            self.cursor().execute(
                f"ALTER TABLE {self.relation} ADD COLUMN {quoted(name)} UINTEGER DEFAULT {value}"
            )
        return VersionedTable(
            self.connection, self.loaded, f"memory.main.{self.relation}", version_columns
        )

    def _free_version_columns(self) -> tuple[str, str]:
        taken = {name.casefold() for name in (*self.schema.names, self.loaded.row_id)}
        return _unused("added", taken), _unused("removed", taken)

    def rewritten(self, version: int) -> VersionedTable:
        """Return a writable table of a version's rows alone, in the order of their ids.

        This one is dropped as soon as nobody reads it any more.
        """
        version_columns = self._free_version_columns()
        # In full, since the catalog's own name may be anything.
        relation = f"memory.main.{TABLE}_{next(_numbers)}"
        # Every row has to stand in the order of the ids, which only a rewritten table may lack.
        order = f" ORDER BY {self.row_id}" if self.version_columns else ""
        added, removed = map(quoted, version_columns)
        self.cursor().execute(
            f"CREATE TABLE {relation} AS SELECT *, {version}::UINTEGER AS {added}, "
            f"{NEVER}::UINTEGER AS {removed} FROM {self.rows_at(version)}{order}"
        )
        # Not at the end of the process, which frees everything at once.
        weakref.finalize(self, _drop, self.connection, self.relation).atexit = False
        return VersionedTable(self.connection, self.loaded, relation, version_columns)


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
