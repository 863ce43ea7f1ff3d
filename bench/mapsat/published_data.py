"""The folder of the MapSatisfyBench demo: ten tasks, and what two models scored on them.

Files are JSON lines; further fields are left alone. Everything is checked before it is used: a
folder that is torn or made up raises `UnreadableFile` with the line of what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...catalogs.errors import UnreadableFile, excerpt
from ..json_lines import read_records
from .scores import WeighedFactor

Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(allow_inf_nan=False, ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Names = Annotated[list[str], Field(max_length=1_000)]

SOURCES: Mapping[str, str] = {
    "会话/上下文证据": "context",
    "画像证据": "preference",
    "短期证据": "preference",
}
"""How the evidence of a factor begins where it is of a source; the demo marks no third one."""


class Record(BaseModel):
    """A frozen record whose further fields are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ImplicitIntent(Record):
    """A published implicit factor; `confidence` is its weight."""

    text: str
    type: Literal["hard", "soft"]
    confidence: Annotated[float, Field(allow_inf_nan=False, ge=0)]
    evidence: str = ""

    @property
    def sources(self) -> frozenset[str]:
        """Where its evidence comes from."""
        return frozenset(source for mark, source in SOURCES.items() if mark in self.evidence)


class PublishedTask(Record):
    """A published task, as far as its figures need it."""

    id: str = Field(min_length=1, max_length=1_000)
    query: str
    implicit_intent: list[ImplicitIntent] = Field(max_length=1_000)
    max_clarifications: Count
    expected_tools: Names

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the evidence of its factors comes from, in order."""
        return tuple(sorted({one for each in self.implicit_intent for one in each.sources}))


class StoredMetrics(Record):
    """The figures as they were stored."""

    ECR: Share
    IISR: Share
    AR: Share
    TS: Share
    IFS: Share
    Eff: Annotated[float, Field(allow_inf_nan=False, gt=0, le=1)]
    SES: Share
    CEI: Annotated[float, Field(allow_inf_nan=False, ge=0)]
    total_tokens: Annotated[int, Field(ge=1)]


class Fraction(Record):
    """A figure as parts of a whole."""

    numerator: Count
    denominator: Annotated[int, Field(ge=1, le=1_000_000)]

    @model_validator(mode="after")
    def _within(self) -> Fraction:
        if self.numerator > self.denominator:
            raise ValueError(f"{self.numerator} of {self.denominator}")
        return self

    @property
    def verdicts(self) -> tuple[bool, ...]:
        """So many yes and no; which is which is not published."""
        left = self.denominator - self.numerator
        return (True,) * self.numerator + (False,) * left


class Rubric(Record):
    """What the judge gave an implicit factor."""

    type: Literal["hard", "soft"]
    weight: Annotated[float, Field(allow_inf_nan=False, ge=0)]
    credit: Share

    @property
    def factor(self) -> WeighedFactor:
        """The factor that was judged."""
        return WeighedFactor(self.weight, self.type)


class _IISR(Record):
    rubrics: list[Rubric] = Field(max_length=1_000)


class ToolBuckets(Record):
    """The tools of a run by what became of them; a gold tool called wrongly is incorrect."""

    gold_tools: Names
    correct_tools: Names
    incorrect_tools: Names
    extra_tools: Names
    missed_tools: Names

    @property
    def called(self) -> frozenset[str]:
        """All tools that the scored run called."""
        return frozenset((*self.correct_tools, *self.incorrect_tools, *self.extra_tools))


class Details(Record):
    """What the figures were computed from."""

    ECR: Fraction
    IFS: Fraction
    TS: ToolBuckets
    IISR: _IISR


class PublishedRun(Record):
    """One model on one task: recorded turns and calls, and the scores, which are of another run."""

    id: str = Field(min_length=1, max_length=1_000)
    model: str = Field(min_length=1, max_length=1_000)
    n_assistant_turns: Count
    tools_called: Annotated[list[str], Field(max_length=100_000)]
    metrics: StoredMetrics
    details: Details


def read_tasks(folder: str | Path) -> dict[str, PublishedTask]:
    """Return the tasks of a folder by id; raise `UnreadableFile` for one that is there twice."""
    path = Path(folder) / "tasks.jsonl"
    found: dict[str, PublishedTask] = {}
    for task in read_records(path, PublishedTask.model_validate):
        if task.id in found:
            raise UnreadableFile(str(path), f"task {excerpt(task.id)} twice")
        found[task.id] = task
    return found


def read_runs(folder: str | Path, tasks: Mapping[str, PublishedTask]) -> Sequence[PublishedRun]:
    """Return the runs of a folder in order; raise `UnreadableFile` for one without a task."""
    path = Path(folder) / "model_metrics.jsonl"
    runs = list(read_records(path, PublishedRun.model_validate))
    seen: set[tuple[str, str]] = set()
    for run in runs:
        if run.id not in tasks:
            raise UnreadableFile(str(path), f"no task {excerpt(run.id)}")
        if (run.model, run.id) in seen:
            raise UnreadableFile(str(path), f"{excerpt(run.model)} twice on {excerpt(run.id)}")
        seen.add((run.model, run.id))
    return runs
