"""The item that has the least or most of its kind, as an item that is named.

`and the cheapest cello`, `with a bow on top, the cheapest you have`: values narrow the catalog
down, and what there should be least of tells which of those it is. A slice and a fetch.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..extraction.extracted import Extracted, ExtractedObjective
from ..language.tokens import folded_words
from .named_items import ItemSaid, Ref
from .naming import Direction, graded
from .negotiation import Negotiation
from .said import Said
from .totals import MOST


def kinds_named(talk: Negotiation, one: Said) -> list[Extracted]:
    """Return what a sentence names of which there are several items, by its value."""
    return [
        part
        for part in one.constraints(*one.found)
        if part.constraint.op in ("==", "in")
        and all(isinstance(value, str) for value in part.constraint.values)
        and talk.count([part.constraint]) > 1
    ]


def end_of_kind(talk: Negotiation, one: Said) -> str | None:
    """Return the name of the item that has the end of a kind named in a sentence; None for none.

    What was refused is none.
    """
    kinds = [part.constraint for part in kinds_named(talk, one)]
    if not kinds or (way := _end(talk, one)) is None:
        return None
    those = talk.catalog.slice([talk.catalog.bind(wish) for wish in kinds])
    if len(those) > MOST:
        return None
    ids = [at for at in those.ids.tolist() if at not in talk.passed]
    rows = [row for row in talk.catalog.fetch(ids) if row[way[0]] is not None]
    if not rows:
        return None
    end = min if way[1] == "min" else max
    return talk.wording.names(end(rows, key=lambda row: row[way[0]]))


def _end(talk: Negotiation, one: Said) -> tuple[str, Direction] | None:
    """Return the column that a sentence wants the least or the most of, by its last such words."""
    goals = [part for held in one.found.values() for part in held]
    goals = [goal for goal in goals if isinstance(goal, ExtractedObjective)]
    if goals:
        return goals[-1].column, goals[-1].direction
    ends = (graded(word, talk.catalog, ("most",)) for word in folded_words(one.text))
    return next((ways[0] for ways in ends if ways), None)


def ends_added(talk: Negotiation, one: Said, said: Sequence[Said]) -> list[str]:
    """Return the cheapest, or other end, of a kind that a sentence names where it is added up."""
    sums = any(other.does("ask total") for other in said[said.index(one) :])
    asks = sums and one.does("ask total", "ask best")
    end = end_of_kind(talk, one) if asks else None
    return [] if end is None else [end]


def with_ends(
    talk: Negotiation, one: Said, items: Sequence[ItemSaid], ends: Collection[Ref], *, alone: bool
) -> list[ItemSaid]:
    """Return what is added up with the ends of some kinds: items meant, else the one offered.

    `alone`: they were named before, and nothing is taken: `The cheapest kayak. What is that a day?`
    """
    offered: list[Ref] = [] if talk.offered is None else [talk.place + 1]
    those = [] if alone else [item.ref for item in items] or offered
    refs = dict.fromkeys([*those, *ends])
    return [ItemSaid(ref, "about", one.span) for ref in refs]
