"""Episode runner: a decider asks a simulated user, and events are written as they happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    events: list[dict[str, Any]] = []
    with ExitStack() as stack:
        file = None
        if folder is not None:
            path = folder / f"{household.household}.jsonl"
            file = stack.enter_context(EpisodeWriter(path, header))

        def write(kind: str, **fields: Any) -> None:
            events.append({"kind": kind, **fields})
            if file is not None:
                file.write(kind, **fields)

        _talk(decider, user, write)
    return dialogue_of(Episode(header, tuple(events)))


def _talk(decider: Decider, user: SimulatedUser, write: Callable[..., None]) -> None:
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
