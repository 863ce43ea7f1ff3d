"""Find where a text names values of a catalog: the longest first, then parts, then misspellings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.predicate import Predicate
from ...catalogs.versions.reader import CatalogReader
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


def find_values(reading: Reading, catalog: CatalogReader) -> list[ValueMention]:
    """Return the values that a text names, in order, and mark their words as taken."""
    mentions: list[ValueMention] = []
    for finder in (_whole, _phrases, _corrected):
        mentions.extend(islice(finder(reading, catalog), MAX_MENTIONS))
        mentions.sort(key=lambda mention: mention.first)
    return mentions


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


def _whole(reading: Reading, catalog: CatalogReader) -> Iterator[ValueMention]:
    latest: ValueMention | None = None
    for first, last in _runs(reading):
        if any(word in reading.taken for word in (first, last)):
            continue
        entries = _entries_of(reading, first, last)
        ranked = [
            (entry, score) for entry in entries if (score := _score(reading, first, last, entry))
        ]
        if not ranked:
            continue
        mention = _choose(reading, first, last, ranked)
        if mention is None or not _is_meant(reading, catalog, mention, latest):
            continue
        reading.taken.update(range(first, last + 1))
        latest = mention
        yield mention


def _entries_of(reading: Reading, first: int, last: int) -> list[Entry]:
    whole = reading.index.whole
    entries = whole.get("".join(reading.stems[first : last + 1]), [])
    if entries and not _may_join(reading, first, last):
        entries = []
    if not entries and first < last:
        entries = whole.get(_abbreviated(reading, first, last), [])
    candidates = entries[:MAX_CANDIDATES]
    if first == last:
        candidates.extend(reading.index.initials.get(reading.words[first].folded, ()))
    return candidates


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
        if len(gap) > 3 or (any(mark in gap for mark in ",;.!?\n") and gap.strip() != ","):
            return False
    return not (
        first < last
        and len(reading.stems[first]) == 1
        and reading.stems[first] in "ai"
        and reading.gap(first + 1).isspace()
    )


def _score(reading: Reading, first: int, last: int, entry: Entry) -> float:
    written = reading.text[reading.words[first].start : reading.words[last].end]
    if entry.match == "initials":
        return 0.85 if written.isupper() or any(map(str.isdigit, written)) else 0.75
    exact = written == entry.value
    if entry.match == "part" and first == last and written.islower() and not entry.value.islower():
        return 0.6 + 0.3 * _cue(reading, first, entry.column)
    base = 0.97 if exact else 0.95 if written.casefold() == entry.value.casefold() else 0.92
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
        key=lambda pair: (-pair[1], -pair[0].covered, ranks.get(pair[0].value, 0)),
    )
    lifted = [
        (entry, min(1.0, score + 0.05 * _cue(reading, first, column))) for entry, score in ranked
    ]
    return ValueMention(first, last, column, tuple(lifted))


def _cue(reading: Reading, word: int, column: str) -> float:
    """Return how clearly the column is named nearby or was asked about, in [0, 1]."""
    named = [
        naming.strength / (1 + 0.1 * abs(naming.first - word))
        for naming in reading.named_near(word)
        if naming.column == column
    ]
    return max([reading.asked_about.get(column, 0.0), *named])


def _is_meant(
    reading: Reading, catalog: CatalogReader, mention: ValueMention, latest: ValueMention | None
) -> bool:
    """Return whether the words are this value and not ordinary English or a number."""
    stems = reading.stems[mention.first : mention.last + 1]
    values = reading.index.columns[mention.column]
    is_asked = reading.asked_about.get(mention.column, 0.0) >= 0.5
    numeric = all(stem[0].isdigit() and stem.replace(".", "").isdigit() for stem in stems)
    spelled = all(stem in ONES or stem in TENS or stem == "hundred" for stem in stems)
    if spelled and reading.has_capitals and reading.is_name(mention.first) and len(stems) > 1:
        return True
    if numeric or spelled:
        beside = is_asked or _stands_by(mention, latest, catalog)
        return beside or (numeric and _is_named(reading, mention))
    if values.profile.kind == "text" and not values.is_list:
        return is_asked or _is_title(reading, mention)
    plain = all(stem in COMMON or len(stem) < 2 for stem in stems)
    if _is_lower_case_name(reading, mention):
        if is_asked and len(reading.words) <= SHORT_ANSWER:
            return True
        if reading.has_capitals:
            return False
        beside = mention.last > mention.first or _stands_by(mention, latest, catalog)
        return beside or _is_named(reading, mention)
    if plain:
        beside = _stands_by(mention, latest, catalog)
        return is_asked or beside or (_cue(reading, mention.first, mention.column) >= 0.5)
    return True


def _is_named(reading: Reading, mention: ValueMention) -> bool:
    """Return whether the column's name stands right before the value: `model 300`."""
    return any(
        naming.column == mention.column
        and naming.strength >= 0.8
        and 0 < mention.first - naming.last <= 3
        for naming in reading.named_near(mention.first)
    )


