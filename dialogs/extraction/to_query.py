"""What was understood as a query: stated wishes, vague ones that give way before them, and aims.

One pass over the parts of an extraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint, Objective
from ...catalogs.query.query import Query
from .extracted import ExtractedObjective, Extraction, Leaning

LEANING_WEIGHT = NEUTRAL_WEIGHT / 2
"""The weight of what was said vaguely: "cheap" gives way before "under 900"."""


def to_query(extraction: Extraction, base: Sequence[Constraint] = ()) -> Query:
    """Return what was understood as a query: hard wishes stay hard, vague ones weigh less.

    A leaning or an objective with a bound is a constraint of `LEANING_WEIGHT`, a leaning without
    one an objective of that weight. The surer one of two objectives on a column holds. Raises
    `QueryError` for more than a query may hold.
    """
    stated = (extracted.constraint for extracted in extraction.constraints)
    aims = (*extraction.objectives, *extraction.leanings)
    vague = (soft for aim in aims if (soft := light_bound(aim)))
    return Query(
        base=tuple(base), constraints=(*stated, *vague), objectives=tuple(_objectives(extraction))
    )


def light_bound(aim: Leaning | ExtractedObjective) -> Constraint | None:
    """Return the bound of a vague wish as one that gives way early; None where it has none."""
    if aim.constraint is None:
        return None
    return aim.constraint.model_copy(update={"weight": LEANING_WEIGHT})


def _objectives(extraction: Extraction) -> Iterator[Objective]:
    aims = [(aim, NEUTRAL_WEIGHT) for aim in extraction.objectives if aim.constraint is None]
    aims += [(aim, LEANING_WEIGHT) for aim in extraction.leanings if aim.constraint is None]
    taken: set[str] = set()
    for aim, weight in sorted(aims, key=lambda pair: (-pair[1], -pair[0].score)):
        if aim.column not in taken:
            taken.add(aim.column)
            yield Objective(column=aim.column, direction=aim.direction, weight=weight)


def answer_record(extraction: Extraction) -> dict[str, Any]:
    """Return what was understood as JSON, and the query it makes; null for too large a one."""
    try:
        query = to_query(extraction).record()
    except QueryError:
        query = None
    return extraction.record() | {"query": query}
