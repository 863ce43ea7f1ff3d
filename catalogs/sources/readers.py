"""Turn each kind of source into a FROM clause that DuckDB can read: files, frames, relations."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from ..errors import CatalogInUse, UnknownTable, UnreadableCatalog, shown
from ..query.predicate import literal, quoted
from ..query.schema import ColumnOverride
from .csv_files import csv_clause, csv_problem
from .file_lock import refuse_if_locked

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CSV_SUFFIXES = (".csv", ".tsv", ".txt")
PARQUET_SUFFIXES = (".parquet", ".pq")
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
DATABASE_SUFFIXES = (".duckdb", ".ddb", ".db")
COMPRESSIONS = (".gz", ".zst")
SAMPLES = ("cars",)
ROW_IDS = "concede_row_id"
"""The column of row ids in a table that a catalog writes to."""

STATES = "concede_catalogs"
"""The table that says at which version such tables are."""

_CASTS = {"text": "VARCHAR", "categorical": "VARCHAR", "numeric": "DOUBLE", "date": "TIMESTAMP"}
Overrides = Mapping[str, ColumnOverride]


@dataclass(frozen=True)
class Source:
    """A source made readable on a connection.

    `from_clause` reads it there. `runnable` says that the same clause reads it on any DuckDB
    connection; otherwise it only does on this one, until `close`. `types` are the columns'
    types where finding the clause has told them already. `has_row_ids` says that one of the
    columns, `ROW_IDS`, is none of the items'.
    """

    name: str
    from_clause: str
    runnable: bool = True
    close: Callable[[], object] = field(default=lambda: None, repr=False)
    types: Mapping[str, str] | None = None
    has_row_ids: bool = False

    @property
    def types_are_guessed(self) -> bool:
        """Whether the types come from the rows, so that without rows there are none."""
        return self.from_clause.startswith("read_csv")


def open_source(
    connection: DuckDBPyConnection,
    source: object,
    table: str | None,
    overrides: Overrides,
    *,
    locked: bool = False,
) -> Source:
    """Make the source readable on the connection; raise `UnreadableCatalog`, `UnknownTable`.

    `locked` says that whoever calls holds the lock of a database file.
    """
    if isinstance(source, str) and source.startswith("sample:"):
        return _sample(connection, source)
    if isinstance(source, str | os.PathLike):
        path = _path(cast("str | os.PathLike[Any]", source))
        if not locked and path.suffix.lower() in DATABASE_SUFFIXES:
            # A look at the file would cost a writer of this process DuckDB's lock on it.
            refuse_if_locked(path)
        return _file(connection, path, table, overrides)
    if isinstance(source, duckdb.DuckDBPyRelation):
        return _relation(source)
    return _frame(connection, source)


def _path(source: str | os.PathLike[Any]) -> Path:
    return Path(os.fsdecode(source))


def checked_path(source: str | os.PathLike[Any]) -> Path:
    """Return the path of a file that is there; raise `UnreadableCatalog`."""
    path = _path(source)
    _check_file(path)
    return path


def _sample(connection: DuckDBPyConnection, source: str) -> Source:
    name = source.removeprefix("sample:")
    if name not in SAMPLES:
        listed = ", ".join(f"sample:{sample}" for sample in SAMPLES)
        raise UnreadableCatalog(source, "no such sample", hint=f"samples: {listed}")
    import numpy as np

    from .sample_cars import sample_cars

    columns = {column: np.array(values, dtype=object) for column, values in sample_cars().items()}
    connection.register("sample_source", columns)
    typed = ", ".join(_sample_column(column, values) for column, values in columns.items())
    clause = f"(SELECT {typed} FROM sample_source)"
    return Source(name, clause, False, lambda: connection.unregister("sample_source"))


def _sample_column(name: str, values: Any) -> str:
    is_text = any(isinstance(value, str) for value in values)
    return f"CAST({quoted(name)} AS {'VARCHAR' if is_text else 'BIGINT'}) AS {quoted(name)}"


def _frame(connection: DuckDBPyConnection, source: object) -> Source:
    """Read a pandas or Polars frame, an Arrow table, or anything that speaks Arrow's C stream."""
    try:
        if type(source).__module__.split(".")[0] == "pandas":
            connection.register("frame_source", source)
        else:
            connection.from_arrow(source).create_view("frame_source")
    except (duckdb.Error, ImportError, TypeError, ValueError) as error:
        raise UnreadableCatalog(
            type(source).__name__,
            _first_line(error),
            hint="give a path, a pandas or Polars frame, an Arrow table or a DuckDB relation",
        ) from None
    return Source("catalog", "frame_source", runnable=False)


def _relation(source: duckdb.DuckDBPyRelation) -> Source:
    """Read a relation of another connection by way of a temporary file, types kept."""
    folder = tempfile.TemporaryDirectory(prefix="concede-")
    path = str(Path(folder.name) / "relation.parquet")
    try:
        source.write_parquet(path)
    except duckdb.Error as error:
        folder.cleanup()
        raise UnreadableCatalog("relation", _first_line(error)) from None
    return Source("catalog", f"read_parquet({literal(path)})", False, folder.cleanup)


