"""Fitted weights of hashed features: the only thing that a decision is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray


def slots(features: Iterable[str], size: int) -> list[int]:
    """Return where features lie in a table of `size` weights, a power of two."""
    return [crc32(feature.encode("utf-8", "replace")) & (size - 1) for feature in features]


@dataclass(frozen=True)
class HashedWeights:
    """A row of weights for each hashed feature: `weights` is `(size, outputs)`, float32."""

    weights: NDArray[np.float32]
    names: tuple[str, ...]

    def scores(self, features: Sequence[str]) -> NDArray[np.float32]:
        """Return the sum of the features' rows, one score an output."""
        return self.weights[slots(features, len(self.weights))].sum(axis=0, dtype=np.float32)

    def probabilities(self, features: Sequence[str]) -> dict[str, float]:
        """Return each output's probability, all independent of each other."""
        chances = 1.0 / (1.0 + np.exp(-np.clip(self.scores(features), -30.0, 30.0)))
        return dict(zip(self.names, chances.tolist(), strict=True))


def save_weights(path: Path, parts: dict[str, HashedWeights]) -> None:
    """Write weights as one compressed file, each output in 255 steps of its largest weight."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, part in parts.items():
        scales = np.maximum(np.abs(part.weights).max(axis=0), 1e-6) / 127.0
        arrays[name] = np.rint(part.weights / scales).astype(np.int8)
        arrays[f"{name}.scales"] = scales.astype(np.float32)
        arrays[f"{name}.names"] = np.array(part.names)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # pyright: ignore[reportArgumentType]


@cache
def load_weights(path: Path) -> dict[str, HashedWeights]:
    """Read the weights that `save_weights` wrote."""
    with np.load(path, allow_pickle=False) as file:
        return {
            name: HashedWeights(
                file[name] * file[f"{name}.scales"], tuple(str(n) for n in file[f"{name}.names"])
            )
            for name in file.files
            if "." not in name
        }
