"""Index from words to a catalog's columns and values, built once for a version of the catalog."""

from __future__ import annotations

import re
import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from ...catalogs.query.schema import ColumnProfile, name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import phrase_strengths, stem
from ..language.numbers import ONES
from ..language.tokens import tokens
from .english import COMMON, LINKING

MAX_DISTINCT = 50_000
"""Columns of more distinct texts are not searched; nobody names one value of so many."""

MAX_WORDS = 8
"""Of a value that is looked up; longer ones are free text."""

SPLIT_INTO_PHRASES = 5_000
"""Columns of up to so many distinct values are also found by a part of a value."""

Match = Literal["whole", "part", "initials", "phrase"]

_SPELLINGS = {
    "grey": "gray",
    "colour": "color",
    "metre": "meter",
    "litre": "liter",
    "centre": "center",
    "theatre": "theater",
    "kilometre": "kilometer",
}
_SEPARATOR = re.compile(r"\s*(?:,|;|\||\s&\s)\s*")
_TRUE = frozenset({"yes", "y", "true", "t"})
_FALSE = frozenset({"no", "n", "false", "f"})
_NOTHING = frozenset({"n/a", "na", "unknown", "none", "null", "nan", "other", "-", ""})


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a column that some words may mean.

    `covered` is the share of the value's words that they are; `ends` says whether they are its
    last words, its head noun in English.
    """

    column: str
    value: str
    match: Match
    op: Literal["==", "contains"] = "=="
    covered: float = 1.0
    ends: bool = True


@dataclass(frozen=True)
class ColumnValues:
    """What the index knows of one column with text values."""

    profile: ColumnProfile
    distinct: int
    name_stems: frozenset[str]
    is_list: bool
    ranks: dict[str, int]
    names: int


@dataclass(frozen=True)
class YesNo:
    """A column of two values that answers yes or no."""

    column: str
    yes: str | bool
    no: str | bool


@dataclass
class ValueIndex:
    """Values by their words; made once for a version of a catalog."""

    columns: dict[str, ColumnValues] = field(default_factory=dict[str, ColumnValues])
    numeric: dict[str, ColumnProfile] = field(default_factory=dict[str, ColumnProfile])
    dates: dict[str, ColumnProfile] = field(default_factory=dict[str, ColumnProfile])
    yes_no: dict[str, YesNo] = field(default_factory=dict[str, YesNo])
    whole: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    phrases: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    placeholders: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    initials: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    words: dict[tuple[str, int], set[str]] = field(default_factory=dict[tuple[str, int], set[str]])
    vocabulary: set[str] = field(default_factory=set[str])
    column_phrases: dict[tuple[str, ...], list[tuple[str, float]]] = field(
        default_factory=dict[tuple[str, ...], list[tuple[str, float]]]
    )
    phrase_starts: set[str] = field(default_factory=set[str])
    longest_phrase: int = 1
    beginnings: set[str] = field(default_factory=set[str])


def stems_of(text: str) -> list[str]:
    """Return the words of a text as the index compares them."""
    return [spelling(word.folded) for word in tokens(text)]


def spelling(folded_word: str) -> str:
    """Return a folded word as the index compares it: singular, American."""
    singular = stem(folded_word)
    return _SPELLINGS.get(singular, singular)


_indexes: weakref.WeakKeyDictionary[CatalogReader, tuple[int, ValueIndex]] = (
    weakref.WeakKeyDictionary()
)


def index_of(catalog: CatalogReader) -> ValueIndex:
    """Return the index of a catalog's present version, made once."""
    known = _indexes.get(catalog)
    if known is None or known[0] != catalog.version:
        known = _indexes[catalog] = (catalog.version, _build(catalog))
    return known[1]


def _build(catalog: CatalogReader) -> ValueIndex:
    index = ValueIndex()
    for profile in catalog.profiles():
        _add_column(index, profile, catalog)
    for name in (*index.columns, *index.numeric, *index.dates, *index.yes_no):
        _add_phrases(index, name, catalog.schema.find(name).family)
    _discount_shared(index)
    index.phrase_starts = {key[0] for key in index.column_phrases}
    keys = (*index.whole, *index.phrases, *index.initials)
    index.beginnings = {key[:length] for key in keys for length in range(1, len(key) + 1)}
    return index


def _add_column(index: ValueIndex, profile: ColumnProfile, catalog: CatalogReader) -> None:
    if profile.kind == "boolean":
        index.yes_no[profile.name] = YesNo(profile.name, True, False)
    elif profile.kind == "date":
        index.dates[profile.name] = profile
    elif profile.kind == "numeric" and profile.minimum is not None:
        if not _is_row_number(profile):
            index.numeric[profile.name] = profile
    elif profile.kind in ("categorical", "text") and 0 < profile.distinct <= MAX_DISTINCT:
        _add_texts(index, profile, [str(value) for value in catalog.values(profile.name)])


def _is_row_number(profile: ColumnProfile) -> bool:
    """Return whether the column only numbers the rows."""
    named = re.fullmatch(
        r"column\d*|(?:row_?)?(?:id|index|no|nr)|unnamed.*", profile.name.casefold()
    )
    return bool(named) and profile.distinct == profile.rows


