"""Read a whole file, and parse JSON lines, with errors that name the file and the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...catalogs.errors import UnreadableFile

MAX_FILE_BYTES = 1_000_000_000


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes; raise `UnreadableFile` where there is none, or it is huge."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UnreadableFile(str(path), f"more than {MAX_FILE_BYTES:,} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise UnreadableFile(str(path), reason)


def parsed(path: Path, text: bytes, line: int | None = None) -> Any:
    """Return the JSON value that some bytes of a file hold; raise `UnreadableFile`."""
    where = f"line {line}: " if line else ""
    try:
        return json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        reason = "not UTF-8 text"
    except RecursionError:
        reason = "nested too deeply"
    except ValueError as error:
        reason = f"not JSON: {error}"
    raise UnreadableFile(str(path), where + reason)
