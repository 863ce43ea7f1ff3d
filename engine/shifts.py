"""Shifts: bounds moved to the nearest feasible value instead of dropped.

Rows are probed for every bound alone and for the bounds of each repair in one reading, for all
bounds together in another; only the cheapest are kept.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, cast

import numpy as np

from ..catalogs.query.constraint import Constraint
from ..catalogs.query.exact_numbers import exact
from ..catalogs.query.places import widened
from ..catalogs.query.schema import MeasuredColumn
from .ranking.interface import ProbeResult, RowProbe, Shift
from .repair_context import RepairContext

ONE_SIDED: dict[str, str] = {"<": "<=", "<=": "<=", ">": ">=", ">=": ">="}
"""What a bound on one side becomes."""

PLAIN = frozenset((int, float, str))
"""Types that a constraint holds as they are."""


def probes_for(context: RepairContext, repairs: Sequence[frozenset[int]]) -> list[RowProbe]:
    """Return what to probe rows for: each repair, and each bound whose moving alone helps."""
    movable = context.rows.movable
    probes = [
        RowProbe(repair, tuple([position for position in movable if position in repair]))
        for repair in repairs
    ]
    helps = context.helped_alone
    probes += [
        RowProbe(frozenset([position]), (position,)) for position in movable if helps[position]
    ]
    return list(dict.fromkeys(probes))


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
    dropped = probe.changed.difference(probe.inside)
    return Shift(moved, dropped, cost_of(context, moved, dropped), witness)


def cost_of(
    context: RepairContext, moved: Sequence[tuple[int, float]], dropped: Collection[int]
) -> float:
    """Return the weight of what is dropped plus weight × distance of what is moved."""
    weights = context.bound.weights
    cost = math.fsum([distance * weights[position] for position, distance in moved])
    return cost + context.bound.cost(dropped) if dropped else cost


def moved_bound(
    context: RepairContext, position: int, witness: int, row: dict[str, Any]
) -> Constraint:
    """Return a constraint with its bound moved just far enough to let the witness, a row, in.

    A strict bound becomes one that includes the value; an exact value becomes a range.
    """
    constraint = context.query.constraints[position]
    column = context.bound.bound_at(position).column
    if isinstance(column, MeasuredColumn):
        return constraint.changed(*widened(constraint, column.measure, row))
    moved, op = row[column.name], ONE_SIDED.get(constraint.op)
    if op is not None:
        is_plain = type(moved) in PLAIN
    else:
        op, old = "between", constraint.value
        start, end = old if isinstance(old, tuple) else (old, old)
        is_below = _is_below(context, position, witness, moved)
        moved: Any = (moved, end) if is_below else (start, moved)
        is_plain = PLAIN.issuperset(map(type, moved))
    if is_plain:
        # Nothing else has changed, so it is as valid as it was.
        return constraint.changed(op, moved)
    return Constraint.model_validate(constraint.record() | {"op": op, "value": moved})


def _is_below(context: RepairContext, position: int, witness: int, value: Any) -> bool:
    """Return whether a row's value lies below a bound rather than above it."""
    bound, test = context.bound.bound_at(position), context.bound.problem.predicates[position].test
    if test is not None and bound.column.family == "numeric":
        # Doubles do not tell large whole numbers apart.
        return exact(value) < exact(cast("float", test.values[0]))
    number = context.bound.base.packed(bound.column.name).at(np.array([witness]))
    return bool(number[0] < bound.low)
