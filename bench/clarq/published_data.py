"""The folder of the ClarQ-LLM data: tasks, recorded dialogues, judged pairs, published figures.

Each is read when it is asked for, so a folder may hold the tasks alone. Files are JSON lines,
gzipped or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from ...catalogs.errors import QueryError, UnreadableFile, excerpt, nearest
from ...dialogs.information_seeking.task import (
    ROOT,
    ClarificationTask,
    ResponseNode,
    Speaker,
    SpokenTurn,
)
from ...dialogs.information_seeking.telling import normal
from ..json_lines import read_records

LANGUAGES = ("en", "zh")

Key = tuple[str, str]
"""A task's language and id."""

Tasks = Mapping[Key, ClarificationTask]


class Record(BaseModel):
    """A frozen record whose further fields are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Node(Record):
    node: str = Field(min_length=1, max_length=50)
    parent: str | None = None
    text: str
    purpose: str | None = None


class _Task(Record):
    id: str = Field(min_length=1, max_length=100)
    lang: Literal["en", "zh"]
    role: str = ""
    goal: str = ""
    items: list[str] = []
    skills: list[str] = []
    scenes: list[str] = []
    background: str = ""
    responses: list[_Node] = Field(min_length=1, max_length=1_000)
    type_no: int = 0
    type: str = ""
    split: str = ""


class Turn(Record):
    """One turn of a record, as it was written."""

    speaker: Speaker
    text: str

    @property
    def spoken(self) -> SpokenTurn:
        """The turn as agents know it."""
        return SpokenTurn(self.speaker, self.text)


class RecordedDialogue(Record):
    """A published dialogue, and what the origin's evaluation made of it."""

    task: str
    lang: Literal["en", "zh"]
    run: str
    provider: Literal["single", "multi"]
    turns: list[Turn]
    success: bool
    released_nodes: list[str] = []

    @property
    def key(self) -> Key:
        """Which task it was about."""
        return self.lang, self.task

    @property
    def spoken(self) -> tuple[SpokenTurn, ...]:
        """The turns as agents know them."""
        return tuple(turn.spoken for turn in self.turns)


class JudgePair(Record):
    """A node's text and what was said instead, with the origin's verdict whether it was told."""

    lang: Literal["en", "zh"]
    gold: str
    purpose: str = ""
    generated: list[str]
    match: bool


class Figures(Record):
    """Success rate, D and L over some tasks."""

    tasks: int | None = None
    success_rate: float
    D: float
    L: float


class PublishedFigures(Record):
    """The figures of one run and language."""

    run: str
    lang: Literal["en", "zh"]
    all_test_tasks: Figures
    remaining_test_tasks: Figures | None = None
    printed_by_origin: Figures | None = None


class _FigureFile(Record):
    figures: list[PublishedFigures]


def task_of(record: object) -> ClarificationTask:
    """Return a task from its record; raise `QueryError` for a tree that is none.

    The nodes come out in the record's order but for children that stand before their parents.
    """
    if isinstance(record, Mapping) and cast("Any", record).get("lang") not in LANGUAGES:
        lang = cast("Any", record).get("lang")
        raise QueryError(f"unknown language {excerpt(lang)}", hint="lang is en or zh")
    task = _Task.model_validate(record)
    nodes = [
        ResponseNode(node.node, node.parent, node.text, node.purpose or "")
        for node in task.responses
    ]
    fields = task.model_dump(exclude={"responses", "items", "skills", "scenes"})
    return ClarificationTask(
        **fields,
        items=tuple(task.items),
        skills=tuple(task.skills),
        scenes=tuple(task.scenes),
        responses=_in_order(task.id, nodes),
    )


def _in_order(task: str, nodes: Sequence[ResponseNode]) -> tuple[ResponseNode, ...]:
    names = [node.node for node in nodes]
    for node in nodes:
        if names.count(node.node) > 1:
            raise QueryError(f"task {excerpt(task)}: node {excerpt(node.node)} occurs twice")
        if not normal(node.text):
            raise QueryError(f"task {excerpt(task)}: node {excerpt(node.node)} has no text")
        if (node.parent is None) != (node.node == ROOT):
            hint = "node 0, and it alone, has parent null"
            raise QueryError(
                f"task {excerpt(task)}: node {excerpt(node.node)} has parent "
                f"{excerpt(node.parent)}",
                hint=hint,
            )
        if node.parent is not None and node.parent not in names:
            raise QueryError(
                f"task {excerpt(task)}: node {excerpt(node.node)} has the missing parent "
                f"{excerpt(node.parent)}",
                hint=f"its nodes are {', '.join(names)}",
            )
    return _parents_first(task, nodes)


