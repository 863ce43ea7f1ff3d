"""What is understood, how many fit, what is offered: the sentences that replies are made of.

Each counts exactly; none changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, Objective
from ...catalogs.versions.sorted_rows import SortKey
from ...engine.answer import Answer, Status
from ..extraction.extracted import Extraction
from ..extraction.ordered_values import is_amount
from ..extraction.value_index import index_of
from ..language.column_phrases import column_topics
from ..language.either import alternatives
from ..language.grades import grades
from ..language.packs import packs_wished
from ..language.sums import summed
from ..language.tokens import folded
from ..language.wording import is_light, listed, quoted, sentence
from .clock_sums import finite
from .negotiation import Negotiation
from .proposal import Proposal
from .refused_items import all_passed

UNDERSTOOD = "Understood so far:"

SHALL_IT = "Shall it be that one?"

MUCH = 0.2
"""The part of a number by which another is much less, or more."""


def understood(talk: Negotiation, *, whole: bool = False) -> str:
    """Return what is understood so far, as a sentence; `whole`: however much that is."""
    wishes = talk.preferences
    parts = talk.wording.wishes(wishes.known)
    parts += [aim(talk, goal) for goal in wishes.objectives]
    told = ", ".join(parts) if whole else listed(parts)
    return f"{UNDERSTOOD} {told or 'nothing yet'}."


def aim(talk: Negotiation, goal: Objective) -> str:
    """Return what there should be as little, or as much, of as possible."""
    end = "low" if goal.direction == "min" else "high"
    return f"{talk.wording.label(goal.column)} as {end} as possible"


def counted(talk: Negotiation, extra: Sequence[Constraint] = ()) -> int:
    """Return how many rows meet all that is understood, and what is given beside it."""
    own = {wish.column for wish in extra}
    known = [wish for wish in talk.preferences.known if wish.column not in own]
    return talk.count((*known, *extra))


def fitting(talk: Negotiation) -> str:
    """Return how many fit, as a sentence."""
    count = counted(talk)
    if not count:
        return "Nothing fits all of that together"
    return "One fits" if count == 1 else f"{count:,} fit"


def wished(talk: Negotiation) -> list[str]:
    """Return the columns that the person said something about."""
    wishes = talk.preferences
    totals = filter(None, map(summed, wishes.known))
    ways = (way for wish in wishes.known for way in alternatives(wish))
    return [
        *(wish.column for wish in wishes.known if wish.column),
        *(name for total in totals for name in total.terms),
        *(way.column for way in ways if way.column),
        *(name for wish in wishes.known if (packs := packs_wished(wish)) for name in packs.columns),
        *(goal.column for goal in wishes.objectives),
    ]


def would_be_nice(talk: Negotiation, wish: Constraint) -> bool:
    """Return whether the person said that a wish is one for what would only be nice.

    What a weigher finds to matter little is none.
    """
    said = dict(talk.state.weights)
    return is_light(wish) and f"{wish.column} {wish.op} {wish.value}" in said


def offer(talk: Negotiation, proposal: Proposal, columns: Sequence[str] = ()) -> str:
    """Return a proposal in sentences: what gives way if something must, and the first item.

    `columns`: what is told of it before what is wished.
    """
    answer = proposal.answer
    if answer.status is Status.UNKNOWN and not answer.items:
        return "That took too long to answer; fewer wishes at a time are answered sooner."
    if not answer.items:
        return _dead_end(talk, answer)
    item = answer.items[talk.place]
    first = talk.wording.item(item.row, [*columns, *wished(talk)])
    if any(item.row_id == had.row_id for had in talk.basket):
        return sentence(f"what fits is what you have taken: {first}")
    count = f"{'' if answer.counts_exact else 'at least '}{answer.count:,}"
    if answer.count <= len(talk.passed) and all_passed(answer, talk.passed):
        told = sentence(f"only what you passed over fits: {first}")
        return f"{told} Shall it be that one after all, or what could be different?"
    if answer.status is Status.SAT_NO_RELAXATION:
        fit = "one fits all of it" if answer.count == 1 else f"{count} fit all of it; {_lead(talk)}"
        told = [sentence(f"{fit}: {first}"), _without_extras(talk, proposal), SHALL_IT]
        return " ".join(filter(None, told))
    if all(would_be_nice(talk, wish) for wish in answer.relaxed):
        but = listed(talk.wording.wishes(answer.relaxed))
        several = answer.count != 1
        fit = f"{count} fit all but {but}; the first" if several else f"one fits all but {but}"
        return f"{sentence(f'{fit}: {first}')} {SHALL_IT}"
    way = talk.wording.gives_way(answer.relaxed)
    left = "there is" if answer.count == 1 else f"there are {count}; the first"
    return sentence(f"nothing fits all of it. If {way}, {left}: {first}") + " Would that do?"


def _without_extras(talk: Negotiation, proposal: Proposal) -> str:
    """Return what there is much less of something of without what would only be nice.

    Of what is wished low or high as such, the last of these; empty where there is no such.
    """
    wishes, goal = proposal.query.constraints, next(iter(proposal.sort), None)
    extras = [wish for wish in wishes if would_be_nice(talk, wish)]
    if goal is None or not extras or not proposal.query.objectives:
        return ""
    held = finite(proposal.answer.items[talk.place].row[goal.column])
    if held is None:
        return ""
    others = proposal.query.replace([wish for wish in wishes if wish not in extras])
    items = talk.repaired(others, 1 + len(talk.set_aside), proposal.sort).items
    row = next((item.row for item in items if item.row_id not in talk.set_aside), Row())
    best = finite(row.get(goal.column))
    if best is None or abs(held - best) < MUCH * abs(held):
        return ""
    names = listed(map(talk.wording.wish, extras))
    return sentence(f"without {names}: {talk.wording.item(row, [goal.column])}")


def offer_or_nothing(talk: Negotiation) -> str:
    """Return what is offered, or that there is nothing to show where nothing is wished."""
    return offer(talk, talk.propose()) if wished(talk) else "There is nothing to show."


def _lead(talk: Negotiation) -> str:
    """Return what is offered of all that fits: the first, the one with the least of something."""
    proposal = talk.proposal
    shown = () if proposal is None else proposal.answer.items
    others = [item for at, item in enumerate(shown) if at != talk.place]
    if any(item.row_id in talk.passed for item in others):
        return "the next after what you passed over"
    if talk.place:
        return "the next"
    if proposal is None or not proposal.sort:
        return "the first"
    key = proposal.sort[0]
    held = [str(item.row[key.column]) for item in proposal.answer.items]
    if len(set(held)) < 2:
        return "the first"  # All are alike in it.
    one = "one of those" if held.count(held[0]) > 1 else "the one"
    return f"{one} with the {end_of(talk, key)} {talk.wording.label(key.column)}"


def at_end(talk: Negotiation, key: SortKey, item: str) -> str:
    """Return an item as what has the least, or most, of a column: `the lowest price: Ruby`."""
    return f"the {end_of(talk, key)} {talk.wording.label(key.column)}: {item}"


def end_of(talk: Negotiation, key: SortKey) -> str:
    """Return which end of a column comes first, in a word."""
    is_date = talk.catalog.profile(key.column).kind == "date"
    is_date |= key.column in index_of(talk.catalog).clocks
    is_date |= column_topics(key.column)[:1] == ("year",)
    texts = [value for value in talk.catalog.profile(key.column).values if isinstance(value, str)]
    is_text = talk.catalog.schema.find(key.column).family == "text" and not is_date
    if is_text and not is_amount(texts):
        return "best" if key.descending else "worst"  # Of what is ordered from bad to good.
    return (
        ("latest" if is_date else "highest")
        if key.descending
        else ("earliest" if is_date else "lowest")
    )


def _dead_end(talk: Negotiation, answer: Answer) -> str:
    fixed = [talk.wording.wish(wish) for wish in answer.hard]
    text = (
        f"nothing fits even if all the rest gives way: {listed(fixed)}" if fixed else "nothing fits"
    )
    return sentence(text) + " Which of them could be different?"


def doubt(talk: Negotiation, positions: Sequence[int]) -> str:
    """Return the question which of the wishes that give way must stay."""
    wishes = [talk.preferences.soft[at] for at in positions]
    if len(wishes) == 1:
        wish = wishes[0]
        return (
            f"Must {talk.wording.about(wish)} stay {talk.wording.condition(wish)}, or is it "
            "something else about this one?"
        )
    return f"Which must stay: {listed(map(talk.wording.wish, wishes), 'or')}?"


def left_over(extraction: Extraction) -> str:
    """Return what was not understood, in the person's own words; empty where all was."""
    left = [words.evidence.text for words in extraction.not_understood]
    # What there should be more or less of is acted on, here or where items are compared.
    told = [quoted(text) for text in left if (folded(text),) not in grades()]
    unknown = [
        f"{quoted(part.evidence.text)} ({part.reason}"
        + (f"; the nearest is {part.nearest[0][0]}" if part.nearest else "")
        + ")"
        for part in extraction.unresolved
    ]
    parts = list(dict.fromkeys([*unknown, *told]))
    return sentence(f"not understood: {listed(parts)}") if parts else ""
