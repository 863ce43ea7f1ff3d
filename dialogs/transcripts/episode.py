"""Episode file: a conversation as JSON lines, a header with the version and then its events.

A line is written and flushed when the event happens, so a killed process loses at most the
last one; a last line cut short is left out when reading. Reading takes the whole file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from ...catalogs.errors import UnreadableFile
from .text_file import parsed, read_bytes
from .transcript import Transcript

VERSION = 1


class EpisodeWriter:
    """Appends events to a file as they happen; a context manager."""

    def __init__(
        self, path: str | Path, header: dict[str, Any], held: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Start a file; raises `UnreadableFile` where it cannot be written.

        `held`: events that it begins with. With those it takes the place of the file that is
        there only once they are all written.
        """
        self.path = Path(path)
        begun = self.path.with_name(f"{self.path.name}.new") if held else self.path
        try:
            self._file: IO[str] = begun.open(
                # Half a character becomes the JSON escape it would be read as.
                "w",
                encoding="utf-8",
                errors="backslashreplace",
            )
        except OSError as error:
            raise UnreadableFile(str(path), str(error.strerror or error)) from error
        self.write("header", version=VERSION, **header)
        for event in held:
            self.write(**event)
        if held:
            begun.replace(self.path)

    def write(self, kind: str, **fields: Any) -> None:
        """Append one event and hand it to the operating system."""
        line = json.dumps({"kind": kind, **fields}, ensure_ascii=False, default=str)
        self._file.write(line + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file; closing again does nothing."""
        self._file.close()

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@dataclass(frozen=True)
class Episode:
    """What was written of one conversation. `events` hold all lines but the header."""

    header: dict[str, Any]
    events: tuple[dict[str, Any], ...] = field(default=())

    @property
    def transcript(self) -> Transcript:
        """The messages."""
        return Transcript.of(
            [
                {"role": event["role"], "content": event["content"]}
                for event in self.of_kind("message")
            ]
        )

    @property
    def termination(self) -> str | None:
        """Why it ended; None where the process ended first."""
        ends = [str(event["reason"]) for event in self.of_kind("end")]
        return ends[-1] if ends else None

    def of_kind(self, kind: str) -> Iterator[dict[str, Any]]:
        """Yield the events of one kind."""
        return (event for event in self.events if event["kind"] == kind)


def read_episode(path: str | Path) -> Episode:
    """Return an episode from its file.

    Raises `UnreadableFile` for a file that is none, or of another version.
    """
    path = Path(path)
    events = list(_events(path, read_bytes(path).removesuffix(b"\n").split(b"\n")))
    if not events or events[0]["kind"] != "header" or events[0].get("version") != VERSION:
        raise UnreadableFile(str(path), f"no episode of version {VERSION}")
    return Episode(events[0], tuple(events[1:]))


def _events(path: Path, lines: list[bytes]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            event: object = parsed(path, line, number)
        except UnreadableFile:
            if number == len(lines):
                # The process ended while it wrote this one.
                return
            raise
        if not isinstance(event, dict) or "kind" not in event:
            raise UnreadableFile(str(path), f"line {number} is no event")
        yield cast("dict[str, Any]", event)
