"""CSV files as FROM clauses, and what is wrong with one that cannot be read."""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from ..errors import UnreadableCatalog
from ..query.predicate import literal, quoted
from ..query.schema import Column, ColumnOverride
from .file_reader import FileReader, ReadOptions, Source, file_argument, table_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DELIMITERS = ",;\t|"
HEADER_CHARACTERS = 1 << 16
"""How much of a file is looked at for its header."""

LEADING_ZERO = "^0[0-9]"
"""Codes such as 00501: a number would lose the zero."""

TOO_LONG_FOR_DOUBLE = "^[+-]?[0-9]{17,}$"
"""Codes such as a 20-digit account: a double would change the last digits."""


class CsvReader(FileReader):
    """Delimited text with a header row; `csv_clause` finds delimiter and types."""

    suffixes = (".csv", ".tsv", ".txt")

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the rows of the file; its types are found now."""
        clause, types = csv_clause(connection, path, file_argument(path), options.overrides)
        return Source(table_name(path), clause, types=types)

    def problem(self, path: Path) -> tuple[str, str]:
        """Return the first line that is not like the others, or not text."""
        return csv_problem(path)


def csv_clause(
    connection: DuckDBPyConnection,
    path: Path,
    place: str,
    overrides: Mapping[str, ColumnOverride],
) -> tuple[str, dict[str, str]]:
    """Return a FROM clause that reads the file, and the types it gives, by column.

    The header comes first, types are found in all rows.

    `place` is the quoted path with the options every kind of file takes. Codes stay text.
    Raises `UnreadableCatalog` for an empty file, and what DuckDB raises for a bad one.
    """
    if not _head(path).strip():
        raise UnreadableCatalog(str(path), "the file is empty", hint="it needs a header row")
    options = [place, "header=true", "quote='\"'", "escape='\"'", "comment=''", "sample_size=-1"]
    # Without it the search for a dialect drops leading lines, the header too, of a ragged file.
    options.append("skip=0")
    if path.suffix.lower() != ".zst":
        options.append(f"delim={literal(_delimiter(path))}")
    clause = f"read_csv({', '.join(options)})"
    described = connection.execute(f"DESCRIBE SELECT * FROM {clause}").fetchall()
    columns = [Column(str(row[0]), str(row[1]).upper()) for row in described]
    folded = {
        name.casefold() for name, override in overrides.items() if override.kind in _TEXT_KINDS
    }
    as_text = {column.name for column in columns if column.name.casefold() in folded}
    as_text |= _codes(connection, options, columns)
    types = {c.name: "VARCHAR" if c.name in as_text else c.sql_type for c in columns}
    if not as_text:
        return clause, types
    given = ", ".join(f"{literal(c.name)}: 'VARCHAR'" for c in columns if c.name in as_text)
    return f"read_csv({', '.join(options)}, types={{{given}}})", types


_TEXT_KINDS = ("text", "categorical")


def _codes(
    connection: DuckDBPyConnection, options: list[str], columns: Iterable[Column]
) -> set[str]:
    """Return the columns that look like numbers but whose digits mean more than a number.

    Whole-number columns need no look: DuckDB leaves codes with leading zeros as text there.
    """
    numeric = [column for column in columns if column.family == "numeric" and not column.is_integer]
    if not numeric:
        return set()
    tests = ", ".join(f"coalesce(bool_or({_is_code(column)}), FALSE)" for column in numeric)
    clause = f"read_csv({', '.join(options)}, all_varchar=true)"
    truths = connection.execute(f"SELECT {tests} FROM {clause}").fetchone()
    return {column.name for column, is_code in zip(numeric, truths or (), strict=True) if is_code}


def _is_code(column: Column) -> str:
    pattern = f"{LEADING_ZERO}|{TOO_LONG_FOR_DOUBLE}"
    return f"regexp_matches(trim({quoted(column.name)}), {literal(pattern)})"


def _head(path: Path) -> str:
    """Return the first characters of a file; a comma if it cannot be unpacked."""
    try:
        with _opened(path) as lines:
            return lines.read(HEADER_CHARACTERS)
    except (OSError, EOFError, zlib.error):
        return ","


def _delimiter(path: Path) -> str:
    """Return the delimiter the header row uses most, outside quotes; a comma if none."""
    unquoted = re.sub(r'"[^"]*"', "", _head(path)).lstrip("\r\n")
    header = re.split(r"[\r\n]", unquoted, maxsplit=1)[0]
    return max(DELIMITERS, key=header.count)


def header_of(path: Path) -> list[str]:
    """Return the names in a file's header row, as they are written there."""
    lines = _head(path).lstrip("\r\n").splitlines(keepends=True)
    return next(csv.reader(lines, delimiter=_delimiter(path)), list[str]())


def _opened(path: Path) -> TextIOWrapper:
    is_packed = path.suffix.lower() == ".gz"
    opened = cast("BinaryIO", gzip.open(path) if is_packed else path.open("rb"))  # noqa: SIM115
    return TextIOWrapper(opened, encoding="utf-8-sig", errors="surrogateescape", newline="")


def csv_problem(path: Path) -> tuple[str, str]:
    """Return the first thing wrong with a file and the way out; empty where nothing is found."""
    delimiter = _delimiter(path)
    try:
        with _opened(path) as lines:
            return _line_problem(lines, delimiter)
    except (csv.Error, OSError, EOFError, zlib.error) as error:
        return " ".join(str(error).split()), "is it a CSV file?"


def _line_problem(lines: Iterable[str], delimiter: str) -> tuple[str, str]:
    rows, width = csv.reader(lines, delimiter=delimiter), 0
    for row in rows:
        if any(map(_undecoded, row)):
            return f"line {rows.line_num} is not UTF-8", "save the file as UTF-8"
        if any("\0" in field for field in row):
            return f"line {rows.line_num} holds a NUL byte", "is it a text file?"
        width = width or len(row)
        if row and len(row) != width:
            problem = f"line {rows.line_num} has {len(row)} fields, the header has {width}"
            return problem, "give every row as many fields as the header; quote inner commas"
    return "", ""


def _undecoded(field: str) -> bool:
    return not field.isascii() and any("\ud800" <= character <= "\udfff" for character in field)
