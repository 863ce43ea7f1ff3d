"""Cassette files: JSON lines, a header first, then one line for each reply.

    {"concede_cassette": 1}
    {"episode": …, "role": …, "request": SHA-256, "occurrence": 0, "asked": {…}, "reply": {…}}

Only replies and requests are written: neither endpoint nor key are part of either. A line is
one `write` to a file opened for appending, so a killed process leaves at most the last line
unfinished.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Lock
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ...catalogs.errors import UnreadableFile, shown
from .chat_model import Reply, Request, Tokens
from .text_file import parsed, read_bytes

VERSION = 1
HEADER = "concede_cassette"
WRITTEN_HEADER = json.dumps({HEADER: VERSION}).encode() + b"\n"

Key = tuple[str, str, str, int]
"""Episode, role, the request's SHA-256, and how often it was asked before."""


class _Tokens(BaseModel):
    prompt: int
    completion: int


class _Reply(BaseModel):
    text: str
    finish_reason: str
    tokens: _Tokens
    top_logprobs: list[tuple[str, float]]
    model: str

    def reply(self) -> Reply:
        return Reply(
            self.text,
            self.finish_reason,
            Tokens(self.tokens.prompt, self.tokens.completion),
            tuple(self.top_logprobs),
            self.model,
        )


class _Line(BaseModel):
    episode: str
    role: str
    request: str
    occurrence: int
    reply: _Reply

    def key(self) -> Key:
        return (self.episode, self.role, self.request, self.occurrence)


def read_cassette(path: Path) -> dict[Key, Reply]:
    """Return the replies of a cassette, the later one where a key stands twice.

    Raises `UnreadableFile` for a missing file, another format or version, and any line that
    is not a reply, an unfinished last one included.
    """
    *lines, torn = read_bytes(path).split(b"\n")
    if torn:
        way_out = "record on, which drops it, or delete that line"
        raise UnreadableFile(str(path), f"line {len(lines) + 1} is unfinished", way_out=way_out)
    _check_header(path, lines[0] if lines else b"")
    read = (_line(path, line, at) for at, line in enumerate(lines[1:], 2))
    return {line.key(): line.reply.reply() for line in read}


def _check_header(path: Path, line: bytes) -> None:
    header: Any = parsed(path, line, 1) if line else None
    if not isinstance(header, dict) or HEADER not in header:
        raise UnreadableFile(str(path), "no cassette", way_out=f'it begins with {{"{HEADER}": …}}')
    version = cast("dict[str, Any]", header)[HEADER]
    if version != VERSION:
        reason = f"cassette version {shown(version)}"
        raise UnreadableFile(str(path), reason, way_out=f"this release reads {VERSION}")


def _line(path: Path, line: bytes, at: int) -> _Line:
    try:
        return _Line.model_validate(parsed(path, line, at))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    raise UnreadableFile(str(path), f"line {at}: {where}: {first['msg']}")


class CassetteWriter:
    """Appends replies to a cassette, by several threads of one process.

    Creates the file, and drops an unfinished last line, whose number is `torn_line`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        try:
            self._file = path.open("ab", buffering=0)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UnreadableFile(str(path), reason) from None
        try:
            _reserve(path, self._file.fileno())
            self.torn_line = self._mended()
        except BaseException:
            self._file.close()
            raise

    def _mended(self) -> int | None:
        *lines, torn = read_bytes(self._path).split(b"\n")
        if lines:
            # Nothing is cut off a file that is no cassette.
            _check_header(self._path, lines[0])
        elif torn and not WRITTEN_HEADER.startswith(torn):
            raise UnreadableFile(str(self._path), "no cassette", way_out="name another file")
        if torn:
            self._file.truncate(sum(len(line) + 1 for line in lines))
        if not lines:
            self._append(WRITTEN_HEADER)
        return len(lines) + 1 if torn else None

    def add(self, key: Key, request: Request, reply: Reply) -> None:
        """Write one reply down; raise `UnreadableFile` where the file cannot be written."""
        episode, role, asked, occurrence = key
        line = {
            "episode": episode,
            "role": role,
            "request": asked,
            "occurrence": occurrence,
            "asked": request.record(),
            "reply": reply.record(),
        }
        # ASCII: half characters, which UTF-8 cannot write, stay as they are.
        self._append(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def _append(self, line: bytes) -> None:
        try:
            with self._lock:
                written = self._file.write(line)
                if written != len(line):
                    self._file.truncate(self._file.tell() - (written or 0))
                    raise OSError("no room for another line")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UnreadableFile(str(self._path), reason) from None

    def close(self) -> None:
        """Close the file, which another process may then record into."""
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
            str(path), "somebody else records into it", way_out="name another file"
        ) from None
