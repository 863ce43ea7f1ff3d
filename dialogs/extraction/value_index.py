"""Index from words to a catalog's columns and values, built once for a version of the catalog.

Building is linear in the distinct values; finding what some words may mean is one look-up.
"""

from __future__ import annotations

import re
import weakref
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from ...catalogs.query.constraint import Scalar
from ...catalogs.query.schema import ColumnProfile, name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.column_headers import header_of
from ..language.column_phrases import FULL, NAME_FILLERS, phrase_strengths
from ..language.numbers import ONES
from ..language.tokens import folded, folded_words
from ..language.units import spelling
from ..language.word_families import FAMILIES, akin
from .clocks import by_evening
from .week_days import WEEK, WEEKDAYS, WEEKEND, days_of

MAX_DISTINCT = 500_000
"""Columns of more distinct texts are not searched; nobody names one value of so many."""

MAX_WORDS = 8
"""Of a value that is looked up; longer ones are free text."""

AKIN = 0.9
"""How well a value fits that is said by a word of its family, against one said by its own."""

MAX_ENTRIES = 60
"""Values of a column that one key stands for; words that are part of more of them name none."""

MOST_ANSWERS = 4
"""Distinct texts of a column that answers yes or no: `yes`, `no`, `on request`, nothing."""

MAX_VARIED = 1_000
"""Values of a column up to which their words are also known by other endings."""

FEW_NUMBERS = 2_000
"""Columns of up to so many distinct numbers are known number by number."""

MAX_COMPARED, MAX_NEAREST = 2_000, 5

Match = Literal["whole", "part", "initials", "phrase"]

