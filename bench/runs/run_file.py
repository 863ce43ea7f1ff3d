"""A run on disk: the transcripts of many episodes in one JSON lines file.

    {"kind": "run", "version": 1, …}                    once, first
    {"kind": "header", "episode": KEY, "version": 1, …} what the episode is about
    {"kind": "message", "episode": KEY, "role": …, "content": …}
    {"kind": …, "episode": KEY, …}                      what else happens
    {"kind": "end", "episode": KEY, "reason": …}        why it ended

A line is written when it happens, and episodes held side by side mingle their lines. An
episode without an end was cut off; held again, it starts anew with another header. What
stands between header and end is what `dialogs.transcripts.episode` writes of a single conversation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...dialogs.conversation.session import Saved
from ...dialogs.transcripts.episode import VERSION as EPISODE_VERSION
from ...dialogs.transcripts.episode import Episode
from ...dialogs.transcripts.text_file import AppendedLines
from ..json_lines import read_records

VERSION = 1
RUN = "run"
NO_RUN = 'it begins with {"kind": "run", …}'

TEXTS = {"message": ("role", "content"), "end": ("reason",)}
"""Fields of an event that are texts."""

Event = dict[str, Any]


class RunWriter:
    """Adds episodes to a run's file; a context manager, used by several threads.

    `header` says what all episodes of the run have in common. A file that is there already
    goes on: its whole episodes are in `finished`. Raises `UnreadableFile` for a file that is no
    run, or that another process writes to, and `QueryError` where the headers differ.
    """

    def __init__(self, path: str | Path, header: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.finished: Sequence[Episode] = ()
        self._lines = AppendedLines(self.path, partial(_check, self.path))
        wanted = cast("Event", json.loads(_line({"kind": RUN, "version": VERSION, **header})))
        try:
            if not self._lines.count:
                self._lines.add(_line(wanted))
            else:
                run = read_run(self.path)
                _check_same(self.path, run.header, wanted)
                self.finished = run.episodes
        except BaseException:
            self._lines.close()
            raise

    def episode(self, key: str, **header: Any) -> Saved:
        """Start an episode and return what takes its events."""

        def save(kind: str, /, **fields: Any) -> None:
            self._lines.add(_line({"kind": kind, "episode": key, **fields}))

        save("header", version=EPISODE_VERSION, **header)
        return save

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _line(event: Mapping[str, Any]) -> bytes:
    # ASCII: half characters, which UTF-8 cannot write, stay as they are.
    return json.dumps(event, default=str, separators=(",", ":")).encode()


def _check(path: Path, lines: Sequence[bytes], torn: bytes) -> None:
    """Raise `UnreadableFile` for a file that is no run: nothing is cut off that one."""
    if not lines and not torn:
        return
    first = lines[0] if lines else torn
    if not first.startswith(b'{"kind":"run",'):
        raise UnreadableFile(str(path), "no run", hint="name another file")


def _check_same(path: Path, there: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for name in dict.fromkeys([*there, *wanted]):
        if there.get(name) != wanted.get(name):
            is_, was = excerpt(wanted.get(name)), excerpt(there.get(name))
            problem = f"{name} is {is_}, and was {was} when {path.name} was begun"
            raise QueryError(problem, hint="give --out another file")


@dataclass(frozen=True)
class Run:
    """A run as it stands on disk: its header, and its episodes in order of their start.

    `episodes` have ended; `cut_off` are the keys of those that have not.
    """

    header: Event
    episodes: tuple[Episode, ...]
    cut_off: tuple[str, ...] = ()


def read_run(path: str | Path) -> Run:
    """Return a run from its file, gunzipped where the name ends in `.gz`.

    An unfinished last line is left out. Raises `UnreadableFile` that names the line for a
    file that is none, or of another version.
    """
    events = read_records(path, _event, torn=True)
    header = next(events, None)
    if header is None or header["kind"] != RUN:
        raise UnreadableFile(str(path), "no run", hint=NO_RUN)
    if header.get("version") != VERSION:
        reason = f"run version {excerpt(header.get('version'))}"
        raise UnreadableFile(str(path), reason, hint=f"this release reads {VERSION}")
    begun = _gathered(str(path), events)
    whole = {key: episode for key, episode in begun.items() if episode.termination is not None}
    return Run(header, tuple(whole.values()), tuple(key for key in begun if key not in whole))


def _event(record: object) -> Event:
    event = cast("Event", record) if isinstance(record, dict) else {}
    kind = event.get("kind")
    if not isinstance(kind, str):
        raise QueryError(f"{excerpt(cast('object', record))} is no event", hint=NO_RUN)
    for name in TEXTS.get(kind, ()):
        if not isinstance(event.get(name), str):
            raise QueryError(f"{kind} event with {name} {excerpt(event.get(name))}")
    return event


def _gathered(path: str, events: Iterator[Event]) -> dict[str, Episode]:
    """Return the episodes by key; of one held twice the later."""
    headers: dict[str, Event] = {}
    events_by_key: dict[str, list[Event]] = {}
    for event in events:
        key = event.get("episode")
        if not isinstance(key, str):
            raise UnreadableFile(path, f"an event of no episode: {excerpt(event)}")
        if event["kind"] == "header":
            if event.get("version") != EPISODE_VERSION:
                reason = f"episode version {excerpt(event.get('version'))}"
                raise UnreadableFile(path, reason, hint=f"this release reads {EPISODE_VERSION}")
            headers[key], events_by_key[key] = event, []
        elif key in events_by_key:
            events_by_key[key].append(event)
        else:
            raise UnreadableFile(path, f"episode {excerpt(key)} has no header")
    return {key: Episode(header, tuple(events_by_key[key])) for key, header in headers.items()}
