"""Figures recomputed from the published dialogues, beside the recorded and the printed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..printed.tables import printed
from ..progress import Counted, uncounted
from .judges import Judge
from .outcome import Outcome, outcome_of
from .published_data import (
    Figures,
    PublishedFigures,
    RecordedDialogue,
    Tasks,
    read_dialogues,
    read_figures,
)
from .rows import row

CELLS = ("success_rate", "D", "L")

RECORDED: Mapping[tuple[str, str], Sequence[tuple[str, str]]] = {
    ("gpt4o-seeker/provider/chat", "en"): (("Table III", "Chat, GPT-4o"),),
    ("gpt4o-seeker/provider/chat", "zh"): (("Table III", "Chat, GPT-4o"),),
    ("gpt4o-seeker/provider/comp", "en"): (
        ("Table III", "Completion, GPT-4o"),
        ("Table V", "GPT-4o Provider"),
    ),
    ("gpt4o-seeker/provider/comp", "zh"): (("Table III", "Completion, GPT-4o"),),
    ("gpt4o-seeker/multi_info_provider/comp", "en"): (("Table IV", "Completion, GPT-4o"),),
    ("gpt4o-seeker/multi_info_provider/comp", "zh"): (("Table IV", "Completion, GPT-4o"),),
}
"""Which printed rows a recorded run and language belong to: table and row."""

LANGUAGES = {"en": "English", "zh": "Chinese"}
RESULTS = ("Table I", "Table II", "Table III", "Table IV", "Table V")


def recorded_cells(key: tuple[str, str]) -> str | None:
    """Return in words which printed cells a recorded run and language belong to."""
    places = [f"{table}, {row}" for table, row in RECORDED.get(key, ())]
    return f"{'; '.join(places)}, {LANGUAGES[key[1]]}" if places else None


def without_data() -> list[str]:
    """Return in words the printed cells whose dialogues nobody published, a line a table."""
    recorded = {place for places in RECORDED.values() for place in places}
    lines: list[str] = []
    for name in RESULTS:
        table = printed("clarq").tables[name]
        cells = [cell for cell in table.cells() if (name, cell.row) not in recorded]
        rows = ", ".join(dict.fromkeys(cell.row for cell in cells))
        if cells:
            lines.append(f"{name} ({table.title}): {rows} ({len(cells)} cells)")
    return lines


@dataclass(frozen=True)
class RecordedJudge:
    """Says what the origin's judge said: its verdicts decided whether the dialogue succeeded."""

    success: bool

    def told(self, lang: str, gold: str, purpose: str, said: Sequence[str]) -> bool:
        """See `Judge.told`."""
        return self.success


def recorded_outcome(
    dialogue: RecordedDialogue, tasks: Tasks, judge: Judge | None = None
) -> Outcome:
    """Return how a recorded dialogue ended; without a judge, the origin's decides."""
    return outcome_of(
        tasks[dialogue.key], dialogue.spoken, judge or RecordedJudge(dialogue.success)
    )


def recorded_runs(
    folder: str | Path, tasks: Tasks
) -> Mapping[tuple[str, str], list[RecordedDialogue]]:
    """Return the recorded dialogues on these tasks by run and language, in that order."""
    runs: dict[tuple[str, str], list[RecordedDialogue]] = {}
    for dialogue in read_dialogues(folder, tasks):
        runs.setdefault((dialogue.run, dialogue.lang), []).append(dialogue)
    return dict(sorted(runs.items()))


def published_rows(
    folder: str | Path,
    tasks: Tasks,
    judge: Judge | None = None,
    *,
    chosen: Tasks | None = None,
    seed: int = 0,
    counted: Counted = uncounted,
) -> list[dict[str, Any]]:
    """Return a row for each recorded run and language, on the chosen tasks or all.

    `recorded` holds the published figures over as many tasks, `equal` whether they are these;
    `printed` what the origin prints, over all of its 260 tasks.
    """
    known, wanted = read_figures(folder), tasks if chosen is None else chosen
    found: list[dict[str, Any]] = []
    for key, dialogues in recorded_runs(folder, tasks).items():
        outcomes = [
            recorded_outcome(dialogue, tasks, judge)
            for dialogue in counted(dialogues, f"scoring {key[0]} {key[1]}")
            if dialogue.key in wanted
        ]
        if outcomes:
            made = row(key[0], key[1], outcomes, seed=seed)
            found.append({**made, **_beside(made, known.get(key)), "cells": recorded_cells(key)})
    return found


def _beside(made: Mapping[str, Any], known: PublishedFigures | None) -> dict[str, Any]:
    """Return the published figures of a row over as many tasks, and whether they are its own."""
    there = list(_of_size(known, made["tasks"]))
    recorded = _cells(there[0]) if there else None
    equal = None if recorded is None else {name: made[name] == recorded[name] for name in CELLS}
    printed = None if known is None or known.printed_by_origin is None else known.printed_by_origin
    return {
        "recorded": recorded,
        "equal": equal,
        "printed": None if printed is None else _cells(printed),
    }


def _of_size(known: PublishedFigures | None, tasks: int) -> Iterator[Figures]:
    for kept in () if known is None else (known.remaining_test_tasks, known.all_test_tasks):
        if kept is not None and kept.tasks == tasks:
            yield kept


def _cells(kept: Figures) -> dict[str, float]:
    return {name: getattr(kept, name) for name in CELLS}
