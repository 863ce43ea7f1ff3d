"""Text files: written or read with `UnreadableFile` for any failure, and filled between markers."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..catalogs.errors import CatalogError, QueryError, UnreadableFile, excerpt, path_excerpt


@contextmanager
def naming(path: str | Path) -> Generator[None]:
    """Turn an `OSError` inside into an `UnreadableFile` that names the path."""
    try:
        yield
    except OSError as error:
        raise UnreadableFile(str(path), error.strerror or str(error)) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text as UTF-8; raise `UnreadableFile` where that fails.

    Half a character, which UTF-8 cannot hold, becomes a question mark.
    """
    with naming(path):
        Path(path).write_text(text, encoding="utf-8", errors="replace")


def unwritable(path: str | Path, reason: str, hint: str = "") -> CatalogError:
    """Return the error for a file or folder that cannot be written."""
    return CatalogError(f"cannot write {path_excerpt(str(path))}: {reason}", hint=hint)


def write_json_lines(path: str | Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a JSON line a record, letters as they are; raise `UnreadableFile` where that fails."""
    write_text(path, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def around_markers(path: Path, begin: str, end: str, hint: str) -> tuple[str, str]:
    """Return what stands before the begin marker of a page, and after its end marker.

    Raises `UnreadableFile`, and `QueryError` with the hint for a page without the markers.
    """
    try:
        with naming(path):
            text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UnreadableFile(str(path), "not UTF-8 text") from None
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise QueryError(f"no markers in {excerpt(str(path))}", hint=hint)
    return before, after
