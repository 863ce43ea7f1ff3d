"""What a turn takes back: a wish by its column or its value, a limit, what does not matter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.schema import name_words
from ..extraction.value_index import index_of
from ..language.column_phrases import stem
from ..language.tokens import folded, folded_words
from .denied_features import needs_one, unneeded
from .item_answers import item_value
from .naming import READ, column_mentions, is_graded, named_wishes, values_meant
from .negotiation import Negotiation
from .offered_items import TOO
from .parts import LIKELY
from .preferences import NEGATIVE, PARTS, narrowed
from .sentences import understood
from .turn import Turn

_NOT_FORGET = re.compile(r"\b(?:not|never|\w+n't|dont)\s+(?:forget|drop)\b", re.IGNORECASE)


def retract(talk: Negotiation, turn: Turn) -> str:
    """Forget the wishes that a turn takes back or does not care about."""
    if _NOT_FORGET.search(turn.text):
        return ""
    _keep_bans(talk, turn)
    before = talk.preferences.known
    stays = turn.question.slot if turn.question and keeps_limit(talk, turn) else None
    _forget_refused(talk, turn)
    _forget_denied(talk, turn)
    if _waive_named(talk, turn):
        return ""
    known = list(talk.preferences.known)
    asked = turn.doing("retract", "dont_care")
    takes, waived = turn.get("retract"), _not_beside(talk, turn)
    named = [
        wish
        for wish in _named_wishes(talk, asked.text)
        if wish.column in waived or (not waived and takes and takes.confidence >= LIKELY)
    ]
    _leave_out(talk, named, asked.text)
    for column in waived:
        if column != stays and all(wish.column != column for wish in named):
            talk.preferences.waive(column)
    talk.close_slots([*waived, *(wish.column for wish in named if wish.column)])
    retracted = turn.get("retract")
    if retracted is None and (turn.get("dont_care") is None or turn.states):
        return ""
    values = {
        ((part.evidence.start, part.evidence.end), part.constraint.column)
        for part in turn.found.constraints
    }
    # The `office` of a sector is no column for working at home.
    columns = {
        name
        for name in asked.columns
        if not all(any(at == span and of != name for at, of in values) for span in turn.named[name])
    }
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
        if known != list(before):
            return ""
        if turn.question is None and not turn.questions:
            asks = any(part.asks for part in turn.sentences) or "ask" in folded(turn.text)
            told = item_value(talk, asked) if asked.columns and asks else ""
            return told or f"What shall I forget? {understood(talk)}"
        return ""
    _leave_out(talk, gone, text)
    talk.close_slots(wish.column for wish in gone if wish.column)
    talk.preferences.objectives = [g for g in talk.preferences.objectives if g not in goals]
    return ""


_LACKS = re.compile(r"\b(?:without|no)\b(?!\s(?:real\s)?need)", re.IGNORECASE)
"""Words for a lack, which need not be either: `no stairs isn't a must`."""


def _keep_bans(talk: Negotiation, turn: Turn) -> None:
    """Waive no column where a clause says that what is unwanted there is not needed either."""
    clauses = filter(unneeded, _STOPS.split(turn.text) if turn.taken.waived else ())
    text = ", ".join(clause for clause in clauses if not _LACKS.search(clause))
    banned = {wish.column for wish in _named_wishes(talk, text) if _is_ban(talk, wish)}
    waived = tuple(column for column in turn.taken.waived if column not in banned)
    if banned and not waived:
        turn.acts = tuple(act for act in turn.acts if act not in ("retract", "dont_care"))
    turn.taken = replace(turn.taken, waived=waived)


def _is_ban(talk: Negotiation, wish: Constraint) -> bool:
    """Return whether a wish is for a lack."""
    answers = index_of(talk.catalog).yes_no.get(wish.column or "")
    return wish.op in NEGATIVE or (answers is not None and wish.value == answers.no)


def _not_beside(talk: Negotiation, turn: Turn) -> tuple[str, ...]:
    """Return the columns that do not matter: those that `any` is about where it says.

    None where a value of it is named that nobody wished for: `forget the hut` leaves a tap.
    """
    headed = _headed(turn.text, talk.catalog.columns)
    waived = [name for name in turn.taken.waived if not headed or name in headed]
    meant = values_meant(turn.text, talk.catalog)
    held = {wish.column for wish in _named_wishes(talk, turn.text)}
    return tuple(name for name in waived if name in held or name not in meant)


def _headed(text: str, columns: Iterable[str]) -> set[str]:
    """Return the columns of whose name a text says that any will do."""
    found = (m for m in _ANY_OF.finditer(text) if m[3] or not _REFUSES.search(text[: m.start()]))
    words = {stem(word.lower()) for match in found for word in match.groups() if word}
    return {name for name in columns if not words.isdisjoint(map(stem, name_words(name)))}


Value = tuple[str | None, Any]
"""A column and a value of it."""


def _leave_out(talk: Negotiation, wishes: Sequence[Constraint], text: str) -> set[Value]:
    """Forget wishes; of one for any of several values only those that a text names, if it does.

    Return the values that are wished no more.
    """
    meant, gone = values_meant(text, talk.catalog), set[Value]()
    for wish in wishes:
        values = meant.get(wish.column or "", set[Any]())
        talk.preferences.leave_out(wish, values)
        gone |= {(wish.column, value) for value in values.intersection(wish.values) or wish.values}
    return gone


_NEVER = re.compile(
    r"\b(?:never|did(?:n't|nt|\s+not))\s+(?:even\s+)?(?:ask|asked|say|said|want|wanted|mean|meant|"
    r"mention|mentioned)\b|\bstop\s+asking\b",
    re.IGNORECASE,
)
"""Words that deny a wish: `I never asked for a tap`."""

_STOP_ASKING = re.compile(
    r"\bstop\s+asking\b|\b(?:never|did(?:n['’]?t|\s+not))\s+(?:even\s+)?sa(?:y|id)\s+(?!i\b|we\b|that\b)",
    re.IGNORECASE,
)
"""Words before what is no wish: `stop asking for a tap`, `I didn't say 20`."""

_WISHES_NOW = re.compile(
    r"\bmention(?:ed)?\s(?:that\s)?(?:i|we)\b|\bto\s(?:pay|spend)\b|\bnow\b|\byou\s+never\b",
    re.IGNORECASE,
)
"""Words of a wish behind such: `I didn't mention that I need a tap`."""


def _forget_refused(talk: Negotiation, turn: Turn) -> None:
    """Forget a wish that a turn takes back, where it reads as one for anything else.

    What must stay, by its words, does.
    """
    act = turn.get("retract")
    takes_back = act is not None and act.confidence >= LIKELY
    refused = {
        (p.constraint.column, p.constraint.value)
        for part in turn.sentences
        if takes_back or _NEVER.search(part.text)
        for p in turn.stated_in(part)
        if p.constraint.op == "!="
    }
    refused |= _never_wished(talk, turn)
    for part in turn.sentences:
        if (said := _STOP_ASKING.search(part.text[:READ])) is not None:
            behind = part.start + said.end()
            gone = [p.constraint for p in turn.stated_in(part) if p.evidence.start >= behind]
            turn.leave(gone.__contains__)
    kept = {
        (p.constraint.column, p.constraint.value)
        for part in turn.sentences
        if _KEEPS.search(part.text)
        for p in turn.stated_in(part)
    }
    if not refused | kept:
        return
    known = [wish for wish in talk.preferences.known if wish.op not in NEGATIVE]
    gone = [wish for wish in known if (wish.column, wish.value) in refused - kept]
    stays = {(wish.column, wish.value) for wish in known if (wish.column, wish.value) in kept}
    talk.preferences.harden(
        at for at, wish in enumerate(talk.preferences.soft) if (wish.column, wish.value) in stays
    )
    talk.preferences.forget(gone)
    keys = {(wish.column, wish.value) for wish in gone} | stays
    turn.leave(lambda wish: (wish.column, wish.value) in keys)


def _never_wished(talk: Negotiation, turn: Turn) -> set[Value]:
    """Return the wishes that a clause names and says were never made."""
    denied = (
        clause[m.end() :]
        for p in turn.sentences
        if not _WISHES_NOW.search(p.text)
        for clause in _STOPS.split(p.text)
        for m in _NEVER.finditer(clause[:READ])
    )
    return {
        (wish.column, wish.value)
        for text in denied
        for wish in _named_wishes(talk, text)
        if not (_is_ban(talk, wish) or _REFUSES.search(text) or TOO.search(text))
        and len(wish.values) == 1
    }


_DENIED = re.compile(
    r"^\W*(?:(?:no|nope|and|so|oh|ok|please|sorry|again|but|(?:i|we)\s(?:said|say|mean|meant))\b\W*)*"
    r"\b(?:not?|never)\s+(?:(?:the|an?|any|in)\s+)*(.+)",
    re.IGNORECASE,
)
"""A clause that says no more than what is not wished: `no, not the brand Seat`."""

_JOINS = frozenset("or nor and".split())


def _forget_denied(talk: Negotiation, turn: Turn) -> None:
    """Forget the values that were wished and are denied by their name, or words of it, alone.

    Not what a clause behind wants: `no garden, and we need one`.
    """
    clauses = ((p, c) for p in turn.sentences if not p.asks for c in _STOPS.split(p.text[:READ]))
    for part, clause in clauses:
        if (said := _DENIED.match(clause)) is None:
            continue
        words, stated = {*folded_words(said[1])} - _JOINS, turn.taken.constraints
        needed = (p.constraint for p in turn.stated_in(part) if needs_one(turn.text, p))
        here = {(wish.column, value) for wish in needed for value in wish.values}
        for wish in (*talk.preferences.known, *(p.constraint for p in stated)):
            names = {
                value: words.intersection(folded_words(value))
                for value in wish.values
                if isinstance(value, str) and wish.op not in NEGATIVE
            }
            column = {word.lower() for word in name_words(wish.column or "")}
            whole = {v for v in names if words == {*folded_words(v)}}
            held = whole or {v for v, own in names.items() if own or words == column}
            held -= {value for value in held if (wish.column, value) in here}
            if held and words <= column.union(*names.values()):
                talk.preferences.leave_out(wish, held)
                _leave_values(turn, {(wish.column, value) for value in held}, bans=False)


_KEEPS = re.compile(r"\b(?:keep|keeps|must\s+stay)\b", re.IGNORECASE)
"""Words with which what is wished already must stay: `no, keep the tap`."""


_WAIVES = re.compile(
    r"\b(?:any|whichever)\s+[\w\s]{1,30}?\s(?:is|are|will|would|does|then|either|as\s+well)\b|"
    r"^\W*(?:(?:ok|well|then|so|i\s+said|just)\W+)*any\s+\w+\W*$|"
    r"\b(?:never\s+mind|no\s+matter|(?:do|does)(?:n['’]t|nt|\s+not)\s+(?:really\s+)?"
    r"(?:matter|bother|mind|care)|not\s+(?:fussed|bothered)|forget|remove|scrap|drop(?!\W?off\b)|take\s+(?:out|back)|leave\s+out|can\s+be\s+without)\b|"
    r"(?:\bnot|n['’]t|\b(?:is|are)nt)\s+(?:so\s+|that\s+|too\s+|really\s+)*important\b",
    re.IGNORECASE,
)
"""Words with which what is named beside them matters no more: `any town is fine`."""

_REFUSES = re.compile(r"\b(?:not|\w+n't|dont|without|never|hates?)\b", re.IGNORECASE)
_ANY_OF = re.compile(
    r"(?<!\bof\s)\b(?:any|whichever|whatever)\s+(\w+)"
    r"(?=\W*$|[.,!;]|\s+(?:is|are|will|would|does|do|you|then|really|of|at\s+all|and|but|with)\b)|"
    r"\bother\s+(\w+)\s+(?:(?:is|are|will|would)\s+(?:be\s+)?)?(?:also\s+)?(?:ok|okay|fine|good|do|too)\b|"
    r"\bthe\s+(\w+)\s+(?:does|is)(?:n't|nt|\s+not)\s+(?:really\s+)?(?:matter|important)\b",
    re.IGNORECASE,
)
"""A word of a column of which every value will do: `I could do any day`, `other sites are ok`."""

_DAYTIME = re.compile(r"\b(?:mornings?|afternoons?|evenings?|nights?|noon)\b", re.IGNORECASE)


def _waive_named(talk: Negotiation, turn: Turn) -> bool:
    """Forget the wishes whose column a sentence names beside words for that; whether any did."""
    (dropped, left_out), gone = _drop_values(talk, turn), list[Constraint]()
    values = {folded(str(value)) for _, value in left_out}
    if dropped and turn.question is not None and turn.get("dont_care"):
        turn.keeps_question |= all(wish.column != turn.question.slot for wish in dropped)
    for part in turn.sentences:
        if part.asks and not (part.lists or turn.stated_in(part)):
            continue
        waives = None if part.asks else _WAIVES.search(part.text)
        headed = _headed(part.text, talk.catalog.columns)
        about = turn.asking([part])
        stated = {item.constraint.column for item in about.extraction.constraints}
        stated &= {item.constraint.column for item in turn.taken.constraints}
        places = [
            (name, start, end)
            for name in about.columns
            for start, end in turn.named[name]
            if waives
            and part.holds(start)
            and not is_graded(turn.text[start:end])
            and folded(turn.text[start:end]) not in values
        ]
        columns = headed | {name for name, _, _ in places}
        inside = [
            stated.constraint
            for stated in turn.stated_in(part)
            for name, start, end in places
            if start <= stated.evidence.start
            and stated.evidence.end <= end
            and stated.constraint.column != name
        ]
        turn.leave(inside.__contains__)
        for wish in talk.preferences.known:
            daytime = waives and wish.column is not None and _DAYTIME.search(part.text)
            timed = daytime and talk.catalog.schema.find(wish.column or "").sql_type == "TIME"
            if wish.column not in stated and (wish.column in columns or timed):
                gone.append(wish)
    talk.preferences.forget(gone)
    talk.close_slots(wish.column for wish in (*dropped, *gone) if wish.column)
    return bool(dropped or gone)


_STOPS = re.compile(r"[,.;:!?()]|\b(?:but|though|as long as|provided|because)\b", re.IGNORECASE)
_WHICH = re.compile(r"\b(?:any\w*|(?:what|which|who|where|when|how)(?:ever)?)\b", re.IGNORECASE)
"""Words for something else that a clause waives: `I don't mind where in the Dales`."""


def _drop_values(talk: Negotiation, turn: Turn) -> tuple[list[Constraint], set[Value]]:
    """Forget, and take in no more, the values that a clause waives by name.

    Return the wishes, and the values.
    """
    gone, dropped, forgotten = list[Constraint](), set[Value](), set[Value]()
    stated = [part.constraint for part in turn.taken.constraints]
    cut = ((part.asks, _STOPS.split(part.text[:READ])) for part in turn.sentences)
    for asks, clause in ((asks, clause) for asks, clauses in cut for clause in clauses):
        waives = _WAIVES.search(clause)
        said = waives or (None if asks else unneeded(clause))
        others = _WHICH.search(clause) or (said and _REFUSES.search(clause[: said.start()]))
        if said is None or (waives and others):
            continue  # `don't forget the lift`
        before, behind = clause[: said.start()], clause[said.end() :]
        meant = values_meant(behind, talk.catalog)
        text = behind if meant or column_mentions(behind, talk.catalog) else before
        forgotten |= {
            (name, value)
            for name, values in meant.items()
            for value in values
            if waives and folded(str(value)) == folded(behind).strip()
        }
        lacks = _LACKS.search(text) is not None
        wishes = [
            wish
            for wish in _named_wishes(talk, text)
            if (_is_ban(talk, wish) == lacks or (waives and not lacks))
            and not _is_kept(wish, stated, clause)
        ]
        dropped |= _leave_out(talk, wishes, text)
        gone += wishes
    turn.leave(lambda wish: (wish.column, wish.value) in dropped)
    _leave_values(turn, forgotten)
    return gone, dropped | forgotten


def _leave_values(turn: Turn, gone: Collection[Value], *, bans: bool = True) -> None:
    """Take in none of these values, whatever others a turn states beside them.

    `bans`: nor that they are not to be.
    """

    def left(wish: Constraint) -> Constraint | None:
        values = {value for value in wish.values if (wish.column, value) in gone}
        stays = not values or (wish.op in NEGATIVE and not bans)
        return wish if stays else narrowed(wish, values)

    parts = ((part, left(part.constraint)) for part in turn.taken.constraints)
    kept = tuple(replace(part, constraint=wish) for part, wish in parts if wish is not None)
    turn.taken = replace(turn.taken, constraints=kept)


def _is_kept(wish: Constraint, stated: Sequence[Constraint], clause: str) -> bool:
    """Return whether a turn states a wish beside what is waived, or what takes its place."""
    same = [other for other in stated if other.column == wish.column and other.op not in NEGATIVE]
    if wish.op in PARTS:
        return " and " in clause and any(other.value == wish.value for other in same)
    return any(set(other.values).isdisjoint(wish.values) for other in same)


def _named_wishes(talk: Negotiation, text: str) -> list[Constraint]:
    """Return the wishes known that a text names: a value, however it is spelled, or a feature."""
    meant, named = values_meant(text, talk.catalog), column_mentions(text, talk.catalog)
    features = named.keys() & index_of(talk.catalog).yes_no.keys()
    return [
        wish
        for wish in talk.preferences.known
        if (wish.column or "") in features
        or meant.get(wish.column or "", set[Any]()) & set(wish.values)
        or _is_in(wish, text)
    ]


def _is_in(wish: Constraint, text: str) -> bool:
    """Return whether a text holds the part of a name that is wished for."""
    return wish.op == "ilike" and str(wish.value).strip("%") in folded(text)


def keeps_limit(talk: Negotiation, turn: Turn) -> bool:
    """Return whether a no, or no answer, to how far something may go leaves it as it is."""
    slot = turn.question.slot if turn.question else None
    refuses = turn.get("negate") or turn.get("dont_know")
    known = any(wish.column == slot for wish in talk.preferences.known)
    return bool(refuses) and known and not turn.states and not turn.get("retract")
