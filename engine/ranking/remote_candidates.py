"""Statements for the rows that may be the first ones in an order, and all within 1e-9 of the last.

The engine sorts by what it computes and gives some more rows than are asked for. Mostly the last of
them is more than 1e-9 behind, and nothing else can be among the first: one scan. Else all up to the
last row's key are asked for in a second one; of rows that nothing tells apart but cost and key only
the first ones come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...catalogs.vectors.array_types import Floats
from .interface import SAME_SCORE
from .remote_measures import Measures, adding, among, every, some, where

MOST_STEPS = 10
"""Sums of so many weights are looked at one by one."""


@dataclass(frozen=True)
class Level:
    """An ascending double to sort by, and what tells apart rows whose doubles differ.

    `steps`: where the double adds up some of these and nothing else, the weights; else None.
    `near` gives conditions that rows meet whose double is some value or less.
    """

    key: str
    told: Sequence[str]
    steps: tuple[float, ...] | None = None
    near: Callable[[float], Sequence[str]] = lambda _: ()

    @property
    def is_exact(self) -> bool:
        """Whether keys are equal or more than 1e-9 apart, whoever computes them."""
        if self.steps is None or len(self.steps) > MOST_STEPS:
            return False
        sums = np.zeros(1)
        for step in self.steps:
            sums = np.union1d(sums, sums + step)
        return bool(np.all(np.diff(sums) > 2 * SAME_SCORE))


@dataclass(frozen=True)
class Search:
    """Rows that satisfy `condition`, of which the first by `key` is looked for; see `Level`."""

    condition: str
    level: Level


def in_order(
    measures: Measures, rows: str, levels: Sequence[Level], most: int, *, by_cost: bool = True
) -> str:
    """Return the `most` first rows in order, with their keys `e0`…, as a SELECT.

    They go by the levels, then by cost, unless they do not, and by key.
    """
    named = {f"e{place}": level.key for place, level in enumerate(levels)}
    listed = ", ".join((*measures.brought, *named))
    order = ", ".join((*named, *last_in_order(measures, by_cost)))
    return f"SELECT {listed} FROM ({adding(rows, named)}) AS r ORDER BY {order} LIMIT {most}"


def are_all(keys: Sequence[Floats], levels: Sequence[Level], top: int, most: int) -> bool:
    """Return whether rows `in_order` hold everything that may be among the `top` first.

    keys: those of each level, float64[n]; `most` rows were asked for, more than `top`.
    """
    if len(keys[0]) < most:
        return True
    for level, key in zip(levels, keys, strict=True):
        if key[-1] > key[top - 1] + SAME_SCORE:
            return True
        if not level.is_exact:
            return False
    return True


def up_to(
    measures: Measures,
    rows: str,
    levels: Sequence[Level],
    top: int,
    last: float,
    *,
    by_cost: bool = True,
) -> str:
    """Return the rows whose first key is `last`, that of the row number `top`, or less.

    And those within 1e-9 of it, as a SELECT. `levels` are one or two.
    """
    named: dict[str, str] = {}
    for place, level in enumerate(levels):
        named[f"e{place}"] = level.key
        named |= {f"d{place}_{at}": told for at, told in enumerate(level.told)}
    most = last + SAME_SCORE
    zone = adding(where(rows, every(levels[0].near(most))), named)
    zone = where(zone, f"e0 <= {measures.number(most)}")
    if len(levels) > 1:
        told = [name for name in named if name.startswith("d0_")]
        zone = adding(zone, {"n1": _numbered(told, ["e1"])})
        least = f"max(CASE WHEN n1 < {top} THEN e1 END) OVER {_by(told)}"
        within = f"e1 <= s1 + {measures.number(SAME_SCORE)}"
        zone = where(adding(zone, {"s1": least}), within)
    told = [name for name in named if name.startswith("d")]
    zone = adding(zone, {"q": _numbered(told, last_in_order(measures, by_cost))})
    return f"SELECT {', '.join(measures.brought)} FROM ({zone}) AS r WHERE q < {top}"


def first_of_each(
    measures: Measures, rows: str, searches: Sequence[Search], keys: Sequence[int] = ()
) -> str:
    """Return the rows that may be the first by key of a search, for several in one statement.

    And the rows that have one of some keys. Two scans.
    """
    places, named = range(len(searches)), dict[str, str]()
    for place, search in enumerate(searches):
        named[f"e{place}"] = f"CASE WHEN w{place} THEN {search.level.key} END"
        named |= {f"d{place}_{at}": told for at, told in enumerate(search.level.told)}
    zone = adding(rows, {f"w{at}": search.condition for at, search in enumerate(searches)})
    zone = adding(zone, named)
    least = ", ".join(f"min(e{at}) AS t{at}" for at in places)
    zone = f"SELECT * FROM ({zone}) AS r CROSS JOIN (SELECT {least} FROM ({zone}) AS a) AS l"
    same = measures.number(SAME_SCORE)
    near = {f"z{at}": f"coalesce(w{at} AND e{at} <= t{at} + {same}, FALSE)" for at in places}
    zone = where(adding(zone, near), some((among(keys), *near)))
    first: dict[str, str] = {}
    for at in places:
        told = [name for name in named if name.startswith(f"d{at}_")]
        first[f"q{at}"] = _numbered([f"z{at}", *told], ["k"])
    chosen = [every((f"z{at}", f"q{at} = 0")) for at in places]
    listed = ", ".join(measures.brought)
    return f"SELECT {listed} FROM ({adding(zone, first)}) AS r WHERE {some((among(keys), *chosen))}"


def last_in_order(measures: Measures, by_cost: bool) -> list[str]:
    """Return what rows go by that no level tells apart: cost, unless not, and key."""
    cost = measures.cost() if by_cost else None
    return ["k"] if cost is None else [f"{cost} NULLS LAST", "k"]


def _by(told: Sequence[str]) -> str:
    return f"(PARTITION BY {', '.join(told)})" if told else "()"


def _numbered(told: Sequence[str], order: Sequence[str]) -> str:
    """Return the number of a row among those that nothing tells apart, from 0 on.

    From 1 on, DuckDB keeps the first rows in another way, in which −0.0 becomes 0.0.
    """
    apart = f"PARTITION BY {', '.join(told)} " if told else ""
    return f"row_number() OVER ({apart}ORDER BY {', '.join(order)}) - 1"
