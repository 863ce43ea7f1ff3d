"""Sessions of a Postgres server: read-only, in UTC, one repeatable-read transaction a question.

BEGIN, the time-out and the statement itself go to the server in one message.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any, Self, cast

import psycopg
from psycopg import conninfo, errors

from ..deadline import Deadline, DeadlinePassed
from ..errors import CatalogError, ConcedeError, excerpt
from .libraries import pa
from .library_types import ArrowSchema, ArrowTable
from .sessions import Sessions, not_evaluated, reason_of, seconds_for

CONNECT_SECONDS = 10
KEPT = 4
"""Connections kept open while nobody asks."""

_DEFAULTS = {
    "connect_timeout": CONNECT_SECONDS,
    "application_name": "concede",
    # A server that has gone is noticed within some 15 s.
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
_SETTINGS = (
    "SET default_transaction_read_only = on; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; "
    # Otherwise a backslash in a text would begin an escape.
    "SET standard_conforming_strings = on; SET client_encoding = 'UTF8'; "
    "SET extra_float_digits = 1; SET IntervalStyle = 'postgres'"
)
_BEGIN = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
_TABLES = (
    "SELECT n.nspname, c.relname, pg_catalog.has_table_privilege(c.oid, 'SELECT') "
    "OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT') FROM pg_catalog.pg_class AS c "
    "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition "
    "AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' "
    "AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') "
    "ORDER BY n.nspname <> 'public', 1, 2"
)

_UNIQUE = (
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_attribute AS a "
    "ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] "
    "WHERE i.indrelid = CAST(%s AS pg_catalog.regclass) AND a.attname = %s AND a.attnotnull "
    "AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indnkeyatts = 1 "
    "AND i.indpred IS NULL)"
)


class PostgresSessions(Sessions):
    """Connections to one database, taken and given back; none is shared by two threads."""

    is_isolated = True

    def __init__(self, parameters: dict[str, Any], settings: str = _SETTINGS) -> None:
        super().__init__()
        self._parameters = parameters | {"autocommit": True}
        self._settings = settings
        self.place = _place(parameters)
        self._idle: list[psycopg.Connection[Any]] = []
        self._busy: set[psycopg.Connection[Any]] = set()
        self._lock = threading.Lock()
        self._local = threading.local()
        self._known: dict[str, list[str]] | None = None
        self._closed = set[str]()

    @classmethod
    def at(cls, address: str) -> Self:
        """Return the sessions of an address; raise `CatalogError` for one that is none."""
        try:
            given = conninfo.conninfo_to_dict(address)
        except psycopg.Error as error:
            problem = f"not an address of Postgres: {reason_of(error)}"
            raise CatalogError(
                _without_secrets(problem, address), hint="postgres://USER@HOST:PORT/DATABASE"
            ) from None
        return cls(_DEFAULTS | {name: each for name, each in given.items() if each is not None})

    @classmethod
    def like(cls, backend: Any) -> Self:
        """Return sessions of our own to where a backend of Ibis is connected."""
        info = backend.con.info
        return cls(_DEFAULTS | info.get_parameters() | {"password": info.password})

    def first(self) -> psycopg.Connection[Any]:
        """Return a connection for what Ibis asks about tables; raise `CatalogError`."""
        return self._connected()

    def tables(self) -> dict[str, list[str]]:
        """Return schema and name of the tables there are, by what they can be called."""
        if self._known is None:
            with self._connection() as connection:
                try:
                    rows = connection.execute(_TABLES).fetchall()
                except psycopg.Error as error:
                    raise self.as_error(error) from None
            named = {
                name if schema == "public" else f"{schema}.{name}": (schema, name, readable)
                for schema, name, readable in rows
            }
            self._closed = {called for called, (*_, readable) in named.items() if not readable}
            self._known = {called: place for called, (*place, _) in named.items()}
        return self._known

    def check_readable(self, table: str) -> None:
        """Raise `CatalogError` for a table that this role may not read."""
        if table in self._closed:
            who = f"{self._parameters.get('user') or 'this role'} may not read {excerpt(table)}"
            raise CatalogError(f"{self.place}: {who}", hint="it needs the right to SELECT")

    def is_unique(self, place: str, column: str) -> bool:
        """Return whether a table has a unique index on a column that is never NULL."""
        if place.startswith("("):
            return False
        with self._connection() as connection:
            try:
                found = connection.execute(_UNIQUE, [place, column]).fetchone()
            except psycopg.Error as error:
                raise self.as_error(error) from None
        self.statements += 1
        return bool(found and found[0])

    def as_error(self, error: BaseException) -> ConcedeError:
        """Return what went wrong in one line: who could not be reached, or what not evaluated."""
        if isinstance(error, ConcedeError):
            return error
        reason = self._masked(reason_of(error))
        if isinstance(error, errors.InsufficientPrivilege):
            return CatalogError(
                f"{self.place}: {reason}", hint="the role needs the right to SELECT"
            )
        gone = (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)
        if isinstance(error, gone):
            return CatalogError(
                f"{self.place}: {reason}", hint="the table has changed: open it again"
            )
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return CatalogError(f"connection to {self.place} is lost: {reason}", hint="try again")
        return not_evaluated(RuntimeError(reason))

    @contextmanager
    def reading(self) -> Generator[None]:
        """Have all statements of this thread inside see one version of the table."""
        if getattr(self._local, "connection", None) is not None:
            yield
            return
        with self._connection() as connection:
            self._local.connection, self._local.has_begun = connection, False
            try:
                yield
            finally:
                self._local.connection = None
                with suppress(psycopg.Error):
                    if self._local.has_begun and not connection.closed:
                        connection.execute("ROLLBACK")

    def _run(self, sql: str, schema: ArrowSchema, until: Deadline) -> ArrowTable:

        seconds = seconds_for(until)
        with self.reading():
            rows = self._rows(sql, seconds)
        columns = list(zip(*rows, strict=True)) or [()] * len(schema)
        arrays = [
            pa.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)
        ]
        return pa.Table.from_arrays(arrays, schema=schema)

    def _rows(self, sql: str, seconds: float | None) -> list[tuple[Any, ...]]:
        connection = cast("psycopg.Connection[Any]", self._local.connection)
        limit = 0 if seconds is None else max(1, min(math.ceil(seconds * 1000), 2**31 - 1))
        begin = "" if self._local.has_begun else f"{_BEGIN}; "
        try:
            self._local.has_begun = True
            message = f"{begin}SET LOCAL statement_timeout = {limit}; {sql}"
            with connection.cursor() as cursor:
                cursor.execute(cast("Any", message))
                while cursor.nextset():
                    pass
                return cursor.fetchall()
        except errors.QueryCanceled as error:
            self._start_over(connection)
            if seconds is not None:
                raise DeadlinePassed from None
            raise CatalogError(f"{self.place}: {self._masked(reason_of(error))}") from None
        except psycopg.Error as error:
            self._start_over(connection)
            raise self.as_error(error) from None

    def _start_over(self, connection: psycopg.Connection[Any]) -> None:
        """End a transaction in which a statement failed; the next statement begins another."""
        self._local.has_begun = False
        with suppress(psycopg.Error):
            if not connection.closed:
                connection.execute("ROLLBACK")

    @contextmanager
    def _connection(self) -> Generator[psycopg.Connection[Any]]:
        connection = self._taken()
        try:
            yield connection
        finally:
            with self._lock:
                self._busy.discard(connection)
                is_kept = not connection.closed and len(self._idle) < KEPT
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def _taken(self) -> psycopg.Connection[Any]:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._connected()
            elif not _is_alive(connection):
                connection.close()
                continue
            with self._lock:
                self._busy.add(connection)
            return connection

    def _connected(self) -> psycopg.Connection[Any]:
        try:
            connection = cast("Any", psycopg).connect(**self._parameters)
            connection.execute(cast("Any", self._settings))
        except psycopg.Error as error:
            reason = self._masked(reason_of(error))
            hint = "check host, port, database, user and password"
            raise CatalogError(f"cannot reach {self.place}: {reason}", hint=hint) from None
        return connection

    def _masked(self, text: str) -> str:
        password = str(self._parameters.get("password") or "")
        return text.replace(password, "***") if len(password) > 2 else text

    def cancel(self) -> None:
        """Tell the server to stop whatever it is running for this process."""
        with self._lock:
            busy = list(self._busy)
        for connection in busy:
            with suppress(psycopg.Error):
                connection.cancel_safe(timeout=2.0)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _is_alive(connection: psycopg.Connection[Any]) -> bool:
    """Return whether the server has not hung up meanwhile; looks at the socket, asks nothing."""
    import select

    if connection.closed:
        return False
    try:
        readable, _, _ = select.select([connection.fileno()], [], [], 0)
    except (OSError, ValueError, psycopg.Error):
        return False
    return not readable


def _place(parameters: dict[str, Any]) -> str:
    host = parameters.get("host") or parameters.get("hostaddr") or "localhost"
    database = parameters.get("dbname") or parameters.get("user") or ""
    return f"{host}:{parameters.get('port') or 5432}/{database}"


def _without_secrets(text: str, address: str) -> str:
    """Return a text without the part of an address that may be a password."""
    secret = address.partition("://")[2].rpartition("@")[0].partition(":")[2]
    masked = text.replace(secret, "***") if secret else text
    return masked if "://" not in masked else excerpt(masked.partition("://")[0])
