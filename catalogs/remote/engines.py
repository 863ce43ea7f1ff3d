"""What differs between SQL engines, and the SELECT that makes a column mean the same on each.

Every statement reads a table through one SELECT, written here: NaN is NULL, text compares by
bytes, instants are moments in UTC, and what has no operators is text to look at. Whatever is asked
of such columns is then one Ibis expression for all engines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import CatalogError, excerpt
from ..sources.loading import without_nan
from .library_types import DataType, Value

Writer = Callable[[str], str]
"""Makes a quoted name the SQL that reads the column."""


def _as_is(name: str) -> str:
    return name


@dataclass(frozen=True)
class Engine:
    """One SQL engine: how it names and reads columns, and what its operators do otherwise.

    `like_escapes`: a backslash in a pattern of LIKE is an escape character. `is_duckdb`: whatever
    DuckDB makes of an expression is its meaning. `double_type` is what it calls doubles,
    `materialized` what has a named part of a statement computed once, if anything.
    `microseconds` makes of a moment the whole microseconds since 1970.
    """

    name: str
    quote: str
    like_escapes: bool
    is_duckdb: bool
    double_type: str
    materialized: str
    single: Writer
    double: Writer
    decimal: Writer
    text: Writer
    instant: Writer
    shown: Writer
    microseconds: Callable[[Value], Value]

    def quoted(self, identifier: str) -> str:
        """Return an identifier as this engine quotes it."""
        return f"{self.quote}{identifier.replace(self.quote, self.quote * 2)}{self.quote}"

    def reading(self, name: str, sql_type: str, source_type: DataType) -> str:
        """Return the SQL that reads a column as our type of it."""
        quoted = self.quoted(name)
        if sql_type == "FLOAT":
            return self.single(quoted)
        if sql_type == "DOUBLE":
            if source_type.is_decimal():
                return f"CAST({self.decimal(quoted)} AS {self.double_type})"
            return self.double(quoted)
        if sql_type.startswith("DECIMAL"):
            return self.decimal(quoted)
        if sql_type == "VARCHAR":
            return self.text(quoted)
        if sql_type == "TIMESTAMP" and getattr(source_type, "timezone", None) is not None:
            return self.instant(quoted)
        if sql_type == "TIMESTAMP" and getattr(source_type, "scale", None) == NANOSECONDS:
            return f"CAST({quoted} AS TIMESTAMP)"
        return self.shown(quoted) if sql_type == OTHER else quoted


NANOSECONDS = 9
"""Digits of a second, as Ibis counts them, that no bound in Python can say."""

OTHER = "OTHER"
"""The type of a column of which only NULL can be asked."""


def _without_nan(name: str) -> str:
    return f"CASE WHEN NOT isnan({name}) THEN {name} END"


def _as_varchar(name: str) -> str:
    return f"CAST({name} AS VARCHAR)"


def _by_parts(moment: Any) -> Value:
    return moment.truncate("s").epoch_seconds() * 1_000_000 + moment.microsecond()


def _by_spark(moment: Value) -> Value:
    from .spark_functions import unix_micros

    return unix_micros(moment)


DUCKDB = Engine(
    name="duckdb",
    quote='"',
    like_escapes=False,
    is_duckdb=True,
    double_type="DOUBLE",
    materialized="MATERIALIZED",
    single=without_nan,
    double=without_nan,
    decimal=_as_is,
    text=_as_varchar,
    instant=lambda name: f"({name} AT TIME ZONE 'UTC')",
    shown=_as_varchar,
    microseconds=_by_parts,
)
POSTGRES = Engine(
    name="postgres",
    quote='"',
    like_escapes=True,
    is_duckdb=False,
    double_type="DOUBLE PRECISION",
    materialized="MATERIALIZED",
    single=lambda name: f"NULLIF({name}, CAST('NaN' AS REAL))",
    double=lambda name: f"NULLIF({name}, CAST('NaN' AS DOUBLE PRECISION))",
    decimal=lambda name: f"NULLIF({name}, CAST('NaN' AS NUMERIC))",
    # Of a column that is char(n) the cast takes the blanks off that fill it up.
    text=lambda name: f'CAST({name} AS TEXT) COLLATE "C"',
    instant=lambda name: f"({name} AT TIME ZONE 'UTC')",
    shown=lambda name: f"CAST({name} AS TEXT)",
    microseconds=_by_parts,
)
SPARK = Engine(
    name="pyspark",
    quote="`",
    like_escapes=True,
    is_duckdb=False,
    double_type="DOUBLE",
    materialized="",
    single=_without_nan,
    double=_without_nan,
    decimal=_as_is,
    text=lambda name: f"CAST({name} AS STRING)",
    # The session's zone is UTC.
    instant=_as_is,
    shown=lambda name: f"CAST({name} AS STRING)",
    microseconds=_by_spark,
)
ENGINES: Mapping[str, Engine] = {engine.name: engine for engine in (DUCKDB, POSTGRES, SPARK)}


def engine_of(backend: Any) -> Engine:
    """Return what is known of an Ibis backend's engine; raise `CatalogError` where nothing is."""
    engine = ENGINES.get(backend.name)
    if engine is None:
        problem = f"engine {excerpt(backend.name)} is none whose comparisons are known"
        raise CatalogError(problem, hint=f"known: {', '.join(ENGINES)}; or export to Parquet")
    return engine


_INTEGERS = {
    "Int8": "TINYINT",
    "Int16": "SMALLINT",
    "Int32": "INTEGER",
    "Int64": "BIGINT",
    "UInt8": "UTINYINT",
    "UInt16": "USMALLINT",
    "UInt32": "UINTEGER",
    "UInt64": "UBIGINT",
    "Float32": "FLOAT",
    "Float64": "DOUBLE",
    "Boolean": "BOOLEAN",
    "Date": "DATE",
    "Timestamp": "TIMESTAMP",
    "String": "VARCHAR",
    "UUID": "VARCHAR",
}


def sql_type_of(source_type: DataType) -> str:
    """Return the type that a column of an Ibis type has in a catalog, as DuckDB calls it."""
    if source_type.is_decimal():
        width, scale = getattr(source_type, "precision", None), getattr(source_type, "scale", None)
        if width is None or scale is None or width > 38:
            # `numeric` without digits, or with more than our decimals have.
            return "DOUBLE"
        return f"DECIMAL({width},{scale})"
    return _INTEGERS.get(type(source_type).__name__, OTHER)


_BY_TYPE = {kind: name.lower() for name, kind in _INTEGERS.items() if name != "UUID"}


def read_type(sql_type: str) -> str:
    """Return the Ibis type that a column is read as, by our type of it."""
    if re.match(r"U?HUGEINT$", sql_type):
        return "decimal(38, 0)"
    return _BY_TYPE.get(sql_type, "string" if sql_type == OTHER else sql_type.lower())
