"""Numbers said as a list, one of which is enough: `35, 40 or 50 mm`, `two or three years`.

What stands once counts for all of them: the unit, the currency, the thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..language.tokens import folded_words
from ..language.units import CURRENCY_SIGNS, CURRENCY_WORDS, UNITS, spelling
from .judged import Judged, Weighed
from .mention import Mention
from .network import SIDES
from .quantity import Quantity, scale_of
from .reading import Reading

BOUNDS = frozenset(("over", "least", "under", "most"))
"""The classes of cues that say a bound."""

_ASKED = {
    **dict.fromkeys(("most", "maximum", "max"), "high"),
    **dict.fromkeys(("least", "minimum", "min"), "low"),
}
"""Words of a question that asks for one end, and which."""

_REFUSED = frozenset(("not", "against", "except"))

_JOINTS = ("or", "nor", "/")
_ENDS = ",.;:!?"
_SIGNS = f" -−{CURRENCY_SIGNS}"
TENFOLD = 10
"""Numbers of a list that share a unit or follow a comma differ by less than so many times."""

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
        unit = members[-1].unit or members[0].unit
        currency = any(member.currency for member in members)
        refused = _joint(reading, *members[-2:]) == "nor"
        most = TENFOLD * members[-1].value
        scales = [scale_of(member, members[-1], most) for member in members]
        for at, (member, scale) in enumerate(zip(members, scales, strict=True), first):
            before = told[at - 1] if at > first else None
            told[at] = replace(
                member,
                value=member.value * scale,
                scaled=member.scaled or max(scales) > 1,
                unit=member.unit or unit,
                currency=member.currency or currency,
                follows=before and before.first,
                refused=refused,
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
    sides = tuple(map(sum, zip(item.sides, member.sides, strict=True)))
    return replace(
        item,
        mention=mention,
        option=replace(item.option, values=(*item.option.values, member.option.values[0])),
        chance=max(item.chance, member.chance),
        sides=sides,
        side=_side(replace(item, mention=mention), sides),
        hard=item.hard or member.hard,
    )


def _side(item: Judged, sides: Sequence[float]) -> str:
    """Return the side of a list of numbers: a bound or a refusal only where words say one.

    Words beside the list do, else the question that it answers.
    """
    reading, number = item.reading, item.mention.quantity
    beside = set(cues_beside(reading, item.mention.first, item.mention.last))
    if not beside & BOUNDS:
        if beside & _REFUSED or (number is not None and number.refused):
            return "!="
        if "about" in beside:
            return "~"
        if _asked_side(reading.question) is None:
            return "=="
    likely = [side for _, side in sorted(zip(sides, SIDES, strict=True), reverse=True)]
    return next(side for side in likely if side in ("<", "<=", ">", ">=", "=="))


def _asked_side(question: str) -> str | None:
    """Return the one end that the last sentence of a question asks for; None for both or none."""
    last = question.rstrip("?! ").rpartition(". ")[2]
    ends = {_ASKED[word] for word in folded_words(last) if word in _ASKED}
    return ends.pop() if len(ends) == 1 else None


def cues_beside(reading: Reading, first: int, last: int) -> Iterator[str]:
    """Yield the classes of the cues right before a list, and of those right behind it."""
    for start, end, name in reading.cues:
        before = range(end + 1, first)
        behind = range(last + 1, start)
        near = end < first and len(before) <= NEAR and _are_joined(reading, (*before, first))
        after = start > last and len(behind) <= NEAR and _are_joined(reading, (*behind, start))
        # What bounds the number behind it is about that one: `a 4 man tent under 300`.
        after &= name in BOUNDS and not "".join(reading.folded[end + 1 : end + 2])[:1].isdigit()
        if near or after:
            yield name


def _are_joined(reading: Reading, places: Sequence[int]) -> bool:
    """Return whether no mark but that of a currency parts words from those before them."""
    return not any(mark in _ENDS for at in places for mark in reading.gap(at))


def _runs(reading: Reading, numbers: Sequence[Quantity]) -> Iterator[tuple[int, int]]:
    """Yield the places of the first and last number of each list: commas, then an `or`."""
    start: int | None = None
    ended = -1
    for at, pair in enumerate(pairwise(numbers)):
        joint = "" if at == ended else _joint(reading, *pair)
        start = None if not joint else at if start is None else start
        if joint in _JOINTS and start is not None:
            following = numbers[at + 1 : at + 3]
            if len(following) < 2 or _joint(reading, *following) not in _JOINTS:
                yield start, at + 1
                start, ended = None, at + 1


def _joint(reading: Reading, one: Quantity, other: Quantity) -> str:
    """Return what alone joins two numbers: `or`, `nor`, a comma; empty for anything else."""
    if one.ordinal != other.ordinal or not _are_alike(one, other):
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
    gap = reading.gap(other.first).strip(_SIGNS)
    if not gap and one.spelled and other.spelled:
        return ","
    if gap == "," and not _may_go_on(reading, one, other):
        return ""
    return gap if gap in (",", "/") else ""


def _are_alike(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers may be of one column: no length and weight, no year and price."""
    if one.only or other.only or one.year_like != other.year_like:
        return False
    kinds = [
        "money" if each.currency or each.unit == "pound" else each.unit and UNITS[each.unit][0]
        for each in (one, other)
    ]
    return not all(kinds) or kinds[0] == kinds[1]


def _may_go_on(reading: Reading, one: Quantity, other: Quantity) -> bool:
    """Return whether a number behind a comma may go on a list: `150 grams, ten or twenty` begins.

    So does `under 300, 35 or 50 mm`, and what is tens of times as much or as little.
    """
    if (one.unit or one.currency) and not (other.unit or other.currency):
        return False
    least, most = sorted((abs(one.value), abs(other.value)))
    return most <= TENFOLD * least and not BOUNDS & set(cues_beside(reading, one.first, one.last))
