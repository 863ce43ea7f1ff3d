"""Runs: a dialogue on each task between a seeker and a provider, resumable by file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...catalogs.errors import ModelError
from ...dialogs.conversation.session import Saved, unsaved
from ...dialogs.information_seeking.dialogue import MAX_TURNS, converse
from ...dialogs.information_seeking.task import (
    ClarificationTask,
    Provider,
    ProviderReply,
    Seeker,
    SpokenTurn,
)
from ..progress import Counted, uncounted
from ..runs.run_file import RunWriter
from .judges import Judge
from .outcome import Outcome, outcome_of
from .provider_errors import choices, error_rates, swapped
from .rows import rows
from .transcripts import BENCHMARK, FAILED, Dialogue, HeldRun, dialogue_of, header_of, writing


@dataclass(frozen=True)
class Agents:
    """Who talks, and under which names; `mode`: single or multi, `model`: its name if any."""

    seeker: Seeker
    provider: Provider
    names: tuple[str, str]
    mode: str
    model: str | None = None

    @property
    def header(self) -> dict[str, Any]:
        """What all dialogues of a run have in common."""
        seeker, provider = self.names
        named = {"benchmark": BENCHMARK, "seeker": seeker, "provider": provider}
        return {**named, "mode": self.mode, "model": self.model}


def run(
    tasks: Sequence[ClarificationTask],
    agents: Agents,
    out: str | Path | None = None,
    counted: Counted = uncounted,
) -> HeldRun:
    """Hold the dialogues that the run's file does not hold yet, and return all of these tasks.

    A model that gives no reply ends its dialogue, which is scored as it stands and held anew by
    the next call; where it ends every one of them, its error is raised. Raises `AgentError` at
    once, `QueryError` for a file of another run, `UnreadableFile` for one that is none.
    """
    with ExitStack() as stack:
        writer = stack.enter_context(RunWriter(out, agents.header)) if out else None
        there = {
            str(episode.header["episode"]): dialogue_of(episode)
            for episode in (writer.finished if writer else ())
        }
        ended = {key: held for key, held in there.items() if held.failure is None}
        due = [task for task in tasks if key_of(task) not in ended]
        errors: list[ModelError] = []
        for task in counted(due, "talking"):
            save = writer.episode(key_of(task), **header_of(task)) if writer else unsaved
            ended[key_of(task)] = _held(task, agents, save, errors)
    if errors and len(errors) == len(due):
        raise errors[-1]
    return HeldRun(agents.header, tuple(ended[key_of(task)] for task in tasks))


def key_of(task: ClarificationTask) -> str:
    """Return what names a dialogue within a run."""
    return f"{task.lang}/{task.id}"


def _held(
    task: ClarificationTask, agents: Agents, save: Saved, errors: list[ModelError]
) -> Dialogue:
    turns: list[SpokenTurn] = []
    write = writing(save)

    def said(turn: SpokenTurn, reply: ProviderReply | None) -> None:
        turns.append(turn)
        write(turn, reply)

    try:
        converse(agents.seeker, agents.provider, task, MAX_TURNS, said)
    except ModelError as error:
        errors.append(error)
        save("end", reason=f"{FAILED}{error}")
        return Dialogue(task, tuple(turns), str(error))
    save("end", reason="goodbye" if len(turns) < MAX_TURNS else f"{MAX_TURNS} messages")
    return Dialogue(task, tuple(turns))


def outcomes_of(held: HeldRun, judge: Judge) -> list[Outcome]:
    """Return how the dialogues of a run ended."""
    return [outcome_of(dialogue.task, dialogue.turns, judge) for dialogue in held.dialogues]


def run_rows(
    held: HeldRun, judge: Judge, *, reference: Provider | None = None, seed: int = 0
) -> list[dict[str, Any]]:
    """Return the rows of a run; `reference`: a provider that its provider's errors are told by."""
    outcomes = outcomes_of(held, judge)
    broken = {id(d.task) for d in held.dialogues if d.failure is not None}
    found: list[dict[str, Any]] = []
    for made in rows(held.name, outcomes, seed=seed):
        own = [outcome for outcome in outcomes if outcome.task.lang == made["lang"]]
        made["broken_off"] = sum(id(outcome.task) in broken for outcome in own)
        if reference is not None:
            made["provider_errors"] = error_rates(
                swapped(
                    choice
                    for outcome in own
                    for choice in choices(outcome.task, outcome.turns, reference)
                )
            )
        found.append(made)
    return found
