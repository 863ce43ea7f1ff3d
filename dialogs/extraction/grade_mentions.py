"""Mentions of much or little: `cheapest`, `not too far`, `the most in my wallet`; their columns.

A word is about the columns of its topic and those that are named, beside it first of all; a
superlative of no topic may be about any column with an order. Linear in words times columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ..language.grades import grades
from ..language.units import graded_topics
from .mention import Mention, Option
from .reading import Graded, Reading

BOUNDING = frozenset("max min maximum minimum".split())
"""Words of a bound that look like superlatives."""


_TO = re.compile(r"\sto(?:\s(?:be|get))?(?=\s)", re.IGNORECASE)
"""Words behind a superlative before what it is about: `fastest to be delivered`."""


_CONDITION = re.compile(r"\b(?:as|so)\s+long\s+as\b(?!\s+possible)", re.IGNORECASE)
"""Words that say on what condition, and not how long."""


def find_grades(reading: Reading) -> Iterator[Mention]:
    """Yield words for much or little of something, each put to the columns it may be about."""
    named = reading.namings.keys() | reading.asked_about.keys()
    for graded in reading.grades:
        options: dict[tuple[str, str], Option] = {}
        for grade in reversed(graded.meanings):
            told = float(bool(grade.topic))
            for column in reading.ordered:
                if grade.topic in topics_of(reading, column) if told else column in named:
                    option = Option(column, "grade", (grade.direction,), told, form=grade.form)
                    options[column, grade.direction] = option
        if bounds_number(reading, graded.first, graded.last) or _conditions(reading, graded):
            continue
        to = _TO.match(reading.text, reading.words[graded.last].end)
        last = graded.last + (len(to[0].split()) if to else 0)
        beside = named_beside(reading, graded.first, last)
        if any(option.column in beside for option in options.values()):
            about = [o for o in options.values() if (o.fit and not to) or o.column in beside]
        else:
            about = [*options.values(), *_alike(reading, graded, {name for name, _ in options})]
        yield Mention(graded.first, graded.last, "grade", tuple(about))


def bounds_number(reading: Reading, first: int, last: int) -> bool:
    """Return whether a word bounds the number behind it and names nobody: `max 15 kg`."""
    behind = "".join(reading.folded[first + 1 : first + 2])
    bounds = first == last and reading.folded[first] in BOUNDING
    return bounds and behind[:1].isdigit() and not reading.is_name(first)


def _conditions(reading: Reading, graded: Graded) -> bool:
    """Return whether words only say on what condition: `as long as they come to us`."""
    start, end = reading.words[graded.first].start, reading.words[graded.last].end
    found = (match.span() for match in _CONDITION.finditer(reading.text))
    return any(a <= start and end <= b for a, b in found)


def _alike(reading: Reading, graded: Graded, others: Collection[str]) -> Iterator[Option]:
    """Yield what else a superlative may be about, first what its message is likest to.

    Nothing is named in `whatever leaves the most in my wallet`. After a question, or where the
    word has a topic that some column is about, nothing else is meant.
    """
    before = "".join(reading.folded[graded.first - 1 : graded.first])
    forms = ("most", "plain") if before == "as" else ("most",)
    way = next((grade for grade in graded.meanings if grade.form in forms), None)
    of_topics = all(grade.topic for grade in graded.meanings)
    written = tuple(reading.folded[graded.first : graded.last + 1]) in grades()
    # A slip is mended for the columns of its topic alone: `headrest` is no `headiest`.
    if (
        way is None
        or (others and (reading.asked_about or of_topics))
        or (of_topics and not written)
    ):
        return
    likeness = reading.likeness.max(axis=1).tolist()
    for _, column in sorted(zip(likeness, reading.ordered, strict=True), reverse=True):
        if column not in others:
            yield Option(column, "grade", (way.direction,), 0.0, form=way.form)


def named_beside(reading: Reading, first: int, last: int) -> set[str]:
    """Return the columns named right behind some words, else right before: `lowest price`."""
    every = [naming for namings in reading.namings.values() for naming in namings]
    behind = {naming.column for naming in every if naming.first == last + 1}
    if behind and reading.clause_of[last] == reading.clause_of[last + 1]:
        return behind
    before = {naming.column for naming in every if naming.last == first - 1}
    together = before and reading.clause_of[first - 1] == reading.clause_of[first]
    return before if together else set()


def topics_of(reading: Reading, column: str) -> tuple[str, ...]:
    """Return what a column is about; a date is one whatever it is called."""
    is_moment = column in reading.index.dates or column in reading.index.clocks
    dated = ("date",) if is_moment else ()
    return (*graded_topics(column, reading.index.profiles[column].unit), *dated)
