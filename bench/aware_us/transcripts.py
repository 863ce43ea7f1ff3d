"""Outcomes of episodes written as transcript events, and read back from them.

The header holds the whole instance, so that a transcript can be scored without other files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic import ValidationError

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.validation_fault import first_fault
from ...dialogs.conversation.session import Saved
from ...dialogs.transcripts.episode import Episode
from ...engine.answer import Status
from .gold import Gold, gold_of
from .outcome import Outcome
from .published_data import Record, RecordedRun

LABELS = ("setting", "model", "method", "weighter", "policy")
"""What tells one kind of episode from another; a header may lack some."""

FINISHED = "finished"
FAILED = "failed: "
"""How the reason begins for which an episode without an outcome ended."""


def header_of(gold: Gold, labels: Mapping[str, str]) -> dict[str, Any]:
    """Return the header of an episode on an instance."""
    return {**labels, "instance": {**gold.instance.record, "id": gold.id}}


def save_dialogue(recorded: RecordedRun, save: Saved) -> None:
    """Write the messages of a recorded run, where its dialogue is not withheld."""
    for message in recorded.run.dialogue or ():
        save("message", role=message.role, content=message.content)


def save_outcome(outcome: Outcome, save: Saved) -> None:
    """Write how an episode ended, and its end."""
    save(
        "outcome",
        slots=list(outcome.slots),
        parsed=[constraint.record() for constraint in outcome.parsed],
        status=outcome.status.value,
        relaxed=[list(key) for key in outcome.relaxed],
        item=outcome.item,
        questions=outcome.questions,
        tokens=outcome.tokens,
        opening_read=outcome.opening_read,
    )
    save("end", reason=FINISHED)


class _Written(Record):
    """An outcome event."""

    slots: list[str]
    parsed: list[dict[str, Any]]
    status: str
    relaxed: list[list[str]]
    item: dict[str, Any] | None
    questions: int | None = None
    tokens: int | None = None
    opening_read: bool | None = None


def outcome_of(episode: Episode) -> Outcome:
    """Return how an episode ended; one that failed has status UNKNOWN and offers nothing.

    Raises `QueryError` for a transcript of something else.
    """
    gold = _gold(episode.header)
    labels = {name: text for name in LABELS if isinstance(text := episode.header.get(name), str)}
    if gold.setting:
        labels = {"setting": gold.setting} | labels
    written = next(iter(reversed(list(episode.of_kind("outcome")))), None)
    if written is None:
        return failed(gold, (episode.termination or "cut off").removeprefix(FAILED), labels)
    try:
        event = _Written.model_validate(written)
        return _outcome(gold, event, labels)
    except (ValidationError, ValueError) as error:
        text = first_fault(error).problem if isinstance(error, ValidationError) else str(error)
        raise QueryError(f"instance {gold.id}: no outcome: {text}") from None


def failed(gold: Gold, why: str, labels: Mapping[str, str] | None = None) -> Outcome:
    """Return the outcome of an episode that a failure ended."""
    slots = gold.slots
    return Outcome(gold, slots, (), Status.UNKNOWN, (), None, labels=labels or {}, failure=why)


def _outcome(gold: Gold, event: _Written, labels: Mapping[str, str]) -> Outcome:
    return Outcome(
        gold,
        tuple(event.slots),
        tuple(Constraint.model_validate(constraint) for constraint in event.parsed),
        Status(event.status),
        tuple((column, op, value) for column, op, value in event.relaxed),
        event.item,
        event.questions,
        labels,
        event.opening_read,
        event.tokens,
    )


def _gold(header: Mapping[str, Any]) -> Gold:
    record = header.get("instance")
    if not isinstance(record, Mapping):
        problem = f"episode {excerpt(header.get('episode'))} is on no instance"
        raise QueryError(problem, hint="score runs of bench run, or of aware-us --out")
    try:
        return gold_of(cast("Mapping[str, Any]", record), 0)
    except QueryError as error:
        problem = f"episode {excerpt(header.get('episode'))}: {error.problem}"
        raise QueryError(problem, hint=error.hint) from None
