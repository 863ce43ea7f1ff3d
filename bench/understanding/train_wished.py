"""Fit the decision whether a turn wishes for anything, on readings of catalogs not trained on.

Two readers are trained, each without half of the catalogs that people wrote requests for and half
of the services of the corpus; each reads the half it never saw, as a reader meets any catalog.
The threshold loses `LOST` of the wishes that people wrote, in fits without their catalogs. Some
ten minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...catalogs.catalog import Catalog
from ...dialogs.extraction.decoding import judge
from ...dialogs.extraction.network import Floats, Network
from ...dialogs.extraction.phrasing import shipped
from ...dialogs.extraction.reading import Reading, asked_columns
from ...dialogs.extraction.value_index import index_of
from ...dialogs.extraction.wished import BUCKETS, WishedModel, buckets, decides, numbers
from ..progress import Counted, uncounted
from .labelled_set import WRITTEN_PREFIX, LabelledSet, Sources
from .train_reader import train as train_reader
from .wished_turns import Said, all_turns

TODAY = date(2026, 1, 5)
FOLDS, MOST_SGD, EPOCHS = 5, 16_000, 10
PENALTY = 3.0
WORDS = 3.0
"""How freely words weigh against numbers: the penalty of what they add up to is that much less."""

HEARD = 0.1
"""How freely what the encoder heard weighs, which is some thousand numbers of variance 1."""

NOTHING = 3.0
"""What a turn without a wish counts for one with."""

LOST = 0.0025
WEIGHTS = {
    "written": 1.0,
    "answers": 0.5,
    "remarks": 2.0,
    "templates": 0.4,
    "made": 0.15,
    "bare": 0.4,
    "sgd": 2.0,
}
"""What a turn of each source counts."""

SHIFTS = {"written": (0.0, 1.0, 2.0), "remarks": (0.0, 1.0, 2.0, 3.0)}
SHIFTED = 0.4
"""By how much readings are taken more lightly, for more that looks like a wish, and what it counts.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A turn of which something was read; `shift` says how lightly."""

    said: Said
    shift: float
    buckets: NDArray[np.int64]
    numbers: Floats
    message: Floats | None

    @property
    def weight(self) -> float:
        """What it counts in a fit."""
        shifted = SHIFTED if self.shift else 1.0
        return WEIGHTS[self.said.source] * shifted * (1.0 if self.said.meant else NOTHING)


def half_of(catalog: str) -> int:
    """Return the half that a catalog belongs to, 0 or 1."""
    return crc32(catalog.removeprefix(WRITTEN_PREFIX).encode()) % 2


def train(
    labelled: LabelledSet, sources: Sources, out: Path, counted: Counted = uncounted
) -> Mapping[str, Any]:
    """Fit on the folder of the corpus, write the weights to `out`, return the figures."""
    if sources.sgd is None:
        raise ValueError("the folder of SGD is needed")
    networks: list[Network] = []
    beside = out.with_name("half_a_reader.npz")
    for half in (0, 1):
        apart = labelled.only(
            lambda one, half=half: (
                not one.catalog.startswith((WRITTEN_PREFIX, "sgd_")) or half_of(one.catalog) != half
            )
        )
        network = train_reader(
            apart.sentences, apart.catalogs, beside, epochs=EPOCHS, members=1, tell=False
        )
        networks.append(replace(network, phrasing=shipped))
    beside.unlink()
    turns = all_turns(labelled.catalogs, sources.sgd, MOST_SGD, sources.seed)
    examples = list(read(counted(list(turns), "reading turns"), labelled.catalogs, networks))
    model, figures = fit(examples)
    save(out, model)
    return figures


def read(
    turns: Iterable[Said], catalogs: Mapping[str, Catalog], networks: Sequence[Network]
) -> Iterator[Example]:
    """Yield the turns of which something was read that is decided about."""
    for said in turns:
        index = index_of(catalogs[said.catalog])
        asked = {said.asked: 1.0} if said.asked in index.profiles else {}
        asked = asked or asked_columns(said.before, index)
        reading = Reading(said.text, 0, index, asked, TODAY, said.before)
        for shift in SHIFTS.get(said.source, (0.0,)):
            network = lighter(networks[half_of(said.catalog) % len(networks)], shift)
            worded = decides(reading, judge(reading, network))
            if worded:
                told = buckets(reading, worded), numbers(reading, worded)
                yield Example(said, shift, *told, worded[0].message)


def lighter(network: Network, shift: float) -> Network:
    """Return a network that takes more for a wish, by so much of log-odds."""
    end = network.weights["option.end"] + np.float32(shift * network.temperatures["option"])
    return replace(network, weights={**network.weights, "option.end": end}) if shift else network


def fit(examples: Sequence[Example]) -> tuple[WishedModel, Mapping[str, Any]]:
    """Return the model, and how many turns of each source are taken for wishes, and lost."""
    sparse: Any = import_module("scipy.sparse")
    sizes = np.array([len(one.buckets) for one in examples])
    shares = WORDS * np.repeat(sizes**-0.5, sizes)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    places = np.concatenate([one.buckets for one in examples])
    said = sparse.csr_matrix((shares, places, ends), shape=(len(examples), BUCKETS))
    told = sparse.csr_matrix(np.stack([one.numbers for one in examples]))
    scaled, mean, deviation = standardised([example.message for example in examples])
    matrix = sparse.hstack([said, told, sparse.csr_matrix(HEARD * scaled)]).tocsr()
    meant = np.array([one.said.meant for one in examples])
    weights = np.array([one.weight for one in examples])
    fold = np.array([crc32(f"{one.said.catalog}f".encode()) % FOLDS for one in examples])
    scores = np.zeros(len(examples))
    for held in range(FOLDS):
        learned = fold != held
        fitted = _fitted(matrix[learned], meant[learned], weights[learned])
        scores[~learned] = fitted.decision_function(matrix[~learned])
    plain = np.array([one.shift == 0 for one in examples])
    sources = np.array([one.said.source for one in examples])
    people = meant & plain & np.isin(sources, ["written", "answers"])
    threshold = float(np.quantile(scores[people], LOST))
    figures = {
        name: {
            "nothing_meant": int((~meant & which).sum()),
            "still_taken": int((~meant & which & (scores >= threshold)).sum()),
            "wishes": int((meant & which).sum()),
            "lost": int((meant & which & (scores < threshold)).sum()),
        }
        for name in WEIGHTS
        for which in [plain & (sources == name)]
    }
    final = _fitted(matrix, meant, weights)
    parts = [BUCKETS, matrix.shape[1] - len(mean)]
    of_words, of_numbers, of_messages = np.split(final.coef_[0], parts)
    words = of_words * WORDS
    scale = float(np.abs(words).max()) / 127
    stored, table = np.rint(words / scale).astype(np.int8), of_numbers.astype(np.float32)
    heard = HEARD * of_messages / deviation
    heard = np.append(-heard @ mean, heard).astype(np.float32)
    return WishedModel(stored, scale, table, heard, float(final.intercept_[0]), threshold), figures


def standardised(messages: Sequence[Floats | None]) -> tuple[Floats, Floats, Floats]:
    """Return messages scaled to mean 0 and variance 1, with the means and standard deviations.

    float32[messages, numbers] and twice float32[numbers]; zeros for a message that was not heard.
    """
    is_heard = np.array([message is not None for message in messages])
    heard = np.stack([message for message in messages if message is not None])
    mean, deviation = heard.mean(axis=0), heard.std(axis=0) + 1e-6
    scaled = np.zeros((len(messages), heard.shape[1]), np.float32)
    scaled[is_heard] = (heard - mean) / deviation
    return scaled, mean, deviation


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
