"""Record a model's replies in a file, and replay them by episode, role, request and occurrence."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import heappop, heappush
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Literal, Self
from warnings import warn

from ...catalogs.errors import ModelError, NoReply, UnreadableFile, shown
from .cassette_file import CassetteWriter, Key, read_cassette
from .chat_model import ChatModel, Reply, Request

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
            raise ModelError(f"no cassette mode {shown(mode)}", hint="record, replay or strict")
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
        except ModelError:
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
                f" {shown(request.role)}, episode {shown(request.episode)}",
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
