"""Shifts: bounds moved to the nearest feasible value instead of dropped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..catalogs.constraint import Constraint
from .case import Case
from .plan import FALLING, RISING
from .rows import Look, Seen, Shift

PLAIN = frozenset((int, float, str))
"""Types that a constraint holds as they are."""


def looks_for(case: Case, repairs: Sequence[frozenset[int]]) -> list[Look]:
    """Return what to look at: each repair, and each bound whose moving alone helps."""
    movable = case.plan.movable
    looks = [
        Look(repair, tuple([position for position in movable if position in repair]))
        for repair in repairs
    ]
    helps = case.helped_alone
    looks += [Look(frozenset([one]), (one,)) for one in movable if helps[one]]
    return list(dict.fromkeys(looks))


def shifts(case: Case, looks: Sequence[Look], seen: Sequence[Seen], top: int) -> list[Shift]:
    """Return the shifts that make something match, the `top` cheapest first.

    Every bound moved alone; then combinations, the `top` cheapest points of the Pareto front
    of distances per constraint; then, for each repair looked at that drops other constraints
    too, those dropped and its bounds moved. Hard and grouped constraints stay as they are.
    """
    movable = case.plan.movable
    found = [
        (one, near.nearest)
        for one, near in zip(looks, seen, strict=True)
        if one.inside and (len(one.changed) == 1 or len(one.inside) < len(one.changed))
    ]
    if len(movable) > 1 and case.count_without(movable):
        look = Look(frozenset(movable), movable)
        found += [(look, int(place)) for place in case.rows.front(movable, top)]
    reached = [(look, place) for look, place in found if place is not None]
    if not reached:
        return []
    far = case.rows.far(np.array([place for _, place in reached], dtype=np.intp)).T.tolist()
    listed = [
        _shift(case, look, distances, place)
        for (look, place), distances in zip(reached, far, strict=True)
    ]
    distinct = {(one.moved, one.dropped): one for one in reversed(listed)}
    ordered = sorted(distinct.values(), key=lambda one: (one.cost, len(one.moved), one.witness))
    return ordered[:top]


def _shift(case: Case, look: Look, distances: Sequence[float], witness: int) -> Shift:
    moved = tuple([(one, distances[one]) for one in look.inside if distances[one]])
    dropped = look.changed.difference(look.inside)
    weights = case.plan.weights
    cost = math.fsum([far * weights[position] for position, far in moved])
    return Shift(moved, dropped, cost + case.plan.cost(dropped) if dropped else cost, witness)


def moved_bounds(case: Case, shift: Shift, row: dict[str, Any]) -> list[Constraint]:
    """Return the moved constraints of a shift, in the order of `shift.moved`."""
    return [_moved_bound(case, position, shift.witness, row) for position, _ in shift.moved]


def _moved_bound(case: Case, position: int, witness: int, row: dict[str, Any]) -> Constraint:
    """Return the constraint with its bound moved just far enough to let a row's value in.

    A strict bound becomes one that includes the value; an exact value becomes a range.
    """
    constraint = case.query.constraints[position]
    bound = case.plan.bound(position)
    value = row[bound.column.name]
    if constraint.op in FALLING:
        return _changed(constraint, "<=", value)
    if constraint.op in RISING:
        return _changed(constraint, ">=", value)
    old = constraint.value
    start, end = old if isinstance(old, tuple) else (old, old)
    below = _is_below(case, position, witness, value)
    return _changed(constraint, "between", *((value, end) if below else (start, value)))


def _is_below(case: Case, position: int, witness: int, value: Any) -> bool:
    """Return whether a row's value lies below a bound rather than above it."""
    bound, test = case.plan.bound(position), case.plan.problem.predicates[position].test
    if test is not None and bound.column.family == "numeric":
        # Doubles do not tell large whole numbers apart.
        return value < test.values[0]
    return bool(case.plan.base.numbers(bound.column.name)[witness] < bound.low)


def _changed(constraint: Constraint, op: str, value: Any, *more: Any) -> Constraint:
    ends = (value, *more)
    moved = ends if more else value
    if PLAIN.issuperset(map(type, ends)):
        # Nothing else has changed, so it is as valid as it was.
        return constraint.changed(op, moved)
    return Constraint.model_validate(constraint.record() | {"op": op, "value": moved})
