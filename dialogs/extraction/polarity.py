"""Decide by the words around it whether a value or a yes-or-no column is wanted or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from .english import LINKING, NEGATING_PAIRS, NEGATIONS, NO, UNNEEDED, UNNEEDED_AFTER, YES, YIELDING
from .extracted import BoundFinding, Finding
from .reading import Naming, Reading

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


SURE = 0.5
"""A weaker naming of a column is no wish about it."""

MAX_NAMINGS = 500


def yes_no_findings(reading: Reading, waived: list[str]) -> Iterator[Finding]:
    """Yield a finding wherever a yes-or-no column is named; columns not needed are waived."""
    named = [naming for naming in reading.namings if naming.column in reading.index.yes_no]
    for naming in named[:MAX_NAMINGS]:
        if naming.strength < SURE or _is_better_elsewhere(reading, naming):
            continue
        wish = polarity(reading, naming.first, naming.last)
        if wish == "unneeded":
            waived.append(naming.column)
        else:
            yield _finding(reading, naming, wanted=wish == "wanted")


def _is_better_elsewhere(reading: Reading, naming: Naming) -> bool:
    """Return whether the same words name another column more clearly."""
    return any(
        other.first == naming.first and other.strength > naming.strength + 0.05
        for other in reading.named_near(naming.first)
    )


def _finding(reading: Reading, naming: Naming, *, wanted: bool) -> BoundFinding:
    yes_no = reading.index.yes_no[naming.column]
    span = reading.span(naming.first, naming.last)
    value = yes_no.yes if wanted else yes_no.no
    return BoundFinding(
        naming.column, "==", value, min(1.0, 0.2 + naming.strength), span, span.text
    )


def answer_finding(reading: Reading) -> Iterator[Finding]:
    """Yield what a plain yes to a question about a yes-or-no column means; no means no wish."""
    column = next(iter(reading.asked_about), "")
    yes_no = reading.index.yes_no.get(column)
    if yes_no is None or not reading.words or NO.match(reading.text):
        return
    if YES.match(reading.text):
        span = reading.span(0, 0)
        yield BoundFinding(column, "==", yes_no.yes, 0.8, span, span.text)
