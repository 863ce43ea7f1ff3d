"""Numbers said as a list, one of which is enough: `35, 40 or 50 mm`, `two or three years`.

What stands once counts for all of them: the unit, the currency, the thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..language.units import CURRENCY_WORDS, UNITS, spelling
from .judged import Judged, Weighed
from .mention import Mention
from .network import SIDES
from .quantity import Quantity, scale_of
from .reading import Reading

BOUNDS = {"over": "low", "least": "low", "under": "high", "most": "high"}
"""The classes of cues that say a bound, and which."""

_REFUSED = frozenset(("not", "against", "except"))

_JOINTS = ("or", "nor", "/")
_ENDS = ",.;:!?"
NEAR = 2
"""Words between a list and what says that it is a bound or refused."""

_FILLERS = frozenset("a also an at else even maybe perhaps possibly push the with".split())
"""Words behind an `or` that say nothing: `16 or at a push 18`."""


def goes_on(before: Mention, mention: Mention) -> bool:
    """Return whether a number goes on the list that another one, or those before it, are of."""
    one, number = before.quantity, mention.quantity
    return one is not None and number is not None and number.follows == one.first


def with_lists(reading: Reading, numbers: Sequence[Quantity]) -> list[Quantity]:
    """Return the numbers of a message, in order, each with what its list says once."""
    told = list(numbers)
    for first, last in _runs(reading, told):
        members = told[first : last + 1]
        units = [one.unit for one in (members[-1], members[0]) if one.unit]
        unit = units[0] if units else None
        currency = any(one.currency for one in members)
        step = max(scale_of(one, members[-1]) for one in members)
        if currency and step == 1:
            step = _round_to(members[0].value)
        for at, one in enumerate(members, first):
            scale = scale_of(one, members[-1])
            before = told[at - 1] if at > first else None
            told[at] = replace(
                one,
                value=one.value * scale,
                scaled=one.scaled or scale > 1,
                unit=one.unit or unit,
                currency=one.currency or currency,
                follows=before and before.first,
                refused=_joint(reading, *members[-2:]) == "nor",
                is_next=before is None
                or (before.is_next and one.value * scale == before.value + step),
            )
    return told


def as_sure(weighed: Sequence[Weighed]) -> list[Weighed]:
    """Return mentions, each member of a list of numbers as likely as the surest of them."""
    told, lists = list(weighed), dict[int, list[int]]()
    for at, item in enumerate(told):
        number = item.mention.quantity
        if number is not None and number.high is None:
            members = lists.pop(number.follows, []) if number.follows is not None else []
            lists[number.first] = [*members, at]
    for members in lists.values():
        if len(members) > 1:
            surest: dict[str, float] = {}
            for at in members:
                for option, odds in zip(told[at].mention.options, told[at].logits, strict=True):
                    surest[option.column] = max(odds, surest.get(option.column, odds))
            for at in members:
                odds = [surest[option.column] for option in told[at].mention.options]
                told[at] = replace(told[at], logits=np.array(odds, told[at].logits.dtype))
    return told


def joined(judged: Sequence[Judged]) -> list[Judged]:
    """Return what was judged with the members of each list of numbers as one, of all its values."""
    told: list[Judged] = []
    for item in judged:
        if told and item.column == told[-1].column and goes_on(told[-1].mention, item.mention):
            told[-1] = _with_member(told[-1], item)
        else:
            told.append(item)
    return told


def _with_member(item: Judged, member: Judged) -> Judged:
    """Return a number, or the first of a list, with the next one beside it."""
    mention = replace(item.mention, last=member.mention.last, quantity=member.mention.quantity)
    leaning = tuple(map(sum, zip(item.leaning, member.leaning, strict=True)))
    return replace(
        item,
        mention=mention,
        option=replace(item.option, values=(*item.option.values, member.option.values[0])),
        chance=max(item.chance, member.chance),
        leaning=leaning,
        side=_side(replace(item, mention=mention), leaning),
        hard=item.hard or member.hard,
    )


def _side(item: Judged, leaning: Sequence[float]) -> str:
    """Return the side of a list of numbers: a bound or a refusal only where words say one.

    Words beside the list do, else the question that it answers.
    """
    reading, number = item.reading, item.mention.quantity
    beside = set(_cues_beside(reading, item.mention.first, item.mention.last))
    likely = [side for _, side in sorted(zip(leaning, SIDES, strict=True), reverse=True)]
    if not beside & BOUNDS.keys():
        if beside & _REFUSED or (number is not None and number.refused):
            return "!="
        asked = {BOUNDS[name] for _, _, name in reading.asking.cues if name in BOUNDS}
        if not reading.question or len(asked) != 1:
            return "=="
    return next(side for side in likely if side in ("<", "<=", ">", ">=", "=="))


def _cues_beside(reading: Reading, first: int, last: int) -> Iterator[str]:
    """Yield the classes of the cues right before a list, and of those right behind it."""
    for start, end, name in reading.cues:
        before = range(end + 1, first)
        behind = range(last + 1, start)
        near = end < first and len(before) <= NEAR and _are_joined(reading, (*before, first))
        after = start > last and len(behind) <= NEAR and _are_joined(reading, (*behind, start))
        if near or (after and name in BOUNDS):
            yield name


def _are_joined(reading: Reading, places: Sequence[int]) -> bool:
    """Return whether no mark but that of a currency parts words from those before them."""
    return not any(mark in _ENDS for at in places for mark in reading.gap(at))


def _round_to(value: float) -> float:
    """Return the power of ten that a number is a whole multiple of: 100 of 300."""
    return next((scale for scale in (1e6, 1e5, 1e4, 1e3, 1e2, 1e1) if not value % scale), 1.0)


def _runs(reading: Reading, numbers: Sequence[Quantity]) -> Iterator[tuple[int, int]]:
    """Yield the places of the first and last number of each list: commas, then an `or`."""
    start: int | None = None
    for at, pair in enumerate(pairwise(numbers)):
        joint = _joint(reading, *pair)
        start = None if not joint else at if start is None else start
        if joint in _JOINTS and start is not None:
            following = numbers[at + 1 : at + 3]
            if len(following) < 2 or _joint(reading, *following) not in _JOINTS:
                yield start, at + 1
                start = None


def _joint(reading: Reading, one: Quantity, other: Quantity) -> str:
    """Return what alone joins two numbers: `or`, `nor`, a comma; empty for anything else."""
    if one.only or other.only or one.ordinal != other.ordinal:
        return ""
    between = reading.folded[one.last + 1 : other.first]
    noun = between[0] if between else ""
    is_unit = spelling(noun) in UNITS or noun in CURRENCY_WORDS
    # `2 bedrooms or 3` and `2 bedrooms or 3 bedrooms`, but not `2 bedrooms or 3 baths`.
    behind = "".join(reading.folded[other.last + 1 : other.last + 2])
    ends = reading.gap(other.last + 1).strip()[:1]
    alone = not behind or behind == noun or (ends and ends in _ENDS)
    if between and (between[0] not in _JOINTS) and (is_unit or alone):
        between = between[1:]
    if between:
        joint = between[0] in _JOINTS and _FILLERS.issuperset(between[1:])
        return between[0] if joint else ""
    # `150 grams, ten or twenty` begins anew.
    if one.unit and not other.unit:
        return ""
    gap = reading.gap(other.first).strip()
    if not gap and one.spelled and other.spelled:
        return ","
    return gap if gap in (",", "/") else ""
