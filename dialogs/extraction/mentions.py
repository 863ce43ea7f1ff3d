"""Mentions: words that may mean something of a catalog, each with its options; none is decided.

Every run of words is looked up in the index, every number, date and gradable word is put to every
column that could hold it. Mentions may overlap. Work is linear in the text and in the columns.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime
from itertools import groupby, islice

from ...catalogs.query.constraint import Scalar
from ...catalogs.query.schema import ColumnProfile
from ..language.numbers import ONES
from ..language.units import CURRENCY_SIGNS, HUNDREDTHS
from .clocks import DAY, DAYTIMES, Clock, find_clocks, part_of_day
from .column_amounts import fitted
from .dates import Day, find_days
from .denials import is_of_what_is_not
from .grade_mentions import bounds_number, find_grades
from .mention import How, Mention, Option
from .quantities import find_quantities
from .quantity import Quantity
from .reading import TELLING, Naming, Reading, nearest
from .value_index import MAX_ENTRIES, MAX_WORDS, Entry, longer_words, similar_words
from .week_days import days_of

MAX_MENTIONS = 200
"""Mentions of one message that are looked at; nobody states more."""

MAX_OPTIONS = 24
_NO = frozenset("no without zero nil".split())
_NONE = frozenset("direct nonstop non free gratis no without".split())
"""Words before a column's name, and in it, that say that nothing of it is there."""

_FREE = re.compile(r"\w[\s-]free$", re.IGNORECASE)
"""How a value ends that something is not in."""

_HOUR = re.compile(r"\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b", re.IGNORECASE)
"""A number that is a time of day, and no other where a catalog has times."""

_GREETING = re.compile(
    r"\W*(?:(?:hello|hi|hey)\W+)?good\s+(?:day|morning|afternoon|evening)\b", re.IGNORECASE
)
"""How a message greets, which names no condition and no time."""

_OFFERABLE = ("whole", "part", "phrase", "initials")
_NUMERALS = {word: str(n) for word, n in ONES.items()} | {str(n): word for word, n in ONES.items()}
"""Numbers in words and in digits: `4 season` is `four-season`, too."""

MAX_TOGETHER = 8
"""Values that a word in front of another stands for together: `used - good`, `used - fair`."""

RARE = 0.8
"""How rare words of a kind of thing are at least: `guitar`, neither `big` nor `red`."""

_PARTS_BY_LETTER = {
    letter: sorted(word for word in DAYTIMES if word[0] == letter) for letter in "maed"
}

NO_SLIPS = DAYTIMES | HUNDREDTHS
"""Words that are no other word of a catalog: no `Morningside` is a morning."""

MAX_CORRECTED = 200
"""Words of one message that are compared with the catalog's spelling."""


def find_mentions(reading: Reading) -> list[Mention]:
    """Return all mentions of a message, in order of their first words."""
    if not reading.words:
        return []
    finders = (_values, _clocks, _numbers, _days, _namings, find_grades, _answers)
    greeting = _GREETING.match(reading.text)
    start = greeting.end() if greeting else 0
    found = [
        mention
        for finder in finders
        for mention in finder(reading)
        if mention.options and not (mention.has_words and reading.words[mention.last].end <= start)
    ]
    kept = sorted(found, key=lambda mention: (mention.first, -mention.last))[:MAX_MENTIONS]
    return list(_outermost(reading, kept))


def _outermost(reading: Reading, mentions: list[Mention]) -> Iterator[Mention]:
    """Yield mentions in order, without values of a column that a longer value's words hold."""
    around: list[Mention] = []
    for mention in mentions:
        around = [other for other in around if other.last >= mention.first]
        holding = [other for other in around if _holds(other, mention)]
        options = mention.options
        if mention.kind == "value":
            held = {option.column for other in holding for option in other.options}
            options = tuple(option for option in options if option.column not in held)
            around.append(mention)
        if options:
            inside = any(not _adds_nothing(reading, other, mention) for other in holding)
            yield replace(mention, options=options[:MAX_OPTIONS], inside=inside)


def _holds(longer: Mention, mention: Mention) -> bool:
    more = longer.last - longer.first > mention.last - mention.first
    return more and longer.first <= mention.first and mention.last <= longer.last


def _adds_nothing(reading: Reading, longer: Mention, mention: Mention) -> bool:
    """Return whether a piece of titles holds a whole value and common words: `a private room`."""
    whole = any(option.how in ("whole", "part") for option in mention.options)
    piece = all(option.how in ("phrase", "together") for option in longer.options)
    around = (*range(longer.first, mention.first), *range(mention.last + 1, longer.last + 1))
    return whole and piece and all(reading.rarities[at] <= TELLING for at in around)


