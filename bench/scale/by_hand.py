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


def rows(source: str, keys: tuple[int, ...]) -> str:
    """Return rows by their keys."""
    return f"SELECT * FROM {source} WHERE id IN ({', '.join(map(str, keys))})"
