"""A task of MapSatisfyBench: a question, what is behind it, and the evidence for it.

    {"id": …, "query": …, "full_intent": …, "context": {"time": …, "location": [lat, lon], …},
     "explicit": [{"column", "op", "value"}],
     "implicit": [{"constraint": {…}, "type": "hard", "weight": 1.2, "source": "context",
                   "evidence": ["e7", "context.time"]}],
     "clarifications": 2, "tools": [{"tool": …, "rules": [{"param": …, …}]}],
     "facts": [{"column": …}], "history": [{"id": …, "time": …, …}], "after": […],
     "deciding": false}

`history` are events of a log (`dialogs.weighters.evidence.events`) from before the question.
`after`, what the person did then, is carried along and never looked at. A file is read whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.validation_fault import first_fault
from ...dialogs.weighters.evidence.circumstances import Context, Profile
from ...dialogs.weighters.evidence.events import Event
from ...dialogs.weighters.factors import MOST
from ..json_lines import read_records
from .situated import Situated

Source = Literal["context", "preference", "spatio-temporal"]
Kind = Literal["hard", "soft"]

CIRCUMSTANCES = ("context.", "profile.")
"""How evidence that is no event of the history begins."""

ROUNDING = 1e-6


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class ImplicitNeed(_Part):
    """An implicit decision factor: z = (rubric, type, weight), and its evidence.

    `weight` is that of appendix A.2, from 0 to 1.44. `spread` grades a soft bound that is missed
    (`credit`); without it a constraint is met or not.
    """

    constraint: Constraint
    type: Kind
    weight: Annotated[float, Field(ge=0, le=MOST + ROUNDING, strict=True)]
    source: Source
    evidence: Annotated[tuple[str, ...], Field(min_length=1)]
    spread: Annotated[float, Field(gt=0)] | None = None

    def record(self) -> dict[str, Any]:
        """Return the factor as a JSON object."""
        fields = {
            "constraint": self.constraint.record(),
            "type": self.type,
            "weight": self.weight,
            "source": self.source,
            "evidence": list(self.evidence),
        }
        return fields if self.spread is None else {**fields, "spread": self.spread}


class ToolRule(_Part):
    """What an argument must be: text that holds `value`, a number near it, or anything at all."""

    param: str
    value: Any = None
    rule_description: str = ""


class ExpectedTool(_Part):
    """A tool that the task needs, and the rules for its arguments."""

    tool: str
    rules: tuple[ToolRule, ...] = ()


class Fact(_Part):
    """A column of the catalog of which an answer may only say what a tool returned."""

    column: str


class Task(Situated, BaseModel):
    """One instance: x = (q, g, h⁻) and G = (E, Z, C, T, F)."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False, extra="allow")

    id: Annotated[str, Field(min_length=1)]
    query: str
    full_intent: str
    context: dict[str, Any]
    explicit: Annotated[tuple[Constraint, ...], Field(min_length=1)]
    implicit: tuple[ImplicitNeed, ...]
    clarifications: Annotated[int, Field(ge=1)]
    tools: tuple[ExpectedTool, ...]
    facts: tuple[Fact, ...]
    history: tuple[dict[str, Any], ...]
    after: Any = None
    deciding: bool = False

    @field_validator("context")
    @classmethod
    def _has_time(cls, context: dict[str, Any]) -> dict[str, Any]:
        if "time" not in context:
            raise ValueError("context without time")
        return context

    @model_validator(mode="after")
    def _consistent(self) -> Task:
        # What can be read at all is read now, so that a fault is found with its line.
        _ = self.moment, self.profile
        known = {event.id for event in self.events}
        for need in self.implicit:
            for name in need.evidence:
                if name not in known and not name.startswith(CIRCUMSTANCES):
                    raise ValueError(f"evidence {excerpt(name)} is not in the history")
        return self

    def record(self) -> dict[str, Any]:
        """Return the task as a JSON object."""
        return {
            "id": self.id,
            "query": self.query,
            "full_intent": self.full_intent,
            "context": self.context,
            "explicit": [constraint.record() for constraint in self.explicit],
            "implicit": [need.record() for need in self.implicit],
            "clarifications": self.clarifications,
            "tools": [tool.model_dump(exclude_defaults=True) for tool in self.tools],
            "facts": [fact.model_dump() for fact in self.facts],
            "history": list(self.history),
            "after": self.after,
            "deciding": self.deciding,
        }


@dataclass(frozen=True)
class VisibleTask:
    """What an agent is given: nothing of what is to be found out, nor of what came after."""

    id: str
    query: str
    explicit: tuple[Constraint, ...]
    events: tuple[Event, ...]
    moment: Context
    profile: Profile

    @classmethod
    def of(cls, task: Task) -> VisibleTask:
        """Return the part of a task that is known when the question is asked."""
        before = tuple(event for event in task.events if event.time < task.moment.until)
        return cls(task.id, task.query, task.explicit, before, task.moment, task.profile)


def task_of(record: object) -> Task:
    """Return a JSON object as a task; raise `QueryError` with one line."""
    if not isinstance(record, Mapping):
        raise QueryError(f"{excerpt(record)} is no task")
    try:
        return Task.model_validate(record)
    except ValidationError as error:
        problem = first_fault(error, 4).line()
    raise QueryError(problem, hint="docs/benchmarks/mapsat-tasks.md says what a task is")


def read_tasks(path: str | Path) -> list[Task]:
    """Return the tasks of a file, a JSON line each.

    Raises `UnreadableFile` that names the line of what is torn, no task or no JSON, of a task of
    the same id as another, and where there is none.
    """
    tasks = list(read_records(path, task_of))
    if not tasks:
        raise UnreadableFile(str(path), "it holds no task")
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise UnreadableFile(str(path), f"task {excerpt(task.id)} stands twice")
        seen.add(task.id)
    return tasks
