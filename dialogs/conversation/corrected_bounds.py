"""What corrects a bound, or will do beside it: `I mean 11 pm`, `900 is my limit`, `16 is fine too`.

A look at the wishes known of the same column; no rows are counted.
"""

from __future__ import annotations

import re
from typing import Any, cast

from ...catalogs.query.constraint import Constraint
from ..extraction.value_index import index_of
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
    """Return whether two bounds of a column have nothing between them: of 900, up to and from."""
    low, high = (one, other) if one.op in LOWER else (other, one)
    bounds = one.column == other.column and low.op in LOWER and high.op in UPPER
    numbers = all(isinstance(bound.value, int | float) for bound in (low, high))
    return bounds and numbers and cast("float", low.value) >= cast("float", high.value)


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


def _is_near(one: Any, other: Any) -> bool:
    return min(one, other) > 0 and max(one, other) <= NEAR * min(one, other)
