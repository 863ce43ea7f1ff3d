"""Shifts: bounds moved to the nearest feasible value instead of dropped.

Rows are probed for every bound alone and for the bounds of each repair in one reading, for all
bounds together in another; only the cheapest are kept.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from .ranking.interface import ProbeResult, RowProbe, Shift
from .repair_context import RepairContext

NOTHING = frozenset[int]()


def probes_for(context: RepairContext, repairs: Sequence[frozenset[int]]) -> list[RowProbe]:
    """Return what to probe rows for: each repair, and each bound whose moving alone helps."""
    movable = context.rows.movable
    helps, is_counted = context.helped_alone, context.histogram.complete
    alone = [frozenset([position]) for position in movable if helps[position]]
    return [
        RowProbe(
            changed,
            tuple([position for position in movable if position in changed]),
            context.count_without(changed) if is_counted else None,
        )
        for changed in dict.fromkeys([*repairs, *alone])
    ]


def shifts(
    context: RepairContext,
    probes: Sequence[RowProbe],
    results: Sequence[ProbeResult],
    top: int,
    chosen: Shift | None = None,
) -> list[Shift]:
    """Return the shifts that make something match, the `top` cheapest first, but the chosen.

    Every bound moved alone; then combinations, the `top` cheapest points of the Pareto front
    of distances per constraint; then, for each repair probed that drops other constraints
    too, those dropped and its bounds moved. Hard and grouped constraints stay as they are.
    """
    movable = context.rows.movable
    nearest = [
        (probe, result.nearest)
        for probe, result in zip(probes, results, strict=True)
        if probe.inside and (len(probe.changed) == 1 or len(probe.inside) < len(probe.changed))
    ]
    if len(movable) > 1 and context.count_without(movable):
        together = RowProbe(frozenset(movable), movable)
        nearest += [(together, int(place)) for place in context.rows.front(movable, top)]
    reached = [(probe, place) for probe, place in nearest if place is not None]
    if not reached:
        return []
    places = np.array([place for _, place in reached], dtype=np.intp)
    listed = [
        _shift(context, probe, distances, place)
        for (probe, place), distances in zip(
            reached, context.rows.distances(places).T.tolist(), strict=True
        )
    ]
    distinct = {(shift.moved, shift.dropped): shift for shift in reversed(listed)}
    if chosen is not None:
        distinct.pop((chosen.moved, chosen.dropped), None)
    return sorted(
        distinct.values(), key=lambda shift: (shift.cost, len(shift.moved), shift.witness)
    )[:top]


def _shift(
    context: RepairContext, probe: RowProbe, distances: Sequence[float], witness: int
) -> Shift:
    moved = tuple(
        [(position, distances[position]) for position in probe.inside if distances[position]]
    )
    is_all_moved = len(probe.inside) == len(probe.changed)
    dropped = NOTHING if is_all_moved else probe.changed.difference(probe.inside)
    return Shift.of(moved, dropped, cost_of(context, moved, dropped), witness)


def cost_of(
    context: RepairContext, moved: Sequence[tuple[int, float]], dropped: Collection[int]
) -> float:
    """Return the weight of what is dropped plus weight × distance of what is moved."""
    weights = context.bound.weights
    cost = math.fsum([distance * weights[position] for position, distance in moved])
    return cost + context.bound.cost(dropped) if dropped else cost
