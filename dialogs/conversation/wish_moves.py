"""What a turn does with wishes: drops, states, keeps and weighs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint, Objective
from ..extraction.extracted import Leaning
from ..language.either import alternatives, either_of, importance_of, without
from ..language.sums import concerns, topic_of
from ..language.wording import listed, quoted, sentence
from .another_kind import put_aside
from .changes import stays
from .item_answers import naming_columns
from .moves_meant import MoveMeant
from .negotiation import Negotiation
from .opening import open_with
from .preferences import LOWER, NEGATIVE, PARTS, UPPER
from .turn import Turn

EXACT = ("==", "in", "between")
"""Operators of wishes that take the place of all that is known of their column."""

GOES_FIRST = 0.1
"""The weight of a wish that somebody says may give way."""


def let_go(talk: Negotiation, turn: Turn, doing: MoveMeant) -> str:
    """Forget wishes that matter no more; close what was asked about."""
    if doing.move.act == "drop":
        return _drop(talk, doing)
    if doing.move.act != "any":
        return ""
    slot = turn.question.slot if turn.question is not None else None
    stated = {part.constraint.column for part in turn.taken.constraints}
    about = [name for name in doing.columns or filter(None, [slot]) if name not in stated]
    known = [wish for wish in talk.preferences.known if concerns(wish, about)]
    if slot is not None and slot not in about:
        turn.keeps_question = True  # It is something else that does not matter.
    # What must be, or must not, still must; nor has a limit to go further than it does.
    held = [w for w in known if w.hard or w.op in NEGATIVE or not doing.columns]
    talk.preferences.forget(wish for wish in known if wish not in held)
    goals = talk.preferences.objectives
    talk.preferences.objectives = [goal for goal in goals if goal.column not in about]
    talk.close_slots(about)
    if slot in about:
        turn.question = None  # It is answered.
    if held:
        return sentence(f"{listed(map(talk.wording.wish, held))} stays")
    if known or not about:
        return ""
    stay = "stays" if len(about) == 1 else "stay"
    return f"Fine, {listed(map(talk.wording.label, about))} {stay} open."


def _drop(talk: Negotiation, doing: MoveMeant) -> str:
    """Forget the wishes of some columns, of all where none is named, or some of their values."""
    wishes, named = talk.preferences, bool(doing.move.columns)
    said = {str(value).casefold() for value in doing.move.values}
    for wish in [w for w in wishes.known if not named or concerns(w, doing.columns)]:
        if named and alternatives(wish):
            left = without(wish, lambda way: _is_dropped(way, doing, said), talk.catalog)
            if left != wish:
                wishes.exchange([wish], [] if left is None else [left])
            continue
        left_out = [value for value in wish.values if str(value).casefold() in said]
        if left_out or not said:
            wishes.leave_out(wish, left_out or wish.values)
    if said:
        return ""
    goals = [goal for goal in wishes.objectives if not named or goal.column in doing.columns]
    wishes.objectives = [goal for goal in wishes.objectives if goal not in goals]
    talk.close_slots(doing.columns)
    labels = listed(talk.wording.label(goal.column) for goal in goals)
    return sentence(f"{labels} matters no more") if labels else ""


def _is_dropped(way: Constraint, doing: MoveMeant, said: set[str]) -> bool:
    """Return whether one of several ways to meet a wish is dropped, by its value or its column."""
    held = {str(value).casefold() for value in way.values}
    return not said.isdisjoint(held) if said else way.column in doing.columns


def want(talk: Negotiation, turn: Turn, moves: Sequence[MoveMeant] = ()) -> list[str]:
    """Take in the wishes that a turn states; return how what is vague was taken.

    `moves`: what else it does.
    """
    wishes, before = turn.taken.constraints, talk.preferences.known
    if turn.first:
        open_with(talk, [part.constraint for part in wishes])
    else:
        _take_beside(talk, turn)
        wishes = turn.taken.constraints
        # Who says which of both they want leaves it open no more.
        firm = [p.constraint for p in wishes if not p.also and p.constraint.op in (*EXACT, *PARTS)]
        talk.preferences.forget(
            wish
            for wish in talk.preferences.known
            if any(_settles(stated, way) for way in alternatives(wish) for stated in firm)
        )
        new = [part.constraint for part in wishes if not part.also]
        # Any of several entries of a list allows the one that had to be there.
        several = {w.column: {*w.values} for w in new if w.op == "contains any" and w.column}
        talk.preferences.forget(
            wish
            for wish in talk.preferences.known
            if wish.column in several and _is_allowed(talk, wish, several[wish.column])
        )
        known = talk.preferences.known
        talk.preferences.forget(w for w in known if any(_leaves_none(talk, w, n) for n in new))
        # Bounds of both sides, parts of lists and values to avoid stand together.
        talk.preferences.add(wish for wish in new if wish.op not in EXACT)
        talk.preferences.add((wish for wish in new if wish.op in EXACT), instead=True)
        talk.preferences.add((part.constraint for part in wishes if part.also), also=True)
        put_aside(talk, turn, before, moves)
        if not talk.count(talk.preferences.base):
            talk.preferences.unfix()
    _weigh(talk, (part.constraint for part in wishes))
    # Who says how much it is to be wishes for no more and no less.
    exact = {part.constraint.column for part in wishes if part.constraint.op in EXACT}
    goals = talk.preferences.objectives
    talk.preferences.objectives = [goal for goal in goals if goal.column not in exact]
    for goal in turn.taken.objectives:
        if talk.catalog.schema.find(goal.column).ordered:
            talk.preferences.aim(Objective(column=goal.column, direction=goal.direction))
        elif goal.constraint is not None:
            talk.preferences.add([goal.constraint])
    # What is said outright says more than "cheap" does.
    limited = {wish.column for wish in talk.preferences.known}
    limited |= {goal.column for goal in talk.preferences.objectives}
    vague = [goal for goal in turn.taken.leanings if goal.column not in limited]
    alone = not (wishes or turn.taken.objectives)
    return list(filter(None, (_lean(talk, goal, alone=alone) for goal in vague)))


def _leaves_none(talk: Negotiation, known: Constraint, new: Constraint) -> bool:
    """Return whether a new bound takes the place of one of the other side, which it contradicts."""
    sides = (UPPER, LOWER)
    opposed = any(known.op in a and new.op in b for a, b in (sides, sides[::-1]))
    return known.column == new.column and opposed and not talk.count([known, new])


def _settles(stated: Constraint, way: Constraint) -> bool:
    """Return whether a wish says which of several ways is wanted: of a list, one of its entries."""
    if stated.column is None or stated.column != way.column:
        return False
    return stated.op in EXACT or not {*stated.values}.isdisjoint(way.values)


def _is_allowed(talk: Negotiation, wish: Constraint, entries: set[Any]) -> bool:
    """Return whether what is known of a list is changed by a wish for any of several entries.

    One of them that had to be there, or that had to be away, and what had to be away where all
    others are as good: whoever cannot on Tuesdays may on Wednesdays, Tuesday or not.
    """
    if wish.op == "contains":
        return entries.issuperset(wish.values)
    others = {*talk.catalog.profile(wish.column or "").values}.difference(wish.values)
    return wish.op in NEGATIVE and (not entries.isdisjoint(wish.values) or others <= entries)


def _take_beside(talk: Negotiation, turn: Turn) -> None:
    """Take in what is as good as a known wish of another column: `or something by boat`."""
    for part in turn.taken.constraints:
        ways = alternatives(part.constraint) if part.also else ()
        columns = {way.column for way in ways}
        known = next((w for w in talk.preferences.known if w.column in columns), None)
        if known is None or known.op in NEGATIVE:
            continue
        try:
            either = either_of([known, *ways], talk.catalog, **importance_of(known))
        except (QueryError, ValueError):
            continue  # What cannot be said of both is wished beside.
        based = known in talk.preferences.base
        if topic_of(known) in talk.preferences.refused:
            talk.preferences.refused.add(topic_of(either))
        talk.preferences.exchange([known], [] if based else [either])
        talk.preferences.base += [either] if based else []
        kept = tuple(other for other in turn.taken.constraints if other is not part)
        turn.taken = replace(turn.taken, constraints=kept)


def _lean(talk: Negotiation, goal: Leaning, *, alone: bool) -> str:
    """Take in a vague wish, the first to rank by, others as bounds; return which bound it is.

    `alone`: it is said of what is offered, as nothing else is wished.
    """
    ranks, bound = talk.catalog.schema.find(goal.column).ordered, goal.constraint
    held = talk.offered.row[goal.column] if talk.offered is not None and alone else None
    if bound is not None and ranks and held is not None:
        # What is offered has too much of it; more is not said.
        bound = bound.changed("<" if goal.direction == "min" else ">", held)
    if ranks and (bound is None or not talk.preferences.objectives):
        talk.preferences.aim(Objective(column=goal.column, direction=goal.direction))
    elif bound is not None:
        talk.preferences.add([bound])
        return sentence(
            f"by {quoted(goal.said)} I take it that you mean {talk.wording.wish(bound)}"
        )
    return ""


def _weigh(talk: Negotiation, stated: Iterable[Constraint]) -> None:
    """Have wishes weigh as much as is said of them."""
    weights = {(w.column, w.op, w.value): w.weight for w in stated if w.weight is not None}
    soft = enumerate(talk.preferences.soft)
    found = {at: weights.get((wish.column, wish.op, wish.value)) for at, wish in soft}
    if said := {at: weight for at, weight in found.items() if weight is not None}:
        talk.set_weights(said)


def hold(talk: Negotiation, doing: MoveMeant) -> str:
    """Let wishes never give way, or before the others."""
    if doing.move.act not in ("keep", "may_go"):
        return ""
    if doing.move.act == "may_go":
        talk.preferences.unfix(lambda wish: concerns(wish, doing.columns))
    soft = talk.preferences.soft
    positions = [at for at, wish in enumerate(soft) if concerns(wish, doing.columns)]
    if not positions:
        return ""
    if doing.move.act == "keep":
        return stays(talk, positions, ())
    talk.preferences.unharden(positions)
    talk.set_weights(dict.fromkeys(positions, GOES_FIRST))
    return f"What gives way first: {listed(talk.wording.wish(soft[at]) for at in positions)}."


def _is_of(known: Constraint, stated: Constraint) -> bool:
    """Return whether a wish is what was stated, or came of it: other entries of a list are not."""
    if topic_of(known) != topic_of(stated):
        return False
    if (known.op in NEGATIVE) != (stated.op in NEGATIVE):
        return False  # Who refuses one thing fixes no other.
    listed = (*PARTS, *NEGATIVE)
    apart = set(known.values).isdisjoint(stated.values)
    return not (apart and known.op in listed and stated.op in listed)


def fix(talk: Negotiation, turn: Turn) -> str:
    """Let wishes never give way that the person says must be, unless nothing is left then."""
    stated = [part.constraint for part in turn.taken.constraints]
    # What is ruled out by name is not offered after all.
    names = naming_columns(talk) if any(wish.op in NEGATIVE for wish in stated) else []
    must = [w for w in stated if w.hard or (w.op in NEGATIVE and w.column in names)]
    soft = enumerate(talk.preferences.soft)
    positions = [at for at, wish in soft if any(_is_of(wish, other) for other in must)]
    if not positions:
        return ""
    talk.preferences.unharden(positions)
    return stays(talk, positions, ())
