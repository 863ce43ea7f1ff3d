"""Recorded seekers' turns put to a provider of ours, and how often success agrees.

The seeker says what it said, whatever it is answered now. Beside that, each answer of ours to
the recorded dialogue so far is compared with the recorded one: that is where GPT-4o and our
provider choose under equal conditions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...dialogs.information_seeking.task import ClarificationTask, Provider, SpokenTurn
from ..progress import Counted, uncounted
from .judges import Judge
from .outcome import Outcome, outcome_of
from .provider_errors import Choice, choices, error_rates
from .published import recorded_runs
from .published_data import RecordedDialogue, Tasks
from .rows import row

Providers = Mapping[str, Provider]
"""A provider for each mode, `single` and `multi`."""


def replayed(
    task: ClarificationTask, turns: Sequence[SpokenTurn], provider: Provider
) -> tuple[SpokenTurn, ...]:
    """Return a dialogue with the seeker's turns as they were and the provider's anew."""
    said: list[SpokenTurn] = []
    for turn in turns:
        if turn.speaker == "provider":
            turn = SpokenTurn("provider", provider.reply(task, tuple(said)).text)
        said.append(turn)
    return tuple(said)


def replay_rows(
    folder: str | Path,
    tasks: Tasks,
    providers: Providers,
    judge: Judge,
    *,
    chosen: Tasks,
    seed: int = 0,
    counted: Counted = uncounted,
) -> list[dict[str, Any]]:
    """Return a row for each recorded run and language, on the chosen tasks.

    `recorded_success_rate`: the origin's; `agree`: the share of dialogues whose success is the
    recorded one; `against_recorded`: our answers to the recorded turns beside the recorded.
    """
    found: list[dict[str, Any]] = []
    for key, dialogues in recorded_runs(folder, tasks).items():
        due = [dialogue for dialogue in dialogues if dialogue.key in chosen]
        if due:
            held = [
                _held(dialogue, tasks[dialogue.key], providers[dialogue.provider], judge)
                for dialogue in counted(due, f"replaying {key[0]} {key[1]}")
            ]
            found.append(_row(key, due, held, seed))
    return found


def _held(
    dialogue: RecordedDialogue, task: ClarificationTask, provider: Provider, judge: Judge
) -> tuple[Outcome, list[Choice]]:
    outcome = outcome_of(task, replayed(task, dialogue.spoken, provider), judge)
    return outcome, list(choices(task, dialogue.spoken, provider))


def _row(
    key: tuple[str, str],
    dialogues: Sequence[RecordedDialogue],
    held: Sequence[tuple[Outcome, list[Choice]]],
    seed: int,
) -> dict[str, Any]:
    outcomes = [outcome for outcome, _ in held]
    agreeing = sum(
        outcome.success == dialogue.success
        for outcome, dialogue in zip(outcomes, dialogues, strict=True)
    )
    recorded = sum(dialogue.success for dialogue in dialogues)
    return row(
        key[0],
        key[1],
        outcomes,
        seed=seed,
        recorded_success_rate=round(recorded / len(dialogues), 4),
        agree=round(agreeing / len(dialogues), 4),
        against_recorded=error_rates(choice for _, found in held for choice in found),
    )
