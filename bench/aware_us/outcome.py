"""The outcome of one episode: all that metrics are computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...engine.answer import Answer, Status
from .gold import ConstraintKey, Gold, constraint_key, is_item
from .published_data import RecordedRun


@dataclass(frozen=True)
class Outcome:
    """One episode of one method on one instance.

    `relaxed` is what gave way: nothing, one constraint, or several, of which none counts as
    the gold one. `questions` is how often something was asked, `tokens` what models read and
    wrote; None where that is not known, or no model was asked. `failure` is why an episode has
    status UNKNOWN that a model's failure ended.
    """

    gold: Gold
    slots: tuple[str, ...]
    parsed: tuple[Constraint, ...]
    status: Status
    relaxed: tuple[ConstraintKey, ...]
    item: Mapping[str, Any] | None
    questions: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    opening_read: bool | None = None
    tokens: int | None = None
    failure: str | None = None

    @property
    def filled(self) -> frozenset[str]:
        """The slots that some constraint parsed is about."""
        columns = frozenset(str(constraint.column) for constraint in self.parsed)
        return columns.intersection(self.slots)

    @property
    def relax_match(self) -> bool:
        """Whether exactly the gold constraint gave way: column, operator and value as text."""
        return self.gold.relaxed is not None and self.relaxed == (self.gold.relaxed,)

    @property
    def same_item(self) -> bool:
        """Whether the gold item is offered, whatever gave way."""
        return self.gold.item is not None and is_item(self.item, self.gold.item)

    @property
    def car_match(self) -> bool:
        """Whether the gold item is offered after the gold relaxation: the gated match."""
        return self.relax_match and self.same_item


def recorded_outcome(recorded: RecordedRun) -> Outcome:
    """Return how a published run ended, as it was recorded."""
    run, relaxed = recorded.run, recorded.run.relaxed_constraint
    return Outcome(
        recorded.gold,
        tuple(run.slots_provided_to_agent),
        tuple(run.weighed),
        Status(run.status),
        () if relaxed is None else (constraint_key(relaxed),),
        run.recommended_car,
        None
        if run.dialogue is None
        else sum(message.role == "assistant" for message in run.dialogue),
        labels_of(recorded),
    )


def answered_outcome(
    gold: Gold,
    slots: tuple[str, ...],
    query: Query,
    answer: Answer,
    questions: int | None,
    labels: Mapping[str, str],
    *,
    opening_read: bool | None = None,
) -> Outcome:
    """Return the outcome of a query that our engine answered."""
    return Outcome(
        gold,
        slots,
        query.constraints,
        answer.status,
        tuple(constraint_key(constraint) for constraint in answer.relaxed),
        answer.items[0].row if answer.items else None,
        questions,
        labels,
        opening_read,
    )


def labels_of(recorded: RecordedRun) -> dict[str, str]:
    """Return the setting, model and method of a recorded run."""
    run = recorded.run
    return {"setting": run.set, "model": run.model, "method": run.method}
