"""What a turn does to a conversation, act by act, and the reply to it.

A turn is taken apart in a fixed order: taken back, ended, retracted, stated, refused, accepted,
asked. Whatever changed is said from the difference between the wishes before and after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...catalogs.query.constraint import NULL_TESTS, Constraint, Objective
from ...catalogs.query.query import Query
from ...engine.answer import Status
from ..extraction.extracted import Extracted, Extraction
from ..language.wording import listed, sentence
from .acts import NOT_UNDERSTOOD, Act, ActReading
from .answers import (
    ANSWERS,
    Asked,
    better,
    counted,
    doubt,
    fitting,
    left_over,
    more,
    offer,
    understood,
)
from .clarifying import Settled
from .naming import graded, named_wishes, place_of
from .negotiation import Negotiation
from .roles import Question

QUIET = (
    "ask",
    "dont_care",
    "dont_know",
    "retract",
    "undo",
    "end",
    "weigh",
    "ask_more",
    "ask_better",
)
"""Acts that mention values without wishing them, where the turn does not inform as well."""

SURE = 0.75
"""The score from which a wish is one, beside thanks too; not in a turn that accepts or asks.

Chosen on personas that were written to be learned from."""

LONGEST_EVIDENCE = 500
"""Characters in which somebody says one wish."""

LIKELY = 0.5
"""An item is taken where a yes is more likely than not."""

ASKING = ("ask", "ask_more", "ask_better")

_ALSO = re.compile(r"^\W*(?:or|plus|also)\b|\balso\b|\b(?:too|as well)\W*$", re.IGNORECASE)
"""Words by which another value is as good as the one said before: `or Westpark`, `Ford too`."""


@dataclass
class Turn:
    """One turn as it was read; `taken` is what of it became wishes.

    `confirms`: it says yes to the wish that the question named; `settles`: it answers what was
    unclear; `unreadable`: it held what nobody types, and nothing of it is read.
    """

    text: str
    found: Extraction
    reading: ActReading
    columns: tuple[str, ...]
    first: bool
    question: Question | None
    confirms: bool = False
    settles: Settled | None = None
    unreadable: bool = False
    taken: Extraction = field(init=False)
    keeps_question: bool = False

    def __post_init__(self) -> None:
        self.found = self._without_bare_answers()
        self.states = self.confirms or self.settles is not None or self._states()
        constraints = self.found.constraints if self.states else ()
        self.taken = replace(
            self.found,
            constraints=constraints,
            objectives=self.found.objectives if self.states else (),
            leanings=self.found.leanings if self.states else (),
            unresolved=self.found.unresolved if self.states else (),
        )
        self.acts = self._acts()

    def _without_bare_answers(self) -> Extraction:
        """Return what was found but for what a mere yes, no or endless talk was taken for.

        "No" to a question is no wish for items whose value nobody knows.
        """
        kept = tuple(
            part
            for part in self.found.constraints
            if (part.constraint.op not in NULL_TESTS or part.constraint.column in self.columns)
            and part.evidence.end - part.evidence.start <= LONGEST_EVIDENCE
        )
        return replace(self.found, constraints=kept)

    def _states(self) -> bool:
        """Return whether what was found is meant as a wish."""
        found = self.found
        if not (found.constraints or found.objectives or found.leanings or found.unresolved):
            return False
        reading = self.reading
        aims = (*found.constraints, *found.objectives, *found.leanings)
        surest = max((part.score for part in aims), default=0.0)
        if surest >= SURE and not any(map(self._may_only_mention, reading.acts)):
            return True
        if reading.get("inform") or reading.get("correct"):
            return reading.states
        quiet = max((act.confidence for act in reading.acts if act in QUIET), default=0.0)
        return reading.states and reading.informs > quiet

    def _may_only_mention(self, act: Act) -> bool:
        """Return whether an act may name values that are not wished.

        One that is less likely than not gives way to a sure wish. The first words look for what
        they ask for, `what have you got in red?`, and nobody takes leave with them.
        """
        if act not in (*QUIET, "affirm") or act.confidence < LIKELY:
            return False
        return not (self.first and (act == "end" or act.topic == "items"))

    def _acts(self) -> tuple[Act, ...]:
        """Return the acts, `inform` among them where something is stated, and only there."""
        acts = [act for act in self.reading.acts if act != NOT_UNDERSTOOD]
        if self.states:
            acts = [act for act in acts if act.confidence >= LIKELY or act not in QUIET]
        wishes = bool(self.taken.constraints or self.taken.objectives or self.taken.leanings)
        wishes = wishes or self.settles is not None
        if wishes and not any(act in ("inform", "correct") for act in acts):
            acts.append(Act("inform", confidence=0.5))
        return tuple(acts) or (Act(NOT_UNDERSTOOD),)

    @property
    def is_unclear(self) -> bool:
        """Whether a turn does nothing but ask what there is, at most and while nothing is asked."""
        asks = self.question is None
        return not self.states and all(
            act in ("inform", "correct", NOT_UNDERSTOOD)
            or (asks and act == "ask" and act.topic in ("values", "items"))
            for act in self.acts
        )

    @property
    def is_about_else(self) -> bool:
        """Whether a turn states wishes and says nothing of what was asked."""
        slot = self.question.slot if self.question else None
        aims = (*self.taken.constraints, *self.taken.unresolved)
        about = {
            aim.constraint.column if isinstance(aim, Extracted) else aim.column for aim in aims
        }
        goals = {aim.column for aim in (*self.taken.objectives, *self.taken.leanings)}
        leaves = self.get("dont_care") or self.get("dont_know") or slot in self.taken.waived
        return bool(about | goals) and slot not in about | goals and not leaves

    @property
    def asked(self) -> Asked:
        """What a question may be about: also what is only named and not wished."""
        named = replace(self.found, constraints=(*self.found.constraints, *self.found.named))
        return Asked(self.text, named, self.columns)

    def get(self, name: str, topic: str | None = None) -> Act | None:
        """Return the act of that name (and topic), None where it was not read."""
        return next((a for a in self.acts if a == name and topic in (None, a.topic)), None)


def reply_to(talk: Negotiation, turn: Turn) -> str:
    """Change the conversation as a turn asks, and return the reply."""
    if turn.get("undo") and not turn.states:
        return _taken_back(talk)
    before, offered = talk.query, talk.proposal is not None
    steps: list[Callable[[Negotiation, Turn], str]] = [
        _clarified, _retract, _open_slot, _state, _settle, _aim
    ]  # fmt: skip
    told = [step(talk, turn) for step in steps]
    told += changes(talk, before)
    if _differs(talk, before):
        talk.accepted = talk.ended = None
        told.append(after_change(talk, offered))
    told += _answers(talk, turn, turn.asked)
    if turn.get("inform") or turn.get("correct") or not any(told):
        told.append(left_over(turn.taken))
    told += [part.question for part in turn.taken.constraints if part.question]
    told = [text for text in dict.fromkeys(told) if text]
    silent = turn.get(NOT_UNDERSTOOD) or not told
    return " ".join([*told, _nothing(talk, turn)] if silent else told)


def changes(talk: Negotiation, before: Query) -> list[str]:
    """Return what has changed since a query was what is understood, a sentence each."""
    known = [*before.base, *before.constraints]
    told = talk.wording.changes(known, list(talk.preferences.known))
    told += _aims(talk, before.objectives, talk.preferences.objectives)
    return list(map(sentence, told))


def _taken_back(talk: Negotiation) -> str:
    if not talk.undo():
        return f"There is nothing to take back. {understood(talk)}"
    return f"The last step is taken back. {understood(talk)}"


def _differs(talk: Negotiation, before: object) -> bool:
    return talk.query != before


def _aims(talk: Negotiation, before: Sequence[Objective], after: Sequence[Objective]) -> list[str]:
    ends = {"min": "low", "max": "high"}
    told = [
        f"{talk.wording.label(goal.column)} as {ends[goal.direction]} as possible"
        for goal in after
        if goal not in before
    ]
    return [f"noted: {listed(told)}"] if told else []


def after_change(talk: Negotiation, offered: bool) -> str:
    """Return how many fit now, or what is offered now where something was offered before."""
    if not talk.preferences.known and not talk.preferences.objectives:
        talk.proposal = None
        return ""
    if offered:
        return offer(talk, talk.propose())
    return sentence(fitting(talk))


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


def _retract(talk: Negotiation, turn: Turn) -> str:
    """Forget the wishes that a turn takes back or does not care about."""
    for column in turn.taken.waived:
        talk.preferences.waive(column)
    known = list(talk.preferences.known)
    retracted = turn.get("retract")
    if retracted is None and turn.get("dont_care") is None:
        return ""
    if turn.states and retracted is None:
        return ""
    columns = set(turn.columns)
    if turn.question is not None and not columns:
        columns = {turn.question.slot}
    stated = {part.constraint.column for part in turn.taken.constraints}
    gone = [known[at] for at in named_wishes(turn.text, columns, known)]
    gone = [wish for wish in gone if wish.column not in stated]
    goals = [goal for goal in talk.preferences.objectives if goal.column in columns]
    if retracted and not gone and not goals and not turn.states:
        if turn.question is None:
            return f"What shall I forget? {understood(talk)}"
        return ""
    talk.preferences.forget(gone)
    talk.preferences.objectives = [g for g in talk.preferences.objectives if g not in goals]
    return ""


def _open_slot(talk: Negotiation, turn: Turn) -> str:
    """Say that the question need not be answered, where it is not."""
    if turn.states or turn.question is None:
        return ""
    name = talk.wording.label(turn.question.slot)
    if turn.get("dont_know"):
        return f"No matter, {name} stays open. {understood(talk)}"
    if turn.get("dont_care") or turn.get("negate"):
        return f"Fine, {name} stays open."
    return ""


def _state(talk: Negotiation, turn: Turn) -> str:
    """Take in the wishes that a turn states."""
    wishes = [part.constraint for part in turn.taken.constraints]
    if turn.first:
        _open(talk, wishes)
    else:
        # An answer to one question does not change what is looked for by the way.
        slot = turn.question.slot if turn.question and not turn.get("correct") else None
        answers = any(wish.column == slot for wish in wishes)
        fixed = {wish.column for wish in talk.preferences.base} if answers else set[str | None]()
        open_wishes = [wish for wish in wishes if wish.column == slot or wish.column not in fixed]
        also = _ALSO.search(turn.text) is not None
        corrects = turn.get("correct") is not None and not also
        talk.preferences.add(open_wishes, instead=corrects, also=also)
    for aim in (*turn.taken.objectives, *turn.taken.leanings):
        if aim.constraint is None:
            talk.preferences.aim(Objective(column=aim.column, direction=aim.direction))
        elif all(wish.column != aim.column for wish in talk.preferences.known):
            # What is said outright says more than "cheap" does.
            talk.preferences.add([aim.constraint])
    return ""


def _open(talk: Negotiation, wishes: Sequence[Constraint]) -> None:
    """Take the first text in; exact values that some row has together are the base."""
    exact = [wish for wish in wishes if wish.op == "==" and not _ordered(talk, wish)]
    if exact and not talk.catalog.count(list(map(talk.catalog.bind, exact))):
        exact = []
    talk.preferences.base = exact
    talk.preferences.add(wish for wish in wishes if wish not in exact)


def _aim(talk: Negotiation, turn: Turn) -> str:
    """Take in that less or more of something is wished, where nothing is offered yet."""
    if turn.get("ask_better") and not turn.taken.constraints and talk.proposal is None:
        for name, direction in graded(turn.text, talk.catalog)[:1]:
            talk.preferences.aim(Objective(column=name, direction=direction))
    return ""


def _ordered(talk: Negotiation, wish: Constraint) -> bool:
    return wish.column is not None and talk.catalog.schema.find(wish.column).ordered


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
        return _stays(talk, tuple(named) or (doubtful if len(doubtful) == 1 else ()), doubtful)
    if no is not None and turn.get("ask_better") is None:
        if named:
            return _stays(talk, tuple(named), ())
        if proposal.relaxed and not doubtful:
            talk.doubtful = proposal.relaxed
            return doubt(talk, proposal.relaxed)
        return "Then not that one. " + more(talk, turn.asked)
    if any(turn.get(name) for name in ASKING):
        return ""
    place, yes = place_of(turn.text, len(proposal.answer.items)), turn.get("affirm")
    if yes is None and place is None:
        return ""
    if place is None and yes is not None and yes.confidence <= LIKELY:
        return "Is that a yes? Say “yes”, the number of an item, or what should be different."
    return _accepted(talk, place)


def _accepted(talk: Negotiation, place: int | None) -> str:
    """Take an item; say which."""
    proposal = talk.proposal
    if proposal is None or not proposal.is_offer:
        return f"There is nothing to take yet. {understood(talk)}"
    found = proposal.answer.items
    if place is not None and not 0 <= place < len(found):
        return f"There is no item {place + 1}; there are {len(found)}. {understood(talk)}"
    return taken(talk, talk.place if place is None else place)


def taken(talk: Negotiation, place: int) -> str:
    """Take the item at a place; say which. Raises `QueryError` where there is none."""
    row = talk.accept(place)
    shown = [wish.column for wish in talk.preferences.known if wish.column]
    return sentence(f"taken: {talk.wording.item(row, shown)}")


def _stays(talk: Negotiation, positions: Sequence[int], among: Sequence[int]) -> str:
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


def _answers(talk: Negotiation, turn: Turn, asked: Asked) -> list[str]:
    """Return the answers to all that is asked, and what is polite."""
    told: list[str] = []
    question = next((act for act in turn.acts if act in ASKING), None)
    for act in turn.acts:
        if act is question:
            told.append(_answer(talk, turn, asked, act))
        elif act == "weigh" and not turn.get("negate"):
            told.append(_weighed(talk))
        elif act == "thanks":
            told.append("You are welcome.")
        elif act == "greet":
            told.append("Hello.")
        elif act == "end" and not turn.states:
            told.append(f"Goodbye. {understood(talk)}")
            talk.end("said goodbye")
    return told


def _answer(talk: Negotiation, turn: Turn, asked: Asked, act: Act) -> str:
    """Return the answer to a question or to a wish for other items."""
    if act == "ask":
        turn.keeps_question = turn.question is not None and act.topic != "items"
        return ANSWERS[act.topic](talk, asked)
    if act == "ask_more":
        return more(talk, asked)
    ways = graded(turn.text, talk.catalog)
    if ways and not turn.taken.constraints:
        return better(talk, ways[0]) if talk.proposal is not None else ""
    return "" if turn.states else f"Better in what? {understood(talk)}"


def _weighed(talk: Negotiation) -> str:
    """Weigh anew, and say what gives way first."""
    if not talk.preferences.soft or talk.proposal is None:
        return ""
    proposal = talk.propose()
    least = min(talk.preferences.soft, key=lambda wish: (wish.hard, wish.importance))
    return (
        f"{sentence(f'{talk.wording.wish(least)} gives way first, then')} {offer(talk, proposal)}"
    )


def _nothing(talk: Negotiation, turn: Turn) -> str:
    """Return the reply to a turn that changed nothing and asked nothing."""
    count = counted(talk)
    fit = f" {count:,} fit." if talk.preferences.known else ""
    if turn.get(NOT_UNDERSTOOD):
        turn.keeps_question = turn.question is not None
        return f"{_not_understood(turn)}{understood(talk)}{fit}"
    return f"{understood(talk)}{fit}"


def _not_understood(turn: Turn) -> str:
    """Return what is said to a turn of which nothing was understood, before all else."""
    if turn.unreadable:
        return "That holds characters that nobody types. "
    if not turn.text.strip():
        return "I heard nothing. "
    return "" if left_over(turn.taken) else "I did not understand that. "
