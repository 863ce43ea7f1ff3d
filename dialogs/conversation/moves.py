"""What a turn does to a conversation, act by act, and the reply to it.

A turn is taken apart in a fixed order: taken back, ended, retracted, stated, refused, accepted,
asked. Whatever changed is said from the difference between the wishes before and after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Objective
from ...catalogs.query.query import Query
from ...engine.answer import MovedConstraint, Status
from ..extraction.value_index import index_of
from ..language.wording import listed, sentence
from .acts import NOT_UNDERSTOOD
from .answering import answers_to, beside_taking
from .answers import limit_question, more
from .corrected_bounds import EXACTLY, beside_known, done_as_offered, leave_none, on_its_side
from .denied_features import read_denials
from .item_answers import FEW
from .left_words import left_words
from .naming import graded, named_wishes, place_of
from .negotiation import Negotiation
from .offered_items import (
    UNSURE,
    bound_by_offered,
    leave_mentions,
    picked,
    refuse_offered,
    wish_for_names,
)
from .opening import open_with
from .parts import LIKELY
from .proposal import Proposal
from .retractions import keeps_limit, retract
from .said_instead import is_also, lists, put_instead, said_besides
from .sentences import UNDERSTOOD, aim, counted, doubt, fitting, left_over, offer, understood
from .turn import ASKING, Turn

SURELY = "Is that a yes? Say “yes”, the number of an item, or what should be different."

SHORT_AIM = 3
"""Words of a turn that says no more than what there should be more or less of."""

TENFOLD = 10
"""So many times what fits without a vague limit as with it: then what fits is few."""

_NOTED = re.compile(r"(?:Noted: |Also )(.*)\.$")

_NOT = re.compile(r"\b(?:no|not|never|n't|later|don't)\b", re.IGNORECASE)
"""Words with which a short turn wishes for no more of something: `see you later`, `no cheaper`."""


def reply_to(talk: Negotiation, turn: Turn) -> str:
    """Change the conversation as a turn asks, and return the reply."""
    undo = turn.get("undo")
    if undo and not turn.states and (undo.confidence >= LIKELY and not turn.questions):
        return taken_back(talk)
    anew = turn.get("retract", "all")
    if anew is not None and (anew.confidence >= LIKELY or not turn.states):
        talk.begin_anew()
        if not turn.states:
            return "All of it is forgotten. What are you looking for?"
        turn.first = True
    before = talk.query
    read_denials(talk, turn)
    leave_mentions(talk, turn)
    _leave_acts(talk, turn)
    turn.beside = None if talk.offered is None else talk.offered.row
    wish_for_names(talk, turn)
    if (place := picked(talk, turn)) is not None:
        if place == UNSURE:
            return SURELY
        return " ".join(filter(None, [taken(talk, talk.take(place)), *beside_taking(talk, turn)]))
    offered = talk.proposal is not None
    steps: list[Callable[[Negotiation, Turn], str]] = [
        _clarified, retract, _open_slot, refuse_offered, _state, bound_by_offered, _settle, _aim
    ]  # fmt: skip
    asking = [p.question for p in turn.taken.constraints if p.question and not p.approximate]
    told: list[str] = [*filter(None, asking)]
    for step in steps:
        if step is _settle and _differs(talk, before):
            # What was offered answers other wishes than there are now.
            talk.doubtful = ()
        else:
            told.append(step(talk, turn))
    told += changes(talk, before)
    if changed := _differs(talk, before):
        talk.accepted = talk.ended = None
        latest = {part.constraint.column for part in turn.taken.constraints}
        told.append(after_change(talk, offered, latest))
    shown = talk.proposal
    if talk.accepted is None or not turn.get("affirm"):
        answers = answers_to(talk, turn, changed)
    else:
        answers = beside_taking(talk, turn)
    if changed and any(answers) and talk.proposal is not shown:
        told[-1] = sentence(fitting(talk))  # The answer offers another one.
    summaries = [text for text in answers if UNDERSTOOD in text or text.endswith(" in all.")]
    if any(_is_in(text, summaries) for text in told):
        fit = sentence(fitting(talk))
        told = [text for text in told if text != fit and not _is_in(text, summaries)]
    told += answers
    answered = any(answers)
    if turn.states and talk.proposal is not None and not any(told):
        # All of it was known.
        told.append(_standing(talk, talk.proposal))
    if turn.states or turn.get("correct") or not any(told):
        told.append(left_over(left_words(talk, turn, all_of_them=not any(told))))
    # What asks something back stands last: an answer behind it could be taken for one to that.
    told = sorted(filter(None, dict.fromkeys(told)), key=lambda text: text.endswith("?"))
    silent = not told or (turn.get(NOT_UNDERSTOOD) and not answered)
    return " ".join([*told, _nothing(talk, turn)] if silent else told)


_OF_OFFERS = ("weigh", "negate", "retract", "ask_more", "keep")
"""Acts that whoever asks once more does not do: `I meant the rating` refuses nothing."""


def _leave_acts(talk: Negotiation, turn: Turn) -> None:
    """Take a turn as doing nothing that it only sounds like.

    A question that names no wish weighs none, `who is the tutor`.
    """
    parts = [part for part in turn.sentences if part.reading.get("weigh")]
    known = talk.preferences.known
    if parts and not any(
        turn.stated_in(part) or named_wishes(part.text, turn.asking([part]).columns, known)
        for part in parts
    ):
        turn.acts = tuple(act for act in turn.acts if act != "weigh")
    if turn.offers and not turn.states and any(part.asks_again for part in turn.sentences):
        turn.acts = tuple(act for act in turn.acts if act not in _OF_OFFERS)


def _standing(talk: Negotiation, proposal: Proposal) -> str:
    """Return what is taken, else what is offered."""
    if talk.accepted is None:
        return offer(talk, proposal)
    return taken(talk, proposal.answer.items[talk.place].row)


def _is_in(text: str, answers: Sequence[str]) -> bool:
    """Return whether all that a sentence notes is in the answers: `12 with price at most 900`."""
    noted = _NOTED.match(text)
    wishes = re.split(r", |; | and ", noted[1]) if noted else []
    return noted is not None and all(any(wish in answer for answer in answers) for wish in wishes)


def changes(talk: Negotiation, before: Query) -> list[str]:
    """Return what has changed since a query was what is understood, a sentence each."""
    known = [*before.base, *before.constraints]
    told = talk.wording.changes(known, list(talk.preferences.known))
    new = (goal for goal in talk.preferences.objectives if goal not in before.objectives)
    if aims := listed(aim(talk, goal) for goal in new):
        noted = next((at for at, text in enumerate(told) if text.startswith("noted: ")), None)
        if noted is None:
            told.append(f"noted: {aims}")
        else:
            told[noted] += f"; {aims}"
    return list(map(sentence, told))


def taken_back(talk: Negotiation) -> str:
    """Take the last step back, and say what is understood then."""
    if not talk.undo():
        return f"There is nothing to take back. {understood(talk)}"
    return f"The last step is taken back. {understood(talk)}"


def _differs(talk: Negotiation, before: object) -> bool:
    return talk.query != before


def after_change(talk: Negotiation, offered: bool, latest: Collection[str | None] = ()) -> str:
    """Return how many fit now, or what is offered now where something was offered before.

    `latest`: the columns that were spoken of just now, which give way last.
    """
    if not talk.preferences.known and not talk.preferences.objectives:
        talk.proposal = None
        return ""
    if not offered:
        return sentence(fitting(talk))
    return offer(talk, proposed_with(talk, latest))


def proposed_with(talk: Negotiation, latest: Collection[str | None]) -> Proposal:
    """Propose what gives up nothing of some columns, where there is such."""
    proposal = talk.propose()
    wishes = proposal.query.constraints
    moved = {wish.column for wish in proposal.answer.relaxed if isinstance(wish, MovedConstraint)}
    given_up = {wishes[at].column for at in proposal.relaxed} - moved
    if given_up.isdisjoint(latest):
        return proposal
    must = [
        wish.model_copy(update={"hard": True}) if wish.column in latest else wish for wish in wishes
    ]
    return talk.propose_instead(proposal.query.replace(must)) or proposal


def _clarified(talk: Negotiation, turn: Turn) -> str:
    """Put what was meant in the place of what was guessed."""
    if turn.settles is None:
        return ""
    guesses = turn.settles.doubt.among(talk.preferences.known)
    wishes = [wish for wish in turn.settles.wishes if wish not in guesses]
    if len(wishes) < len(turn.settles.wishes):
        guesses = [wish for wish in guesses if wish not in turn.settles.wishes]
    talk.preferences.exchange(guesses, wishes)
    return "" if guesses or wishes else "Good."


def _open_slot(talk: Negotiation, turn: Turn) -> str:
    """Say that the question need not be answered, where it is not."""
    if turn.states or turn.question is None or turn.keeps_question:
        return ""
    slot = turn.question.slot
    columns = turn.doing("dont_care").columns
    about = [name for name in (*columns, *turn.taken.waived) if name != slot]
    if about and turn.get("dont_care") and slot not in columns:
        # It is something else that does not matter.
        turn.keeps_question = True
        talk.close_slots(about)
        return f"Fine, {listed(dict.fromkeys(map(talk.wording.label, about)))} stays open."
    name = talk.wording.label(slot)
    if keeps_limit(talk, turn):
        held = [wish for wish in talk.preferences.known if wish.column == slot]
        return f"Then the {name} stays {listed(map(talk.wording.condition, held))}."
    if turn.get("dont_know"):
        return f"No matter, {name} stays open. {understood(talk)}"
    if turn.get("dont_care") or turn.get("negate"):
        return f"Fine, {name} stays open."
    return ""


def _state(talk: Negotiation, turn: Turn) -> str:
    """Take in the wishes that a turn states."""
    wishes = [part.constraint for part in turn.taken.constraints]
    if turn.first:
        open_with(talk, wishes)
    else:
        # An answer to one question does not change what is looked for by the way.
        slot = turn.question.slot if turn.question and not turn.get("correct") else None
        answers = any(wish.column == slot for wish in wishes)
        fixed = {wish.column for wish in talk.preferences.base} if answers else set[str | None]()
        open_wishes = [wish for wish in wishes if wish.column == slot or wish.column not in fixed]
        corrects = turn.get("correct") is not None or EXACTLY.search(turn.text) is not None
        also = [wish for wish in open_wishes if is_also(turn, wish)]
        others = [wish for wish in open_wishes if wish not in also]
        others = [on_its_side(talk, turn, wish) for wish in others]
        put_instead(talk, turn)
        known = talk.preferences.known
        talk.preferences.forget([k for k in known if any(leave_none(k, new) for new in others)])
        # A list of times is a bound where some are after midnight: see `at_night`.
        clocks = index_of(talk.catalog).clocks
        anew = [wish for wish in others if wish.op == "in"]
        anew = [wish for wish in anew if wish.column in clocks or lists(turn, wish)]
        talk.preferences.add((wish for wish in others if wish not in anew), instead=corrects)
        talk.preferences.add(anew, instead=True)
        also += said_besides(talk, turn)
        fine = [*(beside_known(talk, turn, w) for w in also), *done_as_offered(talk, turn)]
        talk.preferences.add(fine, also=True)
        if not talk.count(talk.preferences.base):
            talk.preferences.unfix()
    # Beside what is offered, `cheaper` is less than that costs.
    compares = turn.get("ask_better") is not None and talk.proposal is not None
    for goal in () if compares else (*turn.taken.objectives, *turn.taken.leanings):
        if goal.constraint is None:
            talk.preferences.aim(Objective(column=goal.column, direction=goal.direction))
        elif any(wish.column == goal.column for wish in talk.preferences.known):
            pass  # What is said outright says more than "cheap" does.
        elif (count := counted(talk, [goal.constraint])) >= FEW or counted(talk) < TENFOLD * count:
            talk.preferences.add([goal.constraint])
        else:
            # Of what is left hardly anything is cheap: then the cheapest of it.
            talk.preferences.aim(Objective(column=goal.column, direction=goal.direction))
    return ""


def _aim(talk: Negotiation, turn: Turn) -> str:
    """Take in that less or more of something is wished, where nothing is offered yet."""
    if any(turn.get(act) for act in ("end", "negate", "dont_care")) or _NOT.search(turn.text):
        return ""
    if turn.taken.constraints and len(turn.sentences) == 1:
        return ""
    for part in turn.sentences if talk.proposal is None else ():
        # Nothing else is in it: `quieter, please`.
        says = part.reading.get("ask_better") or len(part.text.split()) <= SHORT_AIM
        if says and not turn.asking([part]).extraction.constraints:
            for way in graded(part.text, talk.catalog)[:1]:
                if limit_question(talk, way) is None:
                    talk.preferences.aim(Objective(column=way[0], direction=way[1]))
    return ""


def _settle(talk: Negotiation, turn: Turn) -> str:
    """Take an answer to an offer: yes, no, or which wish must stay."""
    proposal = talk.proposal
    if proposal is None or turn.states or turn.question is not None:
        talk.doubtful = ()
        return ""
    doubtful, talk.doubtful = talk.doubtful, ()
    named = named_wishes(turn.text, turn.columns, talk.preferences.soft)
    no = turn.get("negate")
    if doubtful and (named or turn.get("affirm")) and not turn.get("affirm", "select"):
        return stays(talk, tuple(named) or (doubtful if len(doubtful) == 1 else ()), doubtful)
    if no is not None and turn.get("ask_better") is None:
        if named:
            return stays(talk, tuple(named), ())
        if proposal.relaxed and not doubtful:
            talk.doubtful = proposal.relaxed
            return doubt(talk, proposal.relaxed)
        if talk.offered is not None:
            talk.passed |= {talk.offered.row_id}
        return "Then not that one. " + more(talk, turn.asking(turn.sentences))
    place, yes = place_of(turn.text, len(proposal.answer.items)), turn.get("affirm")
    takes = any(part.takes for part in turn.sentences)
    asks = [act.confidence for act in turn.acts if act in ASKING and not takes]
    if asks and (yes is None or max(asks) >= yes.confidence):
        return ""
    if yes is None and (place is None or turn.get(NOT_UNDERSTOOD) or _NOT.search(turn.text)):
        return ""
    if place is None and yes is not None and turn.reading.affirms <= LIKELY:
        return "" if turn.questions else SURELY
    return _accepted(talk, place)


def _accepted(talk: Negotiation, place: int | None) -> str:
    """Take an item; say which."""
    proposal = talk.proposal
    if proposal is None or not proposal.is_offer:
        return f"There is nothing to take yet. {understood(talk)}"
    found = proposal.answer.items
    if place is not None and not 0 <= place < len(found):
        there = "is 1" if len(found) == 1 else f"are {len(found)}"
        return f"There is no item {place + 1}; there {there}. {understood(talk)}"
    return taken(talk, talk.take(talk.place if place is None else place))


def taken(talk: Negotiation, row: Row) -> str:
    """Return that an item is taken, as a sentence."""
    return said_taken(talk, [row])


def said_taken(
    talk: Negotiation,
    rows: Sequence[Row],
    numbers: Sequence[int] = (),
    columns: Sequence[str] = (),
) -> str:
    """Return that items are taken, so many of each, as a sentence, with some columns first."""
    shown = [*columns, *(wish.column for wish in talk.preferences.known if wish.column)]
    items = [talk.wording.item(row, shown) for row in rows]
    times = [f"{number:,} × " if number > 1 else "" for number in numbers or [1] * len(rows)]
    return sentence(f"taken: {'; '.join(map(str.__add__, times, items))}")


def stays(talk: Negotiation, positions: Sequence[int], among: Sequence[int]) -> str:
    """Let wishes never give way, unless nothing at all would be left: then say so."""
    if not positions:
        talk.doubtful = tuple(among)
        return doubt(talk, among)
    soft = list(talk.preferences.soft)
    talk.preferences.harden(positions)
    trial = talk.repaired(talk.query)
    if trial.items or trial.status is Status.UNKNOWN:
        return ""
    talk.preferences.soft = soft
    fixed = [wish for at, wish in enumerate(soft) if wish.hard or at in positions]
    others = [wish for wish in [*talk.preferences.base, *soft] if wish not in fixed]
    may = (
        f" What of {listed(map(talk.wording.wish, others), 'or')} could be different?"
        if others
        else ""
    )
    return (
        sentence(f"with {listed(map(talk.wording.wish, fixed))} fixed, nothing at all is left")
        + may
    )


def _nothing(talk: Negotiation, turn: Turn) -> str:
    """Return the reply to a turn that changed nothing and asked nothing."""
    if turn.get("dont_know") and talk.offered is not None:
        return "Take your time."
    count = counted(talk)
    fit = f" {count:,} fit." if talk.preferences.known else ""
    if turn.get(NOT_UNDERSTOOD):
        turn.keeps_question = turn.question is not None
        return f"{_not_understood(turn)}{understood(talk)}{fit}"
    if talk.proposal is not None and talk.accepted is None:
        return offer(talk, talk.proposal)
    return f"{understood(talk)}{fit}"


def _not_understood(turn: Turn) -> str:
    """Return what is said to a turn of which nothing was understood, before all else."""
    if turn.unreadable:
        return "That holds characters that nobody types. "
    if not turn.text.strip():
        return "I heard nothing. "
    return "" if left_over(turn.taken) else "I did not understand that. "
