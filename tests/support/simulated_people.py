"""People of known weights who choose from lists of a made catalog, and what was learned of them."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

NUMBERS = ("price", "stars", "size")
WORDS = ("colour", "brand")
NAMES = NUMBERS + WORDS
ROWS = 300


@dataclass
class World:
    """A catalog, a log, probes, and the truth about each probe: weights, pick, events known."""

    folder: Path
    noise: float = 1 / 3
    slope: float = 0.5
    ranked: bool = False
    people: int = 80
    seed: int = 0
    truth: dict[str, tuple[Any, int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        self._make_catalog()
        usual = self.random.uniform(0.15, 0.85, len(NAMES))
        apart = 0.2 * self.random.standard_normal((self.people, len(NAMES)))
        self.weights = np.clip(usual + apart, 0, 1)
        log, probes = [], []
        for user in range(self.people):
            known = (1, 3, 10, 30)[user % 4]
            log += [self._event(user, number) for number in range(known)]
            probes += [self._probe(user, number, known) for number in range(3)]
        _write(self.folder / "events.jsonl", log)
        _write(self.folder / "probes.jsonl", probes)

    def _make_catalog(self) -> None:
        self.columns = {
            "price": self.random.gamma(3, 100, ROWS).round(2),
            "stars": self.random.integers(1, 6, ROWS),
            "size": self.random.normal(60, 20, ROWS).round(1),
            "colour": self.random.choice(["red", "green", "blue"], ROWS),
            "brand": self.random.choice(["Ada", "Bo", "Cy", "Di"], ROWS),
        }
        with (self.folder / "things.csv").open("w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["id", *NAMES])
            lines.writerows(
                [f"i{row}", *(self.columns[name][row] for name in NAMES)] for row in range(ROWS)
            )

    def _asked(self) -> tuple[Any, list[dict[str, Any]], Any, Any]:
        """Return the weights' places, constraints, what is met [6, constraints], and the items."""
        places = self.random.choice(len(NAMES), self.random.integers(3, 5), replace=False)
        items = self.random.choice(ROWS, 6, replace=False)
        constraints, met = [], []
        for place in places:
            name, like = NAMES[place], self.random.integers(ROWS)
            value, column = self.columns[name][like].item(), self.columns[name]
            op = "<=" if name == "price" else ">=" if name in NUMBERS else "=="
            constraints.append({"column": name, "op": op, "value": value})
            truth = {"<=": column <= value, ">=": column >= value, "==": column == value}[op]
            met.append(truth[items])
        met = np.array(met, dtype=float).T
        if self.ranked:
            order = np.argsort(-met.sum(axis=1), kind="stable")
            met, items = met[order], items[order]
        return places, constraints, met, items

    def _picked(self, user: int, places: Any, met: Any) -> int:
        utility = met @ self.weights[user, places] / self.noise - self.slope * np.arange(6)
        chances = np.exp(utility - utility.max())
        return int(self.random.choice(6, p=chances / chances.sum()))

    def _event(self, user: int, number: int) -> dict[str, Any]:
        places, constraints, met, items = self._asked()
        picked = self._picked(user, places, met)
        shown = [f"i{item}" for item in items]
        return {
            "id": f"e{user}-{number}",
            "user": f"u{user}",
            "time": f"2026-01-{1 + number % 28:02}T12:00:00Z",
            "constraints": constraints,
            "shown": shown,
            "clicked": [shown[picked]],
        }

    def _probe(self, user: int, number: int, known: int) -> dict[str, Any]:
        places, constraints, met, items = self._asked()
        identity = f"p{user}-{number}"
        self.truth[identity] = self.weights[user, places], self._picked(user, places, met), known
        shown = [f"i{item}" for item in items]
        return {"id": identity, "user": f"u{user}", "constraints": constraints, "shown": shown}


def _write(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@dataclass
class Marks:
    """Shares of pairs in the right order by events known, log-loss, and calibration gaps."""

    ordered: dict[int, float]
    loss: float
    choice_gap: float
    confidence_gap: float


def marks(world: World, answers: list[dict[str, Any]]) -> Marks:
    """Return how right the answers to a world's probes are."""
    ordered: dict[int, list[float]] = {}
    losses: list[float] = []
    chances: list[tuple[float, bool]] = []
    sure: list[tuple[float, bool]] = []
    for answer in answers:
        truth, picked, known = world.truth[answer["id"]]
        given = answer["weights"]
        for one, weight in enumerate(truth):
            sure.append((answer["confidence"][one], abs(weight - given[one]) <= 0.2))
            for other in range(one):
                if abs(weight - truth[other]) >= 0.1:
                    right = (weight - truth[other]) * (given[one] - given[other])
                    ordered.setdefault(known, []).append(float(right > 0) + (right == 0) / 2)
        losses.append(-np.log(answer["choice"][picked]))
        chances += [(chance, at == picked) for at, chance in enumerate(answer["choice"])]
    shares = {known: float(np.mean(right)) for known, right in ordered.items()}
    return Marks(shares, float(np.mean(losses)), _gap(chances), _gap(sure))


def _gap(said: list[tuple[float, bool]]) -> float:
    """Return the expected calibration error over ten bins."""
    pairs = np.array(said, dtype=float)
    bins = np.minimum((pairs[:, 0] * 10).astype(int), 9)
    gaps = [
        (bins == one).mean() * abs(np.diff(pairs[bins == one].mean(axis=0))[0])
        for one in set(bins.tolist())
    ]
    return float(sum(gaps))
