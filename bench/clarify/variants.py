"""Catalogs on which a clear request becomes unclear: a column less, or a column twice.

What somebody says of a column that is gone links to nothing; what they say of one that is there
twice, under two names, could be about either. Linear in the rows.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from random import Random

from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError

PAIRS = (
    ("summer", "winter"),
    ("front", "rear"),
    ("first", "second"),
    ("inside", "outside"),
    ("upper", "lower"),
    ("home", "travel"),
)
"""What tells the names of a column's two copies apart."""

Table = Sequence[Sequence[str]]


def read_table(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file, the headers first."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.reader(file))


def without(table: Table, column: str) -> list[list[str]]:
    """Return a table without a column."""
    at = table[0].index(column)
    return [[*row[:at], *row[at + 1 :]] for row in table]


def doubled(table: Table, column: str, random: Random) -> list[list[str]]:
    """Return a table with a column twice: as it is, and with its cells in another order."""
    at = table[0].index(column)
    names = [f"{word} {column}" for word in random.choice(PAIRS)]
    cells = [row[at] for row in table[1:]]
    random.shuffle(cells)
    rows = [
        [*row[:at], row[at], cell, *row[at + 1 :]]
        for row, cell in zip(table[1:], cells, strict=True)
    ]
    return [[*table[0][:at], *names, *table[0][at + 1 :]], *rows]


def opened(table: Table, path: Path) -> Catalog | None:
    """Write a table and open it; None where what is left of it is no catalog."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(table)
    try:
        return Catalog.open(path)
    except ConcedeError:
        return None
