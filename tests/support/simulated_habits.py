"""People with known habits who pick from lists of a made catalog, and which habits were found."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from concede.dialogs.weighters.evidence.events import Event, of_record

ROWS = 400
HOME = (40.75, -73.98)
BRANDS, COLOURS = ["Ada", "Bo", "Cy", "Di", "Ed"], ["red", "green", "blue"]
HABITS = ("brand", "colour", "quiet", "price", "size", "(distance)")
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass
class HabitWorld:
    """A catalog, and people of whom each has each habit by the chance `common`.

    `strength` is a habit's utility, in the noise of a choice; `slope` that of a place in the list;
    `ranked` lists have what is cheap on top.
    """

    folder: Path
    strength: float = 2.5
    slope: float = 0.3
    ranked: bool = False
    common: float = 0.4
    people: int = 60
    seed: int = 0

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        draw = self.random
        self.columns: dict[str, Any] = {
            "brand": draw.choice(BRANDS, ROWS, p=[0.4, 0.25, 0.15, 0.1, 0.1]),
            "colour": draw.choice(COLOURS, ROWS),
            "quiet": draw.random(ROWS) < 0.3,
            "price": draw.gamma(3, 100, ROWS).round(2),
            "size": draw.normal(60, 20, ROWS).round(1),
            "lat": (HOME[0] + 0.03 * draw.standard_normal(ROWS)).round(5),
            "lon": (HOME[1] + 0.04 * draw.standard_normal(ROWS)).round(5),
        }
        with self.path.open("w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["id", *self.columns])
            columns = [column.tolist() for column in self.columns.values()]
            rows = enumerate(zip(*columns, strict=True))
            lines.writerows([f"i{row}", *values] for row, values in rows)
        near = np.hypot(
            111.2 * (self.columns["lat"] - HOME[0]), 84.2 * (self.columns["lon"] - HOME[1])
        )
        self._kilometres = near

    @property
    def path(self) -> Path:
        """The catalog's file."""
        return self.folder / "habits.csv"

    def person(self, events: int) -> tuple[list[Event], dict[str, Any]]:
        """Return a person's log, and their habits: a value, the middle of a band, or a distance."""
        draw = self.random
        habits: dict[str, Any] = {}
        likes = np.zeros(ROWS)
        for name in HABITS:
            if draw.random() >= self.common:
                continue
            likes += self.strength * self._habit(name, habits)
        log = [self._event(number, likes, events) for number in range(events)]
        return log, habits

    def _habit(self, name: str, habits: dict[str, Any]) -> Any:
        if name == "(distance)":
            habits[name] = 1.5
            return self._kilometres <= 1.5
        column = self.columns[name]
        if name in ("price", "size"):
            low = self.random.uniform(0, 0.7)
            ends = np.quantile(column, [low, low + 0.3])
            habits[name] = float(ends.mean())
            return (column >= ends[0]) & (column <= ends[1])
        habits[name] = True if name == "quiet" else str(self.random.choice(column))
        return column == habits[name]

    def _event(self, number: int, likes: Any, events: int) -> Event:
        items = self.random.choice(ROWS, 8, replace=False)
        if self.ranked:
            items = items[np.argsort(self.columns["price"][items], kind="stable")]
        utility = likes[items] - self.slope * np.arange(8) + self.random.gumbel(size=8)
        shown = [f"i{item}" for item in items]
        time = BEGIN + timedelta(days=90) * (number / events)
        return of_record(
            Event,
            {
                "id": f"e{number}",
                "user": "ann",
                "time": time.isoformat(),
                "shown": shown,
                "clicked": [shown[int(utility.argmax())]],
                "place": HOME,
            },
        )


def is_right(habits: dict[str, Any], name: str, op: str, value: Any) -> bool:
    """Return whether a constraint that was found is a habit the person has."""
    if name not in habits:
        return False
    truth = habits[name]
    if name == "(distance)":
        return True
    if op == "==":
        return bool(value == truth)
    low, high = value if op == "between" else (value, value)
    return (op == "<=" or low <= truth) and (op == ">=" or truth <= high)
