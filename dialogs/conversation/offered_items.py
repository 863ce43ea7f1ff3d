"""What a turn does with the items it was shown: picks one, refuses one, wants less than one has."""

from __future__ import annotations

import re
from dataclasses import replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, Objective
from .agents import parts_of
from .answers import limit_question
from .item_answers import has, named_item
from .naming import graded, sorted_by, values_meant
from .negotiation import Negotiation
from .parts import LIKELY
from .preferences import LOWER, UPPER
from .refused_items import first_left
from .sentences import counted
from .turn import Turn

TOO = re.compile(r"\btoo\s+(?!and\b|or\b)[a-z]+|\bno good\b|\bnot that one\b", re.IGNORECASE)
"""Words that refuse what is offered: `too big`, `no good for me`."""


TAKES = re.compile(
    r"\b(?:i|we)(?:'ll|\s+will|\s+shall|\s+should|\s+would)?\s+(?:like\s+to\s+)?"
    r"(?:take|have|book|buy|get|go\s+(?:for|with))\s+the\b|\bgo\s+for\s+that\b",
    re.IGNORECASE,
)
"""Words with which somebody takes what they name: `I'll have the Meadow`."""

UNSURE = -1
"""The place of an item that is taken by a name which none that is shown has."""


def picked(talk: Negotiation, turn: Turn) -> int | None:
    """Return the place of the item shown that a turn takes by what it has: `the salsa one, then`.

    `UNSURE` where none of them has what it names. None where it names nothing, wishes for more
    than a name, or takes what is offered.
    """
    pick, proposal = turn.get("affirm", "select"), talk.proposal
    sure = pick is not None and pick.confidence >= LIKELY
    says = TAKES.search(turn.text) is not None
    takes = sure or says
    if not takes or proposal is None or not proposal.is_offer:
        return None
    wishes = [part.constraint for part in turn.found.constraints if not part.implied]
    bounds = any(wish.op in (*LOWER, *UPPER, "between") for wish in wishes)
    asks = "?" in turn.text or (not says and any(part.asks for part in turn.sentences))
    if bounds or asks:
        return None
    items = proposal.answer.items
    meant = values_meant(turn.text, talk.catalog)
    named = [
        at
        for at, item in enumerate(items)
        if meant
        and all(values.intersection(parts_of(item.row[column])) for column, values in meant.items())
    ]
    if len(named) == 1:
        return named[0]
    known = {(wish.column, wish.value) for wish in talk.preferences.known}
    held = all((wish.column, wish.value) in known for wish in wishes)
    if sure and wishes and (held or has(talk, items[talk.place].row, wishes)):
        return talk.place
    return UNSURE if sure and meant and talk.place not in named else None


def leave_mentions(talk: Negotiation, turn: Turn) -> None:
    """Take the name of an item that something is asked of, and what to sort by, for no wish."""
    if (way := sorted_by(turn.text, talk.catalog)) is not None:
        goals = [goal for goal in turn.taken.objectives if goal.column != way[0]]
        kept = [part for part in turn.taken.constraints if part.constraint.column != way[0]]
        turn.taken = replace(turn.taken, objectives=tuple(goals), constraints=tuple(kept))
    about = any(part.asks_of_item or TOO.search(part.text) for part in turn.sentences)
    named = named_item(talk, turn.text) if about and turn.offers else None
    if named is not None:
        kept = [p for p in turn.taken.constraints if p.constraint.value != named.by.value]
        turn.taken = replace(turn.taken, constraints=tuple(kept))
        _point_at(talk, named.row)


def _point_at(talk: Negotiation, row: Row) -> None:
    """Have the item that is talked about be the one offered, where it is shown."""
    rows = [] if talk.proposal is None else [item.row for item in talk.proposal.answer.items]
    if row in rows:
        talk.place = rows.index(row)


def refuse_offered(talk: Negotiation, turn: Turn) -> str:
    """Note that the offered item is refused by a turn that says what else is wished."""
    item = talk.offered
    refuses = turn.get("ask_better") or TOO.search(turn.text)
    if item is not None and turn.states and refuses and not turn.get("affirm"):
        talk.passed |= {item.row_id}
        if talk.proposal is not None:
            talk.place = first_left(talk.proposal.answer, talk.passed)
    return ""


def bound_by_offered(talk: Negotiation, turn: Turn) -> str:
    """Take in that there should be less of something than the offered item has, beside wishes."""
    item = talk.offered
    if item is None or not turn.states or any(part.asks_of_item for part in turn.sentences):
        return ""
    stated = {part.constraint.column for part in turn.taken.constraints}
    for part in turn.sentences:
        for column, direction in graded(part.text, talk.catalog, ("more",))[:1]:
            held = item.row.get(column)
            if held is None or column in stated or turn.asking([part]).extraction.objectives:
                continue
            bound = Constraint(column=column, op="<" if direction == "min" else ">", value=held)
            question = limit_question(talk, (column, direction))
            if question is not None and not TOO.search(part.text):
                talk.ask_next(question)
            elif counted(talk, [bound]):
                talk.preferences.add([bound])
            else:
                talk.preferences.aim(Objective(column=column, direction=direction))
    return ""
