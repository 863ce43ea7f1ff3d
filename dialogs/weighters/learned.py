"""Weights from a small linear model, trained with a pairwise preference loss.

The model is `learned.npz`: one weight a feature, a temperature, and the coefficients of the
confidence. `dialogs/training/fit.py` makes it again from its seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

from ...catalogs.constraint import NEUTRAL_WEIGHT, Constraint
from ..transcript import Transcript
from ..weighing import Weighed
from .attribution import Reading, read_transcript
from .features import features
from .lexical import score, spans
from .weighter import Weighter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = Path(__file__).parent / "learned.npz"


@dataclass(frozen=True)
class Model:
    """What was learned: float32[SIZE] weights, and calibration."""

    weights: NDArray[np.float32]
    temperature: float
    confidence: NDArray[np.float32]

    def weight(self, reading: Reading, number: int) -> float:
        """Return the weight in [0, 1]; neutral where nothing is said.

        Of two constraints the first matters more with odds w₁ (1 − w₂) to w₂ (1 − w₁).
        """
        if not reading.evidence[number] and not _compared(reading, number):
            return NEUTRAL_WEIGHT
        total = float(self.weights @ features(reading, number))
        return sigmoid(total / self.temperature)

    def sureness(self, reading: Reading, number: int, weight: float) -> float:
        """Return the probability that a weight is within `NEAR` of the true one."""
        signs = signs_of_sureness(reading, number, weight)
        terms = zip(self.confidence.tolist(), signs, strict=True)
        return sigmoid(sum(coefficient * sign for coefficient, sign in terms))


class LearnedWeighter(Weighter):
    """The offline default: features of what is said about each constraint, weighed linearly."""

    name = "learned"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the weights with the clauses that they rest on."""
        reading = read_transcript(transcript, constraints)
        model = learned()
        for number, constraint in enumerate(constraints):
            weight = model.weight(reading, number)
            sure = model.sureness(reading, number, weight)
            yield Weighed(constraint, weight, sure, spans(reading, number))


@cache
def learned(file: Path = FILE) -> Model:
    """Return the trained model."""
    import numpy as np

    with np.load(file, allow_pickle=False) as held:
        return Model(held["weights"], float(held["temperature"]), held["confidence"])


def signs_of_sureness(reading: Reading, number: int, weight: float) -> tuple[float, ...]:
    """Return what tells how sure a weight is, as the calibration weighs it."""
    evidence = reading.evidence[number]
    said = reading.cues(number)
    own = [one for one in evidence if one.how in ("own", "continued")]
    apart = abs(weight - (NEUTRAL_WEIGHT + score(reading, number) / 2))
    extreme = abs(weight - NEUTRAL_WEIGHT) * 2
    return (
        1.0,
        float(bool(evidence)),
        float(bool(said)),
        min(len(said), 4) / 4,
        min(len(own), 4) / 4,
        apart,
        extreme,
        apart * extreme,
    )


def sigmoid(value: float) -> float:
    """Return the logistic function, at any value."""
    if value < 0:
        return 1.0 - sigmoid(-value)
    return 1.0 / (1.0 + exp(-min(value, 500.0)))


def _compared(reading: Reading, number: int) -> bool:
    return any(number in one.above or number in one.below for one in reading.compared)
