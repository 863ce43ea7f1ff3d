"""Shifts: bounds moved to the nearest feasible value instead of dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..catalogs.constraint import Constraint
from ..catalogs.row_set import Ids
from .case import Case
from .distances import Floats, distance, interval, shiftable_column

FIRST_LOOK = 4_096
GROWTH = 16
"""The rows looked at first for the Pareto front, and how many times more each time after."""


@dataclass(frozen=True)
class Shift:
    """Bounds moved until they just let the row `witness` in, and constraints dropped besides.

    `moved` are positions with how far in [0, 1]. `cost` is the weight of what is dropped plus
    weight × distance of what is moved.
    """

    moved: tuple[tuple[int, float], ...]
    dropped: frozenset[int]
    cost: float
    witness: int

    @property
    def changed(self) -> frozenset[int]:
        """All positions that are not kept as they were."""
        return self.dropped.union(position for position, _ in self.moved)


def shifts(case: Case, repairs: Sequence[frozenset[int]], top: int) -> list[Shift]:
    """Return the shifts that make something match, cheapest first.

    First every bound moved alone; then combinations, the `top` cheapest points of the Pareto
    front of distances per constraint; then, for each given repair that drops other constraints
    too, those dropped and its bounds moved. Hard and grouped constraints stay as they are.
    """
    movable = movable_positions(case)
    found: list[Shift] = []
    for position in movable:
        found += _front(case, [position], frozenset(), 1)
    if len(movable) > 1:
        found += _front(case, movable, frozenset(), top)
    for repair in repairs:
        inside = [position for position in movable if position in repair]
        rest = repair.difference(inside)
        if inside and rest:
            found += _front(case, inside, rest, 1)
    distinct = {(one.moved, one.dropped): one for one in reversed(found)}
    return sorted(distinct.values(), key=lambda one: (one.cost, len(one.moved), one.witness))


def movable_positions(case: Case) -> list[int]:
    """Return the soft constraints that bound a number or a date and are in no group."""
    alone = {unit[0] for unit in case.units if len(unit) == 1} - case.hard
    return [position for position in sorted(alone) if shiftable_column(case, position)]


def _front(
    case: Case, movable: Sequence[int], dropped: frozenset[int], top: int
) -> Iterator[Shift]:
    """Yield the `top` cheapest points of the Pareto front of distances over `movable`.

    The rows considered meet everything that is neither moved nor dropped. Points are taken
    by cost, and whatever a taken point is nowhere farther than is left out: a point that
    dominates another costs no more, so it is always taken before.
    """
    ids = case.rows_without(dropped.union(movable)).ids
    if not len(ids):
        return
    distances = np.stack([distance(case, position, ids) for position in movable])
    known = _all_known(case, movable, ids)
    ids, distances = ids[known], distances[:, known]
    weights = np.array([case.query.constraints[position].importance for position in movable])
    for place in _undominated(distances, weights @ distances, top):
        yield _shift(case, movable, distances[:, place], dropped, int(ids[place]))


def _undominated(distances: Floats, costs: Floats, top: int) -> list[int]:
    """Return the places of the `top` cheapest points that no other dominates, cheapest first.

    `distances` is float64[d, n], `costs` float64[n]. Only the cheapest rows are looked at, more
    and more of them until the points found are enough; of equal points the first row stands.
    """
    size = FIRST_LOOK
    while True:
        places = np.arange(len(costs))
        if size < len(costs):
            places = np.flatnonzero(costs <= np.partition(costs, size - 1)[size - 1])
        found = _undominated_among(distances, costs, places, top)
        if len(found) == top or len(places) == len(costs):
            return found
        size *= GROWTH


def _undominated_among(
    distances: Floats, costs: Floats, places: NDArray[np.intp], top: int
) -> list[int]:
    total = distances[:, places].sum(axis=0)
    remaining = places[np.lexsort((places, total, costs[places]))]
    found: list[int] = []
    while len(remaining) and len(found) < top and distances[:, remaining[0]].any():
        found.append(int(remaining[0]))
        nearer = distances[:, remaining] < distances[:, remaining[0], None]
        remaining = remaining[nearer.any(axis=0)]
    return found


def _all_known(case: Case, movable: Sequence[int], ids: Ids) -> NDArray[np.bool_]:
    """Return which rows have a finite value wherever their bound would have to move to it."""
    known = np.ones(len(ids), dtype=np.bool_)
    for position in movable:
        column = shiftable_column(case, position)
        met = case.row_sets[position].within(ids)
        if column is not None:
            known &= met | np.isfinite(case.catalog.numbers(column.name)[ids])
    return known


def _shift(
    case: Case,
    movable: Sequence[int],
    reached: Floats,
    dropped: frozenset[int],
    witness: int,
) -> Shift:
    pairs = zip(movable, reached, strict=True)
    moved = tuple((position, float(far)) for position, far in pairs if far > 0)
    weights = case.query.constraints
    farness = math.fsum(far * weights[position].importance for position, far in moved)
    return Shift(moved, dropped, case.cost(dropped) + farness, witness)


def moved_bounds(case: Case, shift: Shift) -> list[Constraint]:
    """Return the moved constraints of a shift, in the order of `shift.moved`."""
    row = case.fetch([shift.witness])[0]
    return [
        moved_bound(case, position, shift.witness, row[_column(case, position)])
        for position, _ in shift.moved
    ]


def _column(case: Case, position: int) -> str:
    return case.problem.predicates[position].columns[0]


def moved_bound(case: Case, position: int, witness: int, value: Any) -> Constraint:
    """Return the constraint with its bound moved just far enough to let a row's value in.

    A strict bound becomes one that includes the value; an exact value becomes a range.
    """
    constraint = case.query.constraints[position]
    if constraint.op in ("<", "<="):
        return _changed(constraint, "<=", value)
    if constraint.op in (">", ">="):
        return _changed(constraint, ">=", value)
    column = case.catalog.schema.find(constraint.column or "")
    low, _ = interval(constraint, column)
    old = constraint.value
    start, end = old if isinstance(old, tuple) else (old, old)
    below = case.catalog.numbers(column.name)[witness] < low
    return _changed(constraint, "between", [value, end] if below else [start, value])


def _changed(constraint: Constraint, op: str, value: Any) -> Constraint:
    fields = constraint.record() | {"op": op, "value": value}
    return Constraint.model_validate(fields)
