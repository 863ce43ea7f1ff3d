"""Statements for what no other row dominates: which is as good in every term, and better in one.

All rows looked at meet what is kept, and so differ in other terms alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...catalogs.vectors.array_types import Floats
from .remote_candidates import Level, last_in_order
from .remote_measures import Measures, adding, every, some


def shares_of(measures: Measures, dropped: frozenset[int]) -> dict[int, str]:
    """Return the satisfactions in which rows that meet all but `dropped` may differ, by term."""
    return {
        at: measures.satisfaction(term)
        for at, term in enumerate(measures.bound.terms)
        if term.direction or term.position in dropped
    }


def in_order_and_judged(
    measures: Measures, rows: str, levels: Sequence[Level], most: int, shares: Mapping[int, str]
) -> str:
    """Return what `in_order` does, with `x`: 1 for a row that another one dominates, else 0.

    That is as good in each of `shares`, and better in one. Every row is compared with the first
    ones, so let there be few.
    """
    engine = measures.catalog.engine
    named = {f"e{place}": level.key for place, level in enumerate(levels)}
    order = ", ".join((*named, *last_in_order(measures, True)))
    added = named | {f"s{at}": share for at, share in shares.items()}
    dominated = _any_dominates((f"r.s{at}", f"c.s{at}") for at in shares)
    return (
        f"WITH r AS {engine.materialized} ({adding(rows, added)}), "
        f"c AS (SELECT * FROM r ORDER BY {order} LIMIT {most}), "
        f"d AS (SELECT c.k AS j, {dominated} AS x FROM c CROSS JOIN r GROUP BY c.k) "
        f"SELECT {', '.join((*measures.brought, *named))}, CAST(x AS {engine.double_type}) AS x "
        f"FROM c JOIN d ON c.k = d.j ORDER BY {order}"
    )


def is_dominated(
    measures: Measures, rows: str, dropped: frozenset[int], satisfaction: Floats
) -> str:
    """Return a SELECT of `p0`…: 1 where one of the rows dominates some satisfactions, else 0.

    rows: those that meet all but `dropped`; satisfaction: float64[terms, n].
    """
    shares = shares_of(measures, dropped)
    judged = [
        f"{_any_dominates((f's{at}', measures.number(own[at])) for at in shares)} AS p{place}"
        for place, own in enumerate(satisfaction.T.tolist())
    ]
    added = {f"s{at}": share for at, share in shares.items()}
    return f"SELECT {', '.join(judged)} FROM ({adding(rows, added)}) AS r"


def _any_dominates(pairs: Iterable[tuple[str, str]]) -> str:
    """Return an aggregate: 1 if some row is no less in each pair and more in one, else 0."""
    compared = list(pairs)
    as_good = every(f"{one} >= {other}" for one, other in compared)
    better = some(f"{one} > {other}" for one, other in compared)
    return f"max(CASE WHEN {every((as_good, better))} THEN 1 ELSE 0 END)"
