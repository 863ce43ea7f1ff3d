"""Cassette files: JSON lines, a header first, then one line for each reply.

    {"concede_cassette": 1}
    {"episode": …, "role": …, "request": SHA-256, "occurrence": 0, "asked": {…}, "reply": {…}}

Only replies and requests are written: neither endpoint nor key are part of either. A line is
one `write` to a file opened for appending, so a killed process leaves at most the last line
unfinished.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ...catalogs.errors import UnreadableFile, shown
from ..transcripts.append_only_file import AppendedLines
from ..transcripts.text_file import parsed, read_bytes
from .chat_model import Reply, Request, Tokens

VERSION = 1
HEADER = "concede_cassette"
WRITTEN_HEADER = json.dumps({HEADER: VERSION}).encode()

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
        hint = "record on, which drops it, or delete that line"
        raise UnreadableFile(str(path), f"line {len(lines) + 1} is unfinished", hint=hint)
    _check_header(path, lines[0] if lines else b"")
    read = (_line(path, line, at) for at, line in enumerate(lines[1:], 2))
    return {line.key(): line.reply.reply() for line in read}


def _check_header(path: Path, line: bytes) -> None:
    header: Any = parsed(path, line, 1) if line else None
    if not isinstance(header, dict) or HEADER not in header:
        raise UnreadableFile(str(path), "no cassette", hint=f'it begins with {{"{HEADER}": …}}')
    version = cast("dict[str, Any]", header)[HEADER]
    if version != VERSION:
        reason = f"cassette version {shown(version)}"
        raise UnreadableFile(str(path), reason, hint=f"this release reads {VERSION}")


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
        self._lines = AppendedLines(path, partial(_check, path))
        self.torn_line = self._lines.count + 1 if self._lines.is_torn else None
        if not self._lines.count:
            self._lines.add(WRITTEN_HEADER)

    def add(self, key: Key, request: Request, reply: Reply) -> None:
        """Write one reply down; raise `UnreadableFile` where the file cannot be written."""
        episode, role, digest, occurrence = key
        line = {
            "episode": episode,
            "role": role,
            "request": digest,
            "occurrence": occurrence,
            "asked": request.record(),
            "reply": reply.record(),
        }
        # ASCII: half characters, which UTF-8 cannot write, stay as they are.
        self._lines.add(json.dumps(line, separators=(",", ":")).encode())

    def close(self) -> None:
        """Close the file, which another process may then record into."""
        self._lines.close()


def _check(path: Path, lines: Sequence[bytes], torn: bytes) -> None:
    """Raise `UnreadableFile` for a file that is no cassette: nothing is cut off that one."""
    if lines:
        _check_header(path, lines[0])
    elif torn and not (WRITTEN_HEADER + b"\n").startswith(torn):
        raise UnreadableFile(str(path), "no cassette", hint="name another file")