def _add_texts(index: ValueIndex, profile: ColumnProfile, values: list[str]) -> None:
    by_folded = {value.casefold().strip(): value for value in values}
    if len(by_folded) <= 2 and by_folded.keys() <= _TRUE | _FALSE and by_folded:
        yes = next((by_folded[text] for text in by_folded if text in _TRUE), "")
        no = next((by_folded[text] for text in by_folded if text in _FALSE), "")
        index.yes_no[profile.name] = YesNo(profile.name, yes, no)
        return
    name_stems = frozenset(spelling(word) for word in name_words(profile.name))
    parts = _list_parts(values)
    index.columns[profile.name] = ColumnValues(
        profile,
        len(values),
        name_stems,
        bool(parts),
        {value: at for at, value in enumerate(values)},
        len(parts) or len(values),
    )
    for value in values:
        if value not in parts:
            _add_value(index, profile, value)
    for part in parts:
        _put(index.whole, _joined(part), Entry(profile.name, part, "part", "contains"))
        _learn(index, profile, part)


def values_with(index: ValueIndex, column: str, part: str) -> list[str]:
    """Return the values of a column of lists that hold a part."""
    values = index.columns[column].ranks
    return [value for value in values if part in _SEPARATOR.split(value)]


def _list_parts(values: list[str]) -> Counter[str]:
    """Return the parts of values that are lists, `Tea, Pizza, Indian`; none where they are not."""
    split = [[part for part in _SEPARATOR.split(value) if part.strip()] for value in values]
    parts = Counter(part for pieces in split for part in pieces)
    many = sum(len(pieces) > 1 for pieces in split)
    repeats = parts.total() >= 2 * len(parts)
    return parts if many >= 2 and 4 * many >= len(values) and repeats else Counter()


def _add_value(index: ValueIndex, profile: ColumnProfile, value: str) -> None:
    stems = stems_of(value)
    if not stems or len(stems) > MAX_WORDS:
        return
    whole = Entry(profile.name, value, "whole")
    if value.casefold().strip() in _NOTHING:
        _put(index.placeholders, "".join(stems), whole)
        return
    _put(index.whole, "".join(stems), whole)
    # `mac os` has no plural ending to lose where `macOS` seems to have one.
    _put(index.whole, "".join(word.folded for word in tokens(value)), whole)
    if profile.kind == "categorical":
        _learn(index, profile, value)
    searched = profile.kind == "categorical" and profile.distinct <= SPLIT_INTO_PHRASES
    if not searched or index.columns[profile.name].is_list or len(stems) < 2:
        return
    for initials in _initials(stems):
        _put(index.initials, initials, Entry(profile.name, value, "initials"))
    for start, end in _inner(len(stems), profile.distinct):
        if telling := _telling(stems[start:end]):
            ends = end == len(stems) and "(" not in value
            share = telling / len(stems)
            entry = Entry(profile.name, value, "phrase", covered=share, ends=ends)
            _put(index.phrases, "".join(stems[start:end]), entry)


def _inner(length: int, distinct: int) -> Iterator[tuple[int, int]]:
    """Yield the places of shorter runs of words; single words only of columns of few values."""
    shortest = 1 if distinct <= 300 else 2
    for size in range(length - 1, shortest - 1, -1):
        for start in range(length - size + 1):
            yield start, start + size


def _telling(stems: list[str]) -> int:
    """Return how many words there are, 0 where none of them says anything."""
    if stems[0] in LINKING or stems[-1] in LINKING:
        return 0
    tells = any(len(word) > 2 and word not in COMMON and word not in ONES for word in stems)
    return len(stems) if tells else 0


_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "six": "6", "eight": "8"}


def _initials(stems: list[str]) -> Iterator[str]:
    """Yield `awd` for `all wheel drive`, and `4wd` where the first word is a number."""
    if len(stems) < 3 or any(word[0].isdigit() for word in stems):
        return
    yield "".join(word[0] for word in stems)
    if stems[0] in _DIGITS:
        yield _DIGITS[stems[0]] + "".join(word[0] for word in stems[1:])


def _joined(text: str) -> str:
    return "".join(stems_of(text))


def _put(table: dict[str, list[Entry]], key: str, entry: Entry) -> None:
    if key and entry not in (entries := table.setdefault(key, [])):
        entries.append(entry)


def _learn(index: ValueIndex, profile: ColumnProfile, value: str) -> None:
    for word in stems_of(value):
        index.vocabulary.add(word)
        if len(word) >= 4 and word.isalpha() and profile.distinct <= SPLIT_INTO_PHRASES:
            index.words.setdefault((word[0], len(word)), set()).add(word)


def _add_phrases(index: ValueIndex, column: str, family: str) -> None:
    for phrase, strength in phrase_strengths(column, family).items():
        key = tuple(stems_of(phrase))
        if key:
            index.column_phrases.setdefault(key, []).append((column, strength))
            index.longest_phrase = max(index.longest_phrase, len(key))


def _discount_shared(index: ValueIndex) -> None:
    """Weaken single words that several columns share: they tell none of them apart."""
    for key, columns in index.column_phrases.items():
        best: defaultdict[str, float] = defaultdict(float)
        for column, strength in columns:
            best[column] = max(best[column], strength)
        shared = 0.8 if len(best) > 1 else 1.0
        index.column_phrases[key] = [
            (column, strength if strength >= 0.95 else strength * shared)
            for column, strength in best.items()
        ]


def similar_words(index: ValueIndex, word: str, most: int) -> Iterable[str]:
    """Return the index's words within `most` edits of a word that begin alike, nearest first."""
    matches: list[tuple[int, str]] = []
    for length in range(len(word) - most, len(word) + most + 1):
        for known in index.words.get((word[0], length), ()):
            distance = edits(word, known, most)
            if distance <= most:
                matches.append((distance, known))
    return [known for _, known in sorted(matches)]


def edits(word: str, other: str, most: int) -> int:
    """Return the edits (insert, delete, replace, swap of neighbours) between words, `most` + 1
    where there are more.

    Source: optimal string alignment; rows of the table only near its diagonal.
    """
    if abs(len(word) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, start=1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
