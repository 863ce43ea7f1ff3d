"""How alike words are in meaning: the embeddings of their pieces, as the encoder knows them, alone.

Less their mean, since all embeddings share a direction (Mu and Viswanath 2018, arXiv 1702.01417,
section 2). Some microseconds a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ...catalogs.query.schema import name_words
from .column_phrases import NAME_FILLERS, TOPICS, column_topics
from .encoder import embeddings

Floats = NDArray[np.float32]

PHRASES = 12
"""The most single words, of those by which people speak of a topic, that are looked at."""


@cache
def _mean() -> Floats:
    known = embeddings()
    return np.asarray((known.scale @ known.words) / len(known.words), np.float32)


@lru_cache(maxsize=4_096)
def _vector(word: str) -> Floats:
    known = embeddings()
    pieces = known.pieces.of_word(word)
    if not pieces or known.pieces.unknown in pieces:
        return np.zeros_like(_mean())
    vector = np.asarray((known(list(pieces)) - _mean()).sum(axis=0), np.float32)
    return vector / np.float32(max(float(np.linalg.norm(vector)), 1e-6))


def word_vectors(words: Sequence[str]) -> Floats:
    """Return a vector of length 1 for each word, float32[words, width]; zeros where unknown."""
    none = np.zeros((0, len(_mean())), np.float32)
    return np.stack([_vector(word) for word in words]) if words else none


@lru_cache(maxsize=256)
def column_vectors(columns: tuple[str, ...]) -> tuple[Floats, NDArray[np.intp]]:
    """Return the vectors of columns, and where those of each begin; a column has one at least.

    They are of the words of its name and of those that its topics go by.
    """
    told = [word_vectors(_words(column) or [""]) for column in columns]
    return np.concatenate(told), np.cumsum([0, *map(len, told[:-1])])


def _words(column: str) -> list[str]:
    words = dict.fromkeys(word for word in name_words(column) if word not in NAME_FILLERS)
    for topic in column_topics(column):
        alone = [phrase for phrase in TOPICS[topic].phrases if phrase.isalpha()]
        words |= dict.fromkeys([*topic.split(), *alone[:PHRASES]])
    return [word for word in words if word.isalpha() and len(word) > 1]
