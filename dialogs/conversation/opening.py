"""What a first text looks for: the values it names plainly are the base, all else may give way.

See decisions 0011 and 0067. One count of rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.query.constraint import Constraint
from ..weighters.weighter import get_weighter
from .negotiation import Negotiation
from .preferences import MUST_BE

MILD = 0.45
"""What its words make weigh less is no part of what is looked for."""


def open_with(talk: Negotiation, wishes: Sequence[Constraint]) -> None:
    """Take the first text in; exact values that some row has together are the base.

    Not what its words call less than asked for, and none at all where no row has both them and
    what must be: what is firm stays before what is only named.
    """
    weights = get_weighter("lexical").weigh(talk.transcript, wishes).weights
    pairs = list(zip(wishes, weights, strict=True))
    firm = [wish for wish, weight in pairs if wish.hard or weight >= MUST_BE]
    exact = [wish for wish, weight in pairs if _names(talk, wish) and weight >= MILD]
    if exact and not talk.count([*exact, *firm]):
        exact = []
    talk.preferences.base = exact
    talk.preferences.add(wish for wish in wishes if wish not in exact)


def _names(talk: Negotiation, wish: Constraint) -> bool:
    """Return whether a wish is for a value of a column that has no order."""
    ordered = wish.column is not None and talk.catalog.schema.find(wish.column).ordered
    return wish.op == "==" and not ordered
