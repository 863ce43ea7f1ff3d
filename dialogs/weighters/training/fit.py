# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportReturnType=false
"""Fit the learned weighter: a ridge regression, then calibration on held-out wording.

`concede.bench.understanding.train_weigher` runs it beside conversations of personas and shoppers,
fine-tunes the language encoder to them first, and writes `dialogs/weighters/learned.npz`. From one
seed to the bit the same on one machine; takes two minutes on a core.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import inv, solve
from scipy.sparse import csr_matrix

from ...transcripts.transcript import Transcript
from ..attribution import Reading, read_transcript
from ..features import LIGHT, SCORE, SIZE, features
from ..heard import Heard
from ..learned import Model, confidence_features
from ..weighter import NEAR, constraints_of
from .corpus import Example, examples

SEED = 20_26
COUNT = 800
HELD_COUNT = 2_500

RIDGE = 6.0
"""Pull of the weights to what the cues alone say."""

GRADED = 1.0
"""What a score of the cues, from -1 to 1, adds to the utility where nothing else is known."""

CORPUS = 0.1
"""What a constraint of the corpus counts beside one of a conversation.

More finds more of the corpus's own wording, and less of people's; chosen on conversations over
catalogs left out."""


def fit(corpus: Sequence[Rows], talks: Sequence[Rows] = ()) -> Floats:
    """Return the weights, float32[SIZE]: ridge regression of the utilities, solved in its dual.

    What is learned is how far the utilities are from those of the cues alone.
    """
    inputs, apart, alike = _dual(corpus, talks)
    shares = solve(alike, apart, assume_a="pos", overwrite_a=True)
    return (_known() + inputs.T @ shares).astype(np.float32)


def fit_leaving_out(
    corpus: Sequence[Rows], talks: Sequence[Rows], kinds: Sequence[str]
) -> tuple[Floats, list[Floats]]:
    """Return the weights, and the scores of each example's wishes had none of its kind been seen.

    `kinds`: of those of the corpus, then of the talks. The errors of rows left out are their shares
    in the dual, solved by their block of its inverse (Rasmussen and Williams 2006, section 5.4.2,
    for a block). Cubic in all wishes: some 20 seconds for 8,000.
    """
    data = [*corpus, *talks]
    inputs, apart, alike = _dual(corpus, talks)
    inverse = inv(alike, overwrite_a=True)
    shares = inverse @ apart
    sizes = [len(example.places) for example in data]
    kind_of = np.repeat(np.asarray(kinds), sizes)
    errors = np.zeros(len(apart))
    for kind in sorted(set(kinds)):
        block = np.flatnonzero(kind_of == kind)
        errors[block] = np.linalg.solve(inverse[np.ix_(block, block)], shares[block])
    utilities = np.concatenate([utility(example.importances) for example in data])
    weights = (_known() + inputs.T @ shares).astype(np.float32)
    left_out = (utilities - errors).astype(np.float32)
    return weights, np.split(left_out, np.cumsum(sizes)[:-1])


def _known() -> NDArray[np.float64]:
    """Return the weights of the cues alone, float64[SIZE]."""
    known = np.zeros(SIZE)
    known[SCORE] = GRADED / LIGHT
    return known


def _dual(
    corpus: Sequence[Rows], talks: Sequence[Rows]
) -> tuple[csr_matrix, NDArray[np.float64], NDArray[np.float64]]:
    """Return the rows, how far their utilities are from the cues', and the matrix of the dual."""
    data = [*corpus, *talks]
    inputs = matrix(data)
    utilities = np.concatenate([utility(example.importances) for example in data])
    counts = np.repeat([CORPUS, 1.0], [len(corpus), len(talks)])
    each = np.repeat(counts, [len(example.places) for example in data])
    alike = (inputs @ inputs.T).toarray()
    alike[np.diag_indices_from(alike)] += RIDGE / each
    return inputs, utilities - inputs @ _known(), alike


