"""Find constraints on yes-or-no columns: `with a balcony`, `no smoking`, `pet friendly`."""

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
