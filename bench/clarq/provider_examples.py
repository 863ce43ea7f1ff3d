"""What the offline provider learns from: recorded choices, and written utterances with labels.

Source of the choices: the dialogues of GPT-4o that ClarQ-LLM publishes (github.com/ygan/ClarQ-LLM,
MIT). The node that each answer newly contains is the choice; none is silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ...dialogs.information_seeking.choosing import candidates
from ...dialogs.information_seeking.features import Moment
from ...dialogs.information_seeking.offline_provider import bare, moment_of
from ...dialogs.information_seeking.task import ROOT, ClarificationTask
from ...dialogs.information_seeking.telling import newly_told, told_before
from ...dialogs.information_seeking.utterances import Utterance, utterance
from ..json_lines import read_records
from .published_data import Key, Record, RecordedDialogue, Tasks, task_named

WRITTEN = Path(__file__).parent / "written"


class Written(Record):
    """An utterance that somebody wrote, what it is (1 to 6) and the open nodes it asks for."""

    task: str
    lang: Literal["en", "zh"]
    told: list[str]
    text: str
    type: Literal[1, 2, 3, 4, 5, 6]
    nodes: list[str]


@dataclass(frozen=True)
class Example:
    """A turn of a seeker and the nodes it was told then. `source`: single, multi or written.

    `kind`: 1 to 6 where somebody labelled it, else 0.
    """

    key: Key
    type_no: int
    source: str
    said: Utterance
    moment: Moment
    chosen: tuple[str, ...]
    kind: int = 0


def recorded_examples(tasks: Tasks, dialogues: Iterable[RecordedDialogue]) -> Iterator[Example]:
    """Yield each recorded turn after the first answer, where a node could be told."""
    for dialogue in dialogues:
        task = tasks[dialogue.key]
        turns = dialogue.spoken
        for at in range(3, len(turns) - 1, 2):
            before = turns[: at + 1]
            moment = moment_of(task, before, frozenset((ROOT, *told_before(task, before))))
            if moment.candidates:
                new = newly_told(task, before, turns[at + 1].text)
                said = utterance(bare(turns[at].text), task.lang)
                yield Example(dialogue.key, task.type_no, dialogue.provider, said, moment, new)


def written_turns(
    tasks: Tasks, folder: Path = WRITTEN
) -> Iterator[tuple[Written, ClarificationTask]]:
    """Yield the written utterances with their tasks. Raises `UnreadableFile`."""
    for path in sorted(folder.glob("utterances*.jsonl")):
        for row in read_records(path, Written.model_validate):
            yield row, task_named(tasks, row.lang, row.task)


def written_examples(tasks: Tasks, folder: Path = WRITTEN) -> Iterator[Example]:
    """Yield the written utterances, also where no node is left to tell."""
    for row, task in written_turns(tasks, folder):
        told = frozenset((ROOT, *row.told))
        moment = Moment(told, frozenset(row.told[-1:]), None, candidates(task, told))
        said = utterance(row.text, row.lang)
        key = (row.lang, row.task)
        chosen = tuple(row.nodes)
        yield Example(key, task.type_no, "written", said, moment, chosen, row.type)


def without_purpose(tasks: Tasks) -> Mapping[Key, ClarificationTask]:
    """Return the tasks with every purpose blank, as those of some types are."""
    return {
        key: replace(task, responses=tuple(replace(node, purpose="") for node in task.responses))
        for key, task in tasks.items()
    }