def _file(
    connection: DuckDBPyConnection, path: Path, table: str | None, overrides: Overrides
) -> Source:
    _check_file(path)
    suffix = _suffix(path)
    if suffix in DATABASE_SUFFIXES:
        return _database(connection, path, table)
    if table is not None:
        raise UnknownTable(str(path), table, ())
    name = path.name.split(".")[0] or "catalog"
    # A folder called `year=2020` would add a column to the file.
    place = f"{literal(_without_wildcards(path))}, hive_partitioning=false"
    if suffix in CSV_SUFFIXES:
        clause, types = csv_clause(connection, path, place, overrides)
        return Source(name, clause, types=types)
    return Source(name, _reader(path, suffix, place))


def _check_file(path: Path) -> None:
    shown_path = str(path)
    if any("\ud800" <= character <= "\udfff" for character in shown_path):
        raise UnreadableCatalog(shown_path, "its name is not UTF-8", hint="rename it")
    try:
        if path.is_dir():
            raise UnreadableCatalog(shown_path, "a folder", hint="name one file")
        if not path.exists():
            is_address = ":/" in shown_path.partition("//")[0][:12]
            hint = "addresses are not read: download it" if is_address else "check the path"
            raise UnreadableCatalog(shown_path, "no such file", hint=hint)
        if not path.is_file():
            raise UnreadableCatalog(shown_path, "not a regular file", hint="copy it to one")
        with path.open("rb") as opened:
            head = opened.read(4096)
    except (OSError, ValueError) as error:
        raise UnreadableCatalog(shown_path, _first_line(error), hint="check the path") from None
    if not head.removeprefix(b"\xef\xbb\xbf").strip():
        raise UnreadableCatalog(shown_path, "the file is empty", hint="it needs a header row")


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _reader(path: Path, suffix: str, place: str) -> str:
    if suffix in PARQUET_SUFFIXES:
        return f"read_parquet({place})"
    if suffix in JSON_SUFFIXES:
        return f"read_json({place}, sample_size=-1)"
    known = ", ".join((*CSV_SUFFIXES, *PARQUET_SUFFIXES, *JSON_SUFFIXES, *DATABASE_SUFFIXES))
    raise UnreadableCatalog(
        str(path), f"unknown kind of file {shown(suffix)}", hint=f"known endings: {known}"
    )


def _without_wildcards(path: Path) -> str:
    """Return the absolute path with the characters DuckDB would expand taken literally."""
    return re.sub(r"([\[*?])", r"[\1]", os.path.abspath(path))


def _database(connection: DuckDBPyConnection, path: Path, table: str | None) -> Source:
    alias = "source_database"
    try:
        connection.execute(
            f"ATTACH {literal(os.path.abspath(path))} AS {alias} (READ_ONLY, TYPE duckdb)"
        )
        tables = connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? "
            "AND table_name <> ? UNION ALL SELECT schema_name, view_name FROM duckdb_views() "
            "WHERE database_name = ? AND NOT internal ORDER BY ALL",
            [alias, STATES, alias],
        ).fetchall()
    except duckdb.Error as error:
        if "set lock on file" in str(error):
            raise CatalogInUse(str(path)) from None
        raise UnreadableCatalog(str(path), _first_line(error), hint="a DuckDB file?") from None
    by_name = {name: schema for schema, name in tables}
    chosen = table if table is not None or len(by_name) != 1 else next(iter(by_name))
    if chosen is None or chosen not in by_name:
        connection.execute(f"DETACH {alias}")
        raise UnknownTable(str(path), chosen, by_name)
    clause = f"{alias}.{quoted(by_name[chosen])}.{quoted(chosen)}"
    names = connection.execute(f"SELECT * FROM {clause} LIMIT 0").description or []
    has_row_ids = any(described[0] == ROW_IDS for described in names)
    close = partial(connection.execute, f"DETACH {alias}")
    return Source(chosen, clause, False, close, has_row_ids=has_row_ids)


def explain_failure(source: object, error: Exception) -> UnreadableCatalog:
    """Return why a source that was found could not be read, in one line with the place."""
    if isinstance(source, str | os.PathLike):
        path = _path(cast("str | os.PathLike[Any]", source))
        if _suffix(path) in CSV_SUFFIXES:
            problem, hint = csv_problem(path)
            if problem:
                return UnreadableCatalog(str(path), problem, hint=hint)
        return UnreadableCatalog(str(path), _reason(path, error), hint="is it what it says?")
    return UnreadableCatalog(type(source).__name__, _first_line(error))


def _reason(path: Path, error: Exception) -> str:
    """Return the error's first line without the path, which the message already shows."""
    return re.sub(rf"\W*{re.escape(os.path.abspath(path))}\W*", " ", _first_line(error)).strip()


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def column_casts(overrides: Overrides) -> dict[str, str]:
    """Return the DuckDB type each overridden column is read as."""
    kinds = {
        name: override.kind for name, override in overrides.items() if override.kind is not None
    }
    return {name: _CASTS.get(kind, kind.upper()) for name, kind in kinds.items()}
