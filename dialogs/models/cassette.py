"""Record a model's replies in a file, and replay them by episode, role, request and occurrence.

    {"concede_cassette": 1}
    {"episode": …, "role": …, "request": SHA-256, "occurrence": 0, "asked": {…}, "reply": {…}}

Only replies and requests are written: neither endpoint nor key are part of either. A line is
one `write` to a file opened for appending, so a killed process leaves at most the last line
unfinished.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Literal, Self, cast
from warnings import warn

from pydantic import BaseModel, ValidationError

from ...catalogs.errors import ConcedeError, ModelError, NoReply, UnreadableFile, excerpt
from ...catalogs.validation_fault import first_fault
from ..transcripts.text_file import AppendedLines, parsed, read_bytes
from .budget import charged
from .chat_model import ChatModel, Reply, Request, Tokens

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
        reason = f"cassette version {excerpt(version)}"
        raise UnreadableFile(str(path), reason, hint=f"this release reads {VERSION}")


def _line(path: Path, line: bytes, at: int) -> _Line:
    try:
        return _Line.model_validate(parsed(path, line, at))
    except ValidationError as error:
        problem = first_fault(error).line()
    raise UnreadableFile(str(path), f"line {at}: {problem}")


def recorded_tokens(path: Path) -> int:
    """Return what the replies of a cassette took, as a budget counts; 0 without the file.

    An unfinished last line is left out. Raises `UnreadableFile` for what is no cassette.
    """
    if not path.exists():
        return 0
    lines = read_bytes(path).split(b"\n")[:-1]
    if lines:
        _check_header(path, lines[0])
    records: list[Any] = [parsed(path, line, at) for at, line in enumerate(lines[1:], 2)]
    return sum(
        charged(Request.of(record["asked"]["messages"]), _Line.model_validate(record).reply.reply())
        for record in records
    )


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


Mode = Literal["record", "replay", "strict"]


class CassetteModel:
    """Replies by (episode, role, hash of the request, how often it was asked before).

    - `record`: the inner model is asked, its reply is written down; a reply that was written
      before under the same key gives way.
    - `replay`: what is written is replied; the rest is asked and written down. An
      interrupted run goes on where it stopped.
    - `strict`: what is written is replied, the rest is `NoReply`. No model is needed.

    Failures are not written down: they count as not asked. `torn_line` is the number of an
    unfinished last line, which a killed process leaves: dropped with a warning when recording
    or replaying with a model, `UnreadableFile` in strict mode. Raises `UnreadableFile` for
    what is no cassette, and when somebody else records into the file.
    """

    def __init__(
        self, path: str | Path, mode: Mode = "strict", inner: ChatModel | None = None
    ) -> None:
        if mode not in ("record", "replay", "strict"):
            raise ModelError(f"no cassette mode {excerpt(mode)}", hint="record, replay or strict")
        if mode != "strict" and inner is None:
            problem = "recording" if mode == "record" else "replaying what may be missing"
            raise ModelError(f"{problem} needs a model to record", hint="name one")
        self._path = Path(path)
        self._inner = inner if mode != "strict" else None
        self._mode = mode
        self._writer = CassetteWriter(self._path) if self._inner else None
        self.torn_line = self._writer.torn_line if self._writer else None
        try:
            self._replies = read_cassette(self._path)
        except UnreadableFile:
            self.close()
            raise
        if self.torn_line:
            warn(f"{self._path.name}: unfinished line {self.torn_line} dropped", stacklevel=2)
        self._answered: Counter[tuple[str, str, str]] = Counter()
        self._freed: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The inner model's, or the file's."""
        return self._inner.name if self._inner else f"cassette {self._path.name}"

    def complete(self, request: Request) -> Reply:
        """Return the reply of the file or the model; raise `NoReply` and what the model raises."""
        question = (request.episode, request.role, request.sha256())
        with self._lock:
            key: Key = (*question, self._occurrence(question))
            known = None if self._mode == "record" else self._replies.get(key)
        if known is not None:
            return known
        try:
            return self._recorded(key, request)
        except ConcedeError:
            with self._lock:
                heappush(self._freed[question], key[3])
            raise

    def _occurrence(self, question: tuple[str, str, str]) -> int:
        """Return how often a question was answered before, whatever failed or is under way."""
        if freed := self._freed[question]:
            return heappop(freed)
        self._answered[question] += 1
        return self._answered[question] - 1

    def _recorded(self, key: Key, request: Request) -> Reply:
        if self._inner is None or self._writer is None:
            raise NoReply(
                f"{self._path.name} holds no reply number {key[3] + 1} to this request of role"
                f" {excerpt(request.role)}, episode {excerpt(request.episode)}",
                hint="record it again with the model",
            )
        reply = self._inner.complete(request)
        self._writer.add(key, request, reply)
        return reply

    def close(self) -> None:
        """Let others record into the file."""
        if self._writer:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
