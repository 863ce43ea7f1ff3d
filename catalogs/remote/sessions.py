"""How statements reach an engine: read-only, cancelled at a deadline, several in one transaction.

Every statement is counted. A thread that reads inside `reading` asks all its statements of one
version of the table, where the engine has such transactions.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import duckdb

from ..deadline import NEVER, Deadline
from ..errors import QueryError, one_line
from ..interrupts import interrupted_at
from ..keyboard_interrupt import WATCHER
from ..query.predicate import literal, quoted
from .library_types import ArrowSchema, ArrowTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FILE_NAME = "/file"
"""A column of which file a row is from, to leave some out; no other can be called so."""

GRACE = 5.0
"""Seconds for a statement that has to be run although the deadline has passed."""


def reason_of(error: BaseException) -> str:
    """Return the first line of what an engine says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(lines[0]) if lines else type(error).__name__


def seconds_for(until: Deadline) -> float | None:
    """Return how long a statement may take; None for ever. Raises `DeadlinePassed`."""
    if until.is_endless:
        return None
    until.check()
    return until.remaining or GRACE


class Sessions(ABC):
    """The way to one engine; safe across threads. `place` names it, without a password."""

    place: str
    is_isolated: ClassVar[bool] = False
    """Whether what is read inside one `reading` is one version of the table."""

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self.statements = 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.place!r})"

    def run(self, sql: str, schema: ArrowSchema, until: Deadline = NEVER) -> ArrowTable:
        """Return what a statement gives; its columns have the names and types of a schema.

        Raises `DeadlinePassed` after the engine was told to stop, `CatalogError` where it cannot
        be reached or does not let us read, `QueryError` for what it cannot evaluate.
        """
        with self._counting:
            self.statements += 1
        return self._run(sql, schema, until)

    @abstractmethod
    def _run(self, sql: str, schema: ArrowSchema, until: Deadline) -> ArrowTable: ...

    @contextmanager
    def reading(self) -> Generator[None]:
        """Have all statements of this thread inside see one version of the table."""
        yield

    def is_unique(self, place: str, column: str) -> bool:
        """Return whether the engine itself sees to it that a column tells rows apart.

        `place` is the table as it stands after FROM.
        """
        return False

    def cancel(self) -> None:  # noqa: B027
        """Tell the engine to stop whatever it is running for this process, where it can be."""

    def close(self) -> None:  # noqa: B027
        """Give connections back, where there are some."""


def not_evaluated(error: BaseException) -> QueryError:
    """Return that an engine cannot evaluate something, in one line."""
    return QueryError(
        f"the catalog cannot evaluate this: {reason_of(error)}",
        hint="check the types the expression compares",
    )


class DuckSessions(Sessions):
    """Statements of DuckDB: a connection of ours over files, or one that somebody made."""

    clause: str = ""
    is_isolated = True

    def __init__(self, connection: DuckDBPyConnection, place: str) -> None:
        super().__init__()
        self.place = place
        self._connection = connection
        self._local = threading.local()
        WATCHER.watch(connection)

    @classmethod
    def over(cls, backend: Any) -> Self:
        """Return the statements of a backend of Ibis."""
        return cls(backend.con, "duckdb")

    @classmethod
    def over_folder(cls, backend: Any, path: Path, names: Sequence[str]) -> Self:
        """Return statements that reach one folder and nothing else, and write nowhere.

        They read all Parquet files below it, also later ones, but for hidden ones.
        """
        sessions = cls(backend.con, str(path))
        endings = sorted({Path(name).suffix for name in names})
        inside = str(path.resolve())
        listed = ", ".join(literal(f"{inside}/**/*{ending}") for ending in endings)
        name, below = quoted(FILE_NAME), len(inside) + 1
        sessions.clause = (
            f"(SELECT * EXCLUDE ({name}) FROM read_parquet([{listed}], "
            f"filename = {literal(FILE_NAME)}) "
            f"WHERE NOT regexp_matches(substr({name}, {below}), '/[._]'))"
        )
        for setting in (
            "autoinstall_known_extensions = false",
            "enable_progress_bar = false",
            "TimeZone = 'UTC'",
            f"allowed_directories = [{literal(inside + '/')}]",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            backend.con.execute(f"SET {setting}")
        return sessions

    @property
    def _cursor(self) -> DuckDBPyConnection:
        """This thread's cursor: a connection is not safe across threads."""
        if not hasattr(self._local, "cursor"):
            self._local.cursor = self._connection.cursor()
            WATCHER.watch(self._local.cursor)
        return self._local.cursor

    def _run(self, sql: str, schema: ArrowSchema, until: Deadline) -> ArrowTable:
        cursor = self._cursor
        try:
            with interrupted_at(cursor, until):
                found = cursor.sql(sql).to_arrow_table()
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise not_evaluated(error) from None
        return found.cast(schema) if found.schema != schema else found
