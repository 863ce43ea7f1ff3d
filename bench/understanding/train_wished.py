"""Fit the decision whether a turn wishes for anything, on readings of catalogs not trained on.

Readers that did not learn from a turn's catalog read it (`turns_read.py`). What the encoder of
phrasing makes of a turn counts only where no turn of its catalog taught it which of them wish, and
the threshold and the figures are of those turns alone; how what they name is meant it may have
learned. The threshold loses `LOST` of the wishes that people wrote, in fits without their
catalogs. Half an hour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...dialogs.extraction.phrasing import FILE, load
from ...dialogs.extraction.wished import BUCKETS, WishedModel
from ...dialogs.language.encoder import embeddings
from ..progress import Counted, uncounted
from .labelled_set import LabelledSet, Sources
from .turns_read import Example, read_all, teaches_encoder

FOLDS = 5
PENALTY = 3.0
WORDS = 3.0
"""How freely words weigh against numbers: the penalty of what they add up to is that much less."""

HEARD = 0.25
"""How freely the encoder's log-odds weigh."""

NOTHING = 3.0
"""What a turn without a wish counts for one with."""

LOST = 0.005
WEIGHTS = {
    "written": 1.0,
    "answers": 0.5,
    "remarks": 2.0,
    "templates": 0.4,
    "made": 0.15,
    "code": 0.5,
    "bare": 0.4,
    "sgd": 2.0,
}
"""What a turn of each source counts."""

SHIFTED = 0.4
"""What a turn counts whose readings were taken more lightly."""


def weight_of(example: Example) -> float:
    """Return what a turn counts in a fit."""
    shifted = SHIFTED if example.shift else 1.0
    return WEIGHTS[example.said.source] * shifted * (1.0 if example.said.meant else NOTHING)


def train(
    labelled: LabelledSet, sources: Sources, out: Path, counted: Counted = uncounted
) -> Mapping[str, Any]:
    """Fit on the folder of the corpus, write the weights to `out`, return the figures.

    The encoder is the one trained beside, or else the one that ships.
    """
    if sources.sgd is None:
        raise ValueError("the folder of SGD is needed")
    beside = out.with_name("phrasing.npz")
    encoder = load(beside if beside.is_file() else FILE, embeddings())
    read = read_all(labelled, sources.sgd, sources.seed, lambda: encoder, counted=counted)
    model, figures = fit(list(read))
    save(out, model)
    return figures


def fit(examples: Sequence[Example]) -> tuple[WishedModel, Mapping[str, Any]]:
    """Return the model, and how many turns of each source are taken for wishes, and lost."""
    sparse: Any = import_module("scipy.sparse")
    sizes = np.array([len(example.buckets) for example in examples])
    shares = WORDS * np.repeat(sizes**-0.5, sizes)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    places = np.concatenate([example.buckets for example in examples])
    said = sparse.csr_matrix((shares, places, ends), shape=(len(examples), BUCKETS))
    told = sparse.csr_matrix(np.stack([example.numbers for example in examples]))
    encoder_odds = sparse.csr_matrix(np.array([_encoder_odds(example) for example in examples]))
    matrix = sparse.hstack([said, told, encoder_odds]).tocsr()
    meant = np.array([example.said.meant for example in examples])
    weights = np.array([weight_of(example) for example in examples])
    fold = np.array([crc32(f"{example.said.catalog}f".encode()) % FOLDS for example in examples])
    scores = np.zeros(len(examples))
    for held in range(FOLDS):
        learned = fold != held
        fitted = _fitted(matrix[learned], meant[learned], weights[learned])
        scores[~learned] = fitted.decision_function(matrix[~learned])
    measured = np.array(
        [example.shift == 0 and not teaches_encoder(example.said.catalog) for example in examples]
    )
    sources = np.array([example.said.source for example in examples])
    people = meant & measured & np.isin(sources, ["written", "answers"])
    threshold = float(np.quantile(scores[people], LOST))
    figures = {
        name: {
            "nothing_meant": int((~meant & which).sum()),
            "still_taken": int((~meant & which & (scores >= threshold)).sum()),
            "wishes": int((meant & which).sum()),
            "lost": int((meant & which & (scores < threshold)).sum()),
        }
        for name in WEIGHTS
        for which in [measured & (sources == name)]
    }
    final = _fitted(matrix, meant, weights)
    of_words, of_numbers, of_heard = np.split(final.coef_[0], [BUCKETS, matrix.shape[1] - 2])
    words = of_words * WORDS
    scale = float(np.abs(words).max()) / 127
    stored, table = np.rint(words / scale).astype(np.int8), of_numbers.astype(np.float32)
    weighed = (of_heard * (1.0, HEARD)).astype(np.float32)
    return WishedModel(
        stored, scale, table, weighed, float(final.intercept_[0]), threshold
    ), figures


def _encoder_odds(example: Example) -> tuple[float, float]:
    """Return whether the encoder's log-odds count, and these; what taught it tells nothing.

    Nor do templates, whose words are the same on any catalog.
    """
    filled = example.said.source in ("made", "code", "templates", "bare")
    if example.heard is None or filled or teaches_encoder(example.said.catalog):
        return 0.0, 0.0
    return 1.0, HEARD * example.heard


def _fitted(matrix: Any, meant: NDArray[np.bool_], weights: NDArray[np.float64]) -> Any:
    linear: Any = import_module("sklearn.linear_model")
    model = linear.LogisticRegression(C=PENALTY, max_iter=300, solver="liblinear", random_state=0)
    return model.fit(matrix, meant, weights)


def save(path: Path, model: WishedModel) -> None:
    """Write the weights as one compressed file."""
    scalars = np.array([model.scale, model.bias, model.threshold])
    with path.open("wb") as file:
        np.savez_compressed(
            file, words=model.words, numbers=model.numbers, heard=model.heard, scalars=scalars
        )
