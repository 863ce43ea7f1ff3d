"""Items that were refused are offered again only where nothing else can be had."""

from __future__ import annotations

from collections.abc import Callable, Set

from ...catalogs.query.query import Query
from ...engine.answer import Answer
from .proposal import relaxed


def another(
    repair: Callable[[Query, int], Answer], query: Query, passed: Set[int], top: int
) -> Answer:
    """Return the answer to a query in which not all items were refused.

    Where all of them were, what gave way has to stay, so that something else gives way; the first
    answer where that leads to nothing. `passed` are row ids; one repair for each way tried, as many
    as there are wishes at most.
    """
    most = top + len(passed)
    best = answer = repair(query, most)
    while passed and all_passed(answer, passed):
        gone = relaxed(answer)
        if not gone:
            return best
        wishes = [
            wish.model_copy(update={"hard": True}) if at in gone else wish
            for at, wish in enumerate(query.constraints)
        ]
        query = query.replace(wishes)
        answer = repair(query, most)
    return answer if answer.items else best


def refused_last(answer: Answer, passed: Set[int], top: int) -> Answer:
    """Return an answer with so many items at most that were not refused, before those that were.

    So what is shown is numbered without gaps, and what was refused can still be found.
    """
    left = [item for item in answer.items if item.row_id not in passed][:top]
    gone = [item for item in answer.items if item.row_id in passed]
    return answer.model_copy(update={"items": (*left, *gone)})


def first_left(answer: Answer, passed: Set[int]) -> int:
    """Return the place of the first item that was not refused; 0 where all were."""
    places = (at for at, item in enumerate(answer.items) if item.row_id not in passed)
    return next(places, 0)


def all_passed(answer: Answer, passed: Set[int]) -> bool:
    """Return whether there are items, and all of them were refused."""
    return bool(answer.items) and all(item.row_id in passed for item in answer.items)
