"""Turn each kind of source into a FROM clause that DuckDB can read: files, frames, relations."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from ..errors import UnknownTable, UnreadableCatalog, excerpt
from ..query.predicate import literal, quoted
from ..query.schema import ColumnOverride
from .duckdb_files import DATABASE_SUFFIXES
from .file_lock import refuse_if_locked
from .file_reader import ReadOptions, Source, first_line
from .registry import find_reader, known_suffixes, suffix_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SAMPLES = ("cars",)

_CASTS = {"text": "VARCHAR", "categorical": "VARCHAR", "numeric": "DOUBLE", "date": "TIMESTAMP"}
Overrides = Mapping[str, ColumnOverride]


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
        path = Path(os.fsdecode(cast("str | os.PathLike[Any]", source)))
        if not locked and path.suffix.lower() in DATABASE_SUFFIXES:
            # A look at the file would cost a writer of this process DuckDB's lock on it.
            refuse_if_locked(path)
        return _file(connection, path, table, overrides)
    if isinstance(source, duckdb.DuckDBPyRelation):
        return _relation(source)
    return _frame(connection, source)


def checked_path(source: str | os.PathLike[Any]) -> Path:
    """Return the path of a file that is there; raise `UnreadableCatalog`."""
    path = Path(os.fsdecode(source))
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
            first_line(error),
            hint="give a path, a pandas or Polars frame, an Arrow table or a DuckDB relation",
        ) from None
    return Source("catalog", "frame_source", runnable=False)


def _relation(source: duckdb.DuckDBPyRelation) -> Source:
    """Read a relation of another connection by way of a temporary file, types kept."""
    # Parquet has no type for whole numbers of 128 bits, which would become doubles.
    wide = [
        (quoted(name), str(kind))
        for name, kind in zip(source.columns, source.types, strict=True)
        if str(kind) in ("HUGEINT", "UHUGEINT")
    ]
    folder = tempfile.TemporaryDirectory(prefix="concede-")
    path = str(Path(folder.name) / "relation.parquet")
    clause = f"read_parquet({literal(path)})"
    try:
        if wide:
            texts = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name, _ in wide)
            source = source.project(f"* REPLACE ({texts})")
            numbers = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in wide)
            clause = f"(SELECT * REPLACE ({numbers}) FROM {clause})"
        source.write_parquet(path)
    except duckdb.Error as error:
        folder.cleanup()
        raise UnreadableCatalog("relation", first_line(error)) from None
    return Source("catalog", clause, False, folder.cleanup)


def _file(
    connection: DuckDBPyConnection, path: Path, table: str | None, overrides: Overrides
) -> Source:
    _check_file(path)
    reader = find_reader(path)
    if table is not None and not (reader and reader.has_tables):
        raise UnknownTable(str(path), table, ())
    if reader is None:
        problem = f"unknown kind of file {excerpt(suffix_of(path))}"
        hint = f"known endings: {', '.join(known_suffixes())}"
        raise UnreadableCatalog(str(path), problem, hint=hint)
    return reader.read(connection, path, ReadOptions(table, overrides))


def _check_file(path: Path) -> None:
    place = str(path)
    if any("\ud800" <= character <= "\udfff" for character in place):
        raise UnreadableCatalog(place, "its name is not UTF-8", hint="rename it")
    try:
        if path.is_dir():
            raise UnreadableCatalog(place, "a folder", hint="name one file")
        if not path.exists():
            is_address = ":/" in place.partition("//")[0][:12]
            hint = "addresses are not read: download it" if is_address else "check the path"
            raise UnreadableCatalog(place, "no such file", hint=hint)
        if not path.is_file():
            raise UnreadableCatalog(place, "not a regular file", hint="copy it to one")
        with path.open("rb") as opened:
            head = opened.read(4096)
    except (OSError, ValueError) as error:
        raise UnreadableCatalog(place, first_line(error), hint="check the path") from None
    if not head.removeprefix(b"\xef\xbb\xbf").strip():
        raise UnreadableCatalog(place, "the file is empty", hint="it needs a header row")


def explain_failure(source: object, error: Exception) -> UnreadableCatalog:
    """Return why a source that was found could not be read, in one line with the place."""
    if isinstance(source, str | os.PathLike):
        path = Path(os.fsdecode(cast("str | os.PathLike[Any]", source)))
        reader = find_reader(path)
        problem, hint = reader.problem(path) if reader else ("", "")
        if problem:
            return UnreadableCatalog(str(path), problem, hint=hint)
        return UnreadableCatalog(str(path), _reason(path, error), hint="is it what it says?")
    return UnreadableCatalog(type(source).__name__, first_line(error))


def _reason(path: Path, error: Exception) -> str:
    """Return the error's first line without the path, which the message already shows."""
    return re.sub(rf"\W*{re.escape(os.path.abspath(path))}\W*", " ", first_line(error)).strip()


def column_casts(overrides: Overrides) -> dict[str, str]:
    """Return the DuckDB type each overridden column is read as."""
    kinds = {
        name: override.kind for name, override in overrides.items() if override.kind is not None
    }
    return {name: _CASTS.get(kind, kind.upper()) for name, kind in kinds.items()}
