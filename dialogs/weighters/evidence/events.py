"""Events and probes: what somebody asked for, was shown and did, one JSON object a line.

    {"id": …, "user": …, "time": …, "constraints": [{column, op, value}], "shown": [keys],
     "clicked": [keys], "bought": [keys], "dwell": {key: seconds}, "put_back": [positions]}

The first of `shown` stood on top. `put_back` are positions, from 0, in `constraints`: what had
given way and was asked for again. `place`, latitude and longitude, is where somebody asked from.
A log that is kept also says when each was `received`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ....catalogs.errors import ConcedeError, QueryError, UnreadableFile, excerpt
from ....catalogs.query.constraint import Constraint
from ....catalogs.validation_fault import first_fault
from ...transcripts.text_file import parsed, read_bytes

MOST_SHOWN = 200
MOST_CONSTRAINTS = 64
LONGEST_NAME = 200
DAY = 86_400.0

Key = str | int | float
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Constraints = Annotated[tuple[Constraint, ...], Field(max_length=MOST_CONSTRAINTS)]
Place = tuple[Annotated[float, Field(ge=-90, le=90)], Annotated[float, Field(ge=-180, le=180)]]
Keys = Annotated[tuple[Key, ...], Field(max_length=MOST_SHOWN)]


def named(key: Key) -> str:
    """Return a key as the text by which an item is looked up."""
    return str(key)


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @field_validator("id", "user", mode="before", check_fields=False)
    @classmethod
    def _text(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("shown", "clicked", "bought", mode="before", check_fields=False)
    @classmethod
    def _plain_keys(cls, value: object) -> object:
        if isinstance(value, list | tuple) and any(isinstance(key, bool) for key in value):  # pyright: ignore[reportUnknownVariableType] anything may come
            raise ValueError("a key is a text or a number")
        return value  # pyright: ignore[reportUnknownVariableType] as above

    @model_validator(mode="after")
    def _no_key_twice(self) -> _Line:
        shown = [named(key) for key in getattr(self, "shown", ())]
        if len(set(shown)) < len(shown):
            raise ValueError("shown: a key stands twice")
        return self


class Event(_Line):
    """One list that somebody saw, and what they did with it."""

    id: Name
    user: Name
    time: float
    constraints: Constraints = ()
    shown: Keys = ()
    clicked: Keys = ()
    bought: Keys = ()
    dwell: dict[str, Annotated[float, Field(ge=0)]] = Field(default={}, max_length=MOST_SHOWN)
    put_back: Annotated[tuple[int, ...], Field(max_length=MOST_CONSTRAINTS)] = ()
    place: Place | None = None
    received: float | None = None

    @field_validator("time", mode="before")
    @classmethod
    def _seconds(cls, value: object) -> object:
        return seconds_of(value)

    @model_validator(mode="after")
    def _fits(self) -> Event:
        shown = {named(key) for key in self.shown}
        for name in ("clicked", "bought", "dwell"):
            for key in getattr(self, name):
                if named(key) not in shown:
                    raise ValueError(f"{name}: {excerpt(key)} was not shown")
        for position in self.put_back:
            if not 0 <= position < len(self.constraints):
                raise ValueError(f"put_back: {position} is no position of a constraint")
        return self

    def record(self) -> dict[str, Any]:
        """Return the JSON object of the event; its time in seconds since 1970."""
        fields: dict[str, Any] = {
            "id": self.id,
            "user": self.user,
            "time": self.time,
            "constraints": [constraint.record() for constraint in self.constraints],
            "shown": list(self.shown),
        }
        for name in ("clicked", "bought", "put_back"):
            if getattr(self, name):
                fields[name] = list(getattr(self, name))
        if self.dwell:
            fields["dwell"] = self.dwell
        if self.place is not None:
            fields["place"] = list(self.place)
        return fields if self.received is None else fields | {"received": self.received}


class Probe(_Line):
    """A question: what do these constraints weigh for this person, what would be clicked?"""

    id: Name
    user: Name | None = None
    constraints: Constraints
    shown: Keys = ()


def seconds_of(value: object) -> float:
    """Return a moment, ISO 8601 text or seconds since 1970, in seconds; raise `ValueError`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("no time: give ISO 8601 text or seconds since 1970")
    if isinstance(value, str):
        moment = datetime.fromisoformat(value)
        value = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if not math.isfinite(value) or abs(value) > 1e11:
        raise ValueError("no time: give ISO 8601 text or seconds since 1970")
    return float(value)


Line = TypeVar("Line", Event, Probe)


def of_record(kind: type[Line], record: object) -> Line:
    """Return a JSON object as an event or a probe; raise `QueryError` with one line."""
    if not isinstance(record, Mapping):
        raise QueryError(f"{excerpt(record)} is no JSON object")
    try:
        return kind.model_validate(record)
    except ValidationError as error:
        problem = first_fault(error, 2).line()
    raise QueryError(problem)


def read_lines(path: Path, kind: type[Line]) -> Iterator[tuple[int, Line]]:
    """Yield the events or probes of a file with their lines' numbers, passing over blank lines.

    Raises `UnreadableFile`, naming file and line, for a line that is torn, no JSON, or no
    event or probe.
    """
    *lines, rest = read_bytes(path).split(b"\n")
    for at, text in enumerate([*lines, rest], 1):
        if not text.strip():
            continue
        torn = at > len(lines)
        try:
            yield at, of_record(kind, parsed(path, text, at, strict=True))
        except UnreadableFile as error:
            if not torn:
                raise
            hint = "delete that line"
            raise UnreadableFile(str(path), f"line {at} is unfinished", hint=hint) from error
        except ConcedeError as error:
            raise UnreadableFile(str(path), f"line {at}: {error}") from None


def written(event: Event) -> bytes:
    """Return an event as a line of the log, without its end."""
    return json.dumps(event.record(), separators=(",", ":"), default=str).encode()
