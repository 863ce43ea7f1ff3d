"""Files that DuckDB reads by itself: Parquet, JSON, and a table of its own database files."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

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

STATES = "concede_catalogs"
"""The table that says at which version such tables are."""

UNIT_COMMENT = "unit: "
"""How the comment of a column begins that names the unit of its cells."""

ALIAS = "source_database"


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
        clause = f"read_json({file_argument(path)}, sample_size=-1)"
        described = connection.execute(f"DESCRIBE SELECT * FROM {clause}").fetchall()
        types = {str(row[0]): str(row[1]).upper() for row in described}
        source = Source(table_name(path), clause)
        # With the types given DuckDB does not read the whole file again to find them.
        given = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in types.items())
        looked_at = f"read_json({file_argument(path)}, columns={{{given}}})"
        return typed_cells(connection, source, types, options.overrides, looked_at=looked_at)


class DatabaseReader(FileReader):
    """A table or view of a DuckDB file, attached read-only until the source is closed."""

    suffixes = DATABASE_SUFFIXES
    has_tables = True

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the table asked for, or the only one.

        Raises `UnknownTable` where there is no such table or none was named among several, and
        `CatalogInUse` where another process writes to the file.
        """
        tables = _tables(connection, path)
        detach = partial(connection.execute, f"DETACH {ALIAS}")
        chosen = options.table
        if chosen is None and len(tables) == 1:
            chosen = next(iter(tables))
        if chosen is None or chosen not in tables:
            detach()
            raise UnknownTable(str(path), chosen, tables)
        clause = f"{ALIAS}.{quoted(tables[chosen])}.{quoted(chosen)}"
        columns = connection.execute(f"SELECT * FROM {clause} LIMIT 0").description or []
        has_row_ids = any(column[0] == ROW_IDS for column in columns)
        units = units_of(connection, ALIAS, tables[chosen], chosen)
        return Source(chosen, clause, False, detach, has_row_ids=has_row_ids, units=units)


def units_of(
    connection: DuckDBPyConnection, database: str, schema: str, table: str
) -> dict[str, str]:
    """Return the units that the comments of a table's columns name, by column."""
    commented = connection.execute(
        "SELECT column_name, comment FROM duckdb_columns() WHERE database_name = ? "
        "AND schema_name = ? AND table_name = ? AND starts_with(comment, ?)",
        [database, schema, table, UNIT_COMMENT],
    ).fetchall()
    return {str(name): str(comment).removeprefix(UNIT_COMMENT) for name, comment in commented}


def _tables(connection: DuckDBPyConnection, path: Path) -> dict[str, str]:
    """Attach the file; return its tables and views, with the schema of each."""
    try:
        connection.execute(
            f"ATTACH {literal(os.path.abspath(path))} AS {ALIAS} (READ_ONLY, TYPE duckdb)"
        )
        tables = connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? "
            "AND table_name <> ? UNION ALL SELECT schema_name, view_name FROM duckdb_views() "
            "WHERE database_name = ? AND NOT internal ORDER BY ALL",
            [ALIAS, STATES, ALIAS],
        ).fetchall()
    except duckdb.Error as error:
        if "set lock on file" in str(error):
            raise CatalogInUse(str(path)) from None
        raise UnreadableCatalog(str(path), first_line(error), hint="a DuckDB file?") from None
    return {name: schema for schema, name in tables}
