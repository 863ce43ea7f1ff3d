"""A page of items in the order of columns, scored like any others.

The rows are found by the database; score, distances and what they miss by the ranker, which reads
those rows alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .ranking.interface import Places, Ranked
from .relaxation import Relaxation
from .repair_context import RepairContext
from .repair_options import RepairOptions


def sorted_page(
    context: RepairContext, relaxation: Relaxation, options: RepairOptions, count: int
) -> Ranked:
    """Return the rows that meet what is kept, in the order asked for, from `offset` on.

    None of them is said to be undominated: the others are not looked at.
    """
    bound, changed = context.bound, relaxation.changed
    catalog = bound.problem.catalog
    moves = relaxation.chosen.moves if relaxation.chosen else ()
    moved = [catalog.bind(move.to) for move in moves if move.to is not None]
    kept = [*bound.predicates_without(changed), *moved]
    places, rows = context.rows.page(kept, options.sort, options.top, options.offset)
    ranked = rows.rank(changed, len(places), max(len(places), 1))
    return _in_order(replace(ranked, count=count), places)


def _in_order(ranked: Ranked, places: Places) -> Ranked:
    """Return the same rows in another order."""
    found = {int(place): at for at, place in enumerate(ranked.places)}
    order = [found[int(place)] for place in places if int(place) in found]
    return replace(
        ranked,
        places=ranked.places[order],
        scores=ranked.scores[order],
        satisfaction=ranked.satisfaction[:, order],
        pareto=np.zeros(len(order), dtype=np.bool_),
    )
