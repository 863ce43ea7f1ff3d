"""What a turn does with the items it was shown: picks one, refuses one, wants less than one has."""

from __future__ import annotations

import re
from dataclasses import replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, Objective
from ...catalogs.query.query import Query
from .agents import parts_of
from .answers import limit_question
from .item_answers import Named, has, named_item
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
    r"\b(?:i|we)(?:'ll|\s+will|\s+shall|\s+should|\s+would|'d)?\s+(?:like\s+to\s+)?"
    r"(?:take|have|book|buy|reserve|go\s+(?:for|with))\s+(?!a\b|an\b|any|some|one\b|to\b|no\b|got\b)|"
    r"^\W*(?:(?:yes|yeah|ok|okay|right|great|perfect|lovely|then|so|please)\W+)*"
    r"(?:take|book|buy|reserve)\s+(?!a\b|an\b|any|out\b|off\b)|\bgo\s+for\s+that\b",
    re.IGNORECASE,
)
"""Words with which somebody takes what they name: `I'll have the Meadow`, `yes, take CA-043`."""

UNSURE = -1
"""The place of an item that is taken by a name which none that is shown has."""


def picked(talk: Negotiation, turn: Turn) -> int | None:
    """Return the place of the item shown that a turn takes by what it has: `the salsa one, then`.

    `UNSURE` where none of them has what it names. None where it names nothing, wishes for more
    than a name, or takes what is offered.
    """
    pick, proposal = turn.get("affirm", "select"), talk.proposal
    sure = pick is not None and pick.confidence >= LIKELY
    taking = [part for part in turn.sentences if TAKES.search(part.text)]
    if not (sure or taking) or proposal is None or not proposal.is_offer:
        return None
    said = turn.asking(taking or turn.sentences)
    stated = [part for part in turn.found.constraints if not part.implied]
    wishes = [p.constraint for p in stated if not taking or p in said.extraction.constraints]
    bounds = any(wish.op in (*LOWER, *UPPER, "between") for wish in wishes)
    asks = any("?" in part.text for part in taking or turn.sentences)
    asks |= not taking and any(part.asks for part in turn.sentences)
    if bounds or asks:
        return None
    items = proposal.answer.items
    meant = values_meant(said.text, talk.catalog)
    named = [
        at
        for at, item in enumerate(items)
        if meant
        and all(values.intersection(parts_of(item.row[column])) for column, values in meant.items())
    ]
    if len(named) == 1:
        return named[0]
    other = named_item(talk, said.text) if taking and not named else None
    if other is not None and other.by.column in talk.wording.naming(other.row):
        return _put_forward(talk, other)
    known = {(wish.column, wish.value) for wish in talk.preferences.known}
    held = all((wish.column, wish.value) in known for wish in wishes)
    if sure and wishes and (held or has(talk, items[talk.place].row, wishes)):
        return talk.place
    return UNSURE if sure and meant and talk.place not in named else None


_DESCRIBES = re.compile(
    r"\W*(?:(?:but|hmm|oh|well|no|aw|and|so|ok)\W+)*(?:(?:that|those|these|this|it|they)(?:\s+ones?)?|"
    r"(the\s+[\w\s'-]{1,30}?\s+ones?))(?:['’]s|['’]re|s|\s+(?:is|are|was|has|have))\b",
    re.IGNORECASE,
)
"""How a sentence begins that tells what an item is: `those are old`, `the grey one's dear`."""


def leave_mentions(talk: Negotiation, turn: Turn) -> None:
    """Take for no wish the name of an item that something is asked of, what to sort by, and what
    is told of the offered item.
    """
    if (way := sorted_by(turn.text, talk.catalog)) is not None:
        goals = [goal for goal in turn.taken.objectives if goal.column != way[0]]
        kept = [part for part in turn.taken.constraints if part.constraint.column != way[0]]
        turn.taken = replace(turn.taken, objectives=tuple(goals), constraints=tuple(kept))
    item = talk.offered
    told = [
        stated
        for part in turn.sentences
        if item is not None and (one := _DESCRIBES.match(part.text)) is not None
        for stated in turn.stated_in(part)
        if one[1] or has(talk, item.row, [stated.constraint])
    ]
    kept = tuple(part for part in turn.taken.constraints if part not in told)
    turn.taken = replace(turn.taken, constraints=kept)
    about = any(part.asks_of_item or TOO.search(part.text) for part in turn.sentences)
    named = named_item(talk, turn.text) if about and turn.offers else None
    if named is not None:
        kept = [p for p in turn.taken.constraints if p.constraint.value != named.by.value]
        turn.taken = replace(turn.taken, constraints=tuple(kept))
        place = _shown_at(talk, named.row)
        talk.place = talk.place if place is None else place


def _put_forward(talk: Negotiation, named: Named) -> int | None:
    """Offer an item that is not shown; return its place."""
    talk.propose_instead(Query(base=(named.by,)))
    return _shown_at(talk, named.row)


def _shown_at(talk: Negotiation, row: Row) -> int | None:
    """Return the place of an item among those that are shown."""
    rows = [] if talk.proposal is None else [item.row for item in talk.proposal.answer.items]
    return rows.index(row) if row in rows else None


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
