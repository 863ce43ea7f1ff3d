"""What has changed, said from the wishes before and after, and what there is now."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.query import Query
from ...engine.answer import MovedConstraint, Status
from ..language.wording import listed, sentence
from .negotiation import Negotiation
from .proposal import Proposal
from .sentences import aim, doubt, fitting, offer, understood
from .turn import Turn


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


def clarified(talk: Negotiation, turn: Turn) -> str:
    """Put what was meant in the place of what was guessed."""
    if turn.settles is None:
        return ""
    guesses = turn.settles.doubt.among(talk.preferences.known)
    wishes = [wish for wish in turn.settles.wishes if wish not in guesses]
    if len(wishes) < len(turn.settles.wishes):
        guesses = [wish for wish in guesses if wish not in turn.settles.wishes]
    talk.preferences.exchange(guesses, wishes)
    return "" if guesses or wishes else "Good."
