"""The repairs an answer lists: cheapest first or unlike each other, each one checkable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..catalogs.constraint import Constraint
from ..catalogs.errors import QueryError, shown
from ..catalogs.predicate import Predicate
from ..catalogs.row_set import intersection
from ..solvers.histogram import mask_of, positions_of
from .answer import Change, Repair
from .case import Case
from .explanation import explain_changes
from .kernel_columns import ROUNDING
from .shifts import Shift, moved_bounds, moved_ranges

ORDERS = ("cost", "diverse")
POOL_FACTOR = 10
"""Diverse repairs are chosen among this many times as many cheapest ones."""


def pool_size(top: int, order: str) -> int:
    """Return how many of the cheapest repairs to look among; raise `QueryError` for the order."""
    if order not in ORDERS:
        raise QueryError(f"no order {shown(order)}", way_out=f"orders: {', '.join(ORDERS)}")
    return top * POOL_FACTOR if order == "diverse" else top


def alternatives(case: Case, top: int, order: str) -> list[frozenset[int]]:
    """Return up to `top` minimal repairs as positions.

    `order="diverse"` takes the cheapest, then each time the one that shares the smallest part
    of its dropped constraints with any taken before (greatest Jaccard similarity, least
    first); the cheaper of equals.
    """
    pool = [case.expand(one.dropped) for one in case.cheapest.found]
    return _diverse(pool, top) if order == "diverse" else pool[:top]


def _diverse(pool: Sequence[frozenset[int]], top: int) -> list[frozenset[int]]:
    taken: list[frozenset[int]] = []
    left = list(pool)
    while left and len(taken) < top:
        closest = [max((_similarity(one, other) for other in taken), default=0.0) for one in left]
        taken.append(left.pop(closest.index(min(closest))))
    return taken


def _similarity(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


@dataclass(frozen=True)
class Drop:
    """Constraints to drop, how many rows then match, and the place of the first of them."""

    dropped: frozenset[int]
    count: int
    witness: int


def dropping(case: Case, drop: Drop) -> Repair:
    """Return the repair that drops these constraints, with its witness and certificate."""
    constraints = case.query.constraints
    changes = tuple(_drop(i, constraints[i]) for i in sorted(drop.dropped))
    minimal = is_minimal(case, drop.dropped)
    return Repair.made(
        changes=changes,
        dropped=tuple(sorted(drop.dropped)),
        cost=case.plan.cost(drop.dropped),
        count=drop.count,
        witness=case.row_at(drop.witness),
        minimal=minimal,
        must_hit=_private_conflicts(case, drop.dropped) if minimal else (),
        sql=case.catalog.select_text(case.plan.predicates_without(drop.dropped)),
        explanation=explain_changes(changes, drop.count),
    )


def _drop(position: int, constraint: Constraint) -> Change:
    return Change.made(position=position, action="drop", from_=constraint, to=None, distance=1.0)


def is_minimal(case: Case, dropped: frozenset[int]) -> bool:
    """Return whether it is proven that nothing less would do: each unit dropped is needed."""
    if not case.histogram.complete:
        return False
    units = [unit for unit in case.plan.units if dropped.issuperset(unit)]
    return not any(case.feasible_without(dropped.difference(unit)) for unit in units)


def _private_conflicts(case: Case, dropped: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Return, for each unit dropped, a MUS that nothing else dropped hits."""
    return tuple(
        tuple(sorted(shrink(case, dropped.difference(unit))))
        for unit in case.plan.units
        if dropped.issuperset(unit)
    )


def shrink(case: Case, left_out: Iterable[int]) -> frozenset[int]:
    """Return a MUS among the constraints not left out, by deletion; they must be infeasible."""
    conflict = case.histogram.full & ~mask_of(left_out)
    for position in range(case.width):
        smaller = conflict & ~(1 << position)
        if not case.histogram.feasible(smaller):
            conflict = smaller
    return positions_of(conflict)


def shifting(case: Case, shift: Shift) -> Repair:
    """Return the repair that moves bounds, with its witness."""
    constraints, witness = case.query.constraints, case.row_at(shift.witness)
    bounds = moved_bounds(case, shift, witness)
    drops = [_drop(i, constraints[i]) for i in shift.dropped]
    moves = [
        Change.made(position=i, action="shift", from_=constraints[i], to=to, distance=far)
        for (i, far), to in zip(shift.moved, bounds, strict=True)
    ]
    changes = tuple(sorted([*drops, *moves], key=lambda change: change.position))
    bound = [case.catalog.bind(to) for to in bounds]
    count = _count(case, shift, bound)
    return Repair.made(
        changes=changes,
        dropped=tuple(sorted(shift.dropped)),
        cost=shift.cost,
        count=count,
        witness=witness,
        minimal=is_minimal(case, shift.changed),
        must_hit=(),
        sql=case.catalog.select_text([*case.plan.predicates_without(shift.changed), *bound]),
        explanation=explain_changes(changes, count),
    )


def _count(case: Case, shift: Shift, moved: Sequence[Predicate]) -> int:
    """Return how many rows match once the bounds are moved."""
    ranges = moved_ranges(case, shift)
    if ranges is not None:
        # Whatever the moved bounds let in violates them no more than the witness does.
        violation = math.inf if shift.dropped else shift.cost * (1 + ROUNDING)
        return case.rows.count_within(shift.changed, ranges, violation)
    kept = case.plan.predicates_without(shift.changed)
    sets = [case.catalog.rows(one) for one in (*kept, *moved)]
    return len(intersection(sets, case.catalog.universe))


def relaxed_constraints(case: Case, dropped: Iterable[int]) -> tuple[Constraint, ...]:
    """Return the constraints at these positions, in order."""
    return tuple(case.query.constraints[i] for i in sorted(dropped))
