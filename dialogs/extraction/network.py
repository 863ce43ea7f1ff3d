"""The fitted decisions: one small network over features and hashed words, a head for each.

Every head sees the sum of a mention's rows of the shared table beside its dense features, has one
hidden layer and ends in log-odds. Weights come from `reader.npz`, fitted by
`bench/understanding/train_reader.py`. A sentence costs some microseconds a mention.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .phrasing import Phrasing, shipped

Floats = NDArray[np.float32]

SIDES = ("==", ">=", "<=", ">", "<", "!=", "~")
POLARITIES = ("wanted", "unwanted", "unneeded")
GRADES = ("objective", "turned objective", "leaning", "turned leaning")
LINKS = ("or", "and", "separate", "replaces")
HEADS: Mapping[str, Sequence[str]] = {
    "option": ("meant",),
    "side": SIDES,
    "polarity": POLARITIES,
    "hard": ("soft", "hard"),
    "grade": GRADES,
    "link": LINKS,
}
"""Each decision and what it decides between."""


@dataclass(frozen=True)
class Network:
    """The weights; `places` are the rows of the table by the hashes of what has one.

    `temperatures` make each head's probabilities say how often it is right; `fillers` are words
    that stood in training sentences and meant nothing of a catalog. `phrasing` opens the encoder
    that decides beside the network how a mention is meant, None for the network alone.
    """

    table: Floats
    places: Mapping[int, int]
    weights: Mapping[str, Floats]
    temperatures: Mapping[str, float]
    fillers: frozenset[str]
    phrasing: Callable[[], Phrasing] | None = None

    def embedded(self, hashes: Sequence[int]) -> Floats:
        """Return the sum of the rows of what is known; what training never saw says nothing."""
        places = self.places
        rows = [places[known] for known in hashes if known in places]
        return self.table[rows].sum(axis=0, dtype=np.float32)

    def logits(self, head: str, dense: Floats, words: Floats) -> Floats:
        """Return the head's calibrated log-odds: one row for every row of dense features."""
        w = self.weights
        hidden = dense @ w[f"{head}.dense"] + (words @ w[f"{head}.words"] + w[f"{head}.bias"])
        hidden = np.maximum(hidden, 0.0)
        return (hidden @ w[f"{head}.out"] + w[f"{head}.end"]) / self.temperatures[head]

    def chances(self, head: str, dense: Floats, words: Floats) -> Floats:
        """Return the probabilities of what one row of dense features may be."""
        return softmax(self.logits(head, dense[None, :], words)[0])


def softmax(logits: Floats) -> Floats:
    """Return probabilities that sum to one along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@cache
def fitted() -> Network:
    """Return the network that ships with the package, read once; its encoder waits to be used."""
    return replace(load(Path(__file__).with_name("reader.npz")), phrasing=shipped)


def load(path: Path) -> Network:
    """Read a network; the table is stored as whole numbers with a scale a column."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    fillers = frozenset(str(arrays.pop("fillers")).split())
    table = arrays.pop("table").astype(np.float32) * arrays.pop("scale").astype(np.float32)
    temperatures = {head: float(arrays.pop(f"{head}.temperature")) for head in HEADS}
    places = {int(known): row for row, known in enumerate(arrays.pop("hashes"))}
    return Network(
        table, places, {k: v.astype(np.float32) for k, v in arrays.items()}, temperatures, fillers
    )
