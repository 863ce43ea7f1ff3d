"""Agents without a model: what each one knows of a person, and the repair that their offer is.

Everybody asks for the explicit constraints; what else they ask for may give way, the lightest
first (`least-weight`), and the first item of the repair is offered. They differ in what else:

- `explicit`: nothing;
- `evidence`: what history and circumstances speak for, weighed by appendix A.2;
- `equal`: the same, each with the same weight;
- `oracle`: the true implicit factors with their true weights.

Constraints stand in the order of their text, so that no order tells a weight. Whoever looks for
evidence and finds none asks the person once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from ...catalogs.query.query import Query
from ...dialogs.extraction.offline import OfflineExtractor
from ...dialogs.tools.calls import ToolCall, ToolReply
from ...dialogs.transcripts.transcript import Message
from ...dialogs.weighters.evidence.implicit_factors import implicit_factors
from ...dialogs.weighters.factors import MOST, NEEDS, Factor
from ...engine.answer import Answer, Status
from ...engine.repair_engine import RepairEngine
from .dialogue import CalledTool, Turn
from .items import Items, json_key
from .restoring import distinct
from .task import Task, VisibleTask

Name = Literal["evidence", "equal", "explicit", "oracle"]
NAMES: tuple[Name, ...] = ("evidence", "equal", "explicit", "oracle")

HISTORY_TOOL, SEARCH_TOOL = "search_user_action_summary", "search_poi"
QUESTION = "Is there anything else that matters to you?"


@dataclass(frozen=True)
class Known:
    """Something an agent takes a person to want: the constraint, its weight up to 1.44, and why."""

    constraint: Constraint
    weight: float
    because: str = ""


@dataclass(frozen=True)
class Offer:
    """What an agent offers: an item's key, the repair it comes from, and what gave way.

    `because` says of each thing that gave way what spoke for it, and how much.
    """

    item: Any
    answer: Answer
    known: tuple[Known, ...]

    @property
    def relaxed(self) -> list[dict[str, Any]]:
        """What gave way, with its weight and the evidence for it."""
        known = {str(each.constraint): each for each in self.known}
        return [
            {
                "constraint": _bare(constraint).record(),
                "weight": round(known[str(constraint)].weight, 6),
                "because": known[str(constraint)].because,
            }
            for constraint in self.answer.relaxed
            if str(constraint) in known
        ]

    @property
    def explanation(self) -> str:
        """The repair in sentences, and what speaks for each thing that gave way."""
        given = [
            known
            for constraint in self.answer.relaxed
            for known in self.known
            if str(known.constraint) == str(constraint)
        ]
        if not given:
            return self.answer.explanation
        weighed = "; ".join(
            f"{known.constraint} weighs {known.weight:.2f}"
            + (f" ({known.because})" if known.because else "")
            for known in given
        )
        total = sum(known.weight for known in given)
        surely = "; nothing lighter would do" if self.answer.proven_minimal else ""
        return f"{self.answer.explanation} Gave way: {weighed}; {total:.2f} together{surely}."


def _bare(constraint: Constraint) -> Constraint:
    fields = constraint.model_dump(exclude_unset=True, include={"column", "op", "value", "nulls"})
    return Constraint.model_validate(fields)


def evident(items: Items, task: VisibleTask) -> list[Known]:
    """Return what history, profile and circumstances say that the question does not."""
    found = implicit_factors(
        items.catalog, items.key, task.events, task.profile, task.moment, task.explicit
    )
    return [
        Known(_bare(factor.constraint), factor.weight, factor.because)
        for factor in distinct(items, found)
    ]


def equally(known: Sequence[Known]) -> list[Known]:
    """Return the same with one weight for all."""
    return [Known(each.constraint, NEUTRAL_WEIGHT * MOST, each.because) for each in known]


def true_needs(task: Task) -> list[Known]:
    """Return the implicit factors of a task as they are."""
    return [
        Known(need.constraint, need.weight, ", ".join(need.evidence[:3])) for need in task.implicit
    ]


def knowledge(name: Name, items: Items, task: Task) -> list[Known]:
    """Return what an agent knows; only the oracle sees more than `VisibleTask`."""
    if name == "explicit":
        return []
    if name == "oracle":
        return true_needs(task)
    known = evident(items, VisibleTask.of(task))
    return equally(known) if name == "equal" else known


def offer(
    engine: RepairEngine, items: Items, explicit: Sequence[Constraint], known: Sequence[Known]
) -> Offer:
    """Return what a repair offers somebody of whom this is known.

    The explicit constraints are the base; where nothing meets them all they may give way too.
    """
    ordered = sorted(known, key=lambda each: str(each.constraint))
    wishes = tuple(_weighed(each.constraint, each.weight / MOST) for each in ordered)
    answer = engine.repair(Query(base=tuple(explicit), constraints=wishes), top=1)
    if not answer.items and answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION:
        asked = (_weighed(constraint, 1.0) for constraint in explicit)
        answer = engine.repair(Query(constraints=(*asked, *wishes)), top=1)
    item = json_key(answer.items[0].row[items.key]) if answer.items else None
    return Offer(item, answer, tuple(ordered))


def _weighed(constraint: Constraint, weight: float) -> Constraint:
    fields = _bare(constraint).model_dump(exclude_unset=True)
    return Constraint.model_validate({**fields, "weight": min(1.0, max(0.0, weight))})


@dataclass(frozen=True)
class OfflineAgent:
    """An agent that offers the first item of a repair over what it knows."""

    name: Name
    items: Items

    @cached_property
    def _engine(self) -> RepairEngine:
        return RepairEngine(self.items.catalog, threads=1)

    def turn(self, task: Task, said: Sequence[Message]) -> Turn:
        """See `Agent.turn`."""
        known = knowledge(self.name, self.items, task)
        looks = self.name != "explicit"
        if looks and not known and len(said) == 1:
            return Turn(QUESTION, self._called(task, looks))
        if looks and not known:
            known = self._told(said)
        offered = offer(self._engine, self.items, task.explicit, known)
        return self._turn(task, offered, () if len(said) > 1 else self._called(task, looks))

    def _told(self, said: Sequence[Message]) -> list[Known]:
        """Return what the person said when asked, which the session asks for."""
        told = said[-1].content
        extraction = OfflineExtractor().extract(told, self.items.catalog)
        weight = Factor(current_need=NEEDS["strong"]).weight
        return [
            Known(_bare(found.constraint), weight, "said when asked")
            for found in extraction.constraints
        ]

    def _called(self, task: Task, looks: bool) -> tuple[CalledTool, ...]:
        """Return the calls of tools that stand for what it looked at."""
        query = ToolCall(SEARCH_TOOL, {"query": task.query})
        calls = (
            [ToolCall(HISTORY_TOOL, {"uid": task.context.get("uid", task.id)}), query]
            if looks
            else [query]
        )
        return tuple(CalledTool(call, ToolReply("simulated")) for call in calls)

    def _turn(self, task: Task, offered: Offer, called: tuple[CalledTool, ...]) -> Turn:
        row = offered.answer.items[0].row if offered.answer.items else {}
        facts = {fact.column: row[fact.column] for fact in task.facts if fact.column in row}
        if not row:
            return Turn("I found nothing that fits.", called, explanation=offered.explanation)
        said = ", ".join(f"{column} {value}" for column, value in facts.items())
        return Turn(
            f"I suggest {said}. {offered.explanation}",
            called,
            offered.item,
            facts,
            tuple(offered.relaxed),
            offered.explanation,
        )