def _values(reading: Reading) -> Iterator[Mention]:
    entries, stems = reading.index.entries, reading.stems
    for first in range(len(stems)):
        key = ""
        for last in range(first, min(first + MAX_WORDS, len(stems))):
            key += stems[last]
            found = entries.get(key)
            if found is None and last == first + 1:
                numeral = _NUMERALS.get(stems[first], stems[first])
                found = entries.get(numeral + stems[last])
                found = found or entries.get(_abbreviated(stems[first], stems[last]))
            if found is None and 1 < last - first < 4 and reading.may_be_initials(first, last):
                initials = entries.get("".join(stem[0] for stem in stems[first : last + 1]), ())
                found = [entry for entry in initials if entry.value.isupper()]
            if found and len(key) == 2 and reading.is_common(first):
                found = [entry for entry in found if entry.match != "phrase"]
            if found and reading.joins(first, last) and not bounds_number(reading, first, last):
                rare = min(reading.rarities[first : last + 1]) > RARE
                kinds = rare and not _is_of_time(reading, first, last)
                options = _options(reading, found, kinds=kinds)
                options = (_denied(reading, o, first, last) for o in options)
                yield Mention(first, last, "value", tuple(options))
    yield from _placeholders(reading)
    yield from _absent(reading)
    yield from _misspelled(reading)


def _is_of_time(reading: Reading, first: int, last: int) -> bool:
    """Return whether words are days of the week or parts of the day: `weekend`, `evenings`."""
    words = reading.folded[first : last + 1]
    parts = {*words, *reading.stems[first : last + 1]}
    return bool(days_of(" ".join(words))) or not DAYTIMES.isdisjoint(parts)


def _denied(reading: Reading, option: Option, first: int, last: int) -> Option:
    """Return an option marked where words name what its values are free of: `nuts`, `nut-free`.

    Of columns of kinds alone: a film's name may end so, too. Also where a column denies what it
    lists: `closed on`.
    """
    near, column = reading.around(first, last), option.column
    if column not in reading.asked_about and is_of_what_is_not(near, column):
        option = replace(option, contrary=True)
    kind = reading.index.columns[option.column].profile.kind
    free = kind in ("list", "categorical") and all(
        isinstance(value, str) and _FREE.search(value) for value in option.values
    )
    said = reading.folded[first : last + 2]
    return replace(option, free_of=True) if free and "free" not in said else option


def _abbreviated(number: str, noun: str) -> str:
    """Return the beginning of `4dr SUV` for `four-door`: a number and a word's ends."""
    digits = str(ONES.get(number, number))
    return f"{digits}{noun[0]}{noun[-1]}" if digits.isdigit() and len(noun) > 2 else ""


def _options(
    reading: Reading, entries: Iterable[Entry], *, kinds: bool = False
) -> Iterator[Option]:
    """Yield the options of one key, by column: a whole value, else the likeliest by a part.

    `kinds`: what several titles begin with may be a kind of thing: `guitar`, but no `big`.
    """
    ordered = sorted(entries, key=lambda entry: entry.column)
    kinds &= all(entry.match not in ("whole", "part") for entry in ordered)
    for column, group in groupby(ordered, key=lambda entry: entry.column):
        ranks = reading.index.columns[column].ranks
        ranked = sorted(
            group, key=lambda e: (e.match == "phrase", -e.covered, ranks.get(e.value, 0))
        )
        best = [entry for entry in ranked if entry.match == ranked[0].match][:MAX_ENTRIES]
        values = tuple(entry.value for entry in best)
        first = best[0]
        close = sum(entry.covered == first.covered for entry in best) - 1
        heads = tuple(entry.value for entry in best if entry.ends)
        several = first.match == "phrase" and 1 < len(best) < MAX_ENTRIES
        few = 2 * len(best) <= reading.index.columns[column].names
        if kinds and several and few and all(entry.leads for entry in best):
            # As surely as an entry of a list.
            yield Option(column, "together", values, rivals=len(values), leads=True)
            continue
        if not several or len(heads) < len(best):
            yield Option(column, first.match, values, first.covered, first.ends, close)
        if several and (len(heads) == len(best) or len(best) <= MAX_TOGETHER):
            # A word that several values share, `SUV`, means none of them more than the others.
            shared = heads if len(heads) > 1 else values
            yield Option(column, "together", shared, first.covered, bool(heads), len(shared))


def _placeholders(reading: Reading) -> Iterator[Mention]:
    if reading.index.placeholders:
        for first in range(len(reading.words)):
            for last in range(first, min(first + 2, len(reading.words))):
                key = "".join(reading.stems[first : last + 1])
                entries = reading.index.placeholders.get(key, ())
                options = (Option(entry.column, "placeholder", (entry.value,)) for entry in entries)
                yield Mention(first, last, "value", tuple(options))


