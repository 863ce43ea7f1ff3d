"""What is offered: the query asked, the answer to it, and what would give way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.query.constraint import Objective
from ...catalogs.query.query import Query
from ...catalogs.versions.sorted_rows import SortKey
from ...engine.answer import Answer, Status


@dataclass(frozen=True)
class Proposal:
    """What is offered now: the query asked, the engine's answer to it, and what would give way.

    `relaxed` are positions in `query.constraints`; empty where nothing has to give way, and
    where nothing can. `sort` orders the items, where it is not the rank that does.
    """

    query: Query
    answer: Answer
    relaxed: tuple[int, ...] = ()
    sort: tuple[SortKey, ...] = ()

    @property
    def is_offer(self) -> bool:
        """Whether there is something to accept."""
        return bool(self.answer.items)

    def record(self) -> dict[str, Any]:
        """Return the proposal as a JSON object."""
        written = self.answer.record()
        return {
            "status": written["status"],
            "relaxed": [constraint.record() for constraint in self.answer.relaxed],
            "conflicts": written["conflicts"],
            "explanation": written["explanation"],
            "items": [item["row"] for item in written["items"]],
            "sql": written["sql"],
        }


def by_goals(goals: Iterable[Objective], cost: str | None) -> list[SortKey]:
    """Return the order of what meets all: what was said last first, and of equals the cheapest."""
    keys = [SortKey(goal.column, goal.direction == "max") for goal in reversed([*goals])]
    return by_cost(keys, cost)


def by_cost(keys: Sequence[SortKey], cost: str | None) -> list[SortKey]:
    """Return an order in which the cheapest of equals comes first."""
    cheapest = [] if cost is None or any(key.column == cost for key in keys) else [SortKey(cost)]
    return [*keys, *cheapest]


def relaxed(answer: Answer) -> tuple[int, ...]:
    """Return the positions that give way: dropped, or with a bound that moves."""
    if answer.status is not Status.SAT_AFTER_RELAXATION or not answer.repairs:
        return ()
    return answer.repairs[0].changed
