"""A made town with places and hours, tasks built on it once, and IISR the slow way."""

from __future__ import annotations

import csv
import math
import random
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from concede import Catalog
from concede.bench.mapsat.builder import Builder, build
from concede.bench.mapsat.items import Items
from concede.bench.mapsat.task import Task

COLUMNS = "id name lat lon opening_hours kind price stars quiet brand".split()
HOURS = {"Mo-Su 08:00-22:00": (8, 22), "24/7": (0, 24), "Mo-Su 12:00-20:00": (12, 20)}
KINDS, BRANDS = ("cafe", "bar", "bakery", "books"), ("Ada", "Bo", "Cy", "Di", "Eva")

Row = dict[str, Any]


def town(size: int = 160, seed: int = 5) -> list[Row]:
    """Return the rows of a town; some hours are missing."""
    draw = random.Random(seed)
    return [
        {
            "id": f"p{number}",
            "name": f"Place {number}",
            "lat": round(40.7 + draw.random() / 10, 5),
            "lon": round(-74 + draw.random() / 10, 5),
            "opening_hours": draw.choice([*HOURS, ""]),
            "kind": draw.choice(KINDS),
            "price": draw.randrange(2, 40),
            "stars": draw.choice([2, 3, 3.5, 4, 5]),
            "quiet": draw.choice(["yes", "no"]),
            "brand": draw.choice(BRANDS),
        }
        for number in range(size)
    ]


def write_town(path: Path, rows: list[Row] | None = None) -> Path:
    """Write the rows of a town as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(town() if rows is None else rows)
    return path


@cache
def town_items() -> Items:
    """Return the town's items."""
    return Items(Catalog.open(str(write_town(Path(mkdtemp()) / "town.csv"))), "id")


@cache
def town_tasks(count: int = 18) -> tuple[Task, ...]:
    """Return tasks of the town."""
    return tuple(build(Builder(town_items()), count, 4))


def meets(row: Row, constraint: dict[str, Any]) -> bool:
    """Return whether a row, as the CSV has it, meets a constraint: the slow way."""
    op, value = constraint["op"], constraint.get("value")
    if op == "open at":
        if not row["opening_hours"]:
            return False
        start, end = HOURS[row["opening_hours"]]
        return start <= datetime.fromisoformat(value).hour < end
    if op in ("within", "reachable"):
        return _km(value[:2], (row["lat"], row["lon"])) <= value[2]
    cell = row[constraint["column"]]
    if constraint["column"] == "quiet":
        cell = cell == "yes"
    if op == "between":
        return value[0] <= cell <= value[1]
    return {"==": cell == value, "<=": _less(cell, value), ">=": _less(value, cell)}[op]


def _less(one: Any, other: Any) -> bool:
    return not isinstance(one, str) and not isinstance(other, str) and one <= other


def _km(one: Any, other: Any) -> float:
    (a, b), (c, d) = ([math.radians(part) for part in point] for point in (one, other))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6371.0088 * math.asin(math.sqrt(h))


def slow_iisr(row: Row, implicit: list[dict[str, Any]]) -> float:
    """Return Σ w·c / Σ w of a row, c met or not."""
    total = sum(need["weight"] for need in implicit)
    met = sum(need["weight"] * meets(row, need["constraint"]) for need in implicit)
    return met / total if total else 1.0
