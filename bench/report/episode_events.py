"""Events of an episode parsed for the page; events of unknown shape are counted, not shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ...dialogs.transcripts.episode import Episode

KEYS = ("column", "op", "value")


def _constraint(record: Mapping[str, Any]) -> Constraint:
    return Constraint.model_validate({key: record[key] for key in KEYS if key in record})


ReadConstraint = Annotated[Constraint, BeforeValidator(_constraint)]


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


class _Edit(_Read):
    before: dict[str, Any] | None = Field(None, alias="from")
    to: dict[str, Any] | None = None


class _Iteration(_Read):
    unsat_core: list[dict[str, Any]] = []
    chosen_repair: _Edit | None = None
    num_results_after: int | None = None


class _Formal(_Read):
    iterations: list[_Iteration] = []


@dataclass(frozen=True)
class Understood:
    """A constraint read from a message, and from which words of it."""

    constraint: Constraint
    quote: Quote | None


@dataclass(frozen=True)
class Step:
    """One iteration of a solver-style baseline: a conflict, and the edit that was chosen."""

    conflict: Sequence[Constraint]
    edit: Constraint | None
    before: Constraint | None
    matches: int | None


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
            read(events, event)
        except (ValidationError, QueryError, ValueError, TypeError):
            events.unread += 1
    return events


def _message(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    events.messages.append((event["role"], event["content"]))


def _understood(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    for reading in _validated(_Understood, event).constraints:
        constraint = _constraint(reading.model_dump())
        events.understood.setdefault(len(events.messages) - 1, []).append(
            Understood(constraint, reading.evidence)
        )


def _weighed(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    """Take the weights in; those weighed last count."""
    events.weighed = _validated(_Weighed, event).weights


def _proposed(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    events.explanation = _validated(_Proposed, event).explanation


def _formal(events: EpisodeEvents, event: Mapping[str, Any]) -> None:
    events.steps = [_step(iteration) for iteration in _validated(_Formal, event).iterations]


def _step(iteration: _Iteration) -> Step:
    before = iteration.chosen_repair.before if iteration.chosen_repair else None
    after = iteration.chosen_repair.to if iteration.chosen_repair else None
    return Step(
        [_constraint(core) for core in iteration.unsat_core],
        _constraint(after) if after else None,
        _constraint(before) if before else None,
        iteration.num_results_after,
    )


_READ = {
    "message": _message,
    "understood": _understood,
    "weighed": _weighed,
    "proposed": _proposed,
    "formal": _formal,
}

EventModel = TypeVar("EventModel", bound=BaseModel)


def _validated(model: type[EventModel], event: Mapping[str, Any]) -> EventModel:
    return model.model_validate(dict(event))


def conflicts_of(record: Mapping[str, Any], count: int) -> list[list[int]]:
    """Return the conflicts that an instance's record lists, as places of its constraints."""
    try:
        listed = _Derived.model_validate(record.get("derived")).muses
    except ValidationError:
        return []
    return [conflict for conflict in listed if conflict and all(0 <= at < count for at in conflict)]
