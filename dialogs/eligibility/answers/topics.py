"""Choose the key a statement is about by the words it shares with the key's name and description.

Words weigh by inverse frequency among the keys; the weights are cached per key table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..keys import Key, KeyTable
from .english import ANTONYMS, FILLER, SYNONYMS
from .words import alike, stem, words_of

EXPLAINED, COVERED, NEAR = 0.7, 0.55, 0.9
"""How much of a statement has to name a key that was not asked for, how much of the key it has
to name, and what share of its weight another key may have."""


@dataclass(frozen=True)
class Topics:
    """What words each key goes by, and how much each word weighs among all keys."""

    words: dict[str, frozenset[str]]
    parts: dict[str, tuple[tuple[str, ...], ...]]
    weights: dict[str, float]

    def shared(self, content: Iterable[str], key: str) -> float:
        """Return the weight of the content words that name a key."""
        own = self.words.get(key, frozenset())
        return sum(
            max((self.weights[other] for other in own if alike(other, word)), default=0.0)
            for word in content
        )

    def covered(self, content: Sequence[str], key: str) -> float:
        """Return which share of a key's name or description the content names, by weight."""
        return max((self._share(content, part) for part in self.parts.get(key, ())), default=0.0)

    def _share(self, content: Sequence[str], part: Sequence[str]) -> float:
        whole = sum(self.weights[word] for word in part)
        named = [word for word in part if any(alike(word, other) for other in content)]
        return sum(self.weights[word] for word in named) / whole if whole else 0.0

    def explained(self, content: Sequence[str], key: str) -> float:
        """Return which share of the content words names the key."""
        own = self.words.get(key, frozenset())
        named = sum(any(alike(other, word) for other in own) for word in content)
        return named / len(content) if content else 0.0

    def other(self, content: Sequence[str], keys: Iterable[str]) -> str | None:
        """Return the key, of some, that content is certainly about; None where it is not clear.

        Most of the content names the key, more than half of the key is named, and no
        other key shares nearly as much.
        """
        ranked = sorted(
            ((self.shared(content, key) * self.covered(content, key), key) for key in keys),
            reverse=True,
        )[:2]
        if not ranked or (len(ranked) > 1 and ranked[1][0] > NEAR * ranked[0][0]):
            return None
        best = ranked[0][1]
        certain = (
            self.explained(content, best) >= EXPLAINED and self.covered(content, best) > COVERED
        )
        return best if certain else None


def topics_of(keys: KeyTable) -> Topics:
    """Return the topics of a key table."""
    return _topics(tuple((key.name, key.description, key.values) for key in keys))


@lru_cache(maxsize=64)
def _topics(keys: tuple[tuple[str, str, tuple[str | int, ...]], ...]) -> Topics:
    parts = {
        name: (_vocabulary(name.replace("_", " ")), _vocabulary(description))
        for name, description, _ in keys
    }
    words = {name: frozenset(word for part in own for word in part) for name, own in parts.items()}
    uses = Counter(word for own in words.values() for word in own)
    weights = {word: math.log((1 + len(words)) / count) for word, count in uses.items()}
    return Topics(words, parts, {word: max(weight, 0.1) for word, weight in weights.items()})


def _vocabulary(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in stems(text) if word not in _EMPTY))


_EMPTY = frozenset(stem(word) for word in "is has was does number whether amount kind type".split())


def stems(text: str) -> list[str]:
    """Return the stems of the telling words of a text; synonyms become one."""
    roots: list[str] = []
    for word in words_of(text):
        low = SYNONYMS.get(word.low, word.low)
        roots += [stem(part) for part in low.split() if part[0].isalnum() and part not in FILLER]
    return roots


def is_reversed(key: Key, content: Sequence[str]) -> bool:
    """Return whether a key denies what a statement affirms: `noncompliant` and `compliant`."""
    lows = {word.low for word in words_of(key.name.replace("_", " ")) if not word.is_mark}
    own = {stem(word.low) for word in words_of(key.description)} | {stem(low) for low in lows}
    for word in content:
        if any(stem(other) in own and word not in own for other in ANTONYMS.get(word, ())):
            return True
    if "non" in lows:
        return not any(word.startswith("non") for word in content)
    for low in lows:
        for prefix in ("un", "non", "in", "dis"):
            base = stem(low.removeprefix(prefix))
            if low.startswith(prefix) and len(base) >= 5:
                whole = any(alike(word, stem(low)) for word in content)
                if not whole and any(alike(word, base) for word in content):
                    return True
    return False
