"""Copies of a catalog's table in .duckdb files, for others to read: rows, ids, state and units.

The unit that a column's cells were written with is kept as the column's comment.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import duckdb

from ..errors import CatalogError, UnreadableCatalog
from ..query.predicate import literal, quoted
from ..sources.duckdb_files import ROW_IDS, STATES, UNIT_COMMENT
from ..sources.file_reader import first_line
from ..sources.loading import Loaded

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

COPY = "concede_copy"


def copy_rows(
    connection: DuckDBPyConnection, rows: str, loaded: Loaded, state: tuple[int, int], path: Path
) -> None:
    """Copy the rows that a FROM clause gives into a new file, with the version and next row id.

    Raises `CatalogError` where that fails.
    """
    try:
        _attach(connection, path, "TYPE duckdb")
        try:
            write_table(connection, rows, loaded, f"{COPY}.main.{quoted(loaded.name)}")
            connection.execute(
                f"CREATE TABLE {COPY}.main.{STATES} AS "
                f"SELECT {state[0]}::BIGINT AS version, {state[1]}::BIGINT AS next_id"
            )
        finally:
            connection.execute(f"DETACH {COPY}")
    except duckdb.Error as error:
        problem = f"no copy can be made in {str(path)!r}: {first_line(error)}"
        raise CatalogError(problem, hint="is the disk full?") from None


def state_of_copy(path: Path) -> tuple[int, int]:
    """Return the version and the next row id of a copy; raise `UnreadableCatalog`."""
    with duckdb.connect(":memory:") as connection:
        try:
            _attach(connection, path, "READ_ONLY, TYPE duckdb")
            found = connection.execute(f"SELECT version, next_id FROM {COPY}.main.{STATES}")
            return cast("tuple[int, int]", found.fetchone())
        except duckdb.Error as error:
            raise UnreadableCatalog(str(path), first_line(error)) from None


def write_table(connection: DuckDBPyConnection, rows: str, loaded: Loaded, relation: str) -> None:
    """Make a table of rows, with their ids and the columns' units, in the place of one before."""
    row_id = quoted(loaded.row_id)
    connection.execute(
        f"CREATE OR REPLACE TABLE {relation} AS "
        f"SELECT * EXCLUDE ({row_id}), {row_id} AS {ROW_IDS} FROM {rows}"
    )
    for column in loaded.schema.columns:
        if column.unit:
            comment = literal(UNIT_COMMENT + column.unit)
            named = f"{relation}.{quoted(column.name)}"
            connection.execute(f"COMMENT ON COLUMN {named} IS {comment}")


def _attach(connection: DuckDBPyConnection, path: Path, options: str) -> None:
    connection.execute(f"ATTACH {literal(str(path))} AS {COPY} ({options})")