def _parents_first(task: str, nodes: Sequence[ResponseNode]) -> tuple[ResponseNode, ...]:
    placed: dict[str | None, ResponseNode] = {}
    left = list(nodes)
    while left:
        due = [node for node in left if node.parent is None or node.parent in placed]
        if not due:
            raise QueryError(
                f"task {excerpt(task)}: node {excerpt(left[0].node)} is its own ancestor",
                hint="parents lead to node 0",
            )
        placed |= {due[0].node: due[0]}
        left.remove(due[0])
    return tuple(placed.values())


def _file(folder: str | Path, name: str) -> Path:
    plain = Path(folder) / name
    return plain if plain.exists() else Path(folder) / f"{name}.gz"


def read_tasks(folder: str | Path, langs: Sequence[str] = ()) -> dict[Key, ClarificationTask]:
    """Return the tasks of these languages, or of all that the folder has, in file order.

    Raises `UnreadableFile` that names file and line.
    """
    paths = {lang: _file(folder, f"tasks_{lang}.jsonl") for lang in langs or LANGUAGES}
    if not langs:
        paths = {lang: path for lang, path in paths.items() if path.exists()} or paths
    tasks: dict[Key, ClarificationTask] = {}
    for lang, path in paths.items():
        for task in read_records(path, task_of):
            if task.lang != lang:
                raise UnreadableFile(str(path), f"task {excerpt(task.id)} is in {task.lang}")
            if (lang, task.id) in tasks:
                raise UnreadableFile(str(path), f"task {excerpt(task.id)} occurs twice")
            tasks[lang, task.id] = task
    if not tasks:
        raise UnreadableFile(str(next(iter(paths.values()))), "it holds no task")
    return tasks


def task_named(tasks: Tasks, lang: str, name: str) -> ClarificationTask:
    """Return a task by language and id; raise `QueryError` that names what is like it."""
    if (lang, name) in tasks:
        return tasks[lang, name]
    if all(known != lang for known, _ in tasks):
        raise QueryError(f"no task in language {excerpt(lang)}", hint="lang is en or zh")
    like = nearest(name, (known for of, known in tasks if of == lang))
    hint = f"did you mean {', '.join(like)}?" if like else "the folder's tasks have other ids"
    raise QueryError(f"unknown task {excerpt(name)} in {lang}", hint=hint)


def read_dialogues(folder: str | Path, tasks: Tasks) -> Iterator[RecordedDialogue]:
    """Yield the recorded dialogues on these tasks' languages, in file order.

    Raises `UnreadableFile` that names the line, also for a task that there is not.
    """
    langs = {lang for lang, _ in tasks}
    path = _file(folder, "dialogues.jsonl")

    def dialogue(record: object) -> RecordedDialogue:
        read = RecordedDialogue.model_validate(record)
        if read.lang in langs:
            task_named(tasks, read.lang, read.task)
        return read

    return (read for read in read_records(path, dialogue) if read.lang in langs)


def read_judge_pairs(folder: str | Path) -> list[JudgePair]:
    """Return the judged pairs. Raises `UnreadableFile`."""
    return list(read_records(_file(folder, "judge_pairs.jsonl"), _model(JudgePair)))


def _model(kind: type[JudgePair]) -> Callable[[object], JudgePair]:
    return kind.model_validate


def read_figures(folder: str | Path) -> dict[Key, PublishedFigures]:
    """Return the published figures by run and language; none where the folder has no such file."""
    path = Path(folder) / "published_figures.json"
    if not path.exists():
        return {}
    from ...dialogs.transcripts.text_file import parsed, read_bytes

    try:
        file = _FigureFile.model_validate(parsed(path, read_bytes(path), strict=True))
    except ValueError:
        raise UnreadableFile(
            str(path), "it holds no figures", hint="see the data's README"
        ) from None
    return {(figures.run, figures.lang): figures for figures in file.figures}


def of_types(tasks: Tasks, types: Sequence[int]) -> dict[Key, ClarificationTask]:
    """Return the tasks of some types, all where none is named.

    Raises `QueryError` for a type of which there is no task.
    """
    there = sorted({task.type_no for task in tasks.values()})
    if missing := [number for number in types if number not in there]:
        raise QueryError(
            f"no task of type {', '.join(map(str, missing))}", hint=f"the data holds {spans(there)}"
        )
    return {key: task for key, task in tasks.items() if not types or task.type_no in types}


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ranges: 1-18, 27-31."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)
