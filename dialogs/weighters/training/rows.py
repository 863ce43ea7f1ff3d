"""Training examples as sparse rows of features, and the pairs of rows to be ordered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...transcripts.transcript import Transcript
from ..attribution import Reading, read_transcript
from ..features import SIZE, features
from ..weighting import constraints_of
from .corpus import Example

Floats = NDArray[np.float32]

NEUTRAL = 0.5


@dataclass(frozen=True)
class Rows:
    """One example: its reading, the features of each constraint, the true importances.

    `places` and `values` hold each row's features that are not zero.
    """

    reading: Reading
    places: tuple[NDArray[np.int32], ...]
    values: tuple[Floats, ...]
    importances: Floats

    def dense(self) -> Floats:
        """Return the rows as float32[constraints, SIZE]."""
        matrix = np.zeros((len(self.places), SIZE), np.float32)
        for row, (places, values) in enumerate(zip(self.places, self.values, strict=True)):
            matrix[row, places] = values
        return matrix


def rows(examples: Iterable[Example]) -> list[Rows]:
    """Return examples as rows."""
    return [_rows(example) for example in examples]


def _rows(example: Example) -> Rows:
    constraints = constraints_of(example.constraints)
    reading = read_transcript(Transcript.of(example.messages), constraints)
    vectors = [features(reading, number) for number in range(len(constraints))]
    places = tuple(np.flatnonzero(vector).astype(np.int32) for vector in vectors)
    values = tuple(vector[where] for vector, where in zip(vectors, places, strict=True))
    return Rows(reading, places, values, np.asarray(example.importances, np.float32))


@dataclass(frozen=True)
class Pairs:
    """Rows of a batch to be ordered: the first over the second with this probability.

    A second of -1 stands for somebody neutral, whose score is 0.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    probability: Floats
    share: Floats


def pairs(batch: Sequence[Rows]) -> Pairs:
    """Return all pairs within each example, and each row beside a neutral one."""
    compared: list[tuple[int, int, float, float]] = []
    offset = 0
    for example in batch:
        utilities = utility(example.importances)
        for i, mine in enumerate(utilities):
            compared.append((offset + i, -1, float(mine), 0.5))
            for j in range(i):
                apart = float(mine - utilities[j])
                compared.append((offset + i, offset + j, apart, min(1.0, 0.2 + abs(apart) / 2)))
        offset += len(utilities)
    table = np.asarray(compared, np.float64)
    return Pairs(
        table[:, 0].astype(np.int64),
        table[:, 1].astype(np.int64),
        (1 / (1 + np.exp(-table[:, 2]))).astype(np.float32),
        table[:, 3].astype(np.float32),
    )


def utility(importances: Floats) -> Floats:
    """Return importances in [0, 1] on the scale of scores: the logit, kept finite."""
    inside = 0.04 + 0.92 * importances
    return np.log(inside / (1 - inside))
