"""A free-text task from a file, for `concede clarify --task`: what a seeker knows; the turns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from ...catalogs.errors import UnreadableFile
from ...catalogs.validation_fault import first_fault
from .query_options import read_up_to

if TYPE_CHECKING:
    from ...dialogs.information_seeking.open_points import OpenPoint
    from ...dialogs.information_seeking.task import SeekerTask, SpokenTurn

MAX_BYTES = 2**20


class _Turn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    speaker: Literal["provider", "seeker"]
    text: str


class _Task(BaseModel):
    """What a seeker knows; whatever else a task's record holds is passed over."""

    model_config = ConfigDict(extra="ignore")

    id: str = ""
    lang: Literal["en", "zh"] = "en"
    role: str = ""
    goal: str
    items: list[str] = []
    skills: list[str] = []
    scenes: list[str] = []
    background: str = ""


class _TaskFile(BaseModel):
    model_config = ConfigDict(extra="ignore")

    task: _Task
    turns: list[_Turn] = []


def read_task(path: str) -> tuple[SeekerTask, list[SpokenTurn]]:
    """Return the task of a JSON file, and the turns so far.

    The file is a task's record, or `{"task": …, "turns": [{"speaker", "text"}]}`. Raises
    `UnreadableFile` for one that is neither.
    """
    from ...dialogs.information_seeking.task import SeekerTask, SpokenTurn
    from ...dialogs.transcripts.text_file import parsed

    record = parsed(Path(path), read_up_to(path, MAX_BYTES))
    if isinstance(record, dict) and "task" not in record:
        fields = cast("dict[str, Any]", record)
        record = {"task": fields, "turns": fields.get("turns", [])}
    try:
        read = _TaskFile.model_validate(record)
    except ValidationError as error:
        raise UnreadableFile(path, first_fault(error).line("the record")) from None
    task = read.task
    known = (task.id, task.lang, task.role, task.goal)
    has = (tuple(task.items), tuple(task.skills), tuple(task.scenes))
    turns = [SpokenTurn(turn.speaker, turn.text) for turn in read.turns]
    return SeekerTask(*known, *has, task.background), turns


def open_point_record(point: OpenPoint) -> dict[str, Any]:
    """Return an open point as an unknown without columns and rows."""
    options = [{"constraint": None, "rows": None, "text": name} for name in point.options]
    return {
        "kind": point.kind,
        "said": point.said,
        "columns": [],
        "question": point.question,
        "options": options,
        "likely": round(point.likely, 3),
    }
