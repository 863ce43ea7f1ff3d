"""JSON lines read record by record within limits, gzipped or not; and JSON of any shape, whole."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from ..catalogs.errors import QueryError, UnreadableFile, excerpt
from ..catalogs.validation_fault import first_fault
from ..dialogs.transcripts.text_file import TOO_DEEP, parsed

MAX_LINE = 4_000_000
"""Bytes of one record; the longest published one has 14,000."""

MAX_RECORDS = 1_000_000
"""Records of one file, which bounds what a small archive may unfold to."""


Parsed = TypeVar("Parsed")


def read_records(
    path: str | Path, parse: Callable[[Any], Parsed], *, torn: bool = False
) -> Iterator[Parsed]:
    """Yield what `parse` makes of each record, gunzipped where the file's name ends in `.gz`.

    `torn`: the last line may be unfinished, as a process that was killed leaves it, and is
    then left out. Raises `UnreadableFile` that names the line of what is wrong.
    """
    for number, line in _lines(Path(path)):
        if not torn or line.endswith(b"\n"):
            yield _parsed(path, number, line, parse)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with _opened(path) as file:
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE or number > MAX_RECORDS:
                    limits = f"{MAX_RECORDS:,} records of {MAX_LINE:,} bytes are the most"
                    raise UnreadableFile(str(path), f"line {number} is too much", hint=limits)
                if line.strip():
                    yield number, line
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile(str(path), reason) from None


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def _parsed(path: str | Path, number: int, line: bytes, parse: Callable[[Any], Parsed]) -> Parsed:
    try:
        return parse(parsed(Path(path), line, number, strict=True))
    except RecursionError:
        reason = TOO_DEEP
    except ValidationError as error:
        fault = first_fault(error, 3)
        reason = f"{fault.place or 'record'} {excerpt(fault.given)}: {fault.problem}"
    except QueryError as error:
        reason = str(error)
    except ValueError as error:
        reason = f"not JSON: {error}"
    raise UnreadableFile(str(path), f"line {number}: {reason}") from None


def read_values(path: str | Path) -> Iterator[object]:
    """Yield the values of a JSON array, of JSON lines, or the one value that a file holds.

    Raises `UnreadableFile` with the place of what is wrong.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(str(path), "not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(str(path), getattr(error, "strerror", None) or str(error)) from None
    yield from _values(str(path), text)


def _values(path: str, text: str) -> Iterator[object]:
    try:
        whole = json.loads(text)
    except RecursionError:
        raise UnreadableFile(path, TOO_DEEP) from None
    except ValueError as error:
        # A newline alone ends a line: JSON strings may hold the other line separators.
        lines = text.split("\n")
        if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
            raise UnreadableFile(path, f"not JSON: {error}") from None
        yield from _line_values(path, lines)
        return
    yield from cast("Sequence[object]", whole) if isinstance(whole, list) else [whole]


def _line_values(path: str, lines: Sequence[str]) -> Iterator[object]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield parsed(Path(path), line.encode(), number)
