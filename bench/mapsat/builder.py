"""Builds tasks: cases become tasks by restore, identify, filter; deciding ones are marked.

A task is deciding where the agent that gives all its factors the same weight offers an item whose
IISR is at least 0.05 below the best that an item earns which meets the question. It is what that
agent offers that counts, run here as it is run later; how the others fare is not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import numpy as np

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ...dialogs.weighters.evidence.circumstances import moment_of
from ...engine.repair_engine import RepairEngine
from ..progress import Counted, uncounted
from .agents import HISTORY_TOOL, SEARCH_TOOL, equally, evident, offer
from .annotating import Annotator
from .case import Case, Record
from .credit import satisfaction
from .histories import Histories
from .items import Items
from .people import Crowd
from .restoring import NotKept, Restored, anchor_of, factors_before, restored
from .reviewing import Review
from .task import ExpectedTool, Fact, ImplicitNeed, Task, ToolRule, VisibleTask
from .wishes import Wishes
from .wording import TaskWords

DECIDING = 0.05
"""How far below the best item the offer of equal weights is."""

SOUGHT = 1 / 3
"""The share of tasks that are sought to be deciding."""

MOST_TRIES = 30
"""Cases that are tried for a task."""

MOST_CLARIFICATIONS = 6

OPENING = "opening"
"""The id of the event that says when and where a question is asked."""


@dataclass
class Builder:
    """Makes tasks from cases of one catalog; `left_out` counts why cases made none.

    With an annotator a model restores, and `review` settles what its candidates disagree about.
    """

    items: Items
    annotator: Annotator | None = None
    review: Review = field(default_factory=Review)
    left_out: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self.engine = RepairEngine(self.items.catalog, threads=1)
        self.words = TaskWords(self.items)

    def task(self, case: Case) -> Task | None:
        """Return the task that a case makes; None where it makes none."""
        try:
            found = self._restored(case)
        except NotKept as reason:
            self.left_out[str(reason)] += 1
            return None
        return self._marked(self._written(case, found))

    def _restored(self, case: Case) -> Restored:
        factors = factors_before(self.items, case)
        if self.annotator is None:
            return restored(self.items, case, factors)
        anchor = anchor_of(self.items, case)
        settled = [
            self.review.settled(case.id, annotation)
            for annotation in self.annotator.annotations(case, factors)
        ]
        needs = tuple(need for need in settled if need is not None)
        if not needs:
            raise NotKept("no need is agreed on or accepted")
        return Restored(needs, anchor)

    def _written(self, case: Case, found: Restored) -> Task:
        needs = [need.constraint for need in found.needs]
        return Task(
            id=case.id,
            query=self.words.query(case.explicit),
            full_intent=self.words.full_intent(case.explicit, needs),
            context=case.context,
            explicit=case.explicit,
            implicit=tuple(map(_recorded, found.needs)),
            clarifications=max(1, min(MOST_CLARIFICATIONS, len(found.needs))),
            tools=self._tools(case),
            facts=self._facts(case.explicit, needs),
            history=(*case.history, _opening(case)),
            after=list(case.after),
        )

    def _tools(self, case: Case) -> tuple[ExpectedTool, ...]:
        """Return the tools that the task needs: the history, and a search for what is asked."""
        asked = case.explicit[0]
        words = str(asked.value) if asked.op == "==" and isinstance(asked.value, str) else None
        rules = ToolRule(param="query", value=words), ToolRule(param="uid", value=case.id)
        return (
            ExpectedTool(tool=HISTORY_TOOL, rules=rules[1:]),
            ExpectedTool(tool=SEARCH_TOOL, rules=rules[:1]),
        )

    def _facts(self, *constraints: Iterable[Constraint]) -> tuple[Fact, ...]:
        """Return the columns of which an answer speaks."""
        columns = [self.items.key]
        for constraint in (each for some in constraints for each in some):
            columns += [] if constraint.column is None else [constraint.column]
        return tuple(Fact(column=column) for column in dict.fromkeys(columns))

    def _marked(self, task: Task) -> Task:
        """Return a task with whether equal weights offer an item that is worse than the best."""
        visible = VisibleTask.of(task)
        offered = offer(
            self.engine, self.items, task.explicit, equally(evident(self.items, visible))
        )
        worth = satisfaction(self.items, task.implicit)
        place = self.items.place(offered.item)
        if place is None:
            return task
        best = worth[self.items.meeting(task.explicit)].max()
        return task.model_copy(update={"deciding": bool(best - worth[place] >= DECIDING)})


def _opening(case: Case) -> Record:
    """Return when and where the person opened the app to ask, as an event before the question."""
    time = moment_of(case.context["time"]) - timedelta(seconds=1)
    record: Record = {"id": OPENING, "time": f"{time:%Y-%m-%dT%H:%M:%S}"}
    place = case.context.get("location")
    return record if place is None else record | {"place": place}


def _recorded(need: ImplicitNeed) -> ImplicitNeed:
    """Return a need whose evidence stands in the history: of moment and place, the opening."""
    names = (OPENING if name.startswith("context.") else name for name in need.evidence)
    return need.model_copy(update={"evidence": tuple(dict.fromkeys(names))})


def build(builder: Builder, count: int, seed: int, counted: Counted = uncounted) -> list[Task]:
    """Return so many tasks of simulated people, a third of them sought to be deciding.

    Where one that is sought is not found, the next is sought. Raises `QueryError` where the catalog
    has too little that people could want.
    """
    wishes = Wishes(builder.items)
    tasks: list[Task] = []
    for number in counted(range(count), "building tasks"):
        crowd = Crowd(builder.items, wishes, np.random.default_rng([seed, number]))
        sought = sum(task.deciding for task in tasks) < SOUGHT * (number + 1)
        task = _drawn(builder, crowd, f"t{number + 1:04}", sought)
        if task is None:
            hint = "give more rows, and columns whose values repeat"
            raise QueryError(f"{builder.items.catalog.name} has too little to want", hint=hint)
        tasks.append(task)
    return tasks


def _drawn(builder: Builder, crowd: Crowd, name: str, sought: bool) -> Task | None:
    """Return a task of somebody: deciding where that is sought and found, else the last made."""
    histories = Histories(builder.items, crowd.random)
    last: Task | None = None
    for _ in range(MOST_TRIES):
        person = crowd.person(sought)
        if person is None and not sought:
            return last
        sought = sought and person is not None
        task = None if person is None else builder.task(histories.case(name, person))
        last = task or last
        if task is not None and task.deciding >= sought:
            return task
    return last


def build_from(builder: Builder, cases: Sequence[Case], counted: Counted = uncounted) -> list[Task]:
    """Return the tasks that the cases of a log make. Raises `QueryError` where none does."""
    made = [builder.task(case) for case in counted(cases, "building tasks")]
    tasks = [task for task in made if task is not None]
    if not tasks:
        reasons = "; ".join(f"{reason}: {count}" for reason, count in builder.left_out.items())
        hint = "people need earlier choices, a question with constraints, and a choice after it"
        raise QueryError(f"no case makes a task ({reasons or 'no question in the log'})", hint=hint)
    return tasks
