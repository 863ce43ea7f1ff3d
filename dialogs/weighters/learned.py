"""Weights from a linear model over features and a small language encoder; and the ensemble.

The model is `learned.npz`: one weight a feature, the unit that weighs what the encoder of
`language/encoder.npz` hears, a temperature, and the coefficients of the confidence.
`bench/understanding/train_weigher.py` makes both again from one seed. Some 4 ms a wish. The
ensemble averages its members' logits by squared confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from ..transcripts.transcript import Transcript
from .attribution import Reading, read_transcript
from .comparisons import apply_comparisons
from .features import features
from .heard import Heard, heard_by
from .lexical import LexicalWeighter, score, spans
from .weighter import Weighed, Weighter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPARED = 1.0
"""By how much, as a logit, what is put above another constraint scores higher, at least."""

FILE = Path(__file__).parent / "learned.npz"


@dataclass(frozen=True)
class Model:
    """What was learned: float32[SIZE] weights, calibration, and what the encoder adds."""

    weights: NDArray[np.float32]
    temperature: float
    confidence: NDArray[np.float32]
    heard: Heard | None = None

    def judge(self, reading: Reading) -> list[float]:
        """Return the weights in [0, 1]; neutral where nothing is said.

        Of two constraints the first matters more with odds w₁ (1 − w₂) to w₂ (1 − w₁).
        """
        return self.weighed(reading, self.scores(reading))

    def weighed(self, reading: Reading, scores: Sequence[float]) -> list[float]:
        """Return scores as weights, what is put above something else above it."""
        logits = [score / self.temperature for score in scores]
        return [sigmoid(logit) for logit in apply_comparisons(logits, reading.ranked, COMPARED)]

    def scores(self, reading: Reading) -> list[float]:
        """Return the utility of each wish; 0 where nothing is said."""
        return [self._score(reading, number) for number in range(len(reading.evidence))]

    def _score(self, reading: Reading, number: int) -> float:
        if not reading.evidence[number]:
            return 0.0
        heard = self.heard(reading, number) if self.heard else 0.0
        return float(self.weights @ features(reading, number)) + heard

    def confidence_of(self, reading: Reading, number: int, weight: float) -> float:
        """Return the probability that a weight is within `NEAR` of the true one."""
        terms = zip(
            self.confidence.tolist(), confidence_features(reading, number, weight), strict=True
        )
        return sigmoid(sum(coefficient * feature for coefficient, feature in terms))


class LearnedWeighter(Weighter):
    """The offline default: features of what is said about each constraint, weighed linearly."""

    name = "learned"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the weights with the clauses that they rest on."""
        reading = read_transcript(transcript, constraints)
        model = learned()
        weights = model.judge(reading)
        for number, (constraint, weight) in enumerate(zip(constraints, weights, strict=True)):
            sure = model.confidence_of(reading, number, weight)
            yield Weighed(constraint, weight, sure, spans(reading, number))


@cache
def learned(file: Path = FILE) -> Model:
    """Return the trained model; the encoder that it was trained with lies in `language`."""
    import numpy as np

    with np.load(file, allow_pickle=False) as arrays:
        heard = heard_by(arrays["unit"]) if "unit" in arrays else None
        return Model(arrays["weights"], float(arrays["temperature"]), arrays["confidence"], heard)


def confidence_features(reading: Reading, number: int, weight: float) -> tuple[float, ...]:
    """Return the features that the calibration of the confidence weighs."""
    evidence = reading.evidence[number]
    cues = reading.cues(number)
    own = [statement for statement in evidence if statement.how in ("own", "continued")]
    apart = abs(weight - (NEUTRAL_WEIGHT + score(reading, number) / 2))
    extreme = abs(weight - NEUTRAL_WEIGHT) * 2
    return (
        1.0,
        float(bool(evidence)),
        float(bool(cues)),
        min(len(cues), 4) / 4,
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


EDGE = 0.01
"""Weights are kept this far from 0 and 1 before their logits are averaged."""


class EnsembleWeighter(Weighter):
    """The average logit of its members' weights, each counting by its squared confidence.

    Its confidence is the members' average, counted in the same way, less half of how far
    apart their weights are. Members are `learned` and `lexical` unless others are given.
    """

    name = "ensemble"

    def __init__(self, members: Sequence[Weighter] = ()) -> None:
        self.members = tuple(members) or (LearnedWeighter(), LexicalWeighter())
        if any(isinstance(member, EnsembleWeighter) for member in self.members):
            raise QueryError("an ensemble within an ensemble", hint="name its members instead")

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the combined weights with everybody's evidence."""
        judged = [tuple(member.judge(transcript, constraints)) for member in self.members]
        for votes in zip(*judged, strict=True):
            yield combined(votes)


def combined(votes: Sequence[Weighed]) -> Weighed:
    """Return one constraint's weights from several weighters as one."""
    counts = [max(vote.confidence, EDGE) ** 2 for vote in votes]
    total = sum(counts)
    counted = tuple(zip(counts, votes, strict=True))
    mean = sum(count * _logit(vote.weight) for count, vote in counted) / total
    sure = sum(count * vote.confidence for count, vote in counted) / total
    apart = max(vote.weight for vote in votes) - min(vote.weight for vote in votes)
    evidence = tuple(dict.fromkeys(span for vote in votes for span in vote.evidence))
    because = tuple(dict.fromkeys(event for vote in votes for event in vote.because))
    confidence = max(0.0, sure - apart / 2)
    return Weighed(votes[0].constraint, sigmoid(mean), confidence, evidence, because)


def _logit(weight: float) -> float:
    inside = min(max(weight, EDGE), 1 - EDGE)
    return log(inside / (1 - inside))
