"""Parts of the day and bare hours that are meant: `an evening one`, `daytime only`, `after 6`.

What the words right around a part of the day say of it decides: who refuses it, or whose words
before it wish, grade or name something of the catalog, means it of the one column that holds times.
"""

from __future__ import annotations

from dataclasses import replace

from .clocks import DAYTIMES
from .group_sizes import LIKELY
from .judged import Judged, Weighed
from .mention import Mention, Option
from .number_lists import BOUNDS, cues_beside
from .plain_bounds import is_part_of_day, is_refused, side_of_refused_part
from .reading import TELLING, Reading

_SMALL = frozenset(
    "a an the in on at of during some any just only really ideally preferably mainly mostly "
    "maybe either or and but nor to be is it's its it one ones would should must has have do "
    "still also early late mid later i'd we'd she'd he'd prefer like love want wants need needs "
    "looking for something anything start starts starting begin begins from between please pls "
    "plz can could do make come go i we you free available best".split()
)
"""Words before a part of the day that say nothing else than that it is wished."""

_BEFORE = _SMALL | DAYTIMES

_NOUNS = frozenset("one ones class classes slot slots start starts session sessions time".split())
"""Words behind a part of the day that are of no other thing."""

_HOURS = frozenset("after before from until till by past".split())
"""Words right before a bare number that is an hour."""


def as_time_of_day(reading: Reading, item: Weighed) -> Weighed:
    """Return a part of the day, or a bare hour behind `after`, as likely meant where it is."""
    if len(reading.index.clocks) != 1 or not item.mention.options:
        return item
    option = item.mention.options[0]
    if option.how != "clock":
        return item
    is_part = is_part_of_day(reading, item.mention, option)
    refused = is_part and is_refused(reading, item.mention)
    told = _is_wished(reading, item.mention) if is_part else _is_hour(reading, item)
    if refused or (told and option.fit >= _BARE):
        logits = item.logits.copy()
        logits[0] = max(logits[0], LIKELY)
        return replace(item, logits=logits)
    return item


def side_of_day_part(reading: Reading, mention: Mention, option: Option, side: str) -> str:
    """Return the side of a part of the day: before it, after it or not in it by words alone."""
    if is_refused(reading, mention):
        return side_of_refused_part(option)
    bounded = not BOUNDS.isdisjoint(cues_beside(reading, mention.first, mention.last))
    return side if bounded or side == "!=" else "=="


def are_either(one: Judged, other: Judged) -> bool:
    """Return whether nothing but `or` stands between two parts of the day: either will do."""
    reading, between = one.reading, one.reading.folded[one.mention.last + 1 : other.mention.first]
    parts = all(is_part_of_day(reading, item.mention, item.option) for item in (one, other))
    return parts and between[:1] == ["or"] and _SMALL.issuperset(between)


_BARE = 0.7
"""The fit of a number that nothing says is a time, where the column's times make it one."""


def _is_hour(reading: Reading, item: Weighed) -> bool:
    """Return whether a bare number stands right behind a word that bounds, and ends a clause."""
    first, behind = item.mention.first, item.mention.last + 1
    led = first > 0 and reading.folded[first - 1] in _HOURS and reading.joins(first - 1, first)
    ends = behind == len(reading.words) or not reading.joins(behind - 1, behind)
    return led and (ends or reading.folded[behind] in _SMALL)


def _is_wished(reading: Reading, mention: Mention) -> bool:
    """Return whether a part of the day is wished by the words around it, and no greeting."""
    if any(reading.is_known(at) for at in mention.places):
        return False  # `Afternoon tea` of a catalog is none.
    if mention.first == 0 and not _goes_on(reading, mention):
        return False  # It greets: `morning, a table for two`.
    return _ends(reading, mention.last + 1) and _leads(reading, mention.first - 1)


def _leads(reading: Reading, at: int) -> bool:
    """Return whether nothing but small words stand between a part of the day and what it is of."""
    words = reading.folded
    while at >= 0 and words[at] in _BEFORE and not reading.gap(at + 1).strip(" -"):
        at -= 1
    if at < 0 or reading.gap(at + 1).strip(" -"):
        return True
    graded = any(grade.first <= at <= grade.last for grade in reading.grades)
    return graded or _is_of_catalog(reading, at)


def _ends(reading: Reading, behind: int) -> bool:
    """Return whether no other thing is behind a part of the day: no `evening gown`."""
    if behind >= len(reading.words) or not reading.joins(behind - 1, behind):
        return True
    plain = reading.rarities[behind] <= TELLING or reading.folded[behind] in _SMALL | _NOUNS
    return plain or _is_of_catalog(reading, behind)


def _is_of_catalog(reading: Reading, at: int) -> bool:
    return reading.is_known(at) or at in reading.naming_words


def _goes_on(reading: Reading, mention: Mention) -> bool:
    """Return whether a part of the day at the head of a message is more than a greeting."""
    behind = mention.last + 1
    plural = reading.folded[mention.last].endswith("s")
    return plural or behind == len(reading.words) or reading.joins(mention.last, behind)
