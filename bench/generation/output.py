"""Records written as one JSON array, to a file beside the target that then replaces it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from ..text_files import unwritable
from .records import Record


def check_place(path: str | Path) -> None:
    """Raise `CatalogError` where a file cannot be written, before anything is computed."""
    place = Path(path)
    try:
        if place.is_dir():
            raise unwritable(path, "it is a folder", "name a file")
        if not place.absolute().parent.is_dir():
            raise unwritable(path, "no such folder", "make it first")
    except (OSError, ValueError) as error:
        raise unwritable(path, str(error)) from None


def written(records: Sequence[Record]) -> str:
    """Return the records as the text of a file: the same records, the same bytes."""
    return json.dumps(records, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def write_records(path: str | Path, records: Sequence[Record]) -> None:
    """Write the records; a file of that name is replaced only once all is written.

    Raises `CatalogError` if that fails.
    """
    check_place(path)
    text = written(records)
    try:
        _write(Path(path).resolve(), text)
    except (OSError, ValueError) as error:
        raise unwritable(path, getattr(error, "strerror", None) or str(error)) from None


def _write(place: Path, text: str) -> None:
    if place.exists() and not place.is_file():
        # A device or a pipe: there is nothing to replace.
        place.write_text(text, encoding="utf-8")
        return
    beside = place.with_name(f".{place.name[:200]}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)
