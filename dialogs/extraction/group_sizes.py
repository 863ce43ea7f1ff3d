"""How many people something is for: `a family of four`, `15 of us`, `2 adults and a child`.

Who says how many they are wants room for them, so that it bounds what holds people from below.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...catalogs.query.schema import name_words
from ..language.column_phrases import column_topics, stem
from ..language.units import unit_kinds
from .judged import Weighed
from .mention import Mention
from .quantity import Quantity
from .reading import Reading

LIKELY = 0.5
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

_ELSE = frozenset("parking car bike min minimum least tank boot fuel memory load".split())
"""Words with which such a name says how much of something else, or how few."""

COUNTED = frozenset(
    "ppl pers person people pax guest adult head folk attendee participant player visitor soul "
    "diner sleeper traveler passenger delegate student kid child children lad lass boy girl baby "
    "toddler teenager pensioner".split()
)
"""Words, singular, for people that a number counts."""

_GROUPS = frozenset("family party group team crowd household".split())
_LEADS = frozenset("for are is we're were there's theres be the us".split())


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
    words, first, last = reading.folded, mention.first, mention.last
    if mention.quantity is None or not mention.has_words or mention.quantity.value < 2:
        return False
    if words[last + 1 : last + 3] == ["of", "us"]:
        return words[first - 1] in _LEADS if first else True
    if words[max(0, first - 1) : first] != ["of"] or "".join(words[first - 2 : first - 1]) not in (
        _GROUPS
    ):
        return False
    before = words[max(0, first - 4) : first - 2]
    return bool(before) and (
        before[-1] in _LEADS or (before[-1] in ("a", "our", "my") and before[0] in _LEADS)
    )


def _bounds(value: object, least: object) -> bool:
    """Return whether what holds at least so many leaves something out: all tables hold two."""
    if isinstance(value, int | float) and isinstance(least, int | float):
        return value > least
    return False


def counts_people(reading: Reading, mention: Mention) -> bool:
    """Return whether the word behind a number says that it counts people: `40 guests`."""
    at = mention.last + 1
    near = at < len(reading.words) and reading.gap(at).strip() in ("", "+")
    return near and reading.stems[at] in COUNTED


def with_groups(reading: Reading, item: Weighed) -> Weighed:
    """Return a mention of how many are coming as one of what holds people, if something does.

    Whoever counts people by a word means nothing else: `40 people` are no parking spaces.
    """
    mention, profiles = item.mention, reading.index.profiles
    is_size = mention.kind == "number" and is_group(reading, mention)
    if not is_size and not (mention.kind == "number" and counts_people(reading, mention)):
        return item
    columns = [option.column for option in mention.options]
    places = [at for at, name in enumerate(columns) if holds_people(name, profiles[name].unit)]
    if not places:
        return item
    logits = item.logits.copy()
    for at in range(len(columns)):
        if at not in places:
            logits[at] = min(logits[at], -UNLIKELY)
    best = max(places, key=lambda at: item.logits[at])
    bounds = _bounds(mention.options[best].values[-1], profiles[columns[best]].minimum)
    if is_size and bounds and (item.best not in places or item.gain <= 0):
        logits = np.minimum(logits, np.float32(0.0))
        logits[best] = LIKELY
    return replace(item, logits=logits)


def side_of_group(reading: Reading, mention: Mention, column: str, side: str) -> str:
    """Return the side that a number bounds what holds people from: at least where it is about."""
    if side == "==" and _is_most_of(reading, mention, column):
        return ">="
    if not holds_people(column, reading.index.profiles[column].unit):
        return side
    says_size = counts_people(reading, mention) or is_group(reading, mention)
    if side == "~" and says_size:
        return ">="
    bounded = any(name in ("most", "under", "least", "over") for _, _, name in reading.cues)
    if bounded or not says_size or not _EXACTLY.isdisjoint(reading.folded):
        return side
    return ">=" if side == "==" or (side == "<=" and is_group(reading, mention)) else side


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
        joined.append(number)
    return joined


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
