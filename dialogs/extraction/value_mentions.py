"""Where a text names values of a catalog: the longest first, then parts, then misspellings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ...catalogs.catalog import Catalog
from ...catalogs.constraint import Constraint
from ...catalogs.predicate import Predicate
from ..language.numbers import ONES, TENS
from .english import COMMON
from .reading import Reading
from .value_index import MAX_WORDS, Entry, similar_words

MAX_CORRECTED = 400
"""Words of one message that are compared with the catalog's spelling."""

SHORT_ANSWER = 6
"""Words of an answer that is likely nothing but a value."""

MAX_MENTIONS = 500
"""Values named in one message that are looked at; nobody asks for more."""

MAX_CANDIDATES = 60
"""Values weighed against each other for one mention."""


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Words `first` to `last` (included) that mean one of some values of a column, best first."""

    first: int
    last: int
    column: str
    ranked: tuple[tuple[Entry, float], ...]

    @property
    def best(self) -> Entry:
        """The likeliest value."""
        return self.ranked[0][0]

    @property
    def score(self) -> float:
        """How likely it is, in [0, 1]."""
        return self.ranked[0][1]


def find_values(reading: Reading, catalog: Catalog) -> list[ValueMention]:
    """Return the values that a text names, in order, and mark their words as taken."""
    found: list[ValueMention] = []
    for finder in (_whole, _phrases, _corrected):
        found.extend(islice(finder(reading, catalog), MAX_MENTIONS))
        found.sort(key=lambda one: one.first)
    return found


def _runs(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield every run of free words, at each place the longest first; skips what gets taken."""
    for first in range(len(reading.words)):
        longest = first + _longest_run(reading, first)
        for last in range(longest - 1, first - 1, -1):
            if last not in reading.taken and first not in reading.taken:
                yield first, last


def _longest_run(reading: Reading, first: int) -> int:
    """Return how many free words from one on may together begin a value."""
    stems, taken = reading.stems, reading.taken
    counts = first + 1 < len(stems) and stems[first + 1].isalpha()
    is_number = counts and (stems[first] in ONES or stems[first].isdigit())
    key = ""
    for length in range(min(MAX_WORDS, len(stems) - first)):
        key += stems[first + length]
        if first + length in taken or (key not in reading.index.beginnings and not is_number):
            return length
    return min(MAX_WORDS, len(stems) - first)


def _whole(reading: Reading, catalog: Catalog) -> Iterator[ValueMention]:
    latest: ValueMention | None = None
    for first, last in _runs(reading):
        if any(one in reading.taken for one in (first, last)):
            continue
        entries = _entries_of(reading, first, last)
        ranked = [(one, score) for one in entries if (score := _score(reading, first, last, one))]
        if not ranked:
            continue
        found = _choose(reading, first, last, ranked)
        if found is None or not _is_meant(reading, catalog, found, latest):
            continue
        reading.taken.update(range(first, last + 1))
        latest = found
        yield found


def _entries_of(reading: Reading, first: int, last: int) -> list[Entry]:
    key = "".join(reading.stems[first : last + 1])
    entries = reading.index.whole.get(key, ())
    found = list(entries)[:MAX_CANDIDATES] if entries and _may_join(reading, first, last) else []
    if not found and first < last:
        found = reading.index.whole.get(_abbreviated(reading, first, last), [])[:MAX_CANDIDATES]
    if first == last:
        found.extend(reading.index.initials.get(reading.words[first].folded, ()))
    return found


def _abbreviated(reading: Reading, first: int, last: int) -> str:
    """Return the key of `4dr SUV` for `four-door SUV`: a number and a word's ends."""
    stems = reading.stems
    number = str(ONES.get(stems[first], stems[first]))
    noun = stems[first + 1]
    if not number.isdigit() or not noun.isalpha() or len(noun) < 3:
        return ""
    return f"{number}{noun[0]}{noun[-1]}{''.join(stems[first + 2 : last + 1])}"


def _may_join(reading: Reading, first: int, last: int) -> bool:
    """Return whether the words belong together: `mid-size`, not the `a 4` of `a 4 door`."""
    for word in range(first + 1, last + 1):
        gap = reading.gap(word)
        if len(gap) > 3 or (any(one in gap for one in ",;.!?\n") and gap.strip() != ","):
            return False
    return not (
        first < last
        and len(reading.stems[first]) == 1
        and reading.stems[first] in "ai"
        and reading.gap(first + 1).isspace()
    )


def _score(reading: Reading, first: int, last: int, entry: Entry) -> float:
    said = reading.text[reading.words[first].start : reading.words[last].end]
    if entry.match == "initials":
        return 0.85 if said.isupper() or any(one.isdigit() for one in said) else 0.75
    exact = said == entry.value
    if entry.match == "part" and first == last and said.islower() and not entry.value.islower():
        return 0.6 + 0.3 * _cue(reading, first, entry.column)
    base = 0.97 if exact else 0.95 if said.casefold() == entry.value.casefold() else 0.92
    return base - 0.04 if entry.match == "part" else base


