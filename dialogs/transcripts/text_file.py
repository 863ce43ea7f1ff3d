"""Files of lines: read whole, parsed as JSON, and appended to, with errors that name file and line.

An append is one `write` a line, under an exclusive lock on the file. A killed process leaves at
most the last line unfinished; opening reads the whole file once and cuts that line off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

from ...catalogs.errors import UnreadableFile

MAX_FILE_BYTES = 1_000_000_000
TOO_DEEP = "nested too deeply"


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes; raise `UnreadableFile` where there is none, or it is huge."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UnreadableFile(str(path), f"more than {MAX_FILE_BYTES:,} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise UnreadableFile(str(path), reason)


def parsed(path: Path, text: bytes, line: int | None = None, *, strict: bool = False) -> Any:
    """Return the JSON value that some bytes of a file hold; raise `UnreadableFile`.

    `strict` refuses NaN and Infinity, which are no JSON.
    """
    where = f"line {line}: " if line else ""
    try:
        return strict_json(text) if strict else json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        reason = "not JSON: not UTF-8 text"
    except RecursionError:
        reason = TOO_DEEP
    except ValueError as error:
        reason = f"not JSON: {error}"
    raise UnreadableFile(str(path), where + reason)


def strict_json(text: bytes) -> Any:
    """Return the value that UTF-8 bytes hold; raise `ValueError` for NaN, Infinity and no JSON."""
    return json.loads(text.decode("utf-8"), parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


Check = Callable[[Sequence[bytes], bytes], None]
"""Raises `UnreadableFile` for a file of another kind, given its lines and its unfinished end."""


class AppendedLines:
    """Adds lines to a file: several threads of one process, and no other process meanwhile.

    Creates the file. An unfinished last line is cut off, once `check` has seen that the file
    is ours; `count` is how many lines it had then, `is_torn` whether anything was cut off.
    A line is one `write` to a file opened for appending. Raises `UnreadableFile`.
    """

    def __init__(self, path: Path, check: Check) -> None:
        self._path = path
        self._lock = Lock()
        try:
            self._file = path.open("ab", buffering=0)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UnreadableFile(str(path), reason) from None
        try:
            _reserve(path, self._file.fileno())
            *lines, torn = read_bytes(path).split(b"\n")
            check(lines, torn)
            if torn:
                self._file.truncate(sum(len(line) + 1 for line in lines))
        except BaseException:
            self._file.close()
            raise
        self.count, self.is_torn = len(lines), bool(torn)

    def add(self, line: bytes) -> None:
        """Write one line, given without its end; raise `UnreadableFile` where it does not fit."""
        try:
            with self._lock:
                written = self._file.write(line + b"\n")
                if written != len(line) + 1:
                    self._file.truncate(self._file.tell() - (written or 0))
                    raise OSError("no room for another line")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UnreadableFile(str(self._path), reason) from None

    def close(self) -> None:
        """Close the file, which another process may then write to."""
        self._file.close()


def _reserve(path: Path, descriptor: int) -> None:
    """Keep other writers out until the file is closed, where the system has such locks."""
    if os.name != "posix":
        return
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UnreadableFile(
            str(path), "somebody else records into it", hint="name another file"
        ) from None
