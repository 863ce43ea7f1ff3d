"""How old somebody is: `she's nine`, `for a 6 and a 9 year old`, `Mia is 7 and Leo is 11`.

Ages bound what takes people from some age on, or up to one, so that all of them are let in; they
are no number of anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ...catalogs.query.schema import name_words
from ..language.numbers import ONES
from .group_sizes import COMPANY, COUNTED, LIKELY, UNLIKELY, is_group
from .judged import Weighed
from .mention import Mention
from .quantity import Quantity
from .reading import Reading

OLDEST = 110

_AGE = frozenset("age ages aged".split())
_FROM = frozenset("min minimum from youngest lowest least starting".split())
_TO = frozenset("max maximum to oldest highest until".split())
"""Words of the name of a column of the ages from which on, and up to which, people are taken."""

_IS = frozenset("is are am turned turns turning".split())
_SHORT = ("'s", "'re", "'m", "’s", "’re", "’m")
_WHO = frozenset("he she they who".split())
_BESIDE = frozenset("only just about nearly almost already now both around has have had".split())
_JOINS = frozenset("and or a an &".split())
_KIN = (
    "niece nephew grandkid grandson granddaughter grandchild grandchildren cousin twin little one "
    "ones"
)
_PEOPLE = COMPANY | COUNTED | frozenset(_KIN.split())
_CHILDREN = frozenset(
    "kid child son daughter boy girl lad lass grandkid grandson granddaughter grandchild "
    "grandchildren niece nephew twin".split()
)
_YEARS = frozenset("year years yr yrs".split())
_GO_ON = frozenset("and but so or now too already in on this next last".split())


@lru_cache(maxsize=4_096)
def takes_ages(column: str) -> str:
    """Return which ages a column's name says that people may have: `<=`, `>=`, or nothing."""
    words = set(name_words(column))
    ends = (not _FROM.isdisjoint(words), not _TO.isdisjoint(words))
    sides = {(True, False): "<=", (False, True): ">="}
    return "" if _AGE.isdisjoint(words) else sides.get(ends, "")


def is_age(reading: Reading, mention: Mention) -> bool:
    """Return whether a number says how old somebody is."""
    number = mention.quantity
    if number is None or not mention.has_words or not 0 <= number.value <= OLDEST:
        return False
    if number.currency or number.scaled or number.ordinal:
        return False
    if _is_followed_by_old(reading, number.last + 1):
        return True
    alone = _stands_alone(reading, number.last + 1) and not is_group(reading, mention)
    return alone and _is_said_of_somebody(reading, number)


def _behind(reading: Reading, at: int) -> list[str]:
    """Return the words behind a number, and behind those that it is listed with."""
    words = reading.folded
    while words[at : at + 1] and (words[at] in _JOINS or _is_number(words[at])):
        at += 1
    return words[at : at + 3]


def _before(reading: Reading, at: int) -> int:
    """Return the place of the word before a number, and before those that it is listed with."""
    words = reading.folded
    while at > 0 and (words[at] in _JOINS or words[at] in _BESIDE or _is_number(words[at])):
        at -= 1
    return at


def _is_followed_by_old(reading: Reading, at: int) -> bool:
    """Return whether `years old` stands behind a number, or behind one that follows it."""
    behind = _behind(reading, at)
    years = not _YEARS.isdisjoint(behind[:1])
    return years and (behind[1:2] in (["old"], ["olds"]) or behind[1:3] == ["of", "age"])


def _stands_alone(reading: Reading, at: int) -> bool:
    """Return whether a number counts nothing but years."""
    following = reading.folded[at : at + 1]
    apart = not following or bool(reading.gap(at).strip())
    return apart or following[0] in _GO_ON or following[0] in _YEARS or _is_number(following[0])


def _is_said_of_somebody(reading: Reading, number: Quantity) -> bool:
    """Return whether the words before a number say of people that they are so old."""
    at = _before(reading, number.first - 1)
    return who_is(reading, number) is not None or (at >= 0 and reading.folded[at] in _AGE)


def who_is(reading: Reading, number: Quantity) -> int | None:
    """Return the place of the word for who is so old by a number: `Mia is 7`; None for nobody."""
    at = _before(reading, number.first - 1)
    if at < 0:
        return None
    word, beside = reading.folded[at], reading.folded[number.last + 1 : number.last + 2]
    several = at < number.first - 1 or number.high is not None or beside == ["and"]
    several |= any(map(_is_number, beside))
    years = not _YEARS.isdisjoint(_behind(reading, number.last + 1)[:1])
    apart = reading.gap(at + 1).strip() in (",", ":", "(") and reading.stems[at] in _CHILDREN
    apart &= any(map(takes_ages, reading.index.profiles))
    if _is_people(reading, at) and (apart or (years and several)):
        return at  # `Two kids, 4 and 7 years`, `my sons, 8 and 11`.
    if word == "im":
        return at
    if short := next(filter(word.endswith, _SHORT), ""):
        return at if _is_somebody(reading, at, word.removesuffix(short)) else None
    who = _before(reading, at - 1)
    told = word in _IS and at > 0 and _is_somebody(reading, who, reading.folded[who])
    return who if told else None


def _is_people(reading: Reading, at: int) -> bool:
    """Return whether a word is one for people: `two kids, 4 and 7 years old`."""
    return at >= 0 and not _PEOPLE.isdisjoint((reading.folded[at], reading.stems[at]))


def _is_somebody(reading: Reading, at: int, word: str) -> bool:
    """Return whether a word means people, or is somebody's name: one that is no other word."""
    name = reading.words[at].text[0].isupper() and reading.rarities[at] == 1
    named = (name or reading.is_name(at)) and not reading.is_known(at)
    return named or word in _WHO or word in _PEOPLE or _is_people(reading, at)


def _is_number(word: str) -> bool:
    return word.isdecimal() or word in ONES


def with_ages(reading: Reading, item: Weighed) -> Weighed:
    """Return a mention of somebody's age as one of what takes ages, and of nothing else."""
    if item.mention.kind != "number" or not is_age(reading, item.mention):
        return item
    places = [at for at, option in enumerate(item.mention.options) if takes_ages(option.column)]
    old = _is_followed_by_old(reading, item.mention.last + 1)
    if old and not places and not _is_people(reading, _before(reading, item.mention.first - 1)):
        return item  # Something else may be so old.
    logits = np.minimum(item.logits, np.float32(-UNLIKELY))
    # Each of two is so old: `8 and 12 years` says nothing of what lies between.
    each = "and" in reading.folded[item.mention.first : item.mention.last]
    each &= "between" not in reading.folded[: item.mention.first][-1:]
    if places and not each:
        logits[max(places, key=lambda at: item.logits[at])] = LIKELY
    return replace(item, logits=logits)


def age_bounds(columns: Iterable[str]) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Yield the columns that take ages, the side of each, and which of several ages bounds it."""
    ends: dict[str, Callable[..., Any]] = {"<=": min, ">=": max}
    return ((name, side, ends[side]) for name in columns if (side := takes_ages(name)))