def _choose(
    reading: Reading, first: int, last: int, scored: list[tuple[Entry, float]]
) -> ValueMention | None:
    """Return the mention in the column that fits best: named or asked, then the most specific."""
    by_column: dict[str, list[tuple[Entry, float]]] = {}
    for entry, score in scored:
        by_column.setdefault(entry.column, []).append((entry, score))

    def fit(column: str) -> tuple[float, float]:
        best = max(score for _, score in by_column[column])
        return best + 0.5 * _cue(reading, first, column), -reading.index.columns[column].distinct

    column = max(by_column, key=fit)
    ranks = reading.index.columns[column].ranks
    ranked = sorted(
        by_column[column],
        key=lambda one: (-one[1], -one[0].covered, ranks.get(one[0].value, 0)),
    )
    lifted = [(one, min(1.0, score + 0.05 * _cue(reading, first, column))) for one, score in ranked]
    return ValueMention(first, last, column, tuple(lifted))


def _cue(reading: Reading, word: int, column: str) -> float:
    """Return how clearly the column is named nearby or was asked about, in [0, 1]."""
    named = [
        one.strength / (1 + 0.1 * abs(one.first - word))
        for one in reading.named_near(word)
        if one.column == column
    ]
    return max([reading.asked.get(column, 0.0), *named])


def _is_meant(
    reading: Reading, catalog: Catalog, found: ValueMention, latest: ValueMention | None
) -> bool:
    """Return whether the words are this value and not ordinary English or a number."""
    stems = reading.stems[found.first : found.last + 1]
    values = reading.index.columns[found.column]
    asked = reading.asked.get(found.column, 0.0) >= 0.5
    numeric = all(one[0].isdigit() and one.replace(".", "").isdigit() for one in stems)
    spelled = all(one in ONES or one in TENS or one == "hundred" for one in stems)
    if spelled and reading.has_capitals and reading.is_name(found.first) and len(stems) > 1:
        return True
    if numeric or spelled:
        beside = asked or _stands_by(found, latest, catalog)
        return beside or (numeric and _is_named(reading, found))
    if values.profile.kind == "text" and not values.is_list:
        return asked or _is_title(reading, found)
    plain = all(one in COMMON or len(one) < 2 for one in stems)
    if _is_lower_case_name(reading, found):
        if asked and len(reading.words) <= SHORT_ANSWER:
            return True
        if reading.has_capitals:
            return False
        beside = found.last > found.first or _stands_by(found, latest, catalog)
        return beside or _is_named(reading, found)
    if plain:
        beside = _stands_by(found, latest, catalog)
        return asked or beside or (_cue(reading, found.first, found.column) >= 0.5)
    return True


def _is_named(reading: Reading, found: ValueMention) -> bool:
    """Return whether the column's name stands right before the value: `model 300`."""
    return any(
        one.column == found.column and one.strength >= 0.8 and 0 < found.first - one.last <= 3
        for one in reading.named_near(found.first)
    )


def _is_title(reading: Reading, found: ValueMention) -> bool:
    """Return whether a name of many is written as a name, and long enough to be no accident."""
    said = reading.text[reading.words[found.first].start : reading.words[found.last].end]
    words = reading.words[found.first : found.last + 1]
    capital = all(one.text[0].isupper() or not one.text[0].isalpha() for one in words)
    named = _cue(reading, found.first, found.column) >= 0.5
    return said == found.best.value and capital and (len(words) >= 2 or named)


def _is_lower_case_name(reading: Reading, found: ValueMention) -> bool:
    """Return whether words written small are one of very many names."""
    many = reading.index.columns[found.column].names > 200
    small = reading.words[found.first].text.islower() and found.best.value[0].isupper()
    return many and small


def _is_written_as(reading: Reading, found: ValueMention) -> bool:
    """Return whether a misspelled name is written as a name, or is the whole answer."""
    asked = reading.asked.get(found.column, 0.0) >= 0.5 and len(reading.words) <= SHORT_ANSWER
    beside = found.last > found.first
    return asked or beside or not _is_lower_case_name(reading, found)


def _stands_by(found: ValueMention, latest: ValueMention | None, catalog: Catalog) -> bool:
    """Return whether a value of another column stands right before, and rows have both."""
    if latest is None or latest.column == found.column or found.first - latest.last > 2:
        return False
    both = [_predicate(catalog, latest.best), _predicate(catalog, found.best)]
    return bool(catalog.count(both))


def _predicate(catalog: Catalog, entry: Entry) -> Predicate:
    return catalog.bind(Constraint(column=entry.column, op=entry.op, value=entry.value))


def _phrases(reading: Reading, catalog: Catalog) -> Iterator[ValueMention]:
    """Yield mentions by a part of a value: `pickup` of `Crew Cab Pickup`."""
    latest: ValueMention | None = None
    for first, last in _runs(reading):
        if any(one in reading.taken for one in (first, last)):
            continue
        found = _phrase_at(reading, first, last)
        if found is not None:
            reading.taken.update(range(first, last + 1))
            if latest is not None and _is_one_phrase(reading, latest, found):
                latest = _combined(latest, found)
                continue
            if latest is not None:
                yield latest
            latest = found
    if latest is not None:
        yield latest


