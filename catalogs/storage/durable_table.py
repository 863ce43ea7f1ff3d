"""The durable table of a writable catalog: a .duckdb file, to which each write is committed first.

The table gets one more column, the row ids, and the file one more table, which knows the version
and the next row id. Both are written in the transaction of the rows, so the file always is at
one version, whatever happens to the process.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np

from ..errors import CatalogError, CatalogInUse, UnreadableCatalog
from ..keyboard_interrupt import WATCHER
from ..query.predicate import literal, quoted
from ..sources.duckdb_files import (
    DATABASE_SUFFIXES,
    ROW_IDS,
    STATES,
    DatabaseTable,
    table_asked_for,
    tables_of,
)
from ..sources.file_lock import FileLock
from ..sources.loading import TABLE, Loaded, described
from .stored_copies import write_table
from .write_batch import WriteBatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

ATTACHED = "concede_store"
WRITTEN = "concede_written"

SETTINGS = (
    "autoinstall_known_extensions = false",
    "GLOBAL python_enable_replacements = false",
    "enable_progress_bar = false",
    "enable_external_access = false",
    # Else an update of rows here and there would move the log into the file at every commit.
    "checkpoint_threshold = '1GB'",
    "lock_configuration = true",
)

LOGGED = 32
"""So many writes are left in the log: opening the file after a crash takes 0.1 s for each."""


@dataclass(frozen=True)
class State:
    """Where the file stands."""

    version: int
    next_id: int


class Store:
    """One table of one file, open for writing by this process alone.

    Not safe across threads: whoever writes to the catalog holds its lock.
    """

    def __init__(self, path: Path, table: str | None) -> None:
        self.path = path
        if path.suffix.lower() not in DATABASE_SUFFIXES:
            endings = ", ".join(DATABASE_SUFFIXES)
            problem = "only a DuckDB file can be written to"
            raise UnreadableCatalog(str(path), problem, hint=f"give one of {endings}")
        self._lock = FileLock(path)
        self._connection: DuckDBPyConnection | None = None
        self._logged = 0
        try:
            self._connect()
            self.name, self.table = self._find(table)
            self.state = self._prepare()
            self._types = described(self._open, f"SELECT * FROM {self._relation}")
        except BaseException:
            self.close()
            raise

    @property
    def _relation(self) -> str:
        return self.table.relation

    @property
    def _open(self) -> DuckDBPyConnection:
        if self._connection is None:
            raise CatalogError("the catalog is closed", hint="open it again")
        return self._connection

    def check(self, state: State) -> None:
        """Raise `CatalogError` if the store is closed, or further than the catalog is."""
        self.check_open()
        if self.state != state:
            problem = f"{str(self.path)!r} holds version {self.state.version} already"
            raise CatalogError(problem, hint="reload the catalog")

    def check_open(self) -> None:
        """Raise `CatalogError` if the store is closed."""
        _ = self._open

    def is_own(self, source: object, table: str | None) -> bool:
        """Whether a source is the file itself, and its table the one that is written to."""
        if not isinstance(source, str | os.PathLike):
            return False
        path = os.path.realpath(os.fsdecode(cast("str | os.PathLike[Any]", source)))
        is_own_table = table in (None, self.name, self.table.full_name)
        return is_own_table and path == os.path.realpath(self.path)

    @contextmanager
    def paused(self) -> Generator[None]:
        """Close the file, so that another connection of this process may read it, and reopen it.

        Raises `CatalogError` if it then is not as it was left.
        """
        self._disconnect()
        try:
            yield
        finally:
            self._connect()
        if self._known_state() != self.state:
            problem = f"{str(self.path)!r} was written to by another program"
            raise CatalogError(problem, hint="open the catalog again")

    def close(self) -> None:
        """Close the file for good; twice is no harm."""
        self._disconnect()
        self._lock.release()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> None:
        try:
            self._connection = duckdb.connect(str(self.path))
            WATCHER.watch(self._connection)
            for setting in SETTINGS:
                self._connection.execute(f"SET {setting}")
        except duckdb.Error as error:
            if isinstance(error, duckdb.IOException) and "lock" in str(error):
                raise CatalogInUse(str(self.path)) from None
            raise UnreadableCatalog(str(self.path), str(error).splitlines()[0]) from None

    def _find(self, table: str | None) -> tuple[str, DatabaseTable]:
        database = self._open.execute("SELECT current_database()").fetchall()[0][0]
        return table_asked_for(self.path, table, tables_of(self._open, database), views=False)

    def _prepare(self) -> State:
        """Give every row a row id, and the file its state, where they are missing."""
        connection = self._open
        connection.execute("BEGIN TRANSACTION")
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS main.{STATES} (schema_name VARCHAR, table_name VARCHAR, "
            "version BIGINT, next_id BIGINT)"
        )
        known = self._known_state()
        version = known.version if known else 1
        if ROW_IDS not in described(connection, f"SELECT * FROM {self._relation}"):
            connection.execute(f"ALTER TABLE {self._relation} ADD COLUMN {ROW_IDS} BIGINT")
        next_id = self._number_rows(known.next_id if known else 0)
        if known and next_id != known.next_id:
            # Somebody else has added rows.
            version += 1
        state = State(version, next_id)
        self._keep(connection, f"main.{STATES}", state)
        connection.execute("COMMIT")
        return state

    def _number_rows(self, next_id: int) -> int:
        """Give rows without a row id one; return the next row id to give."""
        connection = self._open
        counted = connection.execute(
            f"SELECT coalesce(max({ROW_IDS}) + 1, 0), count({ROW_IDS}), "
            f"count(DISTINCT {ROW_IDS}), count(*) FROM {self._relation}"
        ).fetchall()
        after, numbered, distinct, rows = cast("tuple[int, int, int, int]", counted[0])
        if distinct != numbered:
            problem = f"its column {ROW_IDS} holds a row id twice"
            raise UnreadableCatalog(str(self.path), problem, hint="drop that column")
        first = max(next_id, after)
        if rows > numbered:
            connection.execute(
                f"UPDATE {self._relation} SET {ROW_IDS} = {first} + n.place FROM "
                f"(SELECT rowid AS r, row_number() OVER (ORDER BY rowid) - 1 AS place "
                f"FROM {self._relation} WHERE {ROW_IDS} IS NULL) AS n "
                f"WHERE {quoted(self.table.name)}.rowid = n.r"
            )
        return first + rows - numbered

    def _known_state(self) -> State | None:
        states = self._open.execute(
            f"SELECT version, next_id FROM main.{STATES} WHERE schema_name = ? AND table_name = ?",
            [self.table.schema, self.table.name],
        ).fetchall()
        return State(int(states[0][0]), int(states[0][1])) if states else None

    def _keep(self, connection: DuckDBPyConnection, states: str, state: State) -> None:
        names = [self.table.schema, self.table.name]
        connection.execute(f"DELETE FROM {states} WHERE schema_name = ? AND table_name = ?", names)
        connection.execute(
            f"INSERT INTO {states} VALUES (?, ?, ?, ?)", [*names, state.version, state.next_id]
        )

    def write(self, state: State, written: WriteBatch | None = None) -> None:
        """Commit one write: on the disk when this returns, or not at all.

        Raises `CatalogError` where the file cannot take it.
        """
        connection = self._open
        try:
            connection.execute("BEGIN TRANSACTION")
            if written is not None:
                self._change(connection, written)
            self._keep(connection, f"main.{STATES}", state)
            connection.execute("COMMIT")
        except BaseException as error:
            # Interrupted by Ctrl-C, too: a transaction left open would refuse the next write.
            with suppress(duckdb.Error):
                connection.execute("ROLLBACK")
            if not isinstance(error, duckdb.Error):
                raise
            problem = f"{str(self.path)!r} refuses the write: {str(error).splitlines()[0]}"
            raise CatalogError(problem, hint="nothing was written") from None
        self.state = state
        self._logged += 1
        if self._logged >= LOGGED:
            self._logged = 0
            # The write is in the log, whatever becomes of this.
            with suppress(duckdb.Error):
                connection.execute("CHECKPOINT")

    def _change(self, connection: DuckDBPyConnection, written: WriteBatch) -> None:
        replaced = written.row_ids[: written.replaced]
        deleted = np.setdiff1d(written.removed, replaced)
        if len(deleted):
            connection.register(WRITTEN, {"id": deleted})
            connection.execute(
                f"DELETE FROM {self._relation} WHERE {ROW_IDS} IN (SELECT id FROM {WRITTEN})"
            )
        if len(replaced):
            self._replace(connection, written)
        if len(replaced) < len(written.row_ids):
            self._add(connection, written)

    def _replace(self, connection: DuckDBPyConnection, written: WriteBatch) -> None:
        """Write the columns that change: those that every row gives, and each other by itself."""
        rows = slice(written.replaced)
        given = {name: written.columns[name].given[rows] for name in sorted(written.changed)}
        together = [name for name, rows_given in given.items() if rows_given.all()]
        apart = [[name] for name in given if name not in together]
        for names in [together, *apart] if together else apart:
            self._replace_columns(connection, written, names, np.flatnonzero(given[names[0]]))

    def _replace_columns(
        self,
        connection: DuckDBPyConnection,
        written: WriteBatch,
        names: Sequence[str],
        positions: NDArray[np.integer],
    ) -> None:
        arrays = {f"v{i}": written.columns[name].values[positions] for i, name in enumerate(names)}
        connection.register(WRITTEN, {"id": written.row_ids[positions]} | arrays)
        assignments = ", ".join(
            f"{quoted(name)} = {self._read(f'v.v{i}', name)}" for i, name in enumerate(names)
        )
        connection.execute(
            f"UPDATE {self._relation} SET {assignments} FROM {WRITTEN} AS v "
            f"WHERE {quoted(self.table.name)}.{ROW_IDS} = v.id"
        )

    def _add(self, connection: DuckDBPyConnection, written: WriteBatch) -> None:
        """Add the rows that are new; what they do not give is NULL, whatever the default."""
        rows = slice(written.replaced, None)
        names = list(written.columns)
        arrays = {f"v{i}": written.columns[name].values[rows] for i, name in enumerate(names)}
        connection.register(WRITTEN, {"id": written.row_ids[rows]} | arrays)
        listed = [f"{self._read(f'v{i}', name)} AS {quoted(name)}" for i, name in enumerate(names)]
        listed += [
            f"NULL AS {quoted(name)}" for name in self._types if name not in (*names, ROW_IDS)
        ]
        connection.execute(
            f"INSERT INTO {self._relation} BY NAME "
            f"SELECT id AS {ROW_IDS}, {', '.join(listed)} FROM {WRITTEN}"
        )

    def _read(self, value: str, column: str) -> str:
        """Return the expression that makes the file's value of one in `WRITTEN`."""
        if self._types[column] == "TIMESTAMP WITH TIME ZONE":
            # A catalog keeps moments in UTC, without their zone.
            return f"(CAST({value} AS TIMESTAMP) AT TIME ZONE 'UTC')"
        return value

    def replace_all(self, connection: DuckDBPyConnection, loaded: Loaded, state: State) -> None:
        """Make the file's table that of another connection, columns and all; see `write`.

        The connection may open files.
        """
        self._disconnect()
        try:
            connection.execute(f"ATTACH {literal(str(self.path))} AS {ATTACHED} (TYPE duckdb)")
            self._copy(connection, loaded, state)
        finally:
            with suppress(duckdb.Error):
                connection.execute("ROLLBACK")
            with suppress(duckdb.Error):
                connection.execute(f"DETACH {ATTACHED}")
            self._connect()
        self._types = described(self._open, f"SELECT * FROM {self._relation}")

    def _copy(self, connection: DuckDBPyConnection, loaded: Loaded, state: State) -> None:
        connection.execute("BEGIN TRANSACTION")
        write_table(connection, TABLE, loaded, f"{ATTACHED}.{self._relation}")
        self._keep(connection, f"{ATTACHED}.main.{STATES}", state)
        connection.execute("COMMIT")
        self.state = state
