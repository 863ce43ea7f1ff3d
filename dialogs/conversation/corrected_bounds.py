"""What corrects a bound, or will do beside it: `I mean 11 pm`, `900 is my limit`, `16 is fine too`.

A look at the wishes known of the same column; no rows are counted.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, cast

from ...catalogs.query.constraint import Constraint
from ..extraction.value_index import index_of
from .denied_features import FINE
from .negotiation import Negotiation
from .preferences import LOWER, UPPER
from .turn import Turn

EXACTLY = re.compile(
    r"\b(?:exactly|precisely)\b|\b(?:any|every)\w*\s+(?:but|except|other than|apart from)\b", re.I
)
"""Words that leave nothing of what was said before: `exactly four`, `anywhere but Nordend`."""

NEAR = 2
"""So many times a number is another one that may be of the same kind."""

_MEANS = re.compile(
    r"\b(?:i|we)\s(?:mean|meant|said)\b|\bmake\s(?:it|that)\b|\bno,?\swait\b|\bcorrection\b", re.I
)
"""Words of somebody who says again what was misheard: `I mean 11 pm`, `make that 40`."""


def leave_none(one: Constraint, other: Constraint) -> bool:
    """Return whether two bounds of a column have nothing between them: of 900, up to and from.

    Days and times of day are texts that are in order; from and up to 18:00 is at 18:00.
    """
    low, high = (one, other) if one.op in LOWER else (other, one)
    bounds = one.column == other.column and low.op in LOWER and high.op in UPPER
    kinds = (int | float, str)
    alike = any(all(isinstance(bound.value, kind) for bound in (low, high)) for kind in kinds)
    at_once = low.value == high.value and ":" not in str(low.value)
    return bounds and alike and (cast("float", low.value) > cast("float", high.value) or at_once)


def on_its_side(talk: Negotiation, turn: Turn, wish: Constraint) -> Constraint:
    """Return what corrects a bound, and says no side itself, as one: `I mean 11 pm`."""
    stating = (p for p in turn.sentences if wish in [s.constraint for s in turn.stated_in(p)])
    part, sides = next(stating, None), (*LOWER, *UPPER)
    if part is None or wish.op not in ("==", *sides) or not _MEANS.search(part.text):
        return wish
    known = [held for held in talk.preferences.known if held.column == wish.column]
    if len(known) == 1 and known[0].op == "in" and wish.column in index_of(talk.catalog).clocks:
        return known[0] if wish.value in known[0].values else wish
    if part.bounds or len(known) != 1 or known[0].op not in sides or EXACTLY.search(part.text):
        return wish
    return wish.changed(known[0].op, wish.value)


def beside_known(talk: Negotiation, turn: Turn, wish: Constraint) -> Constraint:
    """Return what will do as of the one column whose bound it is near to, if it names no other.

    `16 is fine as well` beside at least 20 megapixels is no price.
    """
    known = [held for held in talk.preferences.known if type(held.value) in (int, float)]
    columns = {held.column for held in known}
    if wish.column in {*columns, *turn.columns} or type(wish.value) not in (int, float):
        return wish
    near = {held.column for held in known if _is_near(held.value, wish.value)}
    return wish.model_copy(update={"column": near.pop()}) if len(near) == 1 else wish


_DOES = re.compile(
    rf"(?<![\d.,])(\d{{1,9}}(?:[.,]\d{{1,9}})?)(?:\s?[^\W\d]{{1,12}}){{0,2}}?\s?{FINE.pattern}",
    re.I,
)
"""A number that will do: `5 days is fine`."""


def done_as_offered(talk: Negotiation, turn: Turn) -> list[Constraint]:
    """Return the values of the offered item that a turn says will do, though less was wished."""
    row, said = turn.beside or {}, _DOES.findall(turn.text)
    numbers = {float(number.replace(",", "")) for number in said}
    left = tuple(p for p in turn.taken.not_understood if p.evidence.text not in said)
    turn.taken = replace(turn.taken, not_understood=left)
    return [
        wish.changed("==", row[wish.column])
        for wish in talk.preferences.known
        if wish.op in (*LOWER, *UPPER) and wish.column and row.get(wish.column) in numbers
    ]


def _is_near(one: Any, other: Any) -> bool:
    return min(one, other) > 0 and max(one, other) <= NEAR * min(one, other)
