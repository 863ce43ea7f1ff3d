"""Opens what stays where it is: a Postgres database, a folder of Parquet, any Ibis table.

A password is never part of a message: connections are named by host, port and database alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import CatalogError, excerpt, nearest, path_excerpt
from ..sources.parquet_names import parquet_names
from .engines import engine_of
from .libraries import ibis
from .library_types import DataType
from .remote_sources import is_address
from .sessions import DuckSessions, Sessions, reason_of
from .spark_sessions import SparkSessions

if TYPE_CHECKING:
    from .postgres_sessions import PostgresSessions


@dataclass(frozen=True)
class Opened:
    """A table that stays where it is: its columns, and how statements reach its engine.

    `base` is SQL that stands after FROM; `name` is what people call the table.
    """

    schema: Mapping[str, DataType]
    base: str
    name: str
    backend: Any = field(repr=False)
    sessions: Sessions = field(repr=False)


def opened(source: object, table: str | None) -> Opened:
    """Return what a source holds; raise `CatalogError` in one line where it cannot be reached."""
    if is_address(source):
        return _postgres(cast("str", source), table)
    if isinstance(source, str | os.PathLike):
        return _folder(Path(cast("str", source)))
    return _of_ibis(source)


def _postgres(address: str, table: str | None) -> Opened:

    from .postgres_sessions import PostgresSessions

    sessions = PostgresSessions.at(address)
    backend = ibis.postgres.from_connection(sessions.first())
    if table is None:
        known = sessions.tables()
        if len(known) != 1:
            problem = f"{sessions.place} holds {len(known)} tables and none was named"
            raise CatalogError(problem, hint=_listed(known))
        (table,) = known
    schema, name = _named(table, sessions)
    try:
        found = backend.table(name, database=schema)
    except Exception as error:
        raise sessions.as_error(error) from None
    base = f'"{_doubled(schema)}"."{_doubled(name)}"'
    return Opened(found.schema(), base, name, backend, sessions)


def _named(table: str, sessions: PostgresSessions) -> tuple[str, str]:
    """Return schema and name of a table; raise `CatalogError` with the nearest where none is."""
    known = sessions.tables()
    for called in (table, table.removeprefix("public.")):
        if called in known:
            sessions.check_readable(called)
            schema, name = known[called]
            return schema, name
    near = nearest(table, known)
    hint = f"did you mean {', '.join(map(excerpt, near))}?" if near else _listed(known)
    raise CatalogError(f"{sessions.place} has no table {excerpt(table)}", hint=hint)


def _listed(known: Any) -> str:
    names = list(known)
    shown = ", ".join(map(excerpt, names[:8])) or "none that this role can read"
    return f"its tables: {shown}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _doubled(name: str) -> str:
    return name.replace('"', '""')


def _folder(path: Path) -> Opened:

    names = list(parquet_names(path))
    if not names:
        problem = f"cannot read catalog {path_excerpt(str(path))}: a folder without Parquet files"
        raise CatalogError(problem, hint="name a file, or a folder of .parquet")
    backend = ibis.duckdb.connect()
    sessions = DuckSessions.over_folder(backend, path, names)
    base = sessions.clause
    try:
        schema = _described(backend, base)
    except Exception as error:
        problem = f"cannot read catalog {path_excerpt(str(path))}: {reason_of(error)}"
        raise CatalogError(problem, hint="every file needs the same columns") from None
    return Opened(schema, base, path.resolve().name or "catalog", backend, sessions)


def _described(backend: Any, base: str) -> Mapping[str, DataType]:
    """Return the columns of a FROM clause of DuckDB."""

    described = backend.con.execute(f"DESCRIBE SELECT * FROM {base}").fetchall()
    from_string = backend.compiler.type_mapper.from_string
    return ibis.schema({str(row[0]): from_string(str(row[1])) for row in described})


def _of_ibis(table: Any) -> Opened:
    if not isinstance(table, ibis.Table):
        problem = f"{type(table).__name__} is no table"
        raise CatalogError(problem, hint="give a table of Ibis")
    try:
        backend = table.get_backend()
        op = table.op()
        name = str(getattr(op, "name", "") or "catalog")
    except Exception as error:
        raise CatalogError(f"an Ibis table without an engine: {reason_of(error)}") from None
    base = f"({backend.compile(table)}) AS base"
    return Opened(table.schema(), base, name, backend, _sessions_of(backend))


def _sessions_of(backend: Any) -> Sessions:
    if engine_of(backend).is_duckdb:
        return DuckSessions.over(backend)
    if backend.name != "postgres":
        return SparkSessions.over(backend)
    from .postgres_sessions import PostgresSessions

    return PostgresSessions.like(backend)
