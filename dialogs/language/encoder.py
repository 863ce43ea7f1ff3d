"""A small language encoder: each word of a text as numbers that say what it means there.

The first layers of MiniLM (Wang et al. 2020, arXiv 2002.10957; a BERT encoder, Devlin et al. 2019,
arXiv 1810.04805), fitted further on what people say of their wishes, in NumPy. The embeddings of
pieces lie in `pieces.npz`, the layers in a file for each use, all as bytes. A text of 20 words
takes some 1 ms a layer on one core, a first one some 0.1 s more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .wordpiece import WordPieces

Floats = NDArray[np.float32]

LONGEST = 96
"""Pieces of a text that are read at once; a longer one is read in parts."""

PARTS = 8
"""Parts of a text that are read, at most."""

TILE = (384, 32)
"""Inputs and outputs of the tiles that a matrix is cut into, at most."""

ROWS = 20
"""Rows that are multiplied by a tile at once: below 2¹⁸ products OpenBLAS stays on one thread.

Two threads on these matrices cost half as much time again, and twice as much on a busy machine."""

_CLOSE = 1e-12


@dataclass(frozen=True)
class Linear:
    """A linear map: float32[input tiles, output tiles, inputs, outputs], and its bias."""

    tiles: Floats
    bias: Floats

    @classmethod
    def of(cls, matrix: Floats, bias: Floats) -> Linear:
        """Return the map of a matrix, float32[inputs, outputs]."""
        deep, wide = (min(most, size) for most, size in zip(TILE, matrix.shape, strict=True))
        cut = matrix.reshape(matrix.shape[0] // deep, deep, matrix.shape[1] // wide, wide)
        return cls(np.ascontiguousarray(cut.transpose(0, 2, 1, 3)), bias)

    def __call__(self, states: Floats) -> Floats:
        """Return the map of each row."""
        count, inputs = states.shape
        across, _, deep, _ = self.tiles.shape
        groups = -(-count // ROWS)
        size = -(-count // groups)
        padded = np.zeros((groups * size, inputs), np.float32)
        padded[:count] = states
        # [input tiles, 1, groups, rows, inputs] by [input tiles, output tiles, 1, inputs, outputs].
        parts = padded.reshape(groups, size, across, deep).transpose(2, 0, 1, 3)
        products = (parts[:, None] @ self.tiles[:, :, None]).sum(axis=0)
        return products.transpose(1, 2, 0, 3).reshape(groups * size, -1)[:count] + self.bias


@dataclass(frozen=True)
class Layer:
    """One layer: attention to the other pieces, then two linear maps, each added and normalised."""

    attend: Linear
    joined: Linear
    norm: Floats
    wide: Linear
    narrow: Linear
    end_norm: Floats

    def __call__(self, states: Floats, heads: int) -> Floats:
        """Return the states, float32[pieces, width], after this layer."""
        count, width = states.shape
        parts = self.attend(states).reshape(count, 3, heads, -1)
        query, key, value = parts.transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / np.float32((width // heads) ** 0.5)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        seen = (scores @ value).transpose(1, 0, 2).reshape(count, width)
        states = normalised(states + self.joined(seen), self.norm)
        return normalised(states + self.narrow(gelu(self.wide(states))), self.end_norm)


@dataclass(frozen=True)
class Embeddings:
    """The known pieces with a row of numbers each: whole ones, with a scale a row."""

    pieces: WordPieces
    words: NDArray[np.int8]
    scale: Floats

    def __call__(self, numbers: Sequence[int]) -> Floats:
        """Return the rows of pieces by their numbers, float32[pieces, width]."""
        return self.words[numbers] * self.scale[numbers, None]


@dataclass(frozen=True)
class Encoder:
    """The weights: embeddings of pieces and of places, and layers."""

    embeddings: Embeddings
    places: Floats
    norm: Floats
    layers: tuple[Layer, ...]
    heads: int

    def encode(self, text: str) -> Floats:
        """Return the states of a text's first pieces, float32[pieces, width]."""
        cut = self.embeddings.pieces.cut(text)
        numbers = [piece for piece, _, _ in islice(cut, PARTS * LONGEST)]
        parts = [numbers[at : at + LONGEST] for at in range(0, len(numbers), LONGEST)]
        nothing = np.zeros((0, self.places.shape[1]), np.float32)
        return np.concatenate([nothing, *map(self._read, parts)])

    def mean(self, text: str) -> Floats:
        """Return the mean state of a text's pieces, float32[width]; zeros of no text."""
        states = self.encode(text)
        return states.sum(axis=0) / np.float32(max(len(states), 1))

    def _read(self, part: Sequence[int]) -> Floats:
        pieces = self.embeddings.pieces
        return self.states([pieces.first, *part, pieces.end])[1:-1]

    def states(self, numbers: Sequence[int]) -> Floats:
        """Return the states of at most `LONGEST` pieces and their frame, float32[pieces, width]."""
        states = normalised(self.embeddings(numbers) + self.places[: len(numbers)], self.norm)
        for layer in self.layers:
            states = layer(states, self.heads)
        return states


