"""What a catalog has that comes nearest to words that link to nothing.

By letters and parts of words over values, yes/no columns and texts that hold a word; else what is
commonest in a column of lists. Linear in the distinct values, of which a column gives 2,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rapidfuzz import fuzz

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.schema import name_words
from ..extraction.value_index import ValueIndex, stems_of

ALIKE = 65.0
"""How alike a value and words that link to nothing are at least to be offered, of 100."""

SHARED = 5
"""Letters of two words that begin alike from which they are of one family."""

COMPARED = 2_000
COMMONEST = 3


def nearest_values(index: ValueIndex, said: str) -> Iterator[Constraint]:
    """Yield constraints on what is like some words, the likest first."""
    words = [word for word in stems_of(said) if len(word) > 2]
    found: list[tuple[float, str, str, Constraint]] = []
    for column, held in index.columns.items():
        for value in islice(held.parts or held.ranks, COMPARED):
            score = max(fuzz.ratio(said.casefold(), value.casefold()), _in_parts(words, value))
            if score >= ALIKE and column not in index.yes_no:
                op = "contains" if held.parts else "=="
                wish = Constraint(column=column, op=op, value=value)
                found.append((-score, column, value, wish))
    for column, answers in index.yes_no.items():
        score = _in_parts(words, " ".join(name_words(column)))
        if score >= ALIKE:
            wish = Constraint(column=column, op="==", value=answers.yes)
            found.append((-score, column, "", wish))
    yield from (wish for *_, wish in sorted(found, key=lambda known: known[:3]))


def _in_parts(words: list[str], value: str) -> float:
    """Return how alike the likest words of both are, of 100."""
    return max((_alike(one, other) for one in words for other in stems_of(value)), default=0.0)


def _alike(one: str, other: str) -> float:
    least = min(len(one), len(other))
    begin = next((at for at in range(least) if one[at] != other[at]), least)
    if least > 3 and (one in other or other in one or begin >= SHARED):
        return 90.0
    score = fuzz.ratio(one, other)
    return score if least > 3 and score >= 80.0 else 0.0


def longer_values(index: ValueIndex, column: str, value: object) -> list[str]:
    """Return the values of a column that hold all the words of another, and more of them."""
    held = index.columns.get(column)
    words = set(stems_of(str(value)))
    if held is None or not words:
        return []
    every = islice(held.parts or held.ranks, COMPARED)
    return [other for other in every if str(other) != str(value) and words < set(stems_of(other))]


def texts_with(index: ValueIndex, said: str) -> Iterator[Constraint]:
    """Yield constraints on the texts of several words that hold a word, rarest word first."""
    for word in sorted(stems_of(said), key=lambda word: (-len(word), word)):
        if len(word) < 4 or not word.isalnum():
            continue
        for column, held in index.columns.items():
            texts = islice(held.ranks, COMPARED)
            if not held.parts and any(word in text.casefold() and " " in text for text in texts):
                yield Constraint(column=column, op="ilike", value=f"%{word}%")


def commonest(index: ValueIndex, named: set[str]) -> Iterator[Constraint]:
    """Yield what lists hold most often, of a column that the request is about if one is."""
    lists = [column for column, held in index.columns.items() if held.parts]
    for column in sorted(lists, key=lambda name: name not in named)[:1]:
        parts = index.columns[column].parts
        for value, _ in sorted(parts.items(), key=lambda pair: (-pair[1], pair[0]))[:COMMONEST]:
            yield Constraint(column=column, op="contains", value=value)
