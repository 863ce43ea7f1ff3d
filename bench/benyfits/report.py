"""A BeNYfits run: conversations run or read again, their metrics and failures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError, UnreadableFile
from ...dialogs.eligibility.decisions.program import Programs
from ...dialogs.transcripts.episode import read_episode
from ..progress import Counted
from ..text_files import naming, write_text
from .answer_judgement import AnswerJudge, answer_figures, unfaithful_records
from .components import Components
from .dialogue import Dialogue, dialogue_of
from .episode_runner import run_conversation
from .failures import Failure, FailureClassifier, classes
from .published_data import BenyfitsData
from .records import Household
from .scores import intervals, overall, per_program, question_counts


@dataclass(frozen=True)
class Report:
    """What a run comes to. `setting`: the parts that made it, as its transcripts keep them."""

    setting: Mapping[str, Any]
    dialogues: Sequence[Dialogue]
    metrics: Mapping[str, Any]
    intervals: Mapping[str, Any]
    questions: Mapping[str, Any]
    programs: Mapping[str, Mapping[str, Any]]
    failures: Sequence[Failure]
    classes: Mapping[str, int]
    answers: Mapping[str, Any]
    unfaithful: Sequence[Mapping[str, Any]]

    def record(self) -> dict[str, Any]:
        """Return the report as a JSON object; figures are percent, turns are questions."""
        return {
            **self.setting,
            **self.metrics,
            "intervals": dict(self.intervals),
            "questions": dict(self.questions),
            "answers": dict(self.answers),
            "unfaithful": [dict(answer) for answer in self.unfaithful],
            "failure_classes": dict(self.classes),
            "failures": [
                {**asdict(failure), "reasons": list(failure.reasons)} for failure in self.failures
            ],
            "per_program": {name: dict(program) for name, program in self.programs.items()},
        }


def run_conversations(
    components: Components,
    households: Sequence[Household],
    progress: Counted,
    folder: Path | None = None,
) -> list[Dialogue]:
    """Hold a conversation with each household; `folder`: where their episodes are written."""
    if folder is not None:
        with naming(folder):
            folder.mkdir(parents=True, exist_ok=True)
    return [
        run_conversation(
            household,
            components.decider(household),
            components.user(household),
            components.setting,
            folder,
        )
        for household in progress(households, "talking")
    ]


def read_dialogues(folder: Path, data: BenyfitsData) -> list[Dialogue]:
    """Return the conversations of a folder of episodes, in the order of the file names.

    Raises `UnreadableFile` for a folder without any, and for one that is no episode of a
    household and its programs in the data.
    """
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    if not files:
        raise UnreadableFile(str(folder), "it holds no episode (*.jsonl)")
    return [_read(path, data) for path in files]


def _read(path: Path, data: BenyfitsData) -> Dialogue:
    try:
        dialogue = dialogue_of(read_episode(path))
    except QueryError as error:
        raise UnreadableFile(str(path), str(error)) from None
    if dialogue.household not in data.households:
        raise UnreadableFile(str(path), f"unknown household {dialogue.household}")
    if unknown := [name for name in dialogue.decisions if name not in data.programs]:
        raise UnreadableFile(str(path), f"unknown program {unknown[0]}")
    return dialogue


def report_of(
    dialogues: Sequence[Dialogue],
    data: BenyfitsData,
    programs: Programs,
    setting: Mapping[str, Any],
    *,
    seed: int = 0,
) -> Report:
    """Return the figures of some conversations: a pure function of them and the data."""
    by_name = {program.name: program for program in programs.programs}
    judge = FailureClassifier(data, by_name, programs.keys)
    failures = [failure for dialogue in dialogues for failure in judge.pairs(dialogue)]
    habits = [habit for dialogue in dialogues for habit in judge.habits(dialogue)]
    heard = AnswerJudge(data, programs.keys)
    answers = [answer for dialogue in dialogues for answer in heard.answers(dialogue)]
    return Report(
        setting=setting,
        dialogues=dialogues,
        metrics=overall(dialogues, data.labels),
        intervals=intervals(dialogues, data.labels, seed=seed),
        questions=question_counts(dialogues, data.labels, programs.keys),
        programs=per_program(dialogues, data.labels),
        failures=failures,
        classes=classes(failures, habits),
        answers=answer_figures(answers),
        unfaithful=unfaithful_records(answers),
    )


def write_predictions(path: Path, dialogues: Sequence[Dialogue]) -> None:
    """Write one JSON line a target pair: household, program, eligible (null: undecided)."""
    lines = [
        json.dumps({"household": dialogue.household, "program": program, "eligible": decided})
        for dialogue in dialogues
        for program, decided in dialogue.decisions.items()
    ]
    write_text(path, "".join(line + "\n" for line in lines))
