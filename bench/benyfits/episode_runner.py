"""Episode runner: a decider asks a simulated user, and events are written as they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ...dialogs.eligibility.roles import Decider, Parsed, Question
from ...dialogs.transcripts.episode import Episode, EpisodeWriter
from ...dialogs.transcripts.transcript import Message, Transcript
from .dialogue import BENCHMARK, Dialogue, dialogue_of
from .offline_user import SimulatedUser
from .records import Household

MOST_TURNS = 100
"""Questions of one conversation (ProADA, section 2.7), whatever a decider makes of it."""


def run_conversation(
    household: Household,
    decider: Decider,
    user: SimulatedUser,
    setting: Mapping[str, Any],
    folder: Path | None = None,
    held: Sequence[Mapping[str, Any]] = (),
) -> Dialogue:
    """Hold one conversation and return it; `folder`: also write its episode there.

    `held`: its first turns, as events of an episode that was cut off; it goes on after them.
    Raises `ModelError` where a model gives no reply, and `UnreadableFile` for a folder that
    cannot be written; what was said until then stays in the file.
    """
    header = header_of(household, setting)
    events = [event for turn in held for event in _said(turn)]
    with ExitStack() as stack:
        file = None
        if folder is not None:
            path = folder / f"{household.household}.jsonl"
            file = stack.enter_context(EpisodeWriter(path, header, events))

        def write(kind: str, **fields: Any) -> None:
            events.append({"kind": kind, **fields})
            if file is not None:
                file.write(kind, **fields)

        messages = list(Episode(header, tuple(events)).transcript.messages)
        _talk(decider, user, messages, write)
    return dialogue_of(Episode(header, tuple(events)))


def header_of(household: Household, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the header of a conversation's episode."""
    return {
        "benchmark": BENCHMARK,
        "household": household.household,
        "dataset": household.dataset,
        "programs": list(household.targets),
        **setting,
    }


def _said(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a turn: what was asked, what was answered, and the turn itself."""
    yield {"kind": "message", "role": "assistant", "content": turn["question"]}
    yield {"kind": "message", "role": "user", "content": turn["answer"]}
    yield {**turn, "kind": "turn"}


def _talk(
    decider: Decider, user: SimulatedUser, messages: list[Message], write: Callable[..., None]
) -> None:
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
