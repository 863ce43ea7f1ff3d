"""Choose the value of a key that a statement names, by the words that tell it from the others.

A word weighs the more, the fewer of the key's values hold it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ..keys import Key
from .amounts import amounts
from .english import ORDINALS, SYNONYMS
from .words import Word, alike, stem, words_of

MARGIN = 0.2
"""By how much the best value has to be ahead of the next one."""


def choose_value(words: Sequence[Word], key: Key, *, denied: bool) -> str | int | None:
    """Return the value that some words name; None where none or several fit.

    A denial is no value, except of the other one of two, and of a value that says no itself.
    """
    numbered = _number(words, key)
    if numbered is not None:
        return None if denied else numbered
    stems = _stems_of(words)
    weights = _weights(key)
    scores = {value: _score(stems, value, weights) for value in key.values}
    negative = [value for value in key.values if is_negative(value)]
    if denied:
        return _denied(key, scores, negative)
    best = sorted(
        (value for value in key.values if scores[value] > 0 and value not in negative),
        key=lambda value: -scores[value],
    )
    if not best or (len(best) > 1 and scores[best[1]] > scores[best[0]] - MARGIN):
        return None
    return best[0]


def _denied(
    key: Key, scores: dict[str | int, float], negative: list[str | int]
) -> str | int | None:
    if len(negative) == 1:
        return negative[0]
    named = [value for value in key.values if scores[value] > 0]
    if len(key.values) == 2 and len(named) == 1:
        return next(value for value in key.values if value != named[0])
    return None


def is_negative(value: str | int) -> bool:
    """Return whether a value is the one that says no: `none`, `no diploma`, `not in school`."""
    first = str(value).casefold().replace("_", " ").split()[:1]
    return first in (["no"], ["none"], ["not"], ["never"], ["without"])


def _number(words: Sequence[Word], key: Key) -> int | None:
    """Return the whole-numbered value that is said: `5th`, `fifth`, `grade 5`."""
    if not any(isinstance(value, int) for value in key.values):
        return None
    numbers = {int(amount.value) for amount in amounts(words) if amount.value == int(amount.value)}
    for at, word in enumerate(words):
        after = words[at + 1].low if at + 1 < len(words) else ""
        if word.low in ORDINALS and after in ("grade", "grader", "graders", "year", ""):
            numbers.add(ORDINALS[word.low])
        if word.value is not None and after in ("st", "nd", "rd", "th"):
            numbers.add(int(word.value))
    among = [value for value in key.values if isinstance(value, int) and value in numbers]
    return among[0] if len(among) == 1 else None


def _stems_of(words: Sequence[Word]) -> list[str]:
    text = " ".join(word.low for word in words)
    text = (
        text.replace("pre k", "pk").replace("pre school", "pk").replace("green card", "greencard")
    )
    stems: list[str] = []
    for word in words_of(text):
        stems.extend(stem(part) for part in SYNONYMS.get(word.low, word.low).split())
    return stems


def _value_stems(value: str | int) -> tuple[str, ...]:
    text = str(value).casefold().replace("_", " ")
    words = [SYNONYMS.get(word.low, word.low) for word in words_of(text) if not word.is_mark]
    stopped = [word for word in words if word not in _STOPPED]
    return tuple(stem(part) for word in stopped or words for part in word.split())


_STOPPED = frozenset("a an the of or and in is at on other".split())


def _weights(key: Key) -> dict[str, float]:
    uses = Counter(word for value in key.values for word in set(_value_stems(value)))
    return {word: math.log((1 + len(key.values)) / count) for word, count in uses.items()}


def _score(stems: Sequence[str], value: str | int, weights: dict[str, float]) -> float:
    own = _value_stems(value)
    named = [word for word in own if any(_same(word, other) for other in stems)]
    if not named:
        return 0.0
    missing = sum(weights[word] for word in own if word not in named)
    return sum(weights[word] for word in named) - 0.1 * missing + 0.01


def _same(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) > 4 and alike(word, other))
