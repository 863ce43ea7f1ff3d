"""What a turn does with the items it was shown: picks one, refuses one, wants less than one has."""

from __future__ import annotations

import re
from dataclasses import replace

from ...catalogs.query.constraint import Constraint, Objective
from .answers import limit_question
from .item_answers import named_item
from .naming import graded, sorted_by
from .negotiation import Negotiation
from .preferences import LOWER, UPPER
from .sentences import counted
from .turn import LIKELY, Turn

_TOO = re.compile(r"\btoo\s+(?!and\b|or\b)[a-z]+|\bno good\b|\bnot that one\b", re.IGNORECASE)
"""Words that refuse what is offered: `too big`, `no good for me`."""


def picked(talk: Negotiation, turn: Turn) -> int | None:
    """Return the place of the item shown that a turn takes by what it has: `the salsa one, then`.

    None where it wishes for more than what a single one of the items shown has.
    """
    pick, proposal = turn.get("affirm", "select"), talk.proposal
    if pick is None or pick.confidence < LIKELY or proposal is None:
        return None
    wishes = [part.constraint for part in turn.found.constraints if not part.implied]
    if not wishes:
        return None
    bounds = any(wish.op in (*LOWER, *UPPER, "between") for wish in wishes)
    if bounds or any(part.asks for part in turn.sentences):
        return None
    items = proposal.answer.items
    have = [at for at, item in enumerate(items) if talk.has(item.row, wishes)]
    return have[0] if len(have) == 1 else None


def leave_mentions(talk: Negotiation, turn: Turn) -> None:
    """Take the name of an item that something is asked of, and what to sort by, for no wish."""
    asks = any(part.asks_of_item for part in turn.sentences)
    if (way := sorted_by(turn.text, talk.catalog)) is not None:
        goals = [goal for goal in turn.taken.objectives if goal.column != way[0]]
        turn.taken = replace(turn.taken, objectives=tuple(goals))
    named = named_item(talk, turn.text) if asks and turn.offers else None
    if named is not None:
        kept = [p for p in turn.taken.constraints if p.constraint.value != named.by.value]
        turn.taken = replace(turn.taken, constraints=tuple(kept))


def refuse_offered(talk: Negotiation, turn: Turn) -> str:
    """Note that the offered item is refused by a turn that says what else is wished."""
    item = talk.offered
    refuses = turn.get("ask_better") or _TOO.search(turn.text)
    if item is not None and turn.states and refuses and not turn.get("affirm"):
        talk.passed |= {item.row_id}
    return ""


def bound_by_offered(talk: Negotiation, turn: Turn) -> str:
    """Take in that there should be less of something than the offered item has, beside wishes."""
    item = talk.offered
    if item is None or not turn.states or not turn.get("ask_better"):
        return ""
    asked = turn.doing("ask_better")
    stated = {part.constraint.column for part in turn.taken.constraints}
    for column, direction in graded(asked.text, talk.catalog)[:1]:
        held = item.row.get(column)
        if held is not None and column not in stated:
            bound = Constraint(column=column, op="<" if direction == "min" else ">", value=held)
            if (question := limit_question(talk, (column, direction))) is not None:
                talk.ask_next(question)
            elif counted(talk, [bound]):
                talk.preferences.add([bound])
            else:
                talk.preferences.aim(Objective(column=column, direction=direction))
    return ""
