"""Handle an answer that names no value of the column asked about: report it with the nearest."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import SequenceMatcher

from .english import COMMON
from .extracted import Unresolved
from .findings import Finding, ValueFinding
from .reading import Reading
from .value_index import Entry, ValueIndex, stems_of

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
