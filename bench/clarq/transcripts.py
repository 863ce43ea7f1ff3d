"""Dialogues as episodes of a run's file, and back: the header holds the whole task.

So a run is scored from its transcripts alone. Messages of the seeker have the role
`assistant`, it asks; the provider's have `user`, with what it released.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...dialogs.conversation.session import Saved
from ...dialogs.information_seeking.task import (
    ClarificationTask,
    ProviderReply,
    SpokenTurn,
)
from ...dialogs.transcripts.episode import Episode
from ..runs.run_file import read_run
from .published_data import task_of

BENCHMARK = "clarq"
ROLES = {"seeker": "assistant", "provider": "user"}
FAILED = "failed: "
"""How the reason begins for which a dialogue without an end of its own ended."""


@dataclass(frozen=True)
class Dialogue:
    """A dialogue that was held; `failure`: why a model ended it before its time."""

    task: ClarificationTask
    turns: tuple[SpokenTurn, ...]
    failure: str | None = None


@dataclass(frozen=True)
class HeldRun:
    """The dialogues of a run and who held them: seeker, provider and mode, as named."""

    header: Mapping[str, Any]
    dialogues: tuple[Dialogue, ...]

    @property
    def name(self) -> str:
        """Seeker, provider and mode."""
        return run_name(self.header)


def run_name(header: Mapping[str, Any]) -> str:
    """Return a run's name from its header."""
    return "/".join(str(header.get(name, "?")) for name in ("seeker", "provider", "mode"))


def header_of(task: ClarificationTask) -> dict[str, Any]:
    """Return the header of an episode."""
    return {"task": asdict(task)}


def writing(save: Saved) -> Callable[[SpokenTurn, ProviderReply | None], None]:
    """Return what writes each turn as it is said."""

    def said(turn: SpokenTurn, reply: ProviderReply | None) -> None:
        fields: dict[str, Any] = {"role": ROLES[turn.speaker], "content": turn.text}
        if reply is not None:
            fields |= {"released": list(reply.released), "utterance": reply.kind}
        save("message", **fields)

    return said


def dialogue_of(episode: Episode) -> Dialogue:
    """Return a dialogue from its episode; raise `QueryError` where it is none."""
    try:
        task = task_of(episode.header.get("task"))
    except ValidationError:
        problem = f"episode {excerpt(episode.header.get('episode'))} is on no task"
        raise QueryError(problem, hint="rescore runs of bench clarq --out") from None
    turns = tuple(
        SpokenTurn("seeker" if event["role"] == ROLES["seeker"] else "provider", event["content"])
        for event in episode.of_kind("message")
    )
    ended = episode.termination or ""
    failure = ended.removeprefix(FAILED) if ended.startswith(FAILED) else None
    return Dialogue(task, turns, failure)


def read_held(path: str | Path) -> HeldRun:
    """Return a run of this benchmark; raise `UnreadableFile` for a file that is none."""
    run = read_run(path)
    if run.header.get("benchmark") != BENCHMARK:
        reason = f"a run of {excerpt(run.header.get('benchmark'))}"
        raise UnreadableFile(str(path), reason, hint="give one of bench clarq --out")
    try:
        return HeldRun(run.header, tuple(dialogue_of(episode) for episode in run.episodes))
    except QueryError as error:
        raise UnreadableFile(str(path), error.problem, hint=error.hint) from None
