"""How many people something is for: `a family of four`, `15 of us`, `2 adults and a child`.

Who says how many they are wants room for them, so that it bounds what holds people from below.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...catalogs.query.schema import name_words
from ..language.column_phrases import column_topics, stem
from ..language.units import unit_kinds
from .judged import Judged, Weighed
from .mention import Mention
from .number_lists import BOUNDS, cues_beside
from .quantity import Quantity
from .reading import Reading

LIKELY = 2.0
"""The log-odds with which the size of a group is meant that the fitted decisions pass over."""

UNLIKELY = 3.0
"""The log-odds against what counts no people."""

_HOLD = frozenset(
    map(
        stem,
        "ppl people person persons pax guests occupancy capacity sleeps seats seat seater seating "
        "accommodates berths bunks participants attendees players diners headcount group grp party "
        "travellers travelers passengers".split(),
    )
)
"""Words of the name of a column of how many people something holds."""

_ELSE = frozenset(
    "parking car bike min minimum least tank boot fuel memory load rating score review".split()
)
"""Words with which such a name says how much of something else, or how few."""

COUNTED = frozenset(
    "ppl pers person people man men pax guest adult head folk attendee participant player visitor "
    "soul diner sleeper traveler passenger delegate student kid child children lad lass boy girl "
    "baby toddler teenager pensioner".split()
)
"""Words, singular, for people that a number counts."""

COMPANY = frozenset(
    "me i myself wife husband partner girlfriend boyfriend spouse fiance fiancee missus mum mom "
    "mother dad father sister brother daughter son friend mate".split()
)
"""Words for whoever comes with those that a number counts: `me, my wife and two kids`."""

_LEADS = re.compile(
    r"(?:\b(?:family|household|party|group|team|crowd) of|"
    r"\b(?P<alone>(?:we're|we are|we'll be|we will be|(?:for|just|only|it's|its|of) us)"
    r"(?: just| only| about)?))$"
)
"""How words end behind which a number says how many are coming, `alone` if it counts nothing."""

_GO_ON = frozenset("and but incl including altogether plus so total with".split())


@lru_cache(maxsize=4_096)
def holds_people(column: str, unit: str = "") -> bool:
    """Return whether a column says how many people something holds, at most."""
    words = set(name_words(column))
    if not _ELSE.isdisjoint(words) or unit_kinds(column, unit):
        return False
    named = any(stem(word) in _HOLD for word in words)
    return named and not {"people", "students"}.isdisjoint(column_topics(column))


def is_group(reading: Reading, mention: Mention) -> bool:
    """Return whether a number says how many are coming: `for a party of 8`, `there are 4 of us`."""
    number = mention.quantity
    return number is not None and mention.has_words and bool(group_words(reading, number))


def group_words(reading: Reading, number: Quantity) -> range:
    """Return the words that say how many are coming, none if a number does not: `we are 4`."""
    words, first, last = reading.folded, number.first, number.last
    if number.value < 2 or number.unit or number.currency or number.ordinal:
        return range(0)
    if words[last + 1 : last + 3] == ["of", "us"]:
        return range(first, last + 3)
    if not (COMPANY | COUNTED).isdisjoint(reading.stems[first:last]):
        return range(first, min(last + 2, len(words)))
    lead = _LEADS.search(" ".join(words[max(0, first - 4) : first]))
    if lead is None or (lead["alone"] and not _counts_nothing(reading, last + 1)):
        return range(0)
    return range(first - lead[0].count(" ") - 1, last + 1)


def _counts_nothing(reading: Reading, at: int) -> bool:
    """Return whether what a number stands before is nothing that it counts: `we are 4, with`."""
    following = reading.folded[at : at + 2]
    if not following or reading.gap(at).strip():
        return True
    counts = reading.stems[at] in COUNTED
    return counts or (following[0] in _GO_ON and not following[-1][0].isdigit())


def _bounds(value: object, least: object) -> bool:
    """Return whether what holds at least so many leaves something out: all tables hold two."""
    if isinstance(value, int | float) and isinstance(least, int | float):
        return value > least
    return False


def counts_people(reading: Reading, mention: Mention) -> bool:
    """Return whether the word behind a number says that it counts people: `40 guests`."""
    at = mention.last + 1
    near = at < len(reading.words) and reading.gap(at).strip() in ("", "+", "-")
    return near and reading.stems[at] in COUNTED


def with_groups(reading: Reading, item: Weighed) -> Weighed:
    """Return a mention of how many are coming as one of what holds people, if something does.

    Whoever counts people by a word means nothing else: `40 people` are no parking spaces.
    """
    mention, profiles = item.mention, reading.index.profiles
    behind = "".join(reading.folded[mention.last + 1 : mention.last + 2])
    is_size = mention.kind == "number" and (is_group(reading, mention) or behind == "man")
    if not is_size and not (mention.kind == "number" and counts_people(reading, mention)):
        return item
    columns = [option.column for option in mention.options]
    places = [at for at, name in enumerate(columns) if holds_people(name, profiles[name].unit)]
    if not (places or is_size):
        return item
    logits = item.logits.copy()
    for at in range(len(columns)):
        about = column_topics(columns[at]) if not places else ()
        if at not in places and {"people", "students"}.isdisjoint(about):
            logits[at] = min(logits[at], -UNLIKELY)
    if not places:
        return replace(item, logits=logits)
    best = max(places, key=lambda at: item.logits[at])
    bounds = _bounds(mention.options[best].values[-1], profiles[columns[best]].minimum)
    if is_size and bounds and (item.best not in places or item.gain <= 0):
        logits = np.minimum(logits, np.float32(0.0))
        logits[best] = LIKELY
    return replace(item, logits=logits)


def is_room(item: Judged) -> bool:
    """Return whether somebody who says how many are coming wishes for room for them by it."""
    column = item.column
    holds = holds_people(column, item.reading.index.profiles[column].unit)
    return holds and is_group(item.reading, item.mention)


def side_of_group(reading: Reading, mention: Mention, column: str, side: str) -> str:
    """Return the side that a number bounds what holds people, or what is good for so much, from.

    At least, where the number is exact or about.
    """
    if side in ("==", "~") and _UP_TO in " ".join(name_words(column)):
        return ">="
    if side in ("==", "<=") and _is_most_of(reading, mention, column):
        bounded = not BOUNDS.isdisjoint(cues_beside(reading, mention.first, mention.last))
        return side if bounded or "limit" in reading.folded else ">="
    if not holds_people(column, reading.index.profiles[column].unit):
        return side
    says_size = counts_people(reading, mention) or is_group(reading, mention)
    if side == "~" and says_size:
        return ">="
    cues = {name for _, _, name in reading.cues}
    if is_group(reading, mention):
        cues = set(cues_beside(reading, mention.first, mention.last))
    bounded = not BOUNDS.isdisjoint(cues)
    if bounded or not says_size or not _EXACTLY.isdisjoint(reading.folded):
        return side
    return ">=" if side == "==" or (side == "<=" and is_group(reading, mention)) else side


_UP_TO = "up to"
"""Words of the name of a column of how much something is good for, at most."""


def _is_most_of(reading: Reading, mention: Mention, column: str) -> bool:
    """Return whether a column says how many at most of what a number counts: two dogs, max dogs."""
    words = name_words(column)
    behind = "".join(reading.stems[mention.last + 1 : mention.last + 2])
    return words[:1] in (["max"], ["maximum"]) and stem(behind) in map(stem, words[1:])


_EXACTLY = frozenset("exactly precisely".split())
_JOINS = frozenset("and plus with & +".split())


def with_parties(reading: Reading, numbers: Sequence[Quantity]) -> list[Quantity]:
    """Return numbers with those of people who come together as one: `2 adults and 3 children`.

    Not where a column is about one kind of them.
    """
    kinds = {stem(word) for name in reading.index.profiles for word in name_words(name)}
    joined: list[Quantity] = []
    for number in numbers:
        before = joined[-1] if joined else None
        if before is not None and _come_together(reading, before, number, kinds):
            number = replace(number, first=before.first, value=before.value + number.value)
            joined.pop()
        joined.append(_with_company(reading, number, kinds))
    return joined


def _with_company(reading: Reading, number: Quantity, kinds: Collection[str]) -> Quantity:
    """Return a number of people with whom words before it name: `me, my wife and two kids`."""
    words, at = reading.folded, number.first
    behind = "".join(reading.stems[number.last + 1 : number.last + 2])
    if behind not in COUNTED or stem(behind) in kinds or number.high or number.ordinal:
        return number
    while (
        at
        and reading.gap(at).strip() in ("", ",", "&", "+")
        and (words[at - 1] in COMPANY or words[at - 1] in ("my", *_JOINS))
    ):
        at -= 1
    named = COMPANY.intersection(words[at : number.first])
    if not named:
        return number
    # Who comes `with my wife and two kids` comes, too.
    more = len(named) + (words[at] == "with" and named.isdisjoint(("me", "i", "myself")))
    return replace(number, first=at, value=number.value + more)


def _come_together(
    reading: Reading, first: Quantity, second: Quantity, kinds: Collection[str]
) -> bool:
    between = reading.stems[first.last + 1 : second.first]
    behind = "".join(reading.stems[second.last + 1 : second.last + 2])
    plain = not any(n.high or n.unit or n.currency or n.ordinal for n in (first, second))
    counts = bool(between) and between[0] in COUNTED and behind in COUNTED
    gaps = {reading.gap(at).strip() for at in range(first.last + 1, second.first + 1)}
    near = gaps <= {"", ",", "&", "+"}
    near &= len(between) == 1 or (len(between) == 2 and between[1] in _JOINS)
    apart = {stem(between[0]), stem(behind)} & set(kinds) if between else set[str]()
    return plain and counts and near and not apart
