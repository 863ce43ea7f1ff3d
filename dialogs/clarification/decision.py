"""Decide which spots are unclear: a logistic regression a kind, fitted on requests with gold.

`weights.json` beside this file holds the coefficients, the log-odds above which is asked, and how
often words were known to mean nothing; `bench/clarify/fit_spots.py` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from .look import Look
from .spots import Kind, Spot, find_spots

WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class SpotModel:
    """Coefficients by kind and feature, log-odds from which is asked, and idle words."""

    coefficients: Mapping[str, Mapping[str, float]]
    thresholds: Mapping[str, float]
    idle: Mapping[str, int]

    def gain(self, spot: Spot) -> float:
        """Return the log-odds that a spot is unclear."""
        known = self.coefficients[spot.kind]
        return known[""] + sum(known[name] * value for name, value in spot.features.items())

    def is_asked(self, spot: Spot) -> bool:
        """Return whether a spot is likely enough unclear to be asked about."""
        return self.gain(spot) > self.thresholds[spot.kind]

    def unclear(self, look: Look) -> list[tuple[float, Spot]]:
        """Return the unclear spots with their chances in the order of the text, none overlapping.

        Of two that share words that stays which is further above its threshold; alternatives
        before what they are made of, and what links to nothing last.
        """
        found = [spot for spot in find_spots(look, self.idle) if self.is_asked(spot)]
        found.sort(key=lambda spot: (-_RANKS[spot.kind], -self._excess(spot), spot.first))
        kept: list[Spot] = []
        for spot in found:
            if not any(spot.overlaps(other) for other in kept):
                kept.append(spot)
        kept.sort(key=lambda spot: spot.first)
        return [(1.0 / (1.0 + exp(-self.gain(spot))), spot) for spot in kept]

    def _excess(self, spot: Spot) -> float:
        return self.gain(spot) - self.thresholds[spot.kind]


_RANKS: Mapping[Kind, int] = {
    "alternatives": 2,
    "vague": 1,
    "ambiguous": 1,
    "number": 1,
    "unlinked": 0,
}


@cache
def fitted_spots() -> SpotModel:
    """Return the model that ships with the package, read once."""
    known = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return SpotModel(known["coefficients"], known["thresholds"], known["idle"])
