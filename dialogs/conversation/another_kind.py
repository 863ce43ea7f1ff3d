"""Wishes that fall away when another kind of thing is looked for.

Whoever turns from violins to saxophones wants no bow any more, and whoever took a petrol mower and
now wants a cordless one meant the wide cut for the first. Some counts of rows a wish.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ..language.column_phrases import column_topics
from ..language.either import alternatives
from .item_answers import has, naming_columns
from .moves_meant import MoveMeant
from .negotiation import Negotiation
from .preferences import NEGATIVE, PARTS
from .turn import Turn

_SAYS_WHICH = ("==", "in")
_KIND = "kind"


def put_aside(
    talk: Negotiation, turn: Turn, before: Sequence[Constraint], moves: Sequence[MoveMeant]
) -> None:
    """Forget what was wished `before` a turn and does not go with the kind wished for in it.

    Those are entries of lists and kinds that nothing of the new kind has and, the latest last, what
    an item has that is taken, by one of the turn's `moves` or before it, where nothing of the new
    kind has all.
    """
    new = [part.constraint for part in turn.taken.constraints if not part.also]
    kinds = _kinds_of(talk, turn, new, before)
    if not kinds or not talk.count(kinds):
        return
    taken = _taken(talk, moves)
    kept = new if talk.count(new) else kinds
    for wish in reversed(before):
        if wish in new or wish not in talk.preferences.known:
            continue
        foreign = _is_of_kind(talk, wish) and not talk.count([*kinds, wish])
        served = any(has(talk, row, [wish]) for row in taken)
        if foreign or (served and not talk.count([*kept, wish])):
            talk.preferences.forget([wish])
        else:
            kept = [*kept, wish]


def _taken(talk: Negotiation, moves: Sequence[MoveMeant]) -> list[Row]:
    """Return the items that were taken, and those that are by moves."""
    rows = [item.row for item in talk.basket]
    for doing in moves:
        if doing.move.act == "take":
            offered = filter(None, [doing.items.offered_row])
            rows += doing.items.rows if doing.items.named else offered
    return rows


def _kinds_of(
    talk: Negotiation, turn: Turn, new: Sequence[Constraint], before: Sequence[Constraint]
) -> list[Constraint]:
    """Return the wishes of a turn that say of which other kind things are to be now."""
    columns = {*naming_columns(talk)}
    columns |= {name for name in talk.catalog.columns if _KIND in column_topics(name)}
    corrects = turn.get("correct") is not None
    kinds = list[Constraint]()
    for wish in new:
        ways = alternatives(wish) or (wish,)
        named = {way.column for way in ways}
        known = [w for w in before if w.column in named and w.op not in NEGATIVE]
        held = {value for way in ways for value in way.values}
        another = any({*w.values}.isdisjoint(held) for w in known)
        says = all(way.op in _SAYS_WHICH and way.column in columns for way in ways)
        if says and (another or (corrects and not known)):
            kinds.append(wish)
    return kinds


def _is_of_kind(talk: Negotiation, wish: Constraint) -> bool:
    """Return whether a wish is for what things of one kind have: an entry, a name, a kind."""
    if wish.column is None:
        return False
    profile = talk.catalog.profile(wish.column)
    named = wish.column in naming_columns(talk) or _KIND in column_topics(wish.column)
    return profile.kind == "list" or named or wish.op in PARTS
