"""Synthetic items: every value is a hash of the item's number and its edition.

A catalog file is edition e of items 0 to n; an upsert is some items of another edition. So the
values of any version of the catalog can be computed again without reading it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..quiet_connection import quiet_connection

Words = NDArray[np.uint64]
Values = dict[str, NDArray[Any]]

KEY = "sku"
UNRATED = 0.04

CODED: Mapping[str, int] = {"brand": 128, "category": 8, "colour": 12}
"""Text columns, and how many values each has: `brand 0` to `brand 127`."""


def _mixed(items: Words, edition: int, stream: int) -> Words:
    """Return 64 random bits an item: the finaliser of SplitMix64 (Steele and others, 2014)."""
    with np.errstate(over="ignore"):
        x = items * np.uint64(0x9E3779B97F4A7C15) + np.uint64(edition * 1_000_003 + stream)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _below(most: int) -> Callable[[Words], NDArray[Any]]:
    return lambda bits: (bits % np.uint64(most)).astype(np.int64)


def _weight(bits: Words) -> NDArray[Any]:
    return np.round(0.5 + 4.5 * (bits % np.uint64(451)).astype(np.float64) / 450, 2)


def _rating(bits: Words) -> NDArray[Any]:
    stars = (bits % np.uint64(51)).astype(np.float64) / 10
    unrated = (bits >> np.uint64(32)).astype(np.float64) < UNRATED * 2**32
    return np.where(unrated, np.nan, stars)


COLUMNS: Mapping[str, Callable[[Words], NDArray[Any]]] = {
    **{name: _below(count) for name, count in CODED.items()},
    "price": lambda bits: 50 + _below(4_950)(bits),
    "year": lambda bits: 2005 + _below(20)(bits),
    "rating": _rating,
    "weight": _weight,
    "stock": _below(500),
    "warranty": _below(61),
}
"""How each column is drawn from an item's bits; text columns as codes, NaN for NULL."""


def values(items: NDArray[np.int64], edition: int) -> Values:
    """Return the columns of some items in an edition, the key first; texts as their codes."""
    words = items.astype(np.uint64)
    drawn = {
        name: draw(_mixed(words, edition, stream))
        for stream, (name, draw) in enumerate(COLUMNS.items(), 1)
    }
    return {KEY: items.astype(np.int64), **drawn}


def text_of(column: str, code: int) -> str:
    """Return the value of a text column."""
    return f"{column} {code}"


def records(items: NDArray[np.int64], edition: int) -> list[dict[str, Any]]:
    """Return some items of an edition as rows of JSON."""
    columns = values(items, edition)
    plain = {name: _plain(name, column) for name, column in columns.items()}
    return [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]


def _plain(name: str, column: NDArray[Any]) -> list[Any]:
    if name in CODED:
        return [text_of(name, code) for code in column.tolist()]
    return [None if number != number else number for number in column.tolist()]


def write_file(path: Path, rows: int, edition: int) -> None:
    """Write items 0 to `rows` of an edition as a Parquet file."""
    drawn = values(np.arange(rows, dtype=np.int64), edition)
    listed = ", ".join(_expression(name) for name in drawn)
    with quiet_connection() as connection:
        connection.register("drawn", drawn)
        connection.execute(f"COPY (SELECT {listed} FROM drawn) TO '{path}' (FORMAT parquet)")


def _expression(name: str) -> str:
    if name in CODED:
        return f"'{name} ' || {name} AS {name}"
    return (
        f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END AS {name}" if name == "rating" else name
    )
