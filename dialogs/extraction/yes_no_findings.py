"""Constraints on yes-or-no columns: `with a balcony`, `no smoking`, `pet friendly`."""

from __future__ import annotations

from collections.abc import Iterator

from .english import NO, YES
from .findings import BoundFinding, Finding
from .polarity import polarity
from .reading import Naming, Reading

SURE = 0.5
"""A weaker naming of a column is no wish about it."""

MAX_NAMINGS = 500


def yes_no_findings(reading: Reading, waived: list[str]) -> Iterator[Finding]:
    """Yield a finding wherever a yes-or-no column is named; columns not needed are waived."""
    named = [one for one in reading.namings if one.column in reading.index.yes_no]
    for one in named[:MAX_NAMINGS]:
        if one.strength < SURE or _is_better_elsewhere(reading, one):
            continue
        wish = polarity(reading, one.first, one.last)
        if wish == "unneeded":
            waived.append(one.column)
        else:
            yield _finding(reading, one, wanted=wish == "wanted")


def _is_better_elsewhere(reading: Reading, one: Naming) -> bool:
    """Return whether the same words name another column more clearly."""
    return any(
        other.first == one.first and other.strength > one.strength + 0.05
        for other in reading.named_near(one.first)
    )


def _finding(reading: Reading, one: Naming, *, wanted: bool) -> BoundFinding:
    held = reading.index.yes_no[one.column]
    span = reading.span(one.first, one.last)
    value = held.yes if wanted else held.no
    return BoundFinding(one.column, "==", value, min(1.0, 0.2 + one.strength), span, span.text)


def answer_finding(reading: Reading) -> Iterator[Finding]:
    """Yield what a plain yes to a question about a yes-or-no column means; no means no wish."""
    column = next(iter(reading.asked), "")
    held = reading.index.yes_no.get(column)
    if held is None or not reading.words or NO.match(reading.text):
        return
    if YES.match(reading.text):
        span = reading.span(0, 0)
        yield BoundFinding(column, "==", held.yes, 0.8, span, span.text)