def normalised(states: Floats, norm: Floats) -> Floats:
    """Return rows of mean 0 and variance 1, times the first row of `norm`, plus the second."""
    states = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.mean(states * states, axis=-1, keepdims=True) + np.float32(_CLOSE))
    return states / spread * norm[0] + norm[1]


def gelu(values: Floats) -> Floats:
    """Return the Gaussian error linear unit, by its approximation with tanh (arXiv 1606.08415)."""
    cubed = values + np.float32(0.044715) * values * values * values
    return np.float32(0.5) * values * (1 + np.tanh(np.float32(0.7978845608) * cubed))


PIECES = Path(__file__).with_name("pieces.npz")
FILE = Path(__file__).with_name("encoder.npz")
"""The encoder that hears how much a wish matters."""


@cache
def shipped() -> Encoder:
    """Return the encoder that hears how much a wish matters, read once."""
    return load(FILE, embeddings())


@cache
def embeddings(file: Path = PIECES) -> Embeddings:
    """Read the pieces and their embeddings, once."""
    with np.load(file, allow_pickle=False) as stored:
        words = str(stored["vocabulary"]).split("\n")
        numbers = {word: at for at, word in enumerate(words)}
        return Embeddings(WordPieces(numbers), stored["words"], stored["words.scale"])


def load(file: Path, embedded: Embeddings) -> Encoder:
    """Read the layers of an encoder."""
    with np.load(file, allow_pickle=False) as stored:
        return layers_from(stored, embedded)


def layers_from(stored: Mapping[str, NDArray[np.float32]], embedded: Embeddings) -> Encoder:
    """Return an encoder; matrices are stored as whole numbers with a scale an output.

    Raises `ValueError` for layers that were fitted to other pieces.
    """
    if int(stored["pieces"]) != embedded.pieces.digest:
        raise ValueError("these layers were fitted to other word pieces than pieces.npz holds")
    return Encoder(
        embedded,
        stored["places"].astype(np.float32),
        stored["norm"].astype(np.float32),
        tuple(_layer(stored, f"{at}.") for at in range(int(stored["layers"]))),
        int(stored["heads"]),
    )


def _layer(stored: Mapping[str, NDArray[np.float32]], prefix: str) -> Layer:
    def linear(name: str) -> Linear:
        matrix = stored[prefix + name] * stored[f"{prefix}{name}.scale"]
        return Linear.of(matrix, stored[f"{prefix}{name}.bias"].astype(np.float32))

    def norm(name: str) -> Floats:
        return stored[prefix + name].astype(np.float32)

    return Layer(
        linear("attend"),
        linear("joined"),
        norm("norm"),
        linear("wide"),
        linear("narrow"),
        norm("end_norm"),
    )