_SEPARATOR = re.compile(r"\s*(?:,|;|\||(?<=\w{3})/(?=\w{3})|\s&\s)\s*")
_TRUE = frozenset({"yes", "y", "true", "t", "ja", "oui"})
_FALSE = frozenset({"no", "n", "false", "f", "nein", "non", "nee"})
_NOTHING = frozenset({"n/a", "na", "unknown", "none", "null", "nan", "other", "-", ""})
_LEAST_WORDS = dict.fromkeys(("min", "minimum", "from", "lowest"), "min") | dict.fromkeys(
    ("max", "maximum", "to", "highest"), "max"
)
_TO = re.compile(r" (to|from|of) (?!the )")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::00)?")
_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "six": "6", "eight": "8"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a column that some words may mean.

    A `part` is one of a list in a cell. `covered` is the share of the value's words that they
    are; `ends` says whether they are its last words, its head noun in English; `leads` its first.
    """

    column: str
    value: str
    match: Match
    covered: float = 1.0
    ends: bool = True
    leads: bool = False


@dataclass(frozen=True)
class ColumnValues:
    """What the index knows of a column with text values; `parts` are those of lists."""

    profile: ColumnProfile
    ranks: dict[str, int]
    parts: Counter[str]

    @property
    def names(self) -> int:
        """How many different names there are to say."""
        return len(self.parts) or len(self.ranks)


@dataclass(frozen=True)
class YesNo:
    """A column of two values that answers yes or no."""

    column: str
    yes: Scalar
    no: Scalar


@dataclass
class ValueIndex:
    """Values by their words; `own` are in values or listed, `known` made by endings as well."""

    profiles: dict[str, ColumnProfile] = field(default_factory=dict[str, ColumnProfile])
    columns: dict[str, ColumnValues] = field(default_factory=dict[str, ColumnValues])
    numeric: dict[str, ColumnProfile] = field(default_factory=dict[str, ColumnProfile])
    numbers: dict[str, frozenset[float]] = field(default_factory=dict[str, frozenset[float]])
    dates: dict[str, ColumnProfile] = field(default_factory=dict[str, ColumnProfile])
    clocks: dict[str, dict[int, str]] = field(default_factory=dict[str, dict[int, str]])
    yes_no: dict[str, YesNo] = field(default_factory=dict[str, YesNo])
    entries: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    placeholders: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    vocabulary: dict[tuple[str, int], list[str]] = field(
        default_factory=dict[tuple[str, int], list[str]]
    )
    ordered: list[str] = field(default_factory=list[str])
    known: set[str] = field(default_factory=set[str])
    own: set[str] = field(default_factory=set[str])
    namings: dict[str, list[tuple[str, float]]] = field(
        default_factory=dict[str, list[tuple[str, float]]]
    )
    short: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    naming_starts: set[str] = field(default_factory=set[str])
    longest_naming: int = 1
    cost: str | None = None
    ends: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    quantiles: dict[tuple[str, bool], float] = field(default_factory=dict[tuple[str, bool], float])


def stems_of(text: str) -> list[str]:
    """Return the words of a text as the index compares them."""
    return [spelling(word) for word in folded_words(text)]


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
    index = ValueIndex(cost=catalog.cost_column)
    for profile in catalog.profiles():
        _add_column(index, profile, catalog)
    for name in index.profiles:
        words = catalog.dictionary.get(name)
        _add_namings(index, name, catalog.schema.find(name).family, words.phrases if words else ())
        for value, others in words.values.items() if words else ():
            for other in others:
                _put(index.entries, "".join(stems_of(other)), Entry(name, value, "whole"))
    _discount_shared(index)
    _pair_ends(index)
    index.naming_starts = {key[:2] for key in index.namings}
    index.ordered = sorted(index.own)
    for word in index.ordered:
        if len(word) >= 4 and word.isalpha():
            index.vocabulary.setdefault((word[0], len(word)), []).append(word)
    return index


def _add_column(index: ValueIndex, profile: ColumnProfile, catalog: CatalogReader) -> None:
    name = profile.name
    if profile.kind == "boolean":
        index.yes_no[name] = YesNo(name, True, False)
    elif profile.kind == "date":
        index.dates[name] = profile
    elif profile.kind == "numeric" and profile.minimum is not None:
        if _is_row_number(profile):
            return
        index.profiles[name] = profile
        if (profile.minimum, profile.maximum, profile.distinct) == (0, 1, 2):
            index.yes_no[name] = YesNo(name, 1, 0)
            return
        index.numeric[name] = profile
        if profile.distinct <= FEW_NUMBERS:
            index.numbers[name] = frozenset(map(float, catalog.values(name)))
    elif profile.kind in ("categorical", "text", "list") and 0 < profile.distinct <= MAX_DISTINCT:
        _add_texts(index, profile, [str(value) for value in catalog.values(name)])
    index.profiles[name] = profile


def _is_row_number(profile: ColumnProfile) -> bool:
    """Return whether the column only numbers the rows."""
    named = re.fullmatch(
        r"column\d*|(?:row_?)?(?:id|index|no|nr)|unnamed.*", profile.name.casefold()
    )
    return bool(named) and profile.distinct == profile.rows


def _add_texts(index: ValueIndex, profile: ColumnProfile, values: list[str]) -> None:
    by_folded = {value.casefold().strip(): value for value in values}
    yes = next((by_folded[text] for text in by_folded if text in _TRUE), "")
    no = next((by_folded[text] for text in by_folded if text in _FALSE), "")
    alone = by_folded.keys() <= _TRUE | _FALSE | _NOTHING
    if len(by_folded) <= MOST_ANSWERS and ((yes and no) or ((yes or no) and alone)):
        index.yes_no[profile.name] = YesNo(profile.name, yes, no)
        values = [value for value in values if value not in (yes, no)]
    if not values:
        return
    if profile.kind == "list":
        _add_parts(index, profile, values, Counter(values))
        return
    clocks = {int(m[1]) * 60 + int(m[2]): m[0] for m in map(_CLOCK.fullmatch, values) if m}
    if 2 * len(clocks) > len(values):
        index.clocks[profile.name] = by_evening(clocks)
        values = []
    _add_parts(index, profile, values, _list_parts(values))


def _add_parts(
    index: ValueIndex, profile: ColumnProfile, values: list[str], parts: Counter[str]
) -> None:
    ranks = {value: at for at, value in enumerate(values)}
    index.columns[profile.name] = ColumnValues(profile, ranks, parts)
    named = list(parts or values)
    days = {value: held for value in named if (held := days_of(value))}
    days = days if 2 * len(days) > len(named) and len(days) > 1 else {}
    if any(len(held) > 1 for held in days.values()):
        _add_days(index, profile.name, days, {s: {day} for day in WEEK for s in (day, day[:3])})
        values = [value for value in values if len(days.get(value, WEEK)) > 1]
    several = {"weekday": WEEKDAYS, "midweek": WEEKDAYS, "weekend": WEEKEND}
    _add_days(index, profile.name, days, several)
    for value in values:
        if value not in parts:
            runs = not parts and len(days.get(value, ())) < 2
            _add_value(index, profile, value, "whole", with_runs=runs)
    for part in parts:
        _add_value(index, profile, part, "part", with_runs=True)


def _add_days(
    index: ValueIndex, column: str, days: Mapping[str, Set[str]], words: Mapping[str, Set[str]]
) -> None:
    """Let words for days stand for the cells that hold these days alone, or all of them."""
    for said, meant in words.items():
        for value, held in days.items():
            if held <= meant or held >= meant:
                _put(index.entries, spelling(said), Entry(column, value, "phrase"))
                index.known.add(spelling(said))
                index.own.add(spelling(said))


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
    lettered = sum(any(map(str.isalpha, part)) for part in parts)
    is_list = many >= 2 and 4 * many >= len(values) and repeats and 2 * lettered > len(parts)
    return parts if is_list else Counter()


def _add_value(
    index: ValueIndex, profile: ColumnProfile, value: str, match: Match, *, with_runs: bool
) -> None:
    whole = Entry(profile.name, value, match)
    _add_said(index, profile, whole, value, with_runs=with_runs)
    if '"' in value:
        _add_said(index, profile, whole, value.replace('"', " inch "), with_runs=with_runs)


def _add_said(
    index: ValueIndex, profile: ColumnProfile, whole: Entry, said: str, *, with_runs: bool
) -> None:
    """Add what a value is said by, as a whole and in part."""
    value = whole.value
    words = folded_words(said)
    stems = [spelling(word) for word in words]
    if not stems or len(stems) > MAX_WORDS:
        return
    if value.casefold().strip() in _NOTHING:
        _put(index.placeholders, "".join(stems), whole)
        return
    # `mac os` has no plural ending to lose where `macOS` seems to have one.
    few = profile.distinct <= MAX_VARIED
    keys = {"".join(stems), "".join(words)}
    for key in keys:
        _put(index.entries, key, whole)
    for key in {*_others(index, "".join(stems), varied=few)} - keys:
        # What is another value's own name is that one: `4wd` may be all wheels or four.
        _put(index.entries, key, replace(whole, covered=AKIN))
    index.known.update(stems)
    index.own.update(stems)
    if not with_runs or len(stems) < 2:
        return
    for initials in _initials(stems):
        _put(index.entries, initials, Entry(profile.name, value, "initials"))
    letters = {spelling(pair.casefold()) for pair in _TWO_LETTERS.findall(said)}
    named = set(map(spelling, name_words(profile.name)))
    for start, end in _inner(len(stems), profile.distinct):
        # `fuel` is no part of `dual fuel` that tells it, where the column is `fuel`.
        if named.issuperset(stems[start:end]):
            continue
        if _tells(stems[start:end]) or letters.issuperset(stems[start:end]):
            ends = end == len(stems) and "(" not in value
            share = (end - start) / len(stems)
            entry = Entry(profile.name, value, "phrase", covered=share, ends=ends, leads=start == 0)
            key = "".join(stems[start:end])
            # `us a` is no USA.
            others = _others(index, key, varied=few and end - start == 1) if len(key) > 2 else ()
            for other in (key, *others):
                _put(index.entries, other, entry)


def _others(index: ValueIndex, key: str, *, varied: bool) -> tuple[str, ...]:
    """Return what else some words of a value are said by, and make it known."""
    family = FAMILIES.get(key, ())
    others = (*family, *(akin(key) if varied else ()))
    index.own.update(family)
    index.known.update(others)
    return others


def _inner(length: int, distinct: int) -> Iterator[tuple[int, int]]:
    """Yield the places of shorter runs of words: all of few values, leading ones of very many."""
    for size in range(length - 1, 0, -1):
        for start in range(length - size + 1):
            if distinct <= 1_000 or (size > 1 and (distinct <= 20_000 or start == 0)):
                yield start, start + size


_TWO_LETTERS = re.compile(r"\b[A-Z]{2}\b")
"""Short for something in a value, `UK English`, and said as such."""


def _tells(stems: list[str]) -> bool:
    """Return whether words are more than numbers and particles."""
    return any(
        (len(word) > 2 or not word.isalpha()) and word not in ONES and not word.isdigit()
        for word in stems
    )


def _initials(stems: list[str]) -> Iterator[str]:
    """Yield `awd` for `all wheel drive`, and `4wd` where the first word is a number."""
    if len(stems) < 3 or any(word[0].isdigit() for word in stems):
        return
    yield "".join(word[0] for word in stems)
    if stems[0] in _DIGITS:
        yield _DIGITS[stems[0]] + "".join(word[0] for word in stems[1:])


def _put(table: dict[str, list[Entry]], key: str, entry: Entry) -> None:
    entries = table.setdefault(key, [])
    if key and entry not in entries:
        # Titles that hold the words of another column's value leave room for that value.
        alike = sum(e.column == entry.column and e.match == entry.match for e in entries)
        if alike <= MAX_ENTRIES:
            entries.append(entry)


def _add_namings(index: ValueIndex, column: str, family: str, others: Sequence[str]) -> None:
    # What is called `distance to sea (km)` is named in full without its unit.
    called = header_of(column).label.casefold()
    full = {called, _TO.sub(r" \1 the ", called)} if " " in called else ()
    phrases = phrase_strengths(column, family) | dict.fromkeys((*others, *full), FULL)
    words = map(spelling, name_words(column))
    index.short += [(word, column) for word in words if len(word) > 2 and word not in NAME_FILLERS]
    for phrase, strength in phrases.items():
        words = stems_of(phrase)
        if words:
            index.namings.setdefault("".join(words), []).append((column, strength))
            index.longest_naming = max(index.longest_naming, len(words) + 1)


def _pair_ends(index: ValueIndex) -> None:
    """Find columns that hold the two ends of a range: `min players`, `max players`."""
    by_rest: defaultdict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for column in index.numeric:
        words = name_words(column)
        for word in _LEAST_WORDS.keys() & set(words):
            rest = tuple(other for other in words if other != word)
            by_rest[rest][_LEAST_WORDS[word]] = column
    for ends in by_rest.values():
        if len(ends) == 2:
            pair = ends["min"], ends["max"]
            index.ends |= {pair[0]: pair, pair[1]: pair}


def _discount_shared(index: ValueIndex) -> None:
    """Keep each column's best naming; single words that several share say less."""
    for key, columns in index.namings.items():
        best: defaultdict[str, float] = defaultdict(float)
        for column, strength in columns:
            best[column] = max(best[column], strength)
        shared = 0.8 if len(best) > 1 else 1.0
        index.namings[key] = [
            (column, strength if strength >= 0.95 else strength * shared)
            for column, strength in best.items()
        ]


