"""Fit the learned weighter: a pairwise preference loss, then calibration on held-out wording.

`concede.bench.understanding.train_weigher` runs it beside conversations of personas and writes
`dialogs/weighters/learned.npz`. From one seed to the bit the same on one machine; takes a minute
on a core.
The loss is that of Bradley and Terry: the first of two constraints matters more with
probability 1 / (1 + exp(s₂ − s₁)).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...transcripts.transcript import Transcript
from ..attribution import Reading, read_transcript
from ..features import BUCKETS, SIZE, features
from ..learned import Model, confidence_features
from ..weighter import NEAR, constraints_of
from .corpus import Example, examples

SEED = 20_26
COUNT = 3_000
HELD_COUNT = 2_500
TALKED = 3
"""How often a conversation is taken, beside one example of the corpus."""

EPOCHS = 6
BATCH = 64
STEP = 0.08
DECAY, DENSE_DECAY = 2e-2, 2e-5
"""Pull of the weights to 0, hashed and dense features. It is stronger on words of the corpus, so
that what carries to other wording is learned first."""

DROPPED, BLIND = 0.6, 0.5
"""Share of the hashed features left out of a batch, and of batches that leave out all of them,
so that the dense features are fitted by themselves too."""


def fit(data: Sequence[Rows], seed: int = SEED) -> Floats:
    """Return the weights, float32[SIZE], by AdaGrad over shuffled batches."""
    weights = np.zeros(SIZE, np.float32)
    squares = np.full(SIZE, 1e-3, np.float32)
    order, draw = random.Random(seed), np.random.default_rng(seed)
    averaged = np.zeros(SIZE, np.float64)
    shuffled = list(data)
    decay = np.full(SIZE, DENSE_DECAY, np.float32)
    decay[:BUCKETS] = DECAY
    for epoch in range(EPOCHS):
        order.shuffle(shuffled)
        for start in range(0, len(shuffled), BATCH):
            batch = shuffled[start : start + BATCH]
            inputs = np.concatenate([example.dense() for example in batch])
            inputs[:, :BUCKETS] *= _dropout(draw)
            slope = (
                inputs.T @ _slopes(inputs @ weights, pairs(batch)) + decay * len(batch) * weights
            )
            squares += slope**2
            weights -= STEP * slope / np.sqrt(squares)
        if epoch >= EPOCHS // 2:
            averaged += weights
    return (averaged / (EPOCHS - EPOCHS // 2)).astype(np.float32)


def _dropout(draw: np.random.Generator) -> Floats:
    """Return the factor of each hashed feature in one batch: 0, or what keeps the mean."""
    if draw.random() < BLIND:
        return np.zeros(BUCKETS, np.float32)
    return ((draw.random(BUCKETS) >= DROPPED) / (1 - DROPPED)).astype(np.float32)


def _slopes(scores: Floats, compared: Pairs) -> Floats:
    """Return the loss's slope at each row's score."""
    off = compared.share * (_chance(scores, compared, 1.0) - compared.probability)
    slopes = np.zeros(len(scores) + 1, np.float32)
    np.add.at(slopes, compared.first, off)
    np.add.at(slopes, compared.second, -off)  # -1: the neutral one, which is left out below
    return slopes[:-1]


def _chance(scores: Floats, compared: Pairs, temperature: float) -> Floats:
    known = np.append(scores, np.float32(0))
    apart = (known[compared.first] - known[compared.second]) / temperature
    return (1 / (1 + np.exp(-apart))).astype(np.float32)


def scored(weights: Floats, data: Sequence[Rows]) -> list[Floats]:
    """Return the scores of every example's rows."""
    return [example.dense() @ weights for example in data]


def weighed(model: Model, data: Sequence[Rows]) -> list[Floats]:
    """Return every example's weights."""
    return [np.asarray(model.judge(example.reading), np.float32) for example in data]


def temperature(weights: Floats, data: Sequence[Rows]) -> float:
    """Return the divisor of the scores at which the held-out pairs have the least log loss."""
    scores = np.concatenate(scored(weights, data))
    compared = pairs(data)

    def loss(candidate: float) -> float:
        chance = np.clip(_chance(scores, compared, candidate), 1e-6, 1 - 1e-6)
        likelihood = compared.probability * np.log(chance) + (1 - compared.probability) * np.log(
            1 - chance
        )
        return -float(np.sum(compared.share * likelihood))

    return min((float(candidate) for candidate in np.arange(0.5, 3.01, 0.05)), key=loss)


