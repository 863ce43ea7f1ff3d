"""Words that stand for each other: `Japan` and `Japanese`, `dermatology` and `skin doctor`.

Listed families go either way; endings make others by rule: `neurology` and `neurologist`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from .common_words import rarity
from .units import spelling

_ENDINGS = tuple(
    tuple(pair.split("~"))
    for pair in "logy~logist iatry~iatrist graphy~grapher istry~ist ism~ist ic~ician ic~ical ic~ "
    "ing~er ing~able ed~able ~able ~y e~y ~ed e~ed ~ing e~ing ~er y~ier ~est y~iest ~ish ~en "
    "ible~able".split()
)
"""Endings of words that mean much the same, as `wax`, `waxed`, and `calm`, `calmer`."""

SHORTEST, COMMONEST = 4, 0.7
"""Letters of what such words share, and how rare they are at least, to be told from others."""


def _families() -> dict[str, frozenset[str]]:
    table = Path(__file__).with_name("word_families.txt").read_text(encoding="utf-8")
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in table.splitlines():
        family = {"".join(map(spelling, word.split("_"))) for word in line.split()}
        for word in family:
            found[word] |= family
    return {word: frozenset(family - {word}) for word, family in found.items()}


FAMILIES = _families()
"""Other words for a word or name, all as the index compares them, without spaces."""


@lru_cache(maxsize=16_384)
def akin(word: str) -> tuple[str, ...]:
    """Return the words that a word makes by other endings, those that are not too common."""
    return tuple(other for other in dict.fromkeys(_turned(word)) if rarity(other) >= COMMONEST)


_SHORT_SOUND = re.compile("[a-z]*[^aeiou][aeiou]([^aeiouwxy])")
"""A word whose last letter is doubled before an ending: `spot`."""

_DOUBLED = re.compile(r"([a-z]*[^aeiou][aeiou]([^aeiouwxy]))\2(?:ed|ing)")
"""A word with such an ending: `spotted`."""


def _turned(word: str) -> Iterator[str]:
    if doubled := _DOUBLED.fullmatch(word):
        yield doubled[1]
    elif short := _SHORT_SOUND.fullmatch(word):
        yield from (f"{word}{short[1]}{ending}" for ending in ("ed", "ing"))
    for one, other in _ENDINGS:
        for ending, turned in ((one, other), (other, one)):
            base = word.removesuffix(ending)
            if len(base) >= SHORTEST and word.endswith(ending):
                yield base + turned