def _absent(reading: Reading) -> Iterator[Mention]:
    """Yield what says that nothing of a column is there: `no setup fee`, `direct`."""
    index, words = reading.index, reading.folded
    nothing = {
        entry.column: entry.value for found in index.placeholders.values() for entry in found
    }
    for naming in (naming for namings in reading.namings.values() for naming in namings):
        led = naming.first > 0 and _denies_all(reading, naming)
        if led or words[naming.first] in _NONE:
            first, last, column = naming.first - led, naming.last, naming.column
            profile = index.numeric.get(column)
            if profile is not None and profile.minimum == 0:
                zero = Quantity(first, last, 0.0, spelled=True)
                option = Option(column, "number", (0,), naming.strength)
                yield Mention(first, last, "number", (option,), zero)
            elif column in nothing:
                option = Option(column, "placeholder", (nothing[column],), naming.strength)
                yield Mention(first, last, "value", (option,))


def _denies_all(reading: Reading, naming: Naming) -> bool:
    """Return whether the word before a column's name says that there is nothing of it.

    So does a `not` where it is all of a clause: `not home office`, but no `not closed on Monday`.
    """
    denial, here = reading.folded[naming.first - 1], reading.clause_of
    whole = here[naming.first - 1 : naming.first] != here[naming.first - 2 : naming.first - 1]
    ends = here[naming.last : naming.last + 1] != here[naming.last + 1 : naming.last + 2]
    counted = naming.column in reading.index.numeric  # `cheap rent, not deposit`
    return denial in _NO or (denial == "not" and whole and ends and not counted)


def _misspelled(reading: Reading) -> Iterator[Mention]:
    """Yield mentions of misspelled values, judged by the catalog's own words."""
    stems = list(reading.stems)
    corrected = dict(islice(_corrections(reading), MAX_CORRECTED))
    for place, close in corrected.items():
        stems[place] = close[0]
    for place, close in corrected.items():
        for known in close:
            stems[place] = known
            if widest := _widest(reading, stems, place):
                yield widest
                break
        stems[place] = close[0]


def _corrections(reading: Reading) -> Iterator[tuple[int, list[str]]]:
    """Yield the words that may be misspelled with the catalog's words that they may be."""
    for place, word in enumerate(reading.stems):
        may_be_odd = 3 < len(word) <= 30 and word.isalpha() and word not in NO_SLIPS
        if may_be_odd and not reading.is_known(place):
            close = longer_words(reading.index, word)
            if not close and reading.may_be_slip(place):
                close = similar_words(reading.index, word, 2 if len(word) >= 8 else 1)
            if close:
                yield place, close


def _widest(reading: Reading, stems: list[str], place: int) -> Mention | None:
    """Return the mention of the longest value around a corrected word."""
    for length in range(4, 0, -1):
        for first in range(max(0, place - length + 1), place + 1):
            last = first + length - 1
            entries = reading.index.entries.get("".join(stems[first : last + 1]))
            if last < len(stems) and entries and reading.joins(first, last):
                options = tuple(
                    replace(option, how="fuzzy")
                    for option in _options(reading, entries)
                    if option.how in ("whole", "part") or len(stems[place]) > 5
                )
                if options:
                    return Mention(first, last, "value", options)
    return None


def _clocks(reading: Reading) -> Iterator[Mention]:
    if reading.index.clocks:
        for clock in (*find_clocks(reading.text), *_parts_misspelled(reading)):
            first, last = _words_of(reading, clock.start, clock.end)
            options = [
                Option(column, "clock", tuple(map(_hours, ends)), _held(ends, times) * weight)
                for column, times in reading.index.clocks.items()
                for ends in clock.minutes
                for weight in [0.7 if clock.bare else 1.0]
            ]
            ranked = sorted(options, key=lambda option: -option.fit)
            yield Mention(first, last, "date", tuple(ranked))


def _parts_misspelled(reading: Reading) -> Iterator[Clock]:
    """Yield parts of the day that words are slips of the finger from: `evning`."""
    for at, word in enumerate(reading.words):
        may_be = len(word.folded) > 4 and not reading.is_known(at) and reading.may_be_slip(at)
        if may_be and (part := nearest(word.folded, _PARTS_BY_LETTER)):
            yield part_of_day(part, word.start, word.end)