def matrix(data: Sequence[Rows]) -> csr_matrix:
    """Return the rows of all examples as float64[rows, SIZE]."""
    places = [where for example in data for where in example.places]
    values = [given for example in data for given in example.values]
    ends = np.concatenate([[0], np.cumsum([len(where) for where in places])])
    given = np.concatenate(values).astype(np.float64)
    return csr_matrix((given, np.concatenate(places), ends), shape=(len(places), SIZE))


def _chance(scores: Floats, compared: Pairs, temperature: float) -> Floats:
    known = np.append(scores, np.float32(0))
    apart = (known[compared.first] - known[compared.second]) / temperature
    return (1 / (1 + np.exp(-apart))).astype(np.float32)


def scored(model: Model, data: Sequence[Rows]) -> list[list[float]]:
    """Return the scores of every example's wishes."""
    return [model.scores(example.reading) for example in data]


def weighed(
    model: Model, data: Sequence[Rows], scores: Sequence[Sequence[float]] | None = None
) -> list[Floats]:
    """Return every example's weights, from scores where they are known."""
    if scores is None:
        scores = scored(model, data)
    both = zip(data, scores, strict=True)
    return [np.asarray(model.weighed(example.reading, own), np.float32) for example, own in both]


def temperature(scores: Sequence[Sequence[float]], data: Sequence[Rows]) -> float:
    """Return the divisor of the scores at which the held-out pairs have the least log loss."""
    flat = np.concatenate([np.asarray(own, np.float32) for own in scores])
    compared = pairs(data)

    def loss(candidate: float) -> float:
        chance = np.clip(_chance(flat, compared, candidate), 1e-6, 1 - 1e-6)
        likelihood = compared.probability * np.log(chance) + (1 - compared.probability) * np.log(
            1 - chance
        )
        return -float(np.sum(compared.share * likelihood))

    return min((float(candidate) for candidate in np.arange(0.2, 3.01, 0.05)), key=loss)


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
    weights: Sequence[Floats], data: Sequence[Rows]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return features of the confidence, [rows, features], and whether each weight was near."""
    features: list[tuple[float, ...]] = []
    near: list[float] = []
    for judged, example in zip(weights, data, strict=True):
        both = zip(example.importances, judged.tolist(), strict=True)
        for number, (true, weight) in enumerate(both):
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
    count: int = COUNT,
    held_count: int = HELD_COUNT,
    talks: Iterable[Example] = (),
    heard: Heard | None = None,
) -> tuple[Model, dict[str, object]]:
    """Return the model fitted to everything, and what was measured on held-out wording.

    `talks`: what people said, beside the corpus; `heard`: the encoder fitted to it. Measured, and
    calibrated, is a model that saw none of the held-out phrase families, domains and
    registers; the shipped one is then fitted to all of them.
    """
    said = rows(talks)
    training, held_out = (
        rows(examples(count, SEED, "train")),
        rows(examples(held_count, SEED, "held")),
    )
    trial = Model(fit(training, said), 1.0, np.zeros(8, np.float32), heard)
    scores = scored(trial, held_out)
    half = len(held_out) // 2
    scale = temperature(scores[:half], held_out[:half])
    draft = replace(trial, temperature=scale)
    weights = weighed(draft, held_out, scores)
    coefficients = logistic(*calibration_rows(weights[:half], held_out[:half]))
    features, near = calibration_rows(weights[half:], held_out[half:])
    chance = 1 / (1 + np.exp(-features @ coefficients))
    figures: dict[str, object] = {
        "train": accuracy(weighed(draft, training), training),
        "held": accuracy(weights, held_out),
        "temperature": round(scale, 2),
        "held calibration error": round(calibration_error(chance, near), 4),
        "held near": round(float(near.mean()), 4),
    }
    final = fit(rows(examples(count, SEED, "all")), said)
    return Model(final, scale, coefficients, heard), figures


def save(model: Model, file: Path) -> None:
    """Write a model without its encoder; the same model gives the same bytes."""
    unit = {"unit": model.heard.unit} if model.heard else {}
    np.savez_compressed(
        file,
        weights=model.weights,
        temperature=np.float32(model.temperature),
        confidence=model.confidence,
        **unit,
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
