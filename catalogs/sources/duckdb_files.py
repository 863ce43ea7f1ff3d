"""Files that DuckDB reads by itself: Parquet, JSON, and a table of its own database files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from ..errors import CatalogInUse, UnknownTable, UnreadableCatalog
from ..query.predicate import literal, quoted
from .cell_types import typed_cells
from .file_reader import FileReader, ReadOptions, Source, file_argument, first_line, table_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DATABASE_SUFFIXES = (".duckdb", ".ddb", ".db")
ROW_IDS = "concede_row_id"
"""The column of row ids in a table that a catalog writes to."""

NO_FIELDS = "json"
"""What DuckDB calls the only column of JSON that is not made of objects, or of wide ones alike."""

STATES = "concede_catalogs"
"""The table that says at which version such tables are."""

UNIT_COMMENT = "unit: "
"""How the comment of a column begins that names the unit of its cells."""

ALIAS = "source_database"
MAIN = "main"
"""The schema that SQL need not name."""


class DatabaseTable(NamedTuple):
    """A table or view of a database."""

    schema: str
    name: str
    is_view: bool

    @property
    def full_name(self) -> str:
        """The schema and the name, by which any table can be asked for."""
        return f"{self.schema}.{self.name}"

    @property
    def relation(self) -> str:
        """The table as SQL names it."""
        return f"{quoted(self.schema)}.{quoted(self.name)}"


class ParquetReader(FileReader):
    """Parquet files."""

    suffixes = (".parquet", ".pq")

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the rows of the file; it is read when they are."""
        return Source(table_name(path), f"read_parquet({file_argument(path)})")


class JsonReader(FileReader):
    """JSON lines, or one JSON array of objects; types are found in all rows."""

    suffixes = (".jsonl", ".ndjson", ".json")

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the rows of the file; it is read when they are."""
        arguments = f"{file_argument(path)}, sample_size=-1"
        types = _json_types(connection, arguments)
        if list(types) == [NO_FIELDS]:
            arguments += ", records=true, map_inference_threshold=-1"
            try:
                types = _json_types(connection, arguments)
            except duckdb.BinderException:
                hint = "give an array of objects, or an object a line"
                raise UnreadableCatalog(str(path), "no objects with fields", hint=hint) from None
        source = Source(table_name(path), f"read_json({arguments})")
        # With the types given DuckDB does not read the whole file again to find them.
        given = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in types.items())
        looked_at = f"read_json({file_argument(path)}, columns={{{given}}})"
        return typed_cells(connection, source, types, options.overrides, looked_at=looked_at)


def _json_types(connection: DuckDBPyConnection, arguments: str) -> dict[str, str]:
    described = connection.execute(f"DESCRIBE SELECT * FROM read_json({arguments})").fetchall()
    return {str(row[0]): str(row[1]).upper() for row in described}


class DatabaseReader(FileReader):
    """A table or view of a DuckDB file, attached read-only until the source is closed."""

    suffixes = DATABASE_SUFFIXES
    has_tables = True

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the table asked for, or the only one.

        Raises `UnknownTable` where there is no such table or none was named among several, and
        `CatalogInUse` where another process writes to the file.
        """
        tables = _attached_tables(connection, path)
        detach = partial(connection.execute, f"DETACH {ALIAS}")
        try:
            name, table = table_asked_for(path, options.table, tables)
        except UnknownTable:
            detach()
            raise
        clause = f"{ALIAS}.{table.relation}"
        columns = connection.execute(f"SELECT * FROM {clause} LIMIT 0").description or []
        return Source(
            name,
            clause,
            runnable=False,
            close=detach,
            has_row_ids=any(column[0] == ROW_IDS for column in columns),
            units=_units(connection, table),
            qualified=None if table.schema == MAIN else (table.schema, table.name),
        )


def tables_of(connection: DuckDBPyConnection, database: str) -> list[DatabaseTable]:
    """Return the tables and views of a database, those of `main` first."""
    tables = connection.execute(
        "SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = ? "
        "AND table_name <> ? UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() "
        "WHERE database_name = ? AND NOT internal ORDER BY ALL",
        [database, STATES, database],
    ).fetchall()
    return sorted((DatabaseTable(*table) for table in tables), key=lambda t: t.schema != MAIN)


def table_asked_for(
    path: Path, asked: str | None, tables: Sequence[DatabaseTable], *, views: bool = True
) -> tuple[str, DatabaseTable]:
    """Return the table asked for, or the only one, and what it is called.

    A table outside `main` that shares its name is called by schema and name; by these any table
    can be asked for. Raises `UnknownTable`; without `views` also where it is one.
    """
    shared = Counter(table.name for table in tables)
    called = {
        table.name if table.schema == MAIN or shared[table.name] == 1 else table.full_name: table
        for table in tables
        if views or not table.is_view
    }
    names = {table: name for name, table in called.items()}
    by_name = called | {table.full_name: table for table in names}
    if asked is None and len(names) == 1:
        asked = next(iter(called))
    if asked is None or asked not in by_name:
        raise UnknownTable(str(path), asked, called)
    return names[by_name[asked]], by_name[asked]


def _units(connection: DuckDBPyConnection, table: DatabaseTable) -> dict[str, str]:
    """Return the units that the comments of a table's columns name, by column."""
    commented = connection.execute(
        "SELECT column_name, comment FROM duckdb_columns() WHERE database_name = ? "
        "AND schema_name = ? AND table_name = ? AND starts_with(comment, ?)",
        [ALIAS, table.schema, table.name, UNIT_COMMENT],
    ).fetchall()
    return {str(name): str(comment).removeprefix(UNIT_COMMENT) for name, comment in commented}


def _attached_tables(connection: DuckDBPyConnection, path: Path) -> list[DatabaseTable]:
    """Attach the file; return its tables and views."""
    try:
        connection.execute(
            f"ATTACH {literal(os.path.abspath(path))} AS {ALIAS} (READ_ONLY, TYPE duckdb)"
        )
        return tables_of(connection, ALIAS)
    except duckdb.Error as error:
        if "set lock on file" in str(error):
            raise CatalogInUse(str(path)) from None
        raise UnreadableCatalog(str(path), first_line(error), hint="a DuckDB file?") from None