def _is_title(reading: Reading, mention: ValueMention) -> bool:
    """Return whether a name of many is written as a name, and long enough to be no accident."""
    written = reading.text[reading.words[mention.first].start : reading.words[mention.last].end]
    words = reading.words[mention.first : mention.last + 1]
    capital = all(token.text[0].isupper() or not token.text[0].isalpha() for token in words)
    named = _cue(reading, mention.first, mention.column) >= 0.5
    return written == mention.best.value and capital and (len(words) >= 2 or named)


def _is_lower_case_name(reading: Reading, mention: ValueMention) -> bool:
    """Return whether words written small are one of very many names."""
    many = reading.index.columns[mention.column].names > 200
    small = reading.words[mention.first].text.islower() and mention.best.value[0].isupper()
    return many and small


def _is_written_as(reading: Reading, mention: ValueMention) -> bool:
    """Return whether a misspelled name is written as a name, or is the whole answer."""
    is_asked = (
        reading.asked_about.get(mention.column, 0.0) >= 0.5 and len(reading.words) <= SHORT_ANSWER
    )
    beside = mention.last > mention.first
    return is_asked or beside or not _is_lower_case_name(reading, mention)


def _stands_by(mention: ValueMention, latest: ValueMention | None, catalog: CatalogReader) -> bool:
    """Return whether a value of another column stands right before, and rows have both."""
    if latest is None or latest.column == mention.column or mention.first - latest.last > 2:
        return False
    both = [_predicate(catalog, latest.best), _predicate(catalog, mention.best)]
    return bool(catalog.count(both))


def _predicate(catalog: CatalogReader, entry: Entry) -> Predicate:
    return catalog.bind(Constraint(column=entry.column, op=entry.op, value=entry.value))


def _phrases(reading: Reading, catalog: CatalogReader) -> Iterator[ValueMention]:
    """Yield mentions by a part of a value: `pickup` of `Crew Cab Pickup`."""
    latest: ValueMention | None = None
    for first, last in _runs(reading):
        if any(word in reading.taken for word in (first, last)):
            continue
        mention = _phrase_at(reading, first, last)
        if mention is not None:
            reading.taken.update(range(first, last + 1))
            if latest is not None and _is_one_phrase(reading, latest, mention):
                latest = _combined(latest, mention)
                continue
            if latest is not None:
                yield latest
            latest = mention
    if latest is not None:
        yield latest


def _is_one_phrase(reading: Reading, mention: ValueMention, other: ValueMention) -> bool:
    """Return whether two parts stand side by side and mean one value between them."""
    beside = other.first == mention.last + 1 and not reading.gap(other.first).strip()
    return beside and mention.column == other.column


def _combined(mention: ValueMention, other: ValueMention) -> ValueMention:
    scores = {entry.value: (entry, score) for entry, score in mention.ranked}
    for entry, score in other.ranked:
        known = scores.get(entry.value)
        both = min(0.9, score + known[1] - 0.4) if known else score
        scores[entry.value] = (entry, both)
    ranked = sorted(scores.values(), key=lambda pair: -pair[1])
    return ValueMention(mention.first, other.last, mention.column, tuple(ranked))


