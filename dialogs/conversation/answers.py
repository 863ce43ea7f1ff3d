"""Answers to what a person asks, from the catalog: items, counts, values, words, reasons.

Each counts or fetches within what is understood so far; a count is exact, or says “at least”.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, Objective, Scalar
from ...catalogs.query.schema import ColumnProfile
from ...engine.answer import Answer, Item, Status
from ..extraction.extracted import Extraction
from ..language.wording import listed, quoted, sentence
from .agents import open_slots, parts_of
from .naming import Direction, named_values, place_of
from .negotiation import Negotiation, Proposal

SAMPLE = 2_048
"""Rows looked at, at even steps, for the values there are."""

MEANT = 2
"""Values and columns that are explained at once."""

SHOWN = 5
"""Values named of a column."""


@dataclass(frozen=True)
class Asked:
    """A turn that asks: its text, what was found in it, and the columns it names."""

    text: str
    extraction: Extraction
    columns: tuple[str, ...]


def understood(talk: Negotiation) -> str:
    """Return what is understood so far, as a sentence."""
    wishes = talk.preferences
    parts = [talk.wording.wish(wish) for wish in wishes.known]
    parts += [
        f"{talk.wording.label(goal.column)} as {_end(goal.direction)} as possible"
        for goal in wishes.objectives
    ]
    return f"Understood so far: {listed(parts) or 'nothing yet'}."


def _end(direction: str) -> str:
    return "low" if direction == "min" else "high"


def counted(talk: Negotiation, extra: Sequence[Constraint] = ()) -> int:
    """Return how many rows meet all that is understood, and what is given beside it."""
    own = {wish.column for wish in extra}
    known = [wish for wish in talk.preferences.known if wish.column not in own]
    return talk.catalog.count([talk.catalog.bind(wish) for wish in (*known, *extra)])


def fitting(talk: Negotiation) -> str:
    """Return how many fit, as a sentence."""
    count = counted(talk)
    if not count:
        return "Nothing fits all of that together"
    return "One fits" if count == 1 else f"{count:,} fit"


def offer(talk: Negotiation, proposal: Proposal) -> str:
    """Return a proposal in sentences: what gives way if something must, and the first item."""
    answer = proposal.answer
    if answer.status is Status.UNKNOWN and not answer.items:
        return "That took too long to answer; fewer wishes at a time are answered sooner."
    if not answer.items:
        return _dead_end(talk, answer)
    first = talk.wording.item(answer.items[talk.place].row, wished(talk))
    count = f"{'' if answer.counts_exact else 'at least '}{answer.count:,}"
    if answer.status is Status.SAT_NO_RELAXATION:
        fit = "one fits all of it" if answer.count == 1 else f"{count} fit all of it; the first"
        return sentence(f"{fit}: {first}") + " Shall it be that one?"
    way = talk.wording.gives_way(answer.relaxed)
    left = "there is" if answer.count == 1 else f"there are {count}; the first"
    return sentence(f"nothing fits all of it. If {way}, {left}: {first}") + " Would that do?"


def _dead_end(talk: Negotiation, answer: Answer) -> str:
    fixed = [talk.wording.wish(wish) for wish in answer.hard]
    text = (
        f"nothing fits even if all the rest gives way: {listed(fixed)}" if fixed else "nothing fits"
    )
    return sentence(text) + " Which of them could be different?"


def wished(talk: Negotiation) -> list[str]:
    """Return the columns that the person said something about."""
    wishes = talk.preferences
    return [
        *(wish.column for wish in wishes.known if wish.column),
        *(goal.column for goal in wishes.objectives),
    ]


def items(talk: Negotiation, asked: Asked) -> str:
    """Return the best items there are now."""
    if not wished(talk):
        return f"{_examples(talk)} What matters to you?"
    proposal = talk.propose()
    names = [talk.wording.item(item.row, wished(talk)) for item in proposal.answer.items]
    if len(names) < 2:
        return offer(talk, proposal)
    told = "; ".join(f"{place}. {name}" for place, name in enumerate(names, 1))
    way = talk.wording.gives_way(proposal.answer.relaxed)
    begin = f"nothing fits all of it; if {way}, there are" if way else "what fits all you asked:"
    return sentence(f"{begin} {told}")


def _examples(talk: Negotiation) -> str:
    found = talk.catalog.slice([])
    rows = talk.catalog.fetch(found.ids[:: max(1, len(found) // 3)][:3].tolist())
    names = (talk.wording.item(row, ()) for row in rows)
    return sentence(f"there are {len(found):,} in all, such as {'; '.join(names)}")


def count(talk: Negotiation, asked: Asked) -> str:
    """Return how many there are of what is asked about, or of what fits."""
    extra = [found.constraint for found in asked.extraction.constraints]
    number = counted(talk, extra)
    known = [
        wish for wish in talk.preferences.known if wish.column not in {e.column for e in extra}
    ]
    about = listed(map(talk.wording.wish, [*known, *extra]))
    total = f"{talk.catalog.row_count:,} in all"
    return sentence(f"{number:,} with {about}, of {total}" if about else f"there are {total}")


def why(talk: Negotiation, asked: Asked) -> str:
    """Return why the offered item is offered, and why others are not."""
    proposal = talk.proposal
    if proposal is None:
        return (
            reason(talk, asked) if talk.question else f"Nothing is offered yet. {understood(talk)}"
        )
    if not proposal.is_offer:
        return offer(talk, proposal)
    item, wishes = proposal.answer.items[talk.place], proposal.query.constraints
    words = talk.wording
    meets = [_met(talk, wishes[at], item) for at in item.meets]
    misses = [_met(talk, wishes[at], item) for at in item.misses]
    meets = [*(talk.wording.wish(wish) for wish in proposal.query.base), *meets]
    told = [f"it meets {listed(meets)}" if meets else "nothing was asked that it could miss"]
    if misses:
        told.append(f"it misses {listed(misses)}, which matters least of what had to give way")
    told += [
        f"its {words.label(goal.column)} of {words.value(item.row[goal.column], goal.column)} "
        f"counts, the {'lower' if goal.direction == 'min' else 'higher'} the better"
        for goal in proposal.query.objectives
    ]
    if misses:
        told.append(proposal.answer.explanation.split("\n")[0])
    return " ".join(map(sentence, told))


def _met(talk: Negotiation, wish: Constraint, item: Item) -> str:
    if wish.column is None or wish.op == "==" or item.row.get(wish.column) is None:
        return talk.wording.wish(wish)
    held = talk.wording.value(item.row[wish.column], wish.column)
    return f"{talk.wording.wish(wish)} (it is {held})"


def values(talk: Negotiation, asked: Asked) -> str:
    """Return what values there are of the columns asked about, in what fits so far."""
    about = list(asked.columns) or ([talk.question.slot] if talk.question else [])
    if not about:
        slots = [talk.wording.label(name) for name in open_slots(talk.catalog, [])]
        return sentence(f"there are wishes to be had about {listed(slots)}")
    return " ".join(_values(talk, name) for name in about[:2])


def _values(talk: Negotiation, name: str) -> str:
    others = [wish for wish in talk.preferences.known if wish.column != name]
    rows = sampled(talk, others)
    held = [part for row in rows for part in parts_of(row[name])]
    if not held:
        return sentence(f"no {talk.wording.label(name)} is known of what fits")
    if talk.catalog.schema.find(name).ordered:
        ordered = sorted(held)
        low, middle, high = ordered[0], ordered[len(ordered) // 2], ordered[-1]
        told = (talk.wording.value(end, name) for end in (low, high, middle))
        return "{}: from {} to {}, half of them up to {}.".format(
            talk.wording.label(name).capitalize(), *told
        )
    best = Counter(held).most_common(SHOWN)
    named = [f"{talk.wording.value(value, name)} ({number:,})" for value, number in best]
    more = len(set(held)) - len(best)
    tail = f", and {more:,} more" if more else ""
    return f"{talk.wording.label(name).capitalize()}: {', '.join(named)}{tail}."


def sampled(talk: Negotiation, wishes: Sequence[Constraint]) -> list[Row]:
    """Return at most `SAMPLE` of the rows that meet wishes, of all rows where none does."""
    found = talk.catalog.slice([talk.catalog.bind(wish) for wish in wishes])
    if not len(found):
        found = talk.catalog.slice([])
    step = -(-len(found) // SAMPLE) or 1
    return talk.catalog.fetch(found.ids[::step].tolist())


def meaning(talk: Negotiation, asked: Asked) -> str:
    """Return what a column or a value is, as far as the catalog tells."""
    told = [
        f"{talk.wording.value(wish.value, wish.column)} is a value of "
        f"{talk.wording.label(wish.column)}; {counted(talk, [wish]):,} "
        "of what fits so far are like that"
        for wish in named_values(asked.text, talk.catalog)[:MEANT]
        if wish.column
    ]
    told += [_explained(talk, talk.catalog.profile(name)) for name in asked.columns[:MEANT]]
    if not told and talk.question:
        told = [_explained(talk, talk.catalog.profile(talk.question.slot))]
    if not told:
        return f"That word is not in the catalog, so I cannot say what it means. {understood(talk)}"
    return " ".join(map(sentence, told))


def _explained(talk: Negotiation, profile: ColumnProfile) -> str:
    name = profile.name
    if profile.kind in ("numeric", "date") and profile.minimum is not None:
        better = {"low": "; less is usually better", "high": "; more is usually better"}
        ends = " to ".join(
            talk.wording.value(end, name) for end in (profile.minimum, profile.maximum)
        )
        return (
            f"{talk.wording.label(name)} goes from {ends}{better.get(profile.desirable or '', '')}"
        )
    if profile.kind == "boolean":
        return f"{talk.wording.label(name)} is something that an item has or has not"
    examples = [talk.wording.value(value, name) for value in profile.values[:SHOWN]]
    such = f", such as {listed(examples)}" if examples else ""
    return f"{talk.wording.label(name)} is one of {profile.distinct:,} different values{such}"


def value(talk: Negotiation, asked: Asked) -> str:
    """Return what the offered item has in the columns asked about."""
    proposal = talk.proposal
    if proposal is None or not proposal.is_offer:
        return values(talk, asked)
    shown = proposal.answer.items
    place = place_of(asked.text, len(shown))
    row = shown[place if place is not None and place < len(shown) else talk.place].row
    mentioned = [found.constraint.column for found in asked.extraction.constraints]
    about = [*asked.columns, *(name for name in mentioned if name)]
    if not about:
        about = [name for name, held in row.items() if held is not None][:10]
    told = (f"{talk.wording.label(name)} {_held(talk, row, name)}" for name in dict.fromkeys(about))
    return sentence(f"it has {', '.join(told)}")


def _held(talk: Negotiation, row: Row, name: str) -> str:
    return "not given" if row[name] is None else talk.wording.value(row[name], name)


def reason(talk: Negotiation, asked: Asked) -> str:
    """Return why something is asked."""
    if talk.question is None:
        return f"I ask so that what I offer fits. {understood(talk)}"
    name = talk.wording.label(talk.question.slot)
    return (
        f"I ask about {name} because the answer narrows down what is left the most; you may "
        f"leave it open. {understood(talk)}"
    )


def state(talk: Negotiation, asked: Asked) -> str:
    """Return what is understood so far and how many fit."""
    return f"{understood(talk)} {fitting(talk)}."


def help_words(talk: Negotiation, asked: Asked) -> str:
    """Return what can be said here."""
    slots = [talk.wording.label(name) for name in open_slots(talk.catalog, talk.preferences.known)]
    return (
        f"Say what you are looking for, for instance about {listed(slots[:4])}; ask what there "
        "is, how many fit or why something is offered; say what must stay, “undo” to take the "
        f"last step back, or “bye”. {understood(talk)}"
    )


def more(talk: Negotiation, asked: Asked) -> str:
    """Return the next item, now the one offered."""
    if talk.proposal is None:
        return items(talk, asked)
    at = talk.place + 1
    if at >= len(talk.proposal.answer.items):
        further = talk.repaired(talk.proposal.query, top=at + talk.top)
        talk.proposal = replace(talk.proposal, answer=further)
    found = talk.proposal.answer.items
    if at >= len(found):
        return f"That was all there is. {understood(talk)} Which of it could be different?"
    talk.place = at
    next_item = talk.wording.item(found[at].row, wished(talk))
    return sentence(f"the next one: {next_item}") + " Shall it be that one?"


def better(talk: Negotiation, way: tuple[str, Direction]) -> str:
    """Look for items that have less (or more) of a column than the one offered; say what there is.

    The wish for less is kept as an objective; the bound, where something meets it with all the
    rest.
    """
    name, direction = way
    talk.preferences.aim(Objective(column=name, direction=direction))
    op, word = ("<", "less") if direction == "min" else (">", "more")
    held = _offered(talk, name)
    if held is None:
        return offer(talk, talk.propose())
    bound = Constraint(column=name, op=op, value=held)
    told = f"{word} {talk.wording.label(name)} than {talk.wording.value(held, name)}"
    if counted(talk, [bound]):
        talk.preferences.forget([w for w in talk.preferences.soft if w.column == name])
        talk.preferences.add([bound])
        return f"{sentence(told)} {offer(talk, talk.propose())}"
    wishes = [wish for wish in talk.preferences.soft if wish.column != name]
    query = talk.query.replace([*wishes, bound.model_copy(update={"hard": True})])
    answer = talk.repaired(query)
    if not answer.items:
        return f"There is no {told}. {understood(talk)}"
    first = talk.wording.item(answer.items[0].row, wished(talk))
    return sentence(
        f"no {told} fits the rest. If {talk.wording.gives_way(answer.relaxed)}, there is {first}"
    )


def _offered(talk: Negotiation, name: str) -> Scalar | None:
    proposal = talk.proposal
    if proposal is None or not proposal.is_offer:
        return None
    return proposal.answer.items[talk.place].row.get(name)


def doubt(talk: Negotiation, positions: Sequence[int]) -> str:
    """Return the question which of the wishes that give way must stay."""
    wishes = [talk.preferences.soft[at] for at in positions]
    if len(wishes) == 1:
        wish = wishes[0]
        return (
            f"Must {talk.wording.label(wish.column)} stay {talk.wording.condition(wish)}, or is it "
            "something else about this one?"
        )
    return f"Which must stay: {listed(map(talk.wording.wish, wishes), 'or')}?"


def left_over(extraction: Extraction) -> str:
    """Return what was not understood, in the person's own words; empty where all was."""
    told = [quoted(words.evidence.text) for words in extraction.not_understood]
    unknown = [
        f"{quoted(part.evidence.text)} ({part.reason}"
        + (f"; the nearest is {part.nearest[0][0]}" if part.nearest else "")
        + ")"
        for part in extraction.unresolved
    ]
    parts = list(dict.fromkeys([*unknown, *told]))
    return sentence(f"not understood: {listed(parts)}") if parts else ""


ANSWERS = {
    "items": items,
    "count": count,
    "why": why,
    "values": values,
    "meaning": meaning,
    "value": value,
    "reason": reason,
    "state": state,
    "help": help_words,
}
"""What answers a question, by its topic."""
