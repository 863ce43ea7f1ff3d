"""Score which columns a question asks about, by the phrases for columns in it."""

from __future__ import annotations

from ..language.tokens import sentences
from .value_index import ValueIndex, stems_of

LONGEST_QUESTION = 4_000
"""Characters of a question that are read; what is asked stands in few."""


def asked_columns(question: str, index: ValueIndex) -> dict[str, float]:
    """Return how clearly a question asks about each column, the clearest kept alone, in [0, 1]."""
    text = question[:LONGEST_QUESTION]
    asking = [sentence.text for sentence in sentences(text) if "?" in sentence.text] or [text]
    strengths: dict[str, float] = {}
    for sentence in asking:
        for column, strength in _named(stems_of(sentence), index):
            best, other = sorted((strength, strengths.get(column, 0.0)), reverse=True)
            strengths[column] = min(1.0, best + 0.5 * other)
    best = max(strengths.values(), default=0.0)
    return {column: strength for column, strength in strengths.items() if strength >= 0.85 * best}


def _named(stems: list[str], index: ValueIndex) -> list[tuple[str, float]]:
    named: list[tuple[str, float]] = []
    place = 0
    while place < len(stems):
        taken = 1
        for length in range(min(index.longest_phrase, len(stems) - place), 0, -1):
            columns = index.column_phrases.get(tuple(stems[place : place + length]))
            if columns:
                # What is asked about comes early in a question.
                named.extend(
                    (column, strength / (1 + 0.01 * place)) for column, strength in columns
                )
                taken = length
                break
        place += taken
    return named
