"""Events of an episode parsed for the page; events of unknown shape are counted, not shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ...dialogs.transcripts.episode import Episode

KEYS = ("column", "op", "value")


def read_constraint(record: Mapping[str, Any]) -> Constraint:
    """Return the constraint of a record, whatever else it says of it."""
    return Constraint.model_validate({key: record[key] for key in KEYS if key in record})


def _constraint_of_edit(record: Mapping[str, Any] | None) -> Constraint | None:
    return read_constraint(record) if record else None


ReadConstraint = Annotated[Constraint, BeforeValidator(read_constraint)]
EditedConstraint = Annotated[Constraint | None, BeforeValidator(_constraint_of_edit)]


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Quote(_Read):
    """Where something stands: characters `start` to `end` of a message."""

    message: int
    start: int
    end: int
    text: str = ""


class _Reading(_Read):
    column: str
    op: str
    value: Any = None
    evidence: Quote | None = None


class _Derived(_Read):
    muses: list[list[int]] = []


class _Understood(_Read):
    constraints: list[_Reading] = []


class Weighed(_Read):
    """A weight, and the words it was taken from."""

    constraint: ReadConstraint
    weight: float
    confidence: float | None = None
    quotes: list[Quote] = Field([], alias="evidence")


class _Weighed(_Read):
    weights: list[Weighed] = []


class _Proposed(_Read):
    explanation: str = ""


class Edit(_Read):
    """What a constraint was, and what it became; None where it was dropped."""

    before: EditedConstraint = Field(None, alias="from")
    to: EditedConstraint = None


class Step(_Read):
    """One iteration of a solver-style baseline: a conflict, and the edit that was chosen."""

    conflict: list[ReadConstraint] = Field([], alias="unsat_core")
    edit: Edit | None = Field(None, alias="chosen_repair")
    matches: int | None = Field(None, alias="num_results_after")


class _Formal(_Read):
    iterations: list[Step] = []


@dataclass(frozen=True)
class Understood:
    """A constraint read from a message, and from which words of it."""

    constraint: Constraint
    quote: Quote | None


@dataclass
class EpisodeEvents:
    """An episode's events by what they tell; `understood` by number of the message heard last.

    `unread` counts events of a known kind but an unknown shape.
    """

    messages: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    understood: dict[int, list[Understood]] = field(default_factory=dict[int, list[Understood]])
    weighed: list[Weighed] = field(default_factory=list[Weighed])
    explanation: str = ""
    steps: list[Step] = field(default_factory=list[Step])
    unread: int = 0


def read_events(episode: Episode) -> EpisodeEvents:
    """Return what an episode's events tell."""
    events = EpisodeEvents()
    for event in episode.events:
        read = _READ.get(str(event["kind"]))
        if read is None:
            continue
        try:
            read(events, dict(event))
        except (ValidationError, QueryError, ValueError, TypeError):
            events.unread += 1
    return events


def _message(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    events.messages.append((event["role"], event["content"]))


def _understood(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    for reading in _Understood.model_validate(event).constraints:
        constraint = read_constraint(reading.model_dump())
        events.understood.setdefault(len(events.messages) - 1, []).append(
            Understood(constraint, reading.evidence)
        )


def _weighed(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    """Take the weights in; those weighed last count."""
    events.weighed = _Weighed.model_validate(event).weights


def _proposed(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    events.explanation = _Proposed.model_validate(event).explanation


def _formal(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    events.steps = _Formal.model_validate(event).iterations


_READ = {
    "message": _message,
    "understood": _understood,
    "weighed": _weighed,
    "proposed": _proposed,
    "formal": _formal,
}


def conflicts_of(record: Mapping[str, Any], count: int) -> list[list[int]]:
    """Return the conflicts that an instance's record lists, as places of its constraints."""
    try:
        listed = _Derived.model_validate(record.get("derived")).muses
    except ValidationError:
        return []
    return [conflict for conflict in listed if conflict and all(0 <= at < count for at in conflict)]
