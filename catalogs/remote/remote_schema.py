"""The columns of a remote table as a catalog has them, and the SELECT that reads them so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BadConstraint, CatalogError, excerpt
from ..query.schema import Column, Schema
from .connection import Opened
from .engines import OTHER, Engine, engine_of, read_type, sql_type_of
from .library_types import Table


@dataclass(frozen=True)
class RemoteTable:
    """A table as every question reads it: each column with our meaning of its type.

    `clause` is the SQL of it that stands after FROM, `place` that of the table it reads.
    """

    table: Table
    schema: Schema
    key: str
    clause: str
    place: str
    engine: Engine


def read_as_ours(opened: Opened, key: str, hidden: Collection[str]) -> RemoteTable:
    """Return a table with our meaning of its columns.

    Raises `CatalogError` for columns that share a name, case aside, `UnknownColumn`, and
    `BadConstraint` for a key that holds no whole numbers.
    """
    engine = engine_of(opened.backend)
    sources: Mapping[str, Any] = dict(opened.schema.items())
    _check_names(sources, opened.name)
    every = Schema(tuple(Column(name, sql_type_of(kind)) for name, kind in sources.items()))
    gone = {every.find(name).name for name in hidden}
    named = every.find(key)
    if named.name in gone:
        hint = "items are named by it: show it, or take another key"
        raise BadConstraint("key", key, "the column is hidden", hint=hint)
    if not named.is_integer:
        problem = f"{named.name!r} is of type {sources[named.name]}"
        raise BadConstraint("key", key, problem, hint="name a column of unique whole numbers")
    schema = Schema(tuple(column for column in every.columns if column.name not in gone))
    clause = _clause(opened, engine, schema, sources)
    types = {column.name: read_type(column.sql_type) for column in schema.columns}
    table = opened.backend.sql(f"SELECT * FROM {clause}", schema=types)
    return RemoteTable(table, schema, named.name, clause, opened.base, engine)


def _clause(opened: Opened, engine: Engine, schema: Schema, sources: Mapping[str, Any]) -> str:
    listed: list[str] = []
    for column in schema.columns:
        quoted = engine.quoted(column.name)
        read = engine.reading(column.name, column.sql_type, sources[column.name])
        listed.append(quoted if read == quoted else f"{read} AS {quoted}")
    return f"(SELECT {', '.join(listed)} FROM {opened.base}) AS {engine.quoted(opened.name)}"


def _check_names(names: Collection[str], table: str) -> None:
    first: dict[str, str] = {}
    for name in names:
        if name.casefold() in first:
            pair = f"{excerpt(first[name.casefold()])} and {excerpt(name)}"
            problem = f"{excerpt(table)}: columns {pair} have the same name, case aside"
            raise CatalogError(problem, hint="open a view that renames one of them")
        first[name.casefold()] = name


def is_other(column: Column) -> bool:
    """Return whether only NULL can be asked of a column."""
    return column.sql_type == OTHER