def _phrase_at(reading: Reading, first: int, last: int) -> ValueMention | None:
    key = "".join(reading.stems[first : last + 1])
    entries = reading.index.phrases.get(key, ())
    if not entries or not _may_join(reading, first, last):
        return None
    scored = [
        (entry, 0.4 + 0.45 * entry.covered)
        for entry in entries[:MAX_CANDIDATES]
        if _tells_enough(reading, first, last, entry)
    ]
    mention = _choose(reading, first, last, scored) if scored else None
    return None if mention is None or _is_bare_noun(reading, mention) else mention


def _is_bare_noun(reading: Reading, mention: ValueMention) -> bool:
    """Return whether an ordinary noun merely ends one value's name: `plant`, `snake plant`."""
    alone = mention.first == mention.last and len(mention.ranked) == 1 and mention.best.ends
    if not alone or len(reading.words) <= SHORT_ANSWER:
        return False
    named = reading.is_name(mention.first) or _cue(reading, mention.first, mention.column) >= 0.4
    before = reading.words[mention.first - 1].folded if mention.first else ""
    return not named and before not in ("or", "and", "nor", "not", "no", "any", "either")


def _tells_enough(reading: Reading, first: int, last: int, entry: Entry) -> bool:
    """Return whether part of a value stands for it: by itself, or because the column is named."""
    stems = reading.stems[first : last + 1]
    own = [
        stem
        for stem in stems
        if stem not in COMMON and len(stem) > 2 and not _names(reading, stem, entry.column)
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
    return any(named == column for named, _ in reading.index.column_phrases.get((stem,), ()))


def _corrected(reading: Reading, catalog: CatalogReader) -> Iterator[ValueMention]:
    """Yield mentions of misspelled values, judged by the catalog's own words."""
    tried = 0
    for place, word in enumerate(reading.stems):
        if place in reading.taken or not _looks_misspelled(reading, place):
            continue
        tried += 1
        if tried > MAX_CORRECTED:
            return
        mention = _correct(reading, place, word)
        if mention is not None:
            reading.taken.update(range(mention.first, mention.last + 1))
            yield mention


def _looks_misspelled(reading: Reading, place: int) -> bool:
    word = reading.stems[place]
    if len(word) < 4 or not word.isalpha() or word in COMMON or word in reading.index.vocabulary:
        return False
    if len(word) > 30 or any(
        naming.first <= place <= naming.last for naming in reading.named_near(place)
    ):
        return False
    is_asked = any(strength >= 0.5 for strength in reading.asked_about.values())
    capital = reading.words[place].text[0].isupper() and place > 0
    return len(word) >= 6 or is_asked or (capital and len(word) >= 5)


def _correct(reading: Reading, place: int, word: str) -> ValueMention | None:
    most = 2 if len(word) >= 8 else 1
    for known in list(similar_words(reading.index, word, most))[:4]:
        stems = reading.stems
        original, stems[place] = stems[place], known
        mention = _widest(reading, place)
        stems[place] = original
        if mention is not None:
            lowered = tuple((entry, score * 0.85) for entry, score in mention.ranked)
            return replace(mention, ranked=lowered)
    return None


def _widest(reading: Reading, place: int) -> ValueMention | None:
    """Return the mention of the longest value around a corrected word."""
    for length in range(4, 0, -1):
        for first in range(max(0, place - length + 1), place + 1):
            last = first + length - 1
            if last >= len(reading.words) or any(
                word in reading.taken for word in range(first, last + 1)
            ):
                continue
            key = "".join(reading.stems[first : last + 1])
            if entries := reading.index.whole.get(key):
                scored = [(entry, 0.9) for entry in entries[:MAX_CANDIDATES]]
                mention = _choose(reading, first, last, scored)
                return mention if mention and _is_written_as(reading, mention) else None
    return None
