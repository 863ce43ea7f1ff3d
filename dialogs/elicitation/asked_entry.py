"""Which entry a question is about, told by its words: for questions that others wrote."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import log

from ..language.column_phrases import stem
from .schema import NO_PREFERENCE, Entry, Schema

LEAST = 0.2
"""Of an entry's own words, by weight: a question that holds fewer is about something else."""

CHOICE = 0.3
"""What a word of a choice counts beside one of the label or the question."""

UNNAMED = 0.75
"""What an entry of a section that questions name counts for where none is named."""

_WORD = re.compile(r"[^\W_]+")


def _key(word: str) -> str:
    """Return a word's stem, cut so that its forms agree: travel, travels, travelling."""
    return stem(word)[:6]


_PLAIN = frozenset(
    _key(word)
    for word in (
        "a an and any are at be by can could do does for from have how i if in is it like least "
        "like me of on one or our please prefer preferred preference should tell that the there "
        "to want what when where which who will with would you your need matter most type kind"
    ).split()
)


def entry_asked(schema: Schema, text: str) -> Entry | None:
    """Return the entry that a question is about; None where it asks nothing or none fits.

    Each entry has the stems of its label, its question and, counted less, its choices; rare
    ones weigh more. The entry with the largest share of its weight said is the one meant.
    """
    asked = [part for part in re.split(r"(?<=[.!?])\s+", text) if part.rstrip().endswith("?")]
    words = {_key(word) for part in asked for word in _WORD.findall(part.casefold())}
    if not words:
        return None
    named = {entry.section for entry in schema.entries if _key(entry.section) in words}
    best, meant = LEAST, None
    for entry, weights in _weights(schema):
        if named and entry.section not in named:
            continue
        score = sum(weight for word, weight in weights.items() if word in words)
        if _key(entry.section) in weights and not named:
            score *= UNNAMED
        if score > best:
            best, meant = score, entry
    return meant


@lru_cache(maxsize=8)
def _weights(schema: Schema) -> tuple[tuple[Entry, dict[str, float]], ...]:
    own = [(entry, _own(entry)) for entry in schema.entries]
    seen = Counter(word for _, words in own for word in words)
    found: list[tuple[Entry, dict[str, float]]] = []
    for entry, words in own:
        weights = {w: share * log(1 + len(own) / seen[w]) for w, share in words.items()}
        # Not by the sum alone: an entry of many words is not asked about by all of them.
        total = sum(sorted(weights.values(), reverse=True)[:4]) or 1.0
        found.append((entry, {word: weight / total for word, weight in weights.items()}))
    return tuple(found)


def _own(entry: Entry) -> dict[str, float]:
    words: dict[str, float] = {}
    for choice in entry.choices:
        if choice not in (NO_PREFERENCE, "Yes", "No"):
            words.update(dict.fromkeys(_stems(choice), CHOICE))
    words.update(dict.fromkeys(_stems(f"{entry.label} {entry.question}"), 1.0))
    return words


def _stems(text: str) -> list[str]:
    stems = [_key(word) for word in _WORD.findall(text.casefold())]
    return [word for word in stems if word not in _PLAIN and len(word) > 1]