def _hours(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _held(ends: tuple[int, int], times: dict[int, str]) -> float:
    """Return 1 for a time within what a column holds, less for one outside."""
    first, last = ends
    held = (max(times) >= first + day and min(times) <= last + day for day in (0, DAY))
    return 1.0 if any(held) else 0.3


def _words_of(reading: Reading, start: int, end: int) -> tuple[int, int]:
    """Return the first and last word that lie between two characters."""
    first = bisect_right(reading.words, start, key=lambda word: word.end)
    last = bisect_left(reading.words, end, key=lambda word: word.start) - 1
    return (first, last) if first <= last else (0, -1)


def _numbers(reading: Reading) -> Iterator[Mention]:
    for quantity in find_quantities(reading):
        sign = reading.gap(quantity.first).rstrip()[-1:]
        is_money = bool(sign) and sign in CURRENCY_SIGNS
        start = reading.words[quantity.first].start
        if reading.index.clocks and not is_money and _HOUR.match(reading.text, start):
            continue
        how: How = "number" if quantity.high is None else "range"
        options = [
            Option(name, how, *found)
            for name, profile in reading.index.numeric.items()
            if (found := fitted(quantity, profile, reading.today))
        ]
        ranked = sorted(options, key=lambda option: -option.fit)
        yield Mention(quantity.first, quantity.last, "number", tuple(ranked), quantity)


def _days(reading: Reading) -> Iterator[Mention]:
    if reading.index.dates:
        for day in find_days(reading.text, reading.today):
            first, last = _words_of(reading, day.start, day.end)
            options = tuple(_day_option(day, profile) for profile in reading.index.dates.values())
            yield Mention(first, last, "date", options, day=day)


def _day_option(day: Day, profile: ColumnProfile) -> Option:
    """Return a day, or the first and last of some with the one that bounds count from."""
    low, high = day_of(profile.minimum), day_of(profile.maximum)
    if low is None or high is None:
        return Option(profile.name, "date", (day.first.isoformat(), day.last.isoformat()), 0.0)
    near = day.near(low, high)
    ends = [near.first, near.last, *([near.point] if near.point else [])]
    inside = near.last >= low and near.first <= high
    how: How = "range" if day.kind == "range" else "date"
    return Option(profile.name, how, tuple(end.isoformat() for end in ends), 1.0 if inside else 0.4)


def day_of(value: object) -> date | None:
    """Return the day of a date or timestamp."""
    return (
        value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None
    )


def _namings(reading: Reading) -> Iterator[Mention]:
    """Yield namings of columns: a yes-no column may be wished for, any other be there or waived."""
    every = [naming for namings in reading.namings.values() for naming in namings]
    every.sort(key=lambda naming: (naming.first, -naming.strength))
    for (first, last), group in groupby(every, key=lambda naming: (naming.first, naming.last)):
        options = tuple(
            Option(naming.column, "flag", (), naming.strength, contrary=reading.denies(naming))
            if naming.column in reading.index.yes_no
            else Option(naming.column, "name", (), naming.strength)
            for naming in group
        )
        yield Mention(first, last, "name", options)


def odd_runs(reading: Reading) -> list[tuple[int, int]]:
    """Return first and last word of each run of words that are rare or written as a name."""
    return reading.runs({at for at in range(len(reading.words)) if _is_odd(reading, at)})


def _is_odd(reading: Reading, at: int) -> bool:
    """Return whether a word is rare or written as a name, and names no column."""
    word = reading.words[at].text
    plain = at in reading.naming_words or word[0].isdigit() or len(word) < 2
    return not plain and (reading.is_name(at) or reading.rarities[at] > 0.85)


def _answers(reading: Reading) -> Iterator[Mention]:
    """Yield what an answer as a whole may say: yes to a column, no matter, a value offered."""
    offered = _offered(reading)
    about = dict.fromkeys(offered, 0.5) | reading.asked_about
    options = tuple(Option(column, "answer", (), strength) for column, strength in about.items())
    yield Mention(0, -1, "answer", options)
    for column, values in offered.items():
        last = len(values) - 1
        options = [
            Option(column, "offered", (value,), 1 / (1 + at), at == last, last)
            for at, value in enumerate(values)
        ]
        if last:
            options.append(Option(column, "all offered", tuple(values), 1.0, True, last))
        yield Mention(0, -1, "offer", tuple(options))


def _offered(reading: Reading) -> dict[str, list[Scalar]]:
    """Return the values that the question before a message names, by column, in their order."""
    offered: dict[str, list[Scalar]] = {}
    if reading.question:
        asking = reading.asking
        found = sorted(_values(asking), key=lambda mention: (mention.first, -mention.last))
        for mention in _outermost(asking, found[:MAX_MENTIONS]):
            for option in mention.options:
                values = offered.setdefault(option.column, [])
                if option.how in _OFFERABLE and option.values[0] not in values:
                    values.append(option.values[0])
    return {column: values[:MAX_OPTIONS] for column, values in offered.items() if values}
