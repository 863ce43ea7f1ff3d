"""What candidates disagree about, for a person to accept, correct or reject.

    {"task": "t0007", "need": {…}, "named_by": 2, "of": 3, "decision": null}

A person writes `"accept"`, `"reject"`, or `"correct"` with the right need under `"corrected"`. What
nobody decided is in no task. The file is rewritten with what is disputed now; decisions stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.validation_fault import first_fault
from ..json_lines import read_records
from ..text_files import write_json_lines
from .annotating import Annotation
from .task import ImplicitNeed

Decision = Literal["accept", "correct", "reject"]


class Disputed(BaseModel):
    """A need that not all candidates name, and what a person decided."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    need: ImplicitNeed
    named_by: int
    of: int
    decision: Decision | None = None
    corrected: ImplicitNeed | None = None

    @model_validator(mode="after")
    def _fits(self) -> Disputed:
        if (self.decision == "correct") != (self.corrected is not None):
            raise ValueError('"correct" and corrected go together')
        return self

    @property
    def name(self) -> tuple[str, str]:
        """The task, and the constraint in words."""
        return self.task, str(self.need.constraint)

    @property
    def kept(self) -> ImplicitNeed | None:
        """The need that a person lets into the task; None for none."""
        if self.decision == "correct":
            return self.corrected
        return self.need if self.decision == "accept" else None

    def record(self) -> dict[str, Any]:
        """Return the line of a review file."""
        fields = {
            "task": self.task,
            "need": self.need.record(),
            "named_by": self.named_by,
            "of": self.of,
            "decision": self.decision,
        }
        return fields if self.corrected is None else fields | {"corrected": self.corrected.record()}


def disputed_of(record: object) -> Disputed:
    """Return a line of a review file; raise `QueryError` with one line."""
    if not isinstance(record, Mapping):
        raise QueryError(f"{excerpt(record)} is no disputed need")
    try:
        return Disputed.model_validate(record)
    except ValidationError as error:
        problem = first_fault(error, 3).line()
    raise QueryError(problem, hint='a decision is "accept", "correct", "reject" or null')


@dataclass
class Review:
    """The disputed needs of a build, and what was decided about them before."""

    decided: dict[tuple[str, str], Disputed] = field(
        default_factory=dict[tuple[str, str], Disputed]
    )
    now: list[Disputed] = field(default_factory=list[Disputed])

    @classmethod
    def read(cls, path: str | Path | None) -> Review:
        """Return the decisions of a file; none where there is no such file yet.

        Raises `UnreadableFile` that names the line.
        """
        if path is None or not Path(path).exists():
            return cls()
        return cls({each.name: each for each in read_records(path, disputed_of)})

    def settled(self, task: str, annotation: Annotation) -> ImplicitNeed | None:
        """Return what goes into a task: what is agreed on, or what a person decided."""
        if annotation.is_agreed:
            return annotation.need
        found = Disputed(
            task=task, need=annotation.need, named_by=annotation.named_by, of=annotation.of
        )
        found = self.decided.get(found.name, found)
        self.now.append(found)
        return found.kept

    def write(self, path: str | Path) -> None:
        """Write what is disputed now, and decisions about anything else."""
        names = {each.name for each in self.now}
        kept = [each for name, each in self.decided.items() if name not in names]
        write_json_lines(path, [each.record() for each in (*self.now, *kept)])