def _is_one_phrase(reading: Reading, one: ValueMention, other: ValueMention) -> bool:
    """Return whether two parts stand side by side and mean one value between them."""
    beside = other.first == one.last + 1 and not reading.gap(other.first).strip()
    return beside and one.column == other.column


def _combined(one: ValueMention, other: ValueMention) -> ValueMention:
    scores = {entry.value: (entry, score) for entry, score in one.ranked}
    for entry, score in other.ranked:
        known = scores.get(entry.value)
        both = min(0.9, score + known[1] - 0.4) if known else score
        scores[entry.value] = (entry, both)
    ranked = sorted(scores.values(), key=lambda held: -held[1])
    return ValueMention(one.first, other.last, one.column, tuple(ranked))


def _phrase_at(reading: Reading, first: int, last: int) -> ValueMention | None:
    key = "".join(reading.stems[first : last + 1])
    entries = reading.index.phrases.get(key, ())
    if not entries or not _may_join(reading, first, last):
        return None
    scored = [
        (one, 0.4 + 0.45 * one.covered)
        for one in entries[:MAX_CANDIDATES]
        if _tells_enough(reading, first, last, one)
    ]
    found = _choose(reading, first, last, scored) if scored else None
    return None if found is None or _is_bare_noun(reading, found) else found


def _is_bare_noun(reading: Reading, found: ValueMention) -> bool:
    """Return whether an ordinary noun merely ends one value's name: `plant`, `snake plant`."""
    alone = found.first == found.last and len(found.ranked) == 1 and found.best.ends
    if not alone or len(reading.words) <= SHORT_ANSWER:
        return False
    named = reading.is_name(found.first) or _cue(reading, found.first, found.column) >= 0.4
    before = reading.words[found.first - 1].folded if found.first else ""
    return not named and before not in ("or", "and", "nor", "not", "no", "any", "either")


def _tells_enough(reading: Reading, first: int, last: int, entry: Entry) -> bool:
    """Return whether part of a value stands for it: by itself, or because the column is named."""
    stems = reading.stems[first : last + 1]
    own = [
        one
        for one in stems
        if one not in COMMON and len(one) > 2 and not _names(reading, one, entry.column)
    ]
    if not own:
        return False
    if last > first or _cue(reading, first, entry.column) >= 0.4:
        return True
    return entry.ends or reading.is_name(first) or entry.covered >= 0.5


def _names(reading: Reading, stem: str, column: str) -> bool:
    """Return whether a word names the column itself, and so none of its values."""
    if stem in reading.index.columns[column].name_stems:
        return True
    return any(one == column for one, _ in reading.index.column_phrases.get((stem,), ()))


def _corrected(reading: Reading, catalog: Catalog) -> Iterator[ValueMention]:
    """Yield mentions of misspelled values, judged by the catalog's own words."""
    tried = 0
    for place, word in enumerate(reading.stems):
        if place in reading.taken or not _looks_misspelled(reading, place):
            continue
        tried += 1
        if tried > MAX_CORRECTED:
            return
        found = _correct(reading, place, word)
        if found is not None:
            reading.taken.update(range(found.first, found.last + 1))
            yield found


def _looks_misspelled(reading: Reading, place: int) -> bool:
    word = reading.stems[place]
    if len(word) < 4 or not word.isalpha() or word in COMMON or word in reading.index.vocabulary:
        return False
    if len(word) > 30 or any(one.first <= place <= one.last for one in reading.named_near(place)):
        return False
    asked = any(strength >= 0.5 for strength in reading.asked.values())
    capital = reading.words[place].text[0].isupper() and place > 0
    return len(word) >= 6 or asked or (capital and len(word) >= 5)


def _correct(reading: Reading, place: int, word: str) -> ValueMention | None:
    most = 2 if len(word) >= 8 else 1
    for known in list(similar_words(reading.index, word, most))[:4]:
        stems = reading.stems
        kept, stems[place] = stems[place], known
        found = _widest(reading, place)
        stems[place] = kept
        if found is not None:
            lowered = tuple((one, score * 0.85) for one, score in found.ranked)
            return replace(found, ranked=lowered)
    return None


def _widest(reading: Reading, place: int) -> ValueMention | None:
    """Return the mention of the longest value around a corrected word."""
    for length in range(4, 0, -1):
        for first in range(max(0, place - length + 1), place + 1):
            last = first + length - 1
            if last >= len(reading.words) or any(
                one in reading.taken for one in range(first, last + 1)
            ):
                continue
            key = "".join(reading.stems[first : last + 1])
            if entries := reading.index.whole.get(key):
                scored = [(one, 0.9) for one in entries[:MAX_CANDIDATES]]
                found = _choose(reading, first, last, scored)
                return found if found and _is_written_as(reading, found) else None
    return None
