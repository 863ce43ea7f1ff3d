"""A conversation as turns and decisions, read from the events of its episode.

It holds everything that is scored, so that a run can be scored again from its files alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ...catalogs.errors import QueryError, excerpt
from ...dialogs.eligibility.keys import SIZE, Slot, Value
from ...dialogs.transcripts.episode import Episode

BENCHMARK = "benyfits"
_SLOT = re.compile(r"(?:(\d{1,3})\.)?([A-Za-z_]\w{0,79})")


@dataclass(frozen=True)
class Turn:
    """One question with its answer. `slots`: what it asks for; none in a baseline's free text."""

    question: str
    answer: str
    slots: tuple[Slot, ...] = ()
    attempt: int = 1
    facts: Mapping[Slot, Value] | None = None
    unknown: tuple[Slot, ...] = ()


@dataclass(frozen=True)
class Dialogue:
    """A whole conversation. `decisions`: None where a program is undecided."""

    household: str
    dataset: str
    method: str
    turns: tuple[Turn, ...]
    decisions: Mapping[str, bool | None]
    missing: Mapping[str, tuple[Slot, ...]]
    why: Mapping[str, str]

    @property
    def facts(self) -> dict[Slot, Value]:
        """What was understood, the last value of each fact."""
        facts: dict[Slot, Value] = {}
        for turn in self.turns:
            facts |= turn.facts or {}
        return facts


def dialogue_of(episode: Episode) -> Dialogue:
    """Return the conversation that an episode holds; raise `QueryError` for one that is none."""
    header = episode.header
    if header.get("benchmark") != BENCHMARK:
        raise QueryError(f"an episode of {excerpt(header.get('benchmark'))}, not of {BENCHMARK}")
    decided = {str(event.get("program")): event for event in episode.of_kind("decision")}
    if episode.termination is None:
        raise QueryError(f"the episode of {excerpt(header.get('household'))} has no end")
    return Dialogue(
        household=str(header.get("household")),
        dataset=str(header.get("dataset")),
        method=str(header.get("method")),
        turns=tuple(_turn(event) for event in episode.of_kind("turn")),
        decisions={name: _eligible(decision.get("eligible")) for name, decision in decided.items()},
        missing={
            name: tuple(_slots(decision.get("missing"))) for name, decision in decided.items()
        },
        why={name: str(decision.get("why", "")) for name, decision in decided.items()},
    )


def _turn(record: Mapping[str, Any]) -> Turn:
    facts = record.get("facts")
    fields = cast("dict[str, Any]", facts) if isinstance(facts, dict) else {}
    attempt = record.get("attempt", 1)
    return Turn(
        question=str(record.get("question", "")),
        answer=str(record.get("answer", "")),
        slots=tuple(_slots(record.get("slots"))),
        attempt=attempt if isinstance(attempt, int) else 1,
        facts={slot_of(name): _value(value) for name, value in fields.items()},
        unknown=tuple(_slots(record.get("unknown"))),
    )


def _slots(names: object) -> Iterable[Slot]:
    listed = cast("list[object]", names) if isinstance(names, list) else []
    return (slot_of(str(name)) for name in listed)


def slot_of(text: str) -> Slot:
    """Return the slot that is written `0.age` or `housing`; raise `QueryError` for no slot."""
    if text == str(SIZE):
        return SIZE
    match = _SLOT.fullmatch(text)
    if match is None:
        raise QueryError(f"{excerpt(text)} is no fact", hint="write member.key or key")
    return Slot(None if match[1] is None else int(match[1]), match[2])


def _value(given: object) -> Value:
    if isinstance(given, bool | int | float | str):
        return given
    raise QueryError(f"{excerpt(given)} is no value of a fact")


def _eligible(given: object) -> bool | None:
    if given is None or isinstance(given, bool):
        return given
    raise QueryError(f"{excerpt(given)} is no decision", hint="write true, false or null")