def accuracy(scores: Sequence[Floats], data: Sequence[Rows]) -> dict[str, float]:
    """Return the shares of pairs in the right order and of lowest weights on a least important."""
    right: list[float] = []
    lowest: list[float] = []
    for predicted, example in zip(scores, data, strict=True):
        true = example.importances
        different = [(i, j) for i, j in combinations(range(len(true)), 2) if true[i] != true[j]]
        right.extend(
            0.5 + 0.5 * float(np.sign((predicted[i] - predicted[j]) * (true[i] - true[j])))
            for i, j in different
        )
        least = np.flatnonzero(predicted <= predicted.min() + 1e-9)
        lowest.append(float(np.mean(np.equal(true[least], true.min()))))
    return {"pairs": round(float(np.mean(right)), 4), "lowest": round(float(np.mean(lowest)), 4)}


def calibration_rows(
    model: Model, data: Sequence[Rows]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return features of the confidence, [rows, features], and whether each weight was near."""
    features: list[tuple[float, ...]] = []
    near: list[float] = []
    for example in data:
        weights = model.judge(example.reading)
        for number, (true, weight) in enumerate(zip(example.importances, weights, strict=True)):
            features.append(confidence_features(example.reading, number, weight))
            near.append(float(abs(weight - float(true)) <= NEAR))
    return np.asarray(features), np.asarray(near)


def logistic(features: NDArray[np.float64], near: NDArray[np.float64]) -> Floats:
    """Return the coefficients of a logistic regression, by Newton's method."""
    coefficients = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-features @ coefficients))
        slope = features.T @ (chance - near) + 1e-2 * coefficients
        curve = (features.T * (chance * (1 - chance))) @ features + 1e-2 * np.eye(len(coefficients))
        coefficients -= np.linalg.solve(curve, slope)
    return coefficients.astype(np.float32)


def calibration_error(chance: NDArray[np.float64], near: NDArray[np.float64]) -> float:
    """Return the expected calibration error over ten equal bins of probability."""
    bins = np.minimum((chance * 10).astype(int), 9)
    total = sum(
        abs(float(chance[bins == number].sum() - near[bins == number].sum()))
        for number in set(bins.tolist())
    )
    return total / len(near)


def train(
    count: int = COUNT, held_count: int = HELD_COUNT, talks: Iterable[Example] = ()
) -> tuple[Model, dict[str, object]]:
    """Return the model fitted to everything, and what was measured on held-out wording.

    `talks`: what people said, beside the corpus; each counts `TALKED` times. Measured, and
    calibrated, is a model that saw none of the held-out phrase families, domains and
    registers; the shipped one is then fitted to all of them.
    """
    said = rows(talks) * TALKED
    training, held_out = (
        rows(examples(count, SEED, "train")),
        rows(examples(held_count, SEED, "held")),
    )
    trial = fit([*training, *said])
    half = len(held_out) // 2
    scale = temperature(trial, held_out[:half])
    draft = Model(trial, scale, np.zeros(8, np.float32))
    coefficients = logistic(*calibration_rows(draft, held_out[:half]))
    features, near = calibration_rows(draft, held_out[half:])
    chance = 1 / (1 + np.exp(-features @ coefficients))
    figures: dict[str, object] = {
        "train": accuracy(weighed(draft, training), training),
        "held": accuracy(weighed(draft, held_out), held_out),
        "temperature": round(scale, 2),
        "held calibration error": round(calibration_error(chance, near), 4),
        "held near": round(float(near.mean()), 4),
    }
    final = fit([*rows(examples(count, SEED, "all")), *said])
    return Model(final, scale, coefficients), figures


def save(model: Model, file: Path) -> None:
    """Write a model; the same model gives the same bytes."""
    np.savez_compressed(
        file,
        weights=model.weights,
        temperature=np.float32(model.temperature),
        confidence=model.confidence,
    )


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
