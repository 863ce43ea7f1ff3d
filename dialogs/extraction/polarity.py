"""Decide by the words around it whether a value or feature is wanted, unwanted or not needed."""

from __future__ import annotations

import re
from typing import Literal

from .english import LINKING, NEGATING_PAIRS, NEGATIONS, UNNEEDED, UNNEEDED_AFTER, YIELDING
from .reading import Reading

Polarity = Literal["wanted", "unwanted", "unneeded"]

REACH = 5
"""Words between a negation and what it negates."""

LONGEST = 40
"""Words of a list of values that one negation may reach over."""

_STOPS = frozenset("more less fewer later earlier only just sure matter than but".split())


def polarity(reading: Reading, first: int, last: int) -> Polarity:
    """Return whether the words `first` to `last` are wanted, by what stands around them."""
    clause = reading.clauses[reading.clause(first)]
    start, end = reading.words[first].start, reading.words[last].end
    before = reading.text[max(clause.start, start - 45) : start]
    denied = [match.end() for match in UNNEEDED.finditer(before)]
    between = before[denied[-1] :] if denied else ""
    if denied and len(re.findall(r"\w+", between)) <= 3 and not re.search(r"[,;:]", between):
        return "unneeded"
    after = reading.text[end : min(clause.end, end + 30)]
    negated = _is_negated(reading, first, clause.start)
    if UNNEEDED_AFTER.match(after.lstrip()) and (negated or "not" in after or "n't" in after):
        return "unneeded"
    if negated or re.match(r"[-\s]?free\b", after, re.IGNORECASE):
        return "unwanted"
    return "wanted"


def _is_negated(reading: Reading, first: int, floor: int) -> bool:
    steps = 0
    place = first - 1
    while (
        place >= 0
        and reading.words[place].start >= floor
        and steps < REACH
        and first - place < LONGEST
    ):
        if _parts(reading, place + 1):
            return False
        word = reading.words[place].folded
        if word in YIELDING or _gives_up(reading, place):
            return False
        if word == "non":
            return steps == 0
        if word in NEGATIONS or word.endswith("n't") or word in ("dont", "wont", "cant"):
            return True
        if place and (reading.words[place - 1].folded, word) in NEGATING_PAIRS:
            return True
        if word in _STOPS or word[0].isdigit():
            return False
        steps += 0 if word in LINKING or (place in reading.taken and steps) else 1
        place -= 1
    return False


def _gives_up(reading: Reading, place: int) -> bool:
    """Return whether this is the `up` of "give up"."""
    if not place or reading.words[place].folded != "up":
        return False
    return reading.words[place - 1].folded in ("give", "giving")


def _parts(reading: Reading, word: int) -> bool:
    """Return whether a comma or the like parts a word from the negation before it."""
    gap = reading.gap(word)
    if not any(mark in gap for mark in ",;:.!?\n("):
        return False
    joins = reading.words[word].folded in ("or", "nor", "and") or word - 1 in reading.taken
    return not joins
