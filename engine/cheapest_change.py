"""The cheapest change that makes something match: bounds moved and constraints dropped together.

What a row misses is what would have to change for it: a bound moves to it at weight × distance,
anything else is dropped at its weight, a group as a whole. The cheapest row over the base slice
therefore is the cheapest change there is; one search by a ranker finds it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..catalogs.json_values import Row
from .moved_bounds import SaidChange
from .ranking.interface import Counted, RowRanker, Shift
from .repair_context import RepairContext
from .shifts import cost_of


def cheapest_change(context: RepairContext) -> Shift | None:
    """Return the cheapest change; None if nothing that may give way helps.

    Of equals the one of fewest changes, a group counting as one; then of the first positions,
    of fewest constraints dropped, and to the first row. No part of it would do: that would let in
    a row that costs less, or as much by fewer changes.
    """
    if not context.cheapest.repairs:
        return None
    place = context.rows.cheapest_row(context.cheapest.repairs[0].cost)
    return None if place is None else _change_to(context, place)


def _change_to(context: RepairContext, place: int) -> Shift:
    """Return what has to change to let a row in."""
    bound = context.bound
    distances: list[float] = context.rows.distances(np.array([place])).T.tolist()[0]
    missed = {position for position, distance in enumerate(distances) if distance}
    moving = [position for position in bound.movable if position in missed]
    columns = [bound.bound_at(position).column.name for position in moving]
    moved = tuple(
        (position, distances[position])
        for position, column in zip(moving, columns, strict=True)
        if math.isfinite(bound.base.packed(column).at(np.array([place]))[0])
    )
    rest = missed.difference(position for position, _ in moved)
    units = [number for number, unit in enumerate(bound.units) if rest.intersection(unit)]
    dropped = context.expand(units)
    return Shift.of(moved, dropped, cost_of(context, moved, dropped), place)


@dataclass(frozen=True)
class CarriedOut:
    """A shift that is carried out: its bounds as moved, and the rows that they let in.

    `rows` ranks the rows of the base slice that meet all moved bounds; `count` of them meet
    everything kept, too. `is_cheapest`: proven, so that no part of it would do.
    """

    shift: Shift
    moves: Sequence[SaidChange]
    rows: RowRanker
    count: Counted
    is_cheapest: bool


def carried_out(context: RepairContext, shift: Shift, *, late: bool) -> CarriedOut:
    """Return a shift carried out; reads the row that its bounds move to, and those inside.

    `late`: the search for it ended early. Raises `DeadlinePassed` where there is no time.
    """
    _, fetched = context.rows.fetch(np.array([shift.witness]))
    moves = moves_of(context, shift, fetched[0])
    bind = context.bound.problem.catalog.bind
    rows = context.rows.narrowed([bind(move.to) for move in moves if move.to is not None])
    count = rows.count_without(shift.changed_mask)
    return CarriedOut(shift, moves, rows, count, context.histogram.complete and not late)


def moves_of(context: RepairContext, shift: Shift, witness: Row) -> list[SaidChange]:
    """Return the bounds of a shift, moved to let a row in."""
    movable = context.movable_bounds
    return [
        movable[position].moved(distance, shift.witness, witness)
        for position, distance in shift.moved
    ]
