"""Answers that name no value of the column asked about, and values that mean nothing is known.

The first are reported with the nearest values. The second, such as `Unknown` or `N/A`, are no
values in ordinary speech. They are where a column is said to be listed as one, where one stands
in quotation marks, and where one follows the column's name and a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from .english import COMMON
from .extracted import Finding, Unresolved, ValueFinding
from .reading import Reading
from .value_index import Entry, ValueIndex, stems_of
from .value_mentions import ValueMention

MAX_WORDS_SAID = 5
"""Telling words of an answer that may be a value; longer ones say something else."""

LONGEST_ANSWER = 10
"""Words of an answer that is likely nothing but a value."""

MAX_COMPARED = 2_000
MAX_NEAREST = 5


@dataclass
class Unknown:
    """What an answer without a known value leaves: at most one finding, at most one report."""

    findings: list[Finding] = field(default_factory=list[Finding])
    unresolved: list[Unresolved] = field(default_factory=list[Unresolved])


def unknown_answer(reading: Reading) -> Unknown:
    """Return the literal constraint for a value that was asked for and that the catalog lacks."""
    unknown = Unknown()
    columns = [column for column in reading.asked_about if column in reading.index.columns]
    telling = [
        at
        for at, stem in enumerate(reading.stems)
        if stem not in COMMON and len(stem) > 1 and not _names_a_column(reading, at)
    ]
    if len(columns) != 1 or len(reading.asked_about) > 1 or not 0 < len(telling) <= MAX_WORDS_SAID:
        return unknown
    if telling[-1] - telling[0] >= MAX_WORDS_SAID or len(reading.words) > LONGEST_ANSWER:
        return unknown
    if reading.clause(telling[0]) != reading.clause(telling[-1]):
        return unknown
    span = reading.span(telling[0], telling[-1])
    near = nearest_values(reading.index, columns[0], span.text)
    ranked = ((Entry(columns[0], span.text, "whole"), 0.3),)
    unknown.findings.append(ValueFinding(columns[0], ranked, True, False, False, span))
    reason = "the catalog has no such value"
    unknown.unresolved.append(Unresolved(span, reason, columns[0], near))
    return unknown


def _names_a_column(reading: Reading, at: int) -> bool:
    return any(naming.first <= at <= naming.last for naming in reading.named_near(at))


def nearest_values(index: ValueIndex, column: str, text: str) -> tuple[tuple[str, float], ...]:
    """Return the column's values most like what was said, by shared words and letters."""
    words = set(stems_of(text))
    scored: list[tuple[str, float]] = []
    for value in list(index.columns[column].ranks)[:MAX_COMPARED]:
        own = set(stems_of(value))
        shared = len(words & own) / max(1, len(words | own))
        alike = SequenceMatcher(None, text.casefold()[:60], value.casefold()[:60]).ratio()
        scored.append((value, round(max(shared, 0.8 * alike), 3)))
    return tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:MAX_NEAREST])


SURE = 0.9
NAMED = 0.6
"""How strongly the column is named, in the same clause, or was asked about."""

_LISTED = re.compile(
    r"\b(?:listed|marked|shown|recorded|entered|given|labell?ed|tagged|described|registered"
    r"|classed|classified|categori[sz]ed|stated|specified|noted|filed|appears?|reads?|says?)"
    r"(?:\s+down)?(?:\s+(?:as|under))?\s+(?:simply\s+|just\s+)?[\"'“\u2018«]?\Z|[:=]\s*[\"'“\u2018«]?\Z",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "\u2018": "\u2019", "«": "»", "'": "'"}


def placeholders(reading: Reading) -> list[ValueMention]:
    """Return the values that stand for nothing known and are asked for; marks their words."""
    mentions = list(_mentions(reading))
    for mention in mentions:
        reading.taken.update(range(mention.first, mention.last + 1))
    return mentions


def _mentions(reading: Reading) -> Iterator[ValueMention]:
    if not reading.index.placeholders:
        return
    for first in range(len(reading.words)):
        for last in range(first, min(first + 2, len(reading.words))):
            entries = reading.index.placeholders.get("".join(reading.stems[first : last + 1]), ())
            named = [entry for entry in entries if _is_named(reading, first, entry.column)]
            if named and _is_listed(reading, first, last):
                yield ValueMention(first, last, named[0].column, ((named[0], SURE),))


def _is_named(reading: Reading, word: int, column: str) -> bool:
    near = (naming.strength for naming in reading.named_near(word) if naming.column == column)
    return max([reading.asked_about.get(column, 0.0), *near]) >= NAMED


def _is_listed(reading: Reading, first: int, last: int) -> bool:
    start, end = reading.words[first].start, reading.words[last].end
    before, after = reading.text[max(0, start - 40) : start], reading.text[end : end + 1]
    quoted = _QUOTES.get(before[-1:]) == after if after else False
    return quoted or bool(_LISTED.search(before))
