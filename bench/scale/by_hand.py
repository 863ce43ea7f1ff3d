"""The statements as somebody writes them by hand for this one query, on DuckDB and Postgres.

They are what ours are measured against: no NaN, no NULL of ours, no session to look after.
"""

from __future__ import annotations

CONDITIONS = (
    "price <= 5",
    "rating >= 4.5",
    "year >= 1900",
    "city = 'c3'",
    "flag",
    "day >= DATE '2023-06-01'",
    "power BETWEEN 300 AND 399",
    "city IN ('c3', 'c5', 'c7')",
)
DISTANCES = (
    "coalesce(least(greatest((price - 5) / 99.9, 0), 1), 1)",
    "coalesce(least(greatest((4.5 - rating) / 4.9, 0), 1), 1)",
    "coalesce(least(greatest((1900 - year) / 1999.0, 0), 1), 1)",
    "CASE WHEN city = 'c3' THEN 0 ELSE 1 END",
    "CASE WHEN flag THEN 0 ELSE 1 END",
    "CASE WHEN day >= DATE '2023-06-01' THEN 0 ELSE 1 END",
    "coalesce(least(greatest((300 - power) / 399.0, (power - 399) / 399.0, 0), 1), 1)",
    "CASE WHEN city IN ('c3', 'c5', 'c7') THEN 0 ELSE 1 END",
)
"""How far a row is from each condition, as shares; days as met or missed."""

BETTER = {"price": "<", "rating": ">", "year": ">", "day": ">"}
"""The side on which a value is better."""

MEASURED = ("price", "rating", "year", "day", "power")


def histogram(source: str) -> str:
    """Return the mask histogram with first keys and ends."""
    bits = ", ".join(f"({condition}) AS b{bit}" for bit, condition in enumerate(CONDITIONS))
    ends = ", ".join(f"min({name}), max({name})" for name in MEASURED)
    groups = ", ".join(str(bit + 1) for bit in range(len(CONDITIONS)))
    return f"SELECT {bits}, count(*), min(id), {ends} FROM {source} GROUP BY {groups}"


def count(source: str) -> str:
    """Return how many rows meet all but the first two constraints."""
    return f"SELECT count(*) FROM {source} WHERE {' AND '.join(CONDITIONS[2:])}"


def items(source: str, dropped: tuple[int, ...], top: int) -> str:
    """Return the first rows that meet all but what is dropped, those nearest to it first.

    And whether another of these rows is better than they are in one measure and as good in all.
    """
    kept = [each for at, each in enumerate(CONDITIONS) if at not in dropped]
    order = " + ".join(DISTANCES[at] for at in dropped)
    as_good = " AND ".join(f"r.{name} {sign}= s.{name}" for name, sign in BETTER.items())
    better = " OR ".join(f"r.{name} {sign} s.{name}" for name, sign in BETTER.items())
    return (
        f"WITH r AS (SELECT * FROM {source} WHERE {' AND '.join(kept)}), "
        f"s AS (SELECT * FROM r ORDER BY {order}, id LIMIT {top}) "
        f"SELECT s.*, EXISTS (SELECT 1 FROM r WHERE {as_good} AND ({better})) AS dominated FROM s"
    )


def near_misses(source: str, top: int) -> str:
    """Return the rows that miss least, all constraints together."""
    return f"SELECT * FROM {source} ORDER BY {' + '.join(DISTANCES)}, id LIMIT {top}"


def rows(source: str, keys: tuple[int, ...]) -> str:
    """Return rows by their keys."""
    return f"SELECT * FROM {source} WHERE id IN ({', '.join(map(str, keys))})"
