"""The repairs an answer lists: cheapest first or unlike each other, each one checkable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ..catalogs.binding import text_to
from ..catalogs.catalog import Row
from ..catalogs.constraint import Constraint
from ..catalogs.errors import QueryError, shown
from ..catalogs.row_set import intersection
from ..solvers.masks import mask_of, positions_of
from .answer import Change, Repair
from .case import Case
from .explanation import explain_changes
from .rows import Shift
from .shifts import moved_bounds

ORDERS = ("cost", "diverse")
POOL_FACTOR = 10
"""Diverse repairs are chosen among this many times as many cheapest ones."""


def pool_size(top: int, order: str) -> int:
    """Return how many of the cheapest repairs to look among; raise `QueryError` for the order."""
    if order not in ORDERS:
        raise QueryError(f"no order {shown(order)}", hint=f"orders: {', '.join(ORDERS)}")
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


def dropping(case: Case, drop: Drop, witness: Row) -> Repair:
    """Return the repair that drops these constraints, with its witness and certificate."""
    dropped = tuple(sorted(drop.dropped))
    gone = mask_of(dropped)
    minimal = is_minimal(case, gone)
    changes = tuple([_drop(case, one) for one in dropped])
    return Repair(
        changes=changes,
        dropped=dropped,
        cost=case.plan.cost(dropped),
        count=drop.count,
        witness=witness,
        minimal=minimal,
        must_hit=_private_conflicts(case, gone) if minimal else (),
        sql=case.plan.select_without(gone),
        explanation=explain_changes(case.plan.names, changes, drop.count),
    )


def _drop(case: Case, position: int) -> Change:
    given = case.query.constraints[position]
    return Change(position=position, action="drop", from_=given, to=None, distance=1.0)


def is_minimal(case: Case, dropped: int) -> bool:
    """Return whether it is proven that nothing less would do: each unit of a mask is needed."""
    if not case.histogram.complete:
        return False
    kept = case.plan.full & ~dropped
    return not any(case.histogram.feasible(kept | unit) for unit in _units_in(case, dropped))


def _units_in(case: Case, dropped: int) -> list[int]:
    return [unit for unit in case.plan.unit_masks if unit & dropped == unit]


def _private_conflicts(case: Case, dropped: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each unit dropped, a MUS that nothing else dropped hits."""
    kept = case.plan.full & ~dropped
    return tuple([_shrunk(case, kept | unit) for unit in _units_in(case, dropped)])


def _shrunk(case: Case, conflict: int) -> tuple[int, ...]:
    """Return the positions of a MUS inside an infeasible mask, by deletion."""
    for position in range(case.width):
        smaller = conflict & ~(1 << position)
        if not case.histogram.feasible(smaller):
            conflict = smaller
    return tuple([one for one in range(case.width) if conflict >> one & 1])


def shifting(case: Case, shifts: Sequence[Shift], witnesses: Sequence[Row]) -> tuple[Repair, ...]:
    """Return the repairs that move bounds, each with its witness."""
    moves = [_moves(case, *one) for one in zip(shifts, witnesses, strict=True)]
    counts = _counts(case, shifts, moves)
    parts = zip(shifts, witnesses, moves, counts, strict=True)
    return tuple([_shifting(case, *one) for one in parts])


def _moves(case: Case, shift: Shift, witness: Row) -> list[Change]:
    constraints = case.query.constraints
    return [
        Change(position=position, action="shift", from_=constraints[position], to=to, distance=far)
        for (position, far), to in zip(shift.moved, moved_bounds(case, shift, witness), strict=True)
    ]


def _shifting(case: Case, shift: Shift, witness: Row, moves: list[Change], count: int) -> Repair:
    changed = shift.changed_mask
    changes = tuple(moves)
    if shift.dropped:
        drops = [_drop(case, one) for one in shift.dropped]
        changes = tuple(sorted([*drops, *moves], key=attrgetter("position")))
    return Repair(
        changes=changes,
        dropped=tuple(sorted(shift.dropped)),
        cost=shift.cost,
        count=count,
        witness=witness,
        minimal=is_minimal(case, changed),
        must_hit=(),
        sql=case.plan.select_without(changed, [_text(case, one) for one in moves]),
        explanation=explain_changes(case.plan.names, changes, count),
    )


def _text(case: Case, move: Change) -> str:
    """Return a moved bound as SQL."""
    return text_to(case.plan.bound(move.position).column, move.to or move.from_)


def _counts(
    case: Case, shifts: Sequence[Shift], moves: Sequence[Sequence[Change]]
) -> Iterable[int]:
    """Return how many rows match each shift."""
    exact = case.plan.exact
    if all(exact[position] for shift in shifts for position, _ in shift.moved):
        return case.rows.count_shifted(shifts)
    return [_count(case, *one) for one in zip(shifts, moves, strict=True)]


def _count(case: Case, shift: Shift, moves: Sequence[Change]) -> int:
    """Return how many rows match one shift where doubles cannot tell values apart."""
    kept = case.plan.predicates_without(positions_of(shift.changed_mask))
    moved = [case.catalog.bind(one.to) for one in moves if one.to is not None]
    sets = [case.catalog.rows(one) for one in (*kept, *moved)]
    return len(intersection(sets, case.catalog.universe))


def relaxed_constraints(case: Case, dropped: Iterable[int]) -> tuple[Constraint, ...]:
    """Return the constraints at these positions, in order."""
    return tuple(case.query.constraints[i] for i in sorted(dropped))
