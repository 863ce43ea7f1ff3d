"""Load a source into the catalog's table: unusual types cast, NaN made NULL, rows numbered.

Columns whose names differ only by case, the second of which DuckDB would rename, are refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import UnreadableCatalog, excerpt
from ..query.predicate import literal, quoted
from ..query.schema import Column, ColumnOverride, Schema
from .csv_files import header_of
from .duckdb_files import ALIAS, ROW_IDS
from .file_reader import Source
from .null_cells import retyped, without_nulls
from .readers import column_casts

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLE = "concede_items"
"""Unlikely to be a file's name, which is what people call the table by."""


_NAMES_IN = {
    "read_parquet": "split_part(path_in_schema, ', ', 1) FROM parquet_metadata({})",
    "read_json": "unnest(json_keys(json)) FROM read_json_objects({})",
}


@dataclass(frozen=True)
class Loaded:
    """What the table holds: its columns, its name in SQL, its row id column, and a FROM clause
    that reads it.

    `overrides` are by the columns' own spelling.
    """

    schema: Schema
    name: str
    row_id: str
    from_clause: str
    overrides: Mapping[str, ColumnOverride]


def load(
    connection: DuckDBPyConnection,
    source: Source,
    overrides: Mapping[str, ColumnOverride],
    *,
    name: str | None = None,
    first_id: int = 0,
    keep_ids: bool = False,
) -> Loaded:
    """Copy the source into the catalog's table; raise `UnknownColumn` for a strange override.

    `name` is what the table is called in SQL (default: as the source), `first_id` the row id
    of the first row; with `keep_ids` rows keep the ids that the source has.
    """
    types = source.types or described(connection, f"SELECT * FROM {source.from_clause}")
    if source.has_row_ids:
        types = {name: kind for name, kind in types.items() if name != ROW_IDS}
    source_schema = Schema(tuple(Column(name, kind) for name, kind in types.items()))
    known = {source_schema.find(name).name: override for name, override in overrides.items()}
    nulls = {name: override.nulls for name, override in known.items() if override.nulls}
    casts = column_casts(known)
    untold = {name: types[name] for name in nulls if name not in casts}
    casts |= retyped(connection, source.from_clause, untold, nulls)
    clause = _reading(source.from_clause, types, casts, nulls)
    row_id = "row_id"
    while row_id.casefold() in {name.casefold() for name in types}:
        row_id = f"_{row_id}"
    numbered = f"SELECT row_number() OVER () + {first_id - 1} AS {quoted(row_id)}, *"
    if source.has_row_ids:
        own, order = f"* EXCLUDE ({ROW_IDS})", f"ORDER BY {ROW_IDS} NULLS LAST"
        numbered = (
            f"SELECT {ROW_IDS} AS {quoted(row_id)}, {own}"
            if keep_ids
            else (f"SELECT row_number() OVER ({order}) + {first_id - 1} AS {quoted(row_id)}, {own}")
        )
        clause = f"{clause} {order}"
    connection.execute(f"CREATE TABLE {TABLE} AS {numbered} FROM {clause}")
    types_read = described(connection, f"SELECT * EXCLUDE ({quoted(row_id)}) FROM {TABLE}")
    with_nan = _nan_to_null(connection, types_read)
    name = name or (source.name if source.name.casefold() != TABLE else "catalog")
    connection.execute(
        f"CREATE VIEW {quoted(name)} AS SELECT * EXCLUDE ({quoted(row_id)}) FROM {TABLE}"
    )
    counted = connection.execute(f"SELECT count(*) FROM {TABLE}").fetchall()
    if source.types_are_guessed and counted == [(0,)]:
        types_read = dict.fromkeys(types_read, "UNKNOWN")
    relation = _in_its_schema(connection, source, name)
    units = source.units
    columns = tuple(
        Column(name, kind, units.get(name, ""), is_clock=types.get(name) in CLOCK_TYPES)
        for name, kind in types_read.items()
    )
    shown = {name: f"CASE WHEN NOT isnan({name}) THEN {name} END" for name in with_nan}
    if source.from_clause.startswith(f"{ALIAS}."):
        # Whoever asks the file itself would compare nanoseconds, which end in 2262.
        shown |= _as_microseconds(types)
    clause = _replacing(clause if source.runnable else relation, shown)
    return Loaded(Schema(columns), name, row_id, clause, known)


def _in_its_schema(connection: DuckDBPyConnection, source: Source, name: str) -> str:
    """Return what SQL calls the table in its own database, and have it called so here, too."""
    if source.qualified is None:
        return quoted(name)
    schema, table = map(quoted, source.qualified)
    connection.execute(f"CREATE SCHEMA memory.{schema}")
    connection.execute(
        f"CREATE VIEW memory.{schema}.{table} AS SELECT * FROM memory.main.{quoted(name)}"
    )
    return f"{schema}.{table}"


def described(connection: DuckDBPyConnection, select: str) -> dict[str, str]:
    """Return the names and types, upper case, of what a SELECT gives."""
    columns = connection.execute(f"DESCRIBE {select}").fetchall()
    return {str(row[0]): str(row[1]).upper() for row in columns}


