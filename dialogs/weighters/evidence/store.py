"""The log of events on disk: appended to line by line, rewritten where something has to go.

A line is one `write`, so a killed process leaves at most the last one unfinished, which opening
cuts off. A rewrite goes to a file beside it that takes its place in one step: whoever is killed
meanwhile leaves the old file or the new one, whole. An event is kept for so long from when it came
in, whatever time it tells of.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....catalogs.errors import QueryError, UnreadableFile
from ...transcripts.text_file import AppendedLines
from .events import DAY, Event, read_lines, written

KEPT_WHEN_FULL = 0.75
"""The share of events, or bytes, that stays where there are more than there may be."""

BETWEEN_LOOKS = 3_600.0
"""Seconds between two looks for what has been kept long enough."""

Gone = list[tuple[str, str]]
"""User and id of events that are kept no longer."""


@dataclass(frozen=True)
class Retention:
    """How long events are kept, in days, and how many, in all, of one person, and in bytes."""

    days: float = 365.0
    events: int = 200_000
    of_one: int = 1_000
    bytes: int = 200_000_000

    def __post_init__(self) -> None:
        """Raise `QueryError` for bounds that would keep nothing."""
        if not (self.days > 0 and self.events > 0 and self.of_one > 0 and self.bytes > 0):
            raise QueryError(f"bad retention {self}", hint="give numbers above 0")


class EventFile:
    """The lines of a log; `path` is written to by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._beside = path.with_name(path.name + ".rewritten")
        self._lines = AppendedLines(path, self._check)

    def _check(self, lines: Sequence[bytes], torn: bytes) -> None:
        """Raise `UnreadableFile` for a file that is no log: nothing is cut off that one."""
        first = (lines[0] if lines else torn).lstrip()
        if first and not first.startswith(b"{"):
            hint = "name another file"
            raise UnreadableFile(str(self.path), "line 1: no log of events", hint=hint)

    def events(self) -> list[Event]:
        """Return what the file holds, and drop what a killed process left beside it."""
        self._beside.unlink(missing_ok=True)
        return [event for _, event in read_lines(self.path, Event)]

    def add(self, line: bytes) -> None:
        """Write one line."""
        self._lines.add(line)

    def replace(self, content: bytes) -> None:
        """Have the file hold other lines, in one step, on the disk."""
        try:
            with self._beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            self._beside.replace(self.path)
        except OSError as error:
            raise UnreadableFile(str(self.path), error.strerror or str(error)) from None
        lines = AppendedLines(self.path, self._check)
        self._lines.close()
        self._lines = lines

    def close(self) -> None:
        """Close the file, which another process may then write to."""
        self._lines.close()


class EventStore:
    """Events in the order they came in, in a file, or in memory alone without a path.

    Its owner takes turns. Raises `UnreadableFile` for a file somebody else writes to, and one
    that holds anything but events.
    """

    def __init__(self, path: Path | None, retention: Retention, clock: Callable[[], float]) -> None:
        self.retention, self._clock = retention, clock
        self._file = None if path is None else EventFile(path)
        self._is_behind = False
        try:
            found = [] if self._file is None else self._file.events()
            self._hold([_dated(event, clock()) for event in found])
            if any(event.received is None for event in found):
                # Their time begins now, and not again with each start.
                self._rewrite(self._events)
            self.expire()
        except BaseException:
            self.close()
            raise

    def _hold(self, events: list[Event]) -> None:
        self._events = events
        self._oldest = min((event.received or 0.0 for event in events), default=math.inf)
        self._counts = dict(Counter(event.user for event in events))
        self._bytes = sum(len(written(event)) + 1 for event in events)

    def events(self) -> Sequence[Event]:
        """Return the events, in the order they came in."""
        return tuple(self._events)

    def add(self, event: Event) -> Gone:
        """Write an event down; return those that had to make room, or were kept long enough."""
        event = event.model_copy(update={"received": self._clock()})
        line = written(event)
        if self._file is not None:
            self._file.add(line)
        self._events.append(event)
        self._oldest = min(self._oldest, event.received or 0.0)
        self._bytes += len(line) + 1
        self._counts[event.user] = self._counts.get(event.user, 0) + 1
        full = (
            len(self._events) > self.retention.events
            or self._bytes > self.retention.bytes
            or self._counts[event.user] > self.retention.of_one
        )
        if full or self._clock() - self._looked >= BETWEEN_LOOKS:
            return self.expire()
        return []

    def forget(self, user: str) -> int:
        """Take a person's events out of the file; return how many they were."""
        kept = [event for event in self._events if event.user != user]
        return len(self._keep(kept))

    @property
    def now(self) -> float:
        """Seconds since 1970, by the clock of the store."""
        return self._clock()

    @property
    def _since(self) -> float:
        return self._clock() - self.retention.days * DAY

    @property
    def is_overdue(self) -> bool:
        """Whether an event is held that has been kept long enough."""
        return self._oldest < self._since

    def drop_overdue(self) -> Gone:
        """Hold what was kept long enough no longer; return it.

        The file follows with the next look, within an hour of the one before, or on closing:
        writing it anew for each event that grows too old would cost the reader its size.
        """
        if self._clock() - self._looked >= BETWEEN_LOOKS:
            return self.expire()
        since, before = self._since, self._events
        self._hold([event for event in before if (event.received or 0.0) >= since])
        self._is_behind = True
        return [(event.user, event.id) for event in before if (event.received or 0.0) < since]

    def expire(self) -> Gone:
        """Take out what was kept long enough or is too much, the oldest first."""
        self._looked = self._clock()
        since = self._since
        kept = [event for event in self._events if (event.received or 0.0) >= since]
        kept = self._within_bounds(kept)
        return self._keep(kept)

    def _within_bounds(self, events: list[Event]) -> list[Event]:
        bounds = self.retention
        room: dict[str, int] = {}
        for user, count in self._counts.items():
            room[user] = int(bounds.of_one * KEPT_WHEN_FULL) if count > bounds.of_one else count
        most, size = len(events), float("inf")
        if most > bounds.events:
            most = int(bounds.events * KEPT_WHEN_FULL)
        if self._bytes > bounds.bytes:
            size = bounds.bytes * KEPT_WHEN_FULL
        kept: list[Event] = []
        for event in reversed(events):
            if size < float("inf"):
                size -= len(written(event)) + 1
            if len(kept) >= most or size < 0:
                break
            if room.get(event.user, 0) > 0:
                room[event.user] -= 1
                kept.append(event)
        return kept[::-1]

    def _keep(self, events: list[Event]) -> Gone:
        """Make a file of these events take the place of the log; return what went."""
        ids = {id(event) for event in events}
        gone = [(event.user, event.id) for event in self._events if id(event) not in ids]
        if gone or self._is_behind:
            self._rewrite(events)
        return gone

    def _rewrite(self, events: list[Event]) -> None:
        if self._file is not None:
            self._file.replace(b"".join(written(event) + b"\n" for event in events))
        self._is_behind = False
        self._hold(events)

    def close(self) -> None:
        """Close the file, which another process may then write to."""
        if self._file is not None:
            if self._is_behind:
                self._rewrite(self._events)
            self._file.close()


def _dated(event: Event, now: float) -> Event:
    """Return an event with the time it came in, which is now where nobody wrote it down."""
    return event if event.received is not None else event.model_copy(update={"received": now})