def longer_words(index: ValueIndex, word: str) -> list[str]:
    """Return the index's words that a word is short for: `auto`, of `automatic`; few or none.

    Of a word with its endings (`limousines`) the first stands for all.
    """
    longer: list[str] = []
    for at in range(bisect_left(index.ordered, word), len(index.ordered)):
        known = index.ordered[at]
        if not known.startswith(word):
            break
        # `limousining` leaves the last letter of `limousine` out.
        if longer and known.startswith(longer[-1][: max(len(word) + 1, len(longer[-1]) - 1)]):
            continue
        longer.append(known)
        if len(longer) > 2:
            return []
    return longer


def similar_words(index: ValueIndex, word: str, most: int) -> list[str]:
    """Return the index's words within `most` edits of a word that begin alike, nearest first."""
    known = [
        other
        for length in range(len(word) - most, len(word) + most + 1)
        for other in index.vocabulary.get((word[0], length), ())
    ]
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=most, limit=3)
    return [match for match, _, _ in near]


def nearest_values(index: ValueIndex, column: str, text: str) -> tuple[tuple[str, float], ...]:
    """Return the column's values most like what was said, by letters, with a share."""
    values = islice(index.columns[column].ranks, MAX_COMPARED)
    near = process.extract(text, values, scorer=fuzz.WRatio, processor=folded, limit=MAX_NEAREST)
    return tuple((value, round(score / 100, 3)) for value, score, _ in near)
