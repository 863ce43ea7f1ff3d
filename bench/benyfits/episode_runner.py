"""Episode runner: a decider asks a simulated user, and events are written as they happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ...dialogs.eligibility.roles import Decider, Parsed, Question
from ...dialogs.transcripts.episode import Episode, EpisodeWriter
from ...dialogs.transcripts.transcript import Message, Transcript
from .dialogue import BENCHMARK, Dialogue, dialogue_of
from .offline_user import SimulatedUser
from .records import Household

MOST_TURNS = 100
"""Questions of one conversation (ProADA, section 2.7), whatever a decider makes of it."""


class Events(Protocol):
    """Takes events as they happen: a file, or a list."""

    def write(self, kind: str, **fields: Any) -> None:
        """Take one event in."""
        ...


@dataclass
class EventList:
    """Events in memory."""

    events: list[dict[str, Any]]

    def write(self, kind: str, **fields: Any) -> None:
        """See `Events.write`."""
        self.events.append({"kind": kind, **fields})


def run_conversation(
    household: Household,
    decider: Decider,
    user: SimulatedUser,
    setting: Mapping[str, Any],
    folder: Path | None = None,
) -> Dialogue:
    """Hold one conversation and return it; `folder`: also write its episode there.

    Raises `ModelError` where a model gives no reply, and `UnreadableFile` for a folder that
    cannot be written; what was said until then stays in the file.
    """
    header = {
        "benchmark": BENCHMARK,
        "household": household.household,
        "dataset": household.dataset,
        "programs": list(household.targets),
        **setting,
    }
    recorded = EventList([])
    if folder is None:
        _talk(decider, user, (recorded,))
    else:
        with EpisodeWriter(folder / f"{household.household}.jsonl", header) as file:
            _talk(decider, user, (recorded, file))
    return dialogue_of(Episode(header, tuple(recorded.events)))


def _talk(decider: Decider, user: SimulatedUser, events: tuple[Events, ...]) -> None:
    def write(kind: str, **fields: Any) -> None:
        for sink in events:
            sink.write(kind, **fields)

    messages: list[Message] = []
    while len(messages) < 2 * MOST_TURNS and (question := decider.next_question()) is not None:
        messages.append(Message("assistant", question.text))
        write("message", role="assistant", content=question.text)
        answer = user.answer(question, Transcript(tuple(messages)))
        messages.append(Message("user", answer))
        write("message", role="user", content=answer)
        write("turn", **_turn(question, answer, decider.observe(answer)))
    for decision in decider.decisions().values():
        write("decision", **decision.record())
    write("end", reason="decided")


def _turn(question: Question, answer: str, parsed: Parsed) -> dict[str, Any]:
    return {
        "question": question.text,
        "answer": answer,
        "slots": [str(slot) for slot in question.slots],
        "attempt": question.attempt,
        "facts": {str(slot): value for slot, value in parsed.facts.items()},
        "unknown": [str(slot) for slot in parsed.unknown],
    }