def _reading(
    clause: str,
    types: Mapping[str, str],
    casts: Mapping[str, str],
    nulls: Mapping[str, Sequence[str]],
) -> str:
    """Return the FROM clause with unusual types read as usual ones, and overrides applied."""
    replaced: dict[str, str] = {}
    for name, sql_type in types.items():
        expression, usual = usual_reading(quoted(name), sql_type)
        expression = without_nulls(expression, nulls.get(name, ()), usual)
        wanted = casts.get(name, usual)
        if wanted != usual:
            expression = f"CAST({expression} AS {wanted})"
        if expression != quoted(name):
            replaced[quoted(name)] = expression
    return _replacing(clause, replaced)


def _replacing(clause: str, replaced: Mapping[str, str]) -> str:
    """Return a FROM clause that reads some columns, in quotes, by expressions of their own."""
    if not replaced:
        return clause
    listed = ", ".join(f"{expression} AS {name}" for name, expression in replaced.items())
    return f"(SELECT * REPLACE ({listed}) FROM {clause})"


CLOCK_TYPES = ("TIME", "TIME_NS")
"""Types of times of day, which are read as `HH:MM`, with seconds where there are some."""


def usual_reading(name: str, sql_type: str) -> tuple[str, str]:
    """Return how a column is read, and as what: enums and the like as text, moments in UTC.

    Nanoseconds are rounded to microseconds, the most that a bound in Python or JSON can say.
    """
    if sql_type in CLOCK_TYPES:
        # Of a plain cast DuckDB takes the cells of a CSV file as they are: 8:00 behind 18:00.
        text = f"CAST({name} AS VARCHAR)"
        return rf"regexp_replace({text}, '^(\d\d:\d\d):00$', '\1')", "VARCHAR"
    if re.match(r"(ENUM\(.*|UUID|TIME WITH TIME ZONE|INTERVAL|JSON)$", sql_type):
        return f"CAST({name} AS VARCHAR)", "VARCHAR"
    if sql_type == "TIMESTAMP WITH TIME ZONE":
        # A plain cast would give the local time of whichever machine runs it.
        return f"({name} AT TIME ZONE 'UTC')", "TIMESTAMP"
    if sql_type == "TIMESTAMP_NS":
        return f"CAST({name} AS TIMESTAMP)", "TIMESTAMP"
    return name, sql_type


def without_nan(number: str) -> str:
    """Return the expression of a FLOAT or DOUBLE with NaN as NULL.

    From the least and greatest value in a Parquet file, which NaN is none of, DuckDB infers that
    `isnan` is false there, of sums and products too. A difference it computes.
    """
    return f"CASE WHEN {number} - {number} = 0 OR isinf({number}) THEN {number} END"


def _nan_to_null(connection: DuckDBPyConnection, types: Mapping[str, str]) -> list[str]:
    """Make NaN NULL in the table; return the columns, in quotes, that had some."""
    changed: list[str] = []
    for column in (name for name, kind in types.items() if kind in ("FLOAT", "DOUBLE")):
        name = quoted(column)
        condition = f"isnan({name})"
        count = connection.execute(f"SELECT count(*) FROM {TABLE} WHERE {condition}").fetchone()
        if count and count[0]:
            connection.execute(f"UPDATE {TABLE} SET {name} = NULL WHERE {condition}")
            changed.append(name)
    return changed


def _as_microseconds(types: Mapping[str, str]) -> dict[str, str]:
    """Return the expressions that read columns of nanoseconds, by their names in quotes."""
    names = [quoted(name) for name, kind in types.items() if kind == "TIMESTAMP_NS"]
    return {name: usual_reading(name, "TIMESTAMP_NS")[0] for name in names}


def check_names(
    connection: DuckDBPyConnection, source: object, from_clause: str, read_names: Sequence[str]
) -> None:
    """Raise `UnreadableCatalog` if two columns of the source share a name, case aside.

    `read_names` are the columns as DuckDB calls them: `A` beside `a` has become `A_1` there, and
    asking for `A` would silently mean `a`.
    """
    folded = {name.casefold() for name in read_names}
    numbered = (re.fullmatch(r"(.*)_\d+", name) for name in read_names)
    if not any(match and match[1].casefold() in folded for match in numbered):
        return
    first: dict[str, str] = {}
    for name in _own_names(connection, source, from_clause):
        if name.casefold() in first:
            pair = f"{excerpt(first[name.casefold()])} and {excerpt(name)}"
            problem = f"columns {pair} have the same name, case aside"
            raise UnreadableCatalog(_called(source), problem, hint="rename one of them")
        first[name.casefold()] = name


def _called(source: object) -> str:
    is_path = isinstance(source, str | os.PathLike)
    return str(cast("object", source)) if is_path else type(source).__name__


def _own_names(connection: DuckDBPyConnection, source: object, from_clause: str) -> Iterable[str]:
    """Return the names the source itself gives its columns; none where that cannot be told."""
    if not isinstance(source, str | os.PathLike):
        names = getattr(source, "column_names", None) or getattr(source, "columns", ())
        return [str(name) for name in cast("Iterable[Any]", names)]
    path = Path(os.fsdecode(cast("str | os.PathLike[str]", source)))
    for reader, names in _NAMES_IN.items():
        if reader in from_clause:
            statement = f"SELECT DISTINCT {names} ORDER BY 1".format(literal(str(path)))
            header = connection.execute(statement).fetchall()
            return [str(row[0]) for row in header]
    return header_of(path) if "read_csv" in from_clause else ()
