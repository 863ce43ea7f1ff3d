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

import duckdb

from ..errors import UnreadableCatalog
from ..query.predicate import literal, quoted
from ..query.schema import Column
from .cell_types import typed_cells
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
_TEXT_KINDS = ("text", "categorical")


class CsvReader(FileReader):
    """Delimited text with a header row; types are found in all rows, and codes stay text."""

    suffixes = (".csv", ".tsv", ".txt")

    def read(self, connection: DuckDBPyConnection, path: Path, options: ReadOptions) -> Source:
        """Return the rows of the file, with the types it gives."""
        if not _head(path).strip():
            raise UnreadableCatalog(str(path), "the file is empty", hint="it needs a header row")
        # Without skip=0 the search for a dialect drops leading lines of a ragged file.
        arguments = f"{file_argument(path)}, header=true, quote='\"', escape='\"', comment='', "
        arguments += "skip=0"
        if path.suffix.lower() != ".zst":
            arguments += f", delim={literal(_delimiter(path))}"
        of_all_rows = f"{arguments}, sample_size=-1"
        clause = f"read_csv({of_all_rows})"
        columns, formats = _sniffed(connection, of_all_rows)
        overrides = options.overrides.items()
        texts = {name.casefold() for name, given in overrides if given.kind in _TEXT_KINDS}
        as_text = {column.name for column in columns if column.name.casefold() in texts}
        as_text |= _codes(connection, of_all_rows, columns)
        as_text |= _with_other_formats(connection, arguments, columns, formats)
        types = {c.name: "VARCHAR" if c.name in as_text else c.sql_type for c in columns}
        if as_text:
            given = ", ".join(f"{literal(c.name)}: 'VARCHAR'" for c in columns if c.name in as_text)
            clause = f"read_csv({of_all_rows}, types={{{given}}})"
        source = Source(table_name(path), clause)
        # Types are known by now: to find them DuckDB would read the whole file again.
        looked_at = f"read_csv({arguments}, all_varchar=true)"
        return typed_cells(connection, source, types, options.overrides, looked_at=looked_at)

    def problem(self, path: Path) -> tuple[str, str]:
        """Return the first line that is not like the others, or not text."""
        delimiter = _delimiter(path)
        try:
            with _opened(path) as lines:
                return _line_problem(lines, delimiter)
        except (OSError, EOFError, zlib.error) as error:
            return " ".join(str(error).split()), "is it a CSV file?"


def _sniffed(connection: DuckDBPyConnection, arguments: str) -> tuple[list[Column], dict[str, str]]:
    """Return the columns of a file, and the formats of its dates that are not DuckDB's own."""
    sniffed = connection.execute(
        f"SELECT columns, dateformat, timestampformat FROM sniff_csv({arguments})"
    ).fetchone()
    listed, *formats = cast("tuple[list[dict[str, str]], str | None, str | None]", sniffed)
    columns = [Column(column["name"], column["type"].upper()) for column in listed]
    named = zip(("dateformat", "timestampformat"), formats, strict=True)
    return columns, {name: str(given) for name, given in named if given is not None}


def _with_other_formats(
    connection: DuckDBPyConnection,
    arguments: str,
    columns: Iterable[Column],
    formats: Mapping[str, str],
) -> set[str]:
    """Return the columns of dates in which some cell has another format than the file's.

    A format that DuckDB finds in a later row it has not tried on the rows before.
    """
    given = "".join(f", {name}={literal(each)}" for name, each in formats.items())
    others: set[str] = set()
    for column in columns if formats else ():
        if column.family != "date":
            continue
        types = f"types={{{literal(column.name)}: {literal(column.sql_type)}}}"
        clause = f"read_csv({arguments}, {types}{given})"
        try:
            connection.execute(f"SELECT count({quoted(column.name)}) FROM {clause}").fetchall()
        except duckdb.ConversionException:
            others.add(column.name)
    return others


def _codes(connection: DuckDBPyConnection, arguments: str, columns: Iterable[Column]) -> set[str]:
    """Return the columns that look like numbers but whose digits mean more than a number.

    Whole-number columns need no look: DuckDB leaves codes with leading zeros as text there.
    """
    numeric = [column for column in columns if column.family == "numeric" and not column.is_integer]
    if not numeric:
        return set()
    pattern = literal(f"{LEADING_ZERO}|{TOO_LONG_FOR_DOUBLE}")
    matches = [f"regexp_matches(trim({quoted(column.name)}), {pattern})" for column in numeric]
    tests = ", ".join(f"coalesce(bool_or({match}), FALSE)" for match in matches)
    clause = f"read_csv({arguments}, all_varchar=true)"
    truths = connection.execute(f"SELECT {tests} FROM {clause}").fetchone()
    return {column.name for column, is_code in zip(numeric, truths or (), strict=True) if is_code}


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


def _line_problem(lines: Iterable[str], delimiter: str) -> tuple[str, str]:
    rows, width, start = csv.reader(lines, delimiter=delimiter, strict=True), 0, 1
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            hint = "close every quote, and double those inside a field"
            return f"the row of line {start} cannot be read: {error}", hint
        if row is None:
            return "", ""
        start = rows.line_num + 1
        if any("\ud800" <= character <= "\udfff" for field in row for character in field):
            return f"line {rows.line_num} is not UTF-8", "save the file as UTF-8"
        if any("\0" in field for field in row):
            return f"line {rows.line_num} holds a NUL byte", "is it a text file?"
        width = width or len(row)
        if row and len(row) != width:
            problem = f"line {rows.line_num} has {len(row)} fields, the header has {width}"
            return problem, "give every row as many fields as the header; quote inner commas"
