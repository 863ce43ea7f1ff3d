"""What a turn takes back: a wish by its column or its value, a limit, what does not matter."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ...catalogs.query.constraint import Constraint
from .naming import is_graded, named_wishes, values_meant
from .negotiation import Negotiation
from .parts import LIKELY
from .preferences import NEGATIVE
from .sentences import understood
from .turn import Turn


def retract(talk: Negotiation, turn: Turn) -> str:
    """Forget the wishes that a turn takes back or does not care about."""
    stays = turn.question.slot if turn.question and keeps_limit(talk, turn) else None
    _forget_refused(talk, turn)
    if _waive_named(talk, turn):
        return ""
    known = list(talk.preferences.known)
    asked = turn.doing("retract", "dont_care")
    takes, waived = turn.get("retract"), turn.taken.waived
    named = [
        wish
        for wish in _named_wishes(talk, asked.text)
        if wish.column in waived or (not waived and takes and takes.confidence >= LIKELY)
    ]
    talk.preferences.forget(named)
    for column in waived:
        if column != stays and all(wish.column != column for wish in named):
            talk.preferences.waive(column)
    talk.close_slots([*waived, *(wish.column for wish in named if wish.column)])
    retracted = turn.get("retract")
    if retracted is None and (turn.get("dont_care") is None or turn.states):
        return ""
    columns = set(asked.columns)
    if turn.question is not None and not columns:
        columns = {turn.question.slot}
    if waived:
        columns &= set(waived)
    stated = {part.constraint.column for part in turn.taken.constraints}
    text = "" if waived else asked.text
    gone = [] if named else [known[at] for at in named_wishes(text, columns, known)]
    gone = [wish for wish in gone if wish.column not in stated]
    goals = [goal for goal in talk.preferences.objectives if goal.column in columns]
    if retracted and not (gone or goals or named or waived or turn.states):
        if turn.question is None:
            return f"What shall I forget? {understood(talk)}"
        return ""
    talk.preferences.forget(gone)
    talk.close_slots(wish.column for wish in gone if wish.column)
    talk.preferences.objectives = [g for g in talk.preferences.objectives if g not in goals]
    return ""


def _forget_refused(talk: Negotiation, turn: Turn) -> None:
    """Forget a wish that a turn takes back, where it reads as one for anything else."""
    act = turn.get("retract")
    if act is None or act.confidence < LIKELY:
        return
    parts = turn.taken.constraints
    refused = {(p.constraint.column, p.constraint.value) for p in parts if p.constraint.op == "!="}
    gone = [
        wish
        for wish in talk.preferences.known
        if wish.op not in NEGATIVE and (wish.column, wish.value) in refused
    ]
    talk.preferences.forget(gone)
    keys = {(wish.column, wish.value) for wish in gone}
    kept = [p for p in parts if (p.constraint.column, p.constraint.value) not in keys]
    turn.taken = replace(turn.taken, constraints=tuple(kept))


_WAIVES = re.compile(
    r"\b(?:any|whichever)\s+[\w\s]{1,30}?\s(?:is|are|will|would|does|then|either|as\s+well)\b|"
    r"^\W*(?:(?:ok|well|then|so|i\s+said|just)\W+)*any\s+\w+\W*$|"
    r"\b(?:never\s+mind|no\s+matter|(?:do|does)(?:n't|nt|\s+not)\s+(?:really\s+)?"
    r"(?:matter|bother|mind|need|care)|(?:not|n't)\s+(?:so\s+|that\s+|too\s+|really\s+)*important|"
    r"not\s+(?:fussed|bothered)|forget|drop|take\s+out|leave\s+out|can\s+be\s+without)\b",
    re.IGNORECASE,
)
"""Words with which a column that is named beside them matters no more: `any town is fine`."""

_DAYTIME = re.compile(r"\b(?:mornings?|afternoons?|evenings?|nights?|noon)\b", re.IGNORECASE)


def _waive_named(talk: Negotiation, turn: Turn) -> bool:
    """Forget the wishes whose column a sentence names beside words for that; whether any did."""
    gone: list[Constraint] = []
    for part in turn.sentences:
        if part.asks or not _WAIVES.search(part.text):
            continue
        about = turn.asking([part])
        stated = {item.constraint.column for item in about.extraction.constraints}
        stated &= {item.constraint.column for item in turn.taken.constraints}
        columns = {
            name
            for name in about.columns
            for start, end in turn.named[name]
            if part.holds(start) and not is_graded(turn.text[start:end])
        }
        for wish in talk.preferences.known:
            daytime = wish.column is not None and _DAYTIME.search(part.text)
            timed = daytime and talk.catalog.schema.find(wish.column or "").sql_type == "TIME"
            if wish.column not in stated and (wish.column in columns or timed):
                gone.append(wish)
    talk.preferences.forget(gone)
    talk.close_slots(wish.column for wish in gone if wish.column)
    return bool(gone)


def _named_wishes(talk: Negotiation, text: str) -> list[Constraint]:
    """Return the wishes known for a value that a text names, however it is spelled."""
    meant = values_meant(text, talk.catalog)
    return [
        wish
        for wish in talk.preferences.known
        if wish.column is not None and meant.get(wish.column, set[Any]()) & set(wish.values)
    ]


def keeps_limit(talk: Negotiation, turn: Turn) -> bool:
    """Return whether a no, or no answer, to how far something may go leaves it as it is."""
    slot = turn.question.slot if turn.question else None
    refuses = turn.get("negate") or turn.get("dont_know")
    known = any(wish.column == slot for wish in talk.preferences.known)
    return bool(refuses) and known and not turn.states and not turn.get("retract")
