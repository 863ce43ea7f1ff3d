"""Statements for the rows that may be the first ones in an order, and all within 1e-9 of the last.

The engine sorts by what it computes; of rows that nothing tells apart but cost and key only the
first ones come. Two scans in one statement: one for the last row's key, one for all up to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .interface import SAME_SCORE
from .remote_measures import Measures, ibis, number


@dataclass(frozen=True)
class Level:
    """An ascending double to sort by, and what tells apart rows whose doubles differ."""

    key: Any
    told: Sequence[Any]


def first_rows(
    measures: Measures, rows: Any, levels: Sequence[Level], top: int, *, by_cost: bool = True
) -> Any:
    """Return the rows that may be among the `top` first, each with `t`, the last one's first key,
    and `n`, how many rows there are, `top` at most.

    `levels` are one or two; then rows go by cost, unless they do not, and by key.
    """
    named: dict[str, Any] = {}
    for place, level in enumerate(levels):
        named[f"e{place}"] = level.key
        named |= {f"d{place}_{at}": told for at, told in enumerate(level.told)}
    zone = rows.mutate(**named)
    last = zone.order_by(zone.e0).limit(top).aggregate(t=ibis._.e0.max(), n=ibis._.count())
    zone = zone.cross_join(last)
    zone = zone.filter(zone.e0 <= zone.t + number(SAME_SCORE))
    told = [zone[name] for name in named if name.startswith("d0_")]
    if len(levels) > 1:
        zone = zone.mutate(r=ibis.row_number().over(group_by=told, order_by=zone.e1))
        least = (zone.r < top).ifelse(zone.e1, ibis.null("float64"))
        told = [zone[name] for name in named if name.startswith("d0_")]
        zone = zone.mutate(s=least.max().over(group_by=told))
        zone = zone.filter(zone.e1 <= zone.s + number(SAME_SCORE))
    return _first_of_equals(measures, zone, [n for n in named if n[0] == "d"], top, by_cost)


def _first_of_equals(
    measures: Measures, zone: Any, told: Sequence[str], top: int, by_cost: bool
) -> Any:
    order = [zone.k.asc()]
    cost = measures.cost(zone) if by_cost else None
    if cost is not None:
        order.insert(0, cost.asc(nulls_first=False))
    zone = zone.mutate(q=ibis.row_number().over(group_by=[zone[t] for t in told], order_by=order))
    return zone.filter(zone.q < top)


@dataclass(frozen=True)
class Search:
    """Rows that satisfy `condition`, of which the first by `key` is looked for; see `Level`."""

    condition: Any
    level: Level


def first_of_each(rows: Any, searches: Sequence[Search], keys: Sequence[int] = ()) -> Any:
    """Return the rows that may be the first by key of a search, for several in one statement.

    And the rows that have one of some keys.
    """
    named: dict[str, Any] = {}
    for place, search in enumerate(searches):
        named[f"w{place}"] = search.condition
        named[f"e{place}"] = search.condition.ifelse(search.level.key, ibis.null("float64"))
        named |= {f"d{place}_{at}": told for at, told in enumerate(search.level.told)}
    zone = rows.mutate(**named)
    every = range(len(searches))
    zone = zone.cross_join(zone.aggregate(**{f"t{at}": zone[f"e{at}"].min() for at in every}))
    near = {f"z{at}": _near(zone, at) for at in every}
    zone = zone.mutate(**near)
    named_rows = zone.k.isin(list(keys)) if keys else ibis.literal(False)
    zone = zone.filter(ibis.or_(named_rows, *[zone[name] for name in near]))
    first = {f"q{at}": _number_in(zone, at, named) for at in every}
    zone = zone.mutate(**first)
    named_rows = zone.k.isin(list(keys)) if keys else ibis.literal(False)
    first_ones = [zone[f"z{at}"] & (zone[f"q{at}"] == 0) for at in every]
    return zone.filter(ibis.or_(named_rows, *first_ones))


def _near(zone: Any, at: int) -> Any:
    met = zone[f"e{at}"] <= zone[f"t{at}"] + number(SAME_SCORE)
    return (zone[f"w{at}"] & met).fill_null(False)


def _number_in(zone: Any, at: int, named: dict[str, Any]) -> Any:
    told = [zone[name] for name in named if name.startswith(f"d{at}_")]
    return ibis.row_number().over(group_by=[zone[f"z{at}"], *told], order_by=zone.k.asc())
