"""The repairs an answer lists, cheapest first or unlike each other, each with its certificate.

A repair that drops constraints costs a few look-ups in the mask histogram; a shift also costs the
count of the rows its moved bounds let in. Counting and proving end when the time is up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ..catalogs.deadline import Deadline
from ..catalogs.json_values import Row
from ..catalogs.query.constraint import Constraint
from ..catalogs.query.predicate import Predicate
from ..catalogs.unchecked_model import unchecked
from ..solvers.masks import mask_of, positions_of
from .answer import MovedConstraint, Repair
from .certificates import Certificates
from .cheapest_change import CarriedOut, moves_of
from .explanation import explain_changes
from .moved_bounds import SaidChange
from .ranking.interface import Counted, Shift
from .repair_context import RepairContext


def alternatives(context: RepairContext, top: int, order: str) -> list[frozenset[int]]:
    """Return up to `top` minimal repairs as positions.

    `order="diverse"` takes the cheapest, then each time the one that shares the smallest part
    of its dropped constraints with any taken before (greatest Jaccard similarity, least
    first); the cheaper of equals.
    """
    pool = [context.expand(repair.dropped) for repair in context.cheapest.repairs]
    return _diverse(pool, top, context.budget) if order == "diverse" else pool[:top]


def _diverse(pool: Sequence[frozenset[int]], top: int, until: Deadline) -> list[frozenset[int]]:
    """Return the repairs taken one after another until the clock ends it, the first in any case."""
    taken: list[frozenset[int]] = []
    left, closest = list(pool), [0.0] * len(pool)
    while left and len(taken) < top and not (taken and until.expired):
        place = closest.index(min(closest))
        closest.pop(place)
        taken.append(left.pop(place))
        closest = [
            max(known, _similarity(repair, taken[-1]))
            for known, repair in zip(closest, left, strict=True)
        ]
    return taken


def _similarity(repair: frozenset[int], other: frozenset[int]) -> float:
    return len(repair & other) / len(repair | other) if repair | other else 1.0


@dataclass(frozen=True)
class Drop:
    """Constraints to drop, how many rows then match, and the place of the first of them."""

    dropped: frozenset[int]
    count: int
    witness: int


def dropping(
    context: RepairContext, certificates: Certificates, drop: Drop, witness: Row
) -> Repair:
    """Return the repair that drops these constraints, with its witness and certificate."""
    dropped, count = tuple(sorted(drop.dropped)), drop.count
    gone = mask_of(dropped)
    minimal = certificates.is_minimal(gone)
    drops = [context.drops[position] for position in dropped]
    return unchecked(
        Repair,
        changes=tuple([drop.change for drop in drops]),
        dropped=dropped,
        cost=context.bound.cost(dropped),
        count=count,
        witness=dict(witness),
        minimal=minimal,
        must_hit=certificates.private_conflicts(gone) if minimal else (),
        sql=context.texts.select_without(gone),
        explanation=explain_changes(
            [drop.words for drop in drops], count, exact=context.counts_exact
        ),
    )


def shifting(
    context: RepairContext,
    certificates: Certificates,
    shifts: Sequence[Shift],
    witnesses: Sequence[Row],
) -> tuple[tuple[Repair, ...], bool]:
    """Return the repairs that move bounds, each with its witness, and whether counts are exact.

    What was not counted in time counts the rows found by then, its witness at least.
    """
    moves = [moves_of(context, *pair) for pair in zip(shifts, witnesses, strict=True)]
    counts = _counts(context, shifts, moves)
    parts = zip(shifts, witnesses, moves, counts, strict=True)
    repairs = tuple(
        [
            _shifting(context, *shift, certificates.is_minimal(shift[0].changed_mask))
            for shift in parts
        ]
    )
    return repairs, all(count.exact for count in counts)


def _shifting(
    context: RepairContext,
    shift: Shift,
    witness: Row,
    moves: Sequence[SaidChange],
    counted: Counted,
    minimal: bool,
) -> Repair:
    count, changes = max(counted.rows, 1), moves
    if shift.dropped:
        drops = [context.drops[position] for position in shift.dropped]
        changes = sorted([*drops, *moves], key=attrgetter("change.position"))
    return unchecked(
        Repair,
        changes=tuple([each.change for each in changes]),
        dropped=tuple(sorted(shift.dropped)),
        cost=shift.cost,
        count=count,
        witness=dict(witness),
        minimal=minimal,
        must_hit=(),
        sql=context.texts.select_without(shift.changed_mask, [move.sql for move in moves]),
        explanation=explain_changes([each.words for each in changes], count, exact=counted.exact),
    )


def chosen_shift(context: RepairContext, chosen: CarriedOut, witness: Row) -> Repair:
    """Return the repair that carries out the cheapest change, of which no part would do."""
    return _shifting(context, chosen.shift, witness, chosen.moves, chosen.count, chosen.is_cheapest)


def moved_sql(context: RepairContext, changed: int, moves: Sequence[SaidChange]) -> str:
    """Return a SELECT of the rows that meet moved bounds and all but what is changed, a mask."""
    return context.bound.select_without(changed, [move.sql for move in moves])


def _counts(
    context: RepairContext, shifts: Sequence[Shift], moves: Sequence[Sequence[SaidChange]]
) -> list[Counted]:
    """Return how many rows match each shift."""
    if not shifts:
        # Whether columns are exact is not known before they are read.
        return []
    exact = mask_of([position for position, yes in enumerate(context.bound.exact) if yes])
    if all(shift.moved_mask & exact == shift.moved_mask for shift in shifts):
        return context.rows.count_shifted(shifts)
    # Doubles cannot tell values apart.
    matching = [_matching(context, *pair) for pair in zip(shifts, moves, strict=True)]
    return context.rows.count_matching(matching)


def _matching(context: RepairContext, shift: Shift, moves: Sequence[SaidChange]) -> list[Predicate]:
    """Return what rows satisfy that match a shift."""
    bind = context.bound.problem.catalog.bind
    kept = context.bound.predicates_without(positions_of(shift.changed_mask))
    return [*kept, *[bind(move.to) for move in moves if move.to is not None]]


def given_way(
    context: RepairContext, dropped: Iterable[int], moves: Sequence[SaidChange]
) -> tuple[Constraint, ...]:
    """Return what gives way, in order: constraints dropped, and those whose bounds are moved."""
    constraints = context.query.constraints
    parts = {position: constraints[position] for position in dropped}
    for move in moves:
        if move.to is not None:
            parts[move.change.position] = MovedConstraint.of(move.change.from_, move.to)
    return tuple(parts[position] for position in sorted(parts))


def constraints_at(context: RepairContext, dropped: Iterable[int]) -> tuple[Constraint, ...]:
    """Return the constraints at these positions, in order."""
    return tuple(context.query.constraints[i] for i in sorted(dropped))
