"""Policies: how what gives way is chosen.

| policy | drops |
|---|---|
| `single` | the least important constraint, once; if that does not help, nothing does |
| `cumulative` | the least important ones, one after another, until something matches |
| `priority` | in a fixed order, one after another: the static baseline |
| `fewest` | as few constraints as possible, the lightest such set |
| `least-weight` | the set of least total weight: provably the cheapest repair |
| `closest` | nothing where moving bounds costs less: the cheapest of drops and shifts together |

`single` and `cumulative` are the local and the global method of AWARE-US (section 3) as its
published runs behave. Hard constraints are never touched; a group gives way as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..catalogs.errors import QueryError, excerpt
from ..solvers.cheapest_repairs import PricedRepairs, price_units
from ..solvers.limits import StoppedBy
from .cheapest_change import cheapest_change
from .ranking.interface import Shift
from .repair_context import CHEAPEST, RepairContext

DEFAULT_POLICY = "least-weight"


@dataclass(frozen=True)
class Choice:
    """What a policy drops; None if it finds no way to make anything match.

    `shift` is the same with the bounds that it moves as well. With `stopped_by` the choice works,
    and a better one may exist.
    """

    dropped: frozenset[int] | None
    stopped_by: StoppedBy | None = None
    shift: Shift | None = None


Policy = Callable[[RepairContext, Sequence[str]], Choice]


def _soft_units(context: RepairContext) -> list[int]:
    return [unit for unit, price in enumerate(context.bound.unit_prices) if not math.isinf(price)]


def _least_important_first(context: RepairContext) -> list[int]:
    prices = context.bound.unit_prices
    units = price_units(prices, len(prices))
    return sorted(_soft_units(context), key=lambda unit: (units[unit] or 0, unit))


def single(context: RepairContext, order: Sequence[str]) -> Choice:
    """Drop the least important unit; the first of equals."""
    return _first_feasible(context, [_least_important_first(context)[:1]])


def cumulative(context: RepairContext, order: Sequence[str]) -> Choice:
    """Drop units in ascending importance until something matches."""
    return _first_feasible(context, _prefixes(_least_important_first(context)))


def priority(context: RepairContext, order: Sequence[str]) -> Choice:
    """Drop units in a fixed order until something matches.

    `order` names columns, the first to give way first; constraints on columns not named give
    way after them, and with no order at all the last constraint of the query goes first.
    """
    schema = context.catalog.schema
    rank = {schema.find(name).name: place for place, name in enumerate(order)}

    def place(unit: int) -> tuple[int, int]:
        columns = {
            c
            for i in context.bound.units[unit]
            for c in context.bound.problem.predicates[i].columns
        }
        return min((rank.get(column, len(rank)) for column in columns), default=len(rank)), -unit

    return _first_feasible(context, _prefixes(sorted(_soft_units(context), key=place)))


def least_weight(context: RepairContext, order: Sequence[str]) -> Choice:
    """Drop the units of least total weight.

    Of equals the fewest, a group counting as one; then the first positions.
    """
    return _first(context, context.cheapest)


def fewest(context: RepairContext, order: Sequence[str]) -> Choice:
    """Drop as few constraints as possible; the lightest of equals, then the first positions."""
    more_than_all_weights = 1.0 + context.width
    prices = [
        price + more_than_all_weights * len(unit)
        for price, unit in zip(context.bound.unit_prices, context.bound.units, strict=True)
    ]
    budget = context.budget.share(CHEAPEST)
    repairs = context.solver.cheapest_repairs(context.unit_histogram, prices, 1, budget)
    return _first(context, repairs)


def closest(context: RepairContext, order: Sequence[str]) -> Choice:
    """Move bounds and drop units at the least cost: weight × distance moved, weight dropped."""
    if not context.histogram.complete:
        return least_weight(context, order)
    with context.rows.share(CHEAPEST):
        change = cheapest_change(context)
    late = context.rows.stopped_by
    # A row found before the end of the search may cost more than dropping.
    if change is None or (late and change.cost > context.cheapest.repairs[0].cost):
        if late:
            return Choice(least_weight(context, order).dropped, late)
        return Choice(None, context.cheapest.stopped_by)
    return Choice(change.dropped, late, change if change.moved else None)


def _first(context: RepairContext, repairs: PricedRepairs) -> Choice:
    dropped = context.expand(repairs.repairs[0].dropped) if repairs.repairs else None
    return Choice(dropped, repairs.stopped_by)


def _prefixes(units: Sequence[int]) -> Iterable[Sequence[int]]:
    return (units[:count] for count in range(1, len(units) + 1))


def _first_feasible(context: RepairContext, candidates: Iterable[Sequence[int]]) -> Choice:
    for units in candidates:
        dropped = context.expand(units)
        if dropped and context.feasible_without(dropped):
            return Choice(dropped, context.histogram.stopped_by)
    return Choice(None, context.histogram.stopped_by)


POLICIES: dict[str, Policy] = {
    "single": single,
    "cumulative": cumulative,
    "fewest": fewest,
    "least-weight": least_weight,
    "closest": closest,
    "priority": priority,
}


def get_policy(name: str) -> Policy:
    """Return a policy by name; raise `QueryError` for one that does not exist."""
    if name not in tuple(POLICIES):
        raise QueryError(f"no policy {excerpt(name)}", hint=f"policies: {', '.join(POLICIES)}")
    return POLICIES[name]
