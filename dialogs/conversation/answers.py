"""Answers to what a person asks, from the catalog: items, counts, values, words, reasons.

Each counts or fetches within what is understood so far; a count is exact, or says “at least”.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import NULL_TESTS, Constraint, Objective
from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.sorted_rows import SortKey
from ..language.wording import listed, sentence
from .agents import NAMED, UNNAMED, open_slots, parts_of
from .asked import Asked
from .item_answers import FEW, named_item, told_of
from .lists_asked import MOST_LISTED
from .naming import Direction, column_mentions, named_values
from .negotiation import Negotiation
from .preferences import LOWER, UPPER
from .proposal import Proposal
from .refused_items import first_left, refused_last
from .roles import Question
from .sampling import sampled
from .sentences import (
    SHALL_IT,
    counted,
    fitting,
    offer,
    offer_or_nothing,
    understood,
    wished,
    would_be_nice,
)

MEANT = 2
"""Values and columns that are explained at once."""


SHOWN, ALL_SHOWN = 5, 8
"""Values named of a column, and how many at most are all named."""


def items(talk: Negotiation, asked: Asked, number: int | None = None) -> str:
    """Return the best items there are now, so many at most, or those that are asked about."""
    known = talk.preferences.known
    extra = [part.constraint for part in asked.extraction.constraints]
    held = {(wish.column, wish.op, wish.value) for wish in known}
    extra = [
        wish
        for wish in extra
        if (wish.column, wish.op, wish.value) not in held and wish.op not in NULL_TESTS
    ]
    if not wished(talk) and not extra:
        return f"{_examples(talk)} What matters to you?"
    proposal = _with_extra(talk, extra) if extra else talk.propose()
    if proposal is None:
        return sentence(f"none that fits is {listed(map(talk.wording.wish, extra))}")
    return listing(talk, proposal, [*asked.columns, *wished(talk)], number)


def sorted_items(
    talk: Negotiation, way: tuple[str, Direction], asked: Asked, number: int | None = None
) -> str:
    """Return the best items in the order of a column, then of what is wished low or high."""
    goals = ((goal.column, goal.direction) for goal in reversed(talk.query.objectives))
    ways = [way, *(goal for goal in goals if goal[0] != way[0])]
    sort = [SortKey(column, direction == "max") for column, direction in ways]
    proposal = talk.propose_instead(talk.query, sort)
    if proposal is None:
        return offer_or_nothing(talk)
    return listing(talk, proposal, [way[0], *asked.columns, *wished(talk)], number)


def listing(
    talk: Negotiation, proposal: Proposal, columns: Sequence[str], number: int | None = None
) -> str:
    """Return the items of a proposal by their numbers, with what they have in some columns.

    So many at most; where it is not said how many, all that fit if they are few.
    """
    proposal = _of_so_many(talk, proposal, number)
    rows = [item.row for item in proposal.answer.items]
    names = [talk.wording.item(row, [*telling_apart(talk, row, rows), *columns]) for row in rows]
    if len(names) < 2:
        return offer(talk, proposal, columns)
    passed = [item.row_id in talk.passed for item in proposal.answer.items]
    numbered = [f"{place}. {name}" for place, name in enumerate(names, 1)]
    left = [text for text, gone in zip(numbered, passed, strict=True) if not gone]
    told = "; ".join(left or numbered)
    way = talk.wording.gives_way(proposal.answer.relaxed)
    count, exact = proposal.answer.count, proposal.answer.counts_exact
    some = count > len(left or names)
    of = f", {len(left or names)} of {'' if exact else 'at least '}{count:,}" if some else ""
    of += ", besides what you passed over" if 0 < len(left) < len(names) else ""
    begin = f"nothing fits all of it. If {way}, there are these" if way else "what fits"
    begin += of
    return sentence(f"{begin}: {told}")


def _of_so_many(talk: Negotiation, proposal: Proposal, number: int | None) -> Proposal:
    """Show so many items of a proposal that were not refused, or as many as there are."""
    count = proposal.answer.count
    few = count <= talk.top + talk.top // 2
    most = min(number or (count if few else talk.top), MOST_LISTED)
    answer, passed = proposal.answer, talk.passed
    if sum(item.row_id not in passed for item in answer.items) < min(most, count):
        further = talk.repaired(proposal.query, most + len(passed), proposal.sort)
        answer = further if further.relaxed == answer.relaxed else answer
    talk.proposal = replace(proposal, answer=refused_last(answer, passed, most))
    talk.place = first_left(talk.proposal.answer, talk.set_aside)
    return talk.proposal


def telling_apart(talk: Negotiation, row: Row, rows: Sequence[Row]) -> list[str]:
    """Return the first column by which a row differs from others that are called the same."""
    naming = talk.wording.naming(row)
    same = [other for other in rows if all(other[column] == row[column] for column in naming)]
    differ = (c for c, held in row.items() if any(other[c] != held for other in same))
    return [column for column in differ if column not in naming][:1]


def _with_extra(talk: Negotiation, extra: Sequence[Constraint]) -> Proposal | None:
    """Offer what fits and meets more besides; None where nothing does."""
    if not counted(talk, extra):
        return None
    must = [wish.model_copy(update={"hard": True}) for wish in extra]
    return talk.propose_instead(talk.query.replace([*talk.query.constraints, *must]))


def _examples(talk: Negotiation) -> str:
    found = talk.catalog.slice([])
    rows = talk.catalog.fetch(found.ids[:: max(1, len(found) // 3)][:3].tolist())
    names = (talk.wording.item(row, ()) for row in rows)
    return sentence(f"there are {len(found):,} in all, such as {'; '.join(names)}")


_HOW_MANY = re.compile(r"\b(?:many|much|number|count|total|any)\b", re.IGNORECASE)


def count(talk: Negotiation, asked: Asked) -> str:
    """Return how many there are of what is asked about, or of what fits."""
    if asked.columns and not _HOW_MANY.search(asked.text):
        return values(talk, asked)
    extra = [found.constraint for found in asked.extraction.constraints] or _named(talk, asked)
    number = counted(talk, extra)
    known = [
        wish for wish in talk.preferences.known if wish.column not in {e.column for e in extra}
    ]
    about = listed(map(talk.wording.wish, [*known, *extra]))
    total = f"{talk.catalog.row_count:,} in all"
    return sentence(f"{number:,} with {about}, of {total}" if about else f"there are {total}")


def _named(talk: Negotiation, asked: Asked) -> list[Constraint]:
    """Return what is named and no wish: values, and columns that an item has or has not."""
    named = list({wish.column: wish for wish in named_values(asked.text, talk.catalog)}.values())
    named += [
        Constraint(column=name, op="==", value=True)
        for name in column_mentions(asked.text, talk.catalog)
        if talk.catalog.schema.find(name).family == "boolean"
    ]
    return named


def values(talk: Negotiation, asked: Asked, within: Sequence[Constraint] = ()) -> str:
    """Return what values there are of the columns asked about, in what fits so far.

    `within`: and of it in what meets these.
    """
    about = [name for name in asked.columns if not tells_apart(talk, name)]
    if asked.columns and not about and asked.extraction.constraints:
        return items(talk, asked)
    if asked.columns and not about:
        kinds = [name for name in open_slots(talk.catalog, []) if _is_kind(talk, name)]
        return " ".join([*(_values(talk, name) for name in kinds[:1]), _examples(talk)])
    about = about or ([talk.question.slot] if talk.question else [])
    if not about:
        slots = [talk.wording.label(name) for name in open_slots(talk.catalog, [])]
        return sentence(f"there are wishes to be had about {listed(slots)}")
    told = " ".join(_values(talk, name, within) for name in about[:2])
    return f"With {listed(talk.wording.wishes(within))}: {told}" if within and told else told


def _is_kind(talk: Negotiation, name: str) -> bool:
    """Return whether people can be expected to know between the texts of a column."""
    profile = talk.catalog.profile(name)
    return profile.kind == "categorical" and 2 < profile.distinct <= NAMED


def tells_apart(talk: Negotiation, name: str) -> bool:
    """Return whether almost every item has another value of a column: names and numbers of them."""
    profile = talk.catalog.profile(name)
    names = profile.kind not in ("numeric", "date", "list")
    return names and profile.distinct > UNNAMED * profile.rows


def _values(talk: Negotiation, name: str, within: Sequence[Constraint] = ()) -> str:
    own = {name, *(wish.column for wish in within)}
    others = [wish for wish in talk.preferences.known if wish.column not in own]
    rows = sampled(talk, [*others, *within])
    held = [part for row in rows for part in parts_of(row[name])]
    if not all(isinstance(part, Hashable) for part in held):
        return sentence(_explained(talk, talk.catalog.profile(name)))
    if not held:
        return sentence(f"no {talk.wording.label(name)} is known of what fits")
    if talk.catalog.schema.find(name).ordered:
        ordered = sorted(held)
        low, middle, high = ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1]
        ends = [talk.wording.value(end, name) for end in (low, high)]
        told = f"{talk.wording.label(name)}: " + (
            f"from {ends[0]} to {ends[1]}" if low != high else ends[0]
        )
        if len(ordered) > FEW and low != high:
            told += f", half of them up to {talk.wording.value(middle, name)}"
        return sentence(told)
    kinds = Counter(held)
    best = kinds.most_common(len(kinds) if len(kinds) <= ALL_SHOWN else SHOWN)
    named = [f"{talk.wording.value(value, name)} ({number:,})" for value, number in best]
    more = len(set(held)) - len(best)
    tail = f", and {more:,} more" if more else ""
    return f"{talk.wording.label(name).capitalize()}: {', '.join(named)}{tail}."


def meaning(talk: Negotiation, asked: Asked) -> str:
    """Return what a column or a value is, as far as the catalog tells."""
    if asked.columns and (named := named_item(talk, asked.text)) is not None:
        return told_of(talk, named.row, asked)
    told = [
        f"{talk.wording.value(wish.value, wish.column)} is one of the values of "
        f"{_explained_value(talk, wish.column, wish.value)}"
        for wish in named_values(asked.text, talk.catalog)[:MEANT]
        if wish.column
    ]
    if not told:
        told = [_explained(talk, talk.catalog.profile(name)) for name in asked.columns[:MEANT]]
    if not told and talk.question:
        told = [_explained(talk, talk.catalog.profile(talk.question.slot))]
    if not told:
        return f"That word is not in the catalog, so I cannot say what it means. {understood(talk)}"
    return " ".join(map(sentence, told))


def _explained_value(talk: Negotiation, name: str, value: object) -> str:
    """Return what a value of a column stands beside, and that no more is known of it."""
    values = [other for other in talk.catalog.profile(name).values if other != value]
    others = listed(talk.wording.value(other, name) for other in values)
    beside = f", beside {others}" if others else ""
    return f"{talk.wording.label(name)}{beside}; the catalog says no more of it"


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


def state(talk: Negotiation, asked: Asked) -> str:
    """Return what is understood so far and how many fit."""
    return f"{understood(talk, whole=True)} {fitting(talk)}."


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
    at = _next_place(talk)
    if at is None:
        proposal, held = talk.proposal, talk.proposal.answer.items
        most, known = len(held) + len(talk.set_aside) + talk.top, {item.row_id for item in held}
        found = talk.repaired(proposal.query, most, proposal.sort).items
        items_now = (*held, *(item for item in found if item.row_id not in known))
        answer = proposal.answer.model_copy(update={"items": items_now})
        talk.proposal = replace(proposal, answer=answer)
        at = _next_place(talk)
    if at is None:
        return f"That was all there is. {understood(talk)} Which of it could be different?"
    found = talk.proposal.answer.items
    talk.place = at
    next_item = talk.wording.item(found[at].row, wished(talk))
    return f"{sentence(f'the next one: {next_item}')} {SHALL_IT}"


def _next_place(talk: Negotiation) -> int | None:
    """Return the place of the next item that was not refused, taken or kept in mind."""
    shown = () if talk.proposal is None else talk.proposal.answer.items
    places = range(talk.place + 1, len(shown))
    return next((at for at in places if shown[at].row_id not in talk.set_aside), None)


def better(talk: Negotiation, way: tuple[str, Direction], beside: Row | None = None) -> str:
    """Look for items that have less (or more) of a column than one; say what there is.

    `beside`: that one, the one offered where it is not given.

    The wish for less is kept as an objective; the bound, where something meets it with all the
    rest.
    """
    name, direction = way
    before = talk.query
    talk.preferences.aim(Objective(column=name, direction=direction))
    row = beside or (talk.offered.row if talk.offered else {})
    held = row.get(name)
    if held is None:
        return offer(talk, talk.propose())
    key = SortKey(name, direction == "max")
    proposal = talk.proposal
    same = proposal is not None and proposal.query == before and proposal.sort[:1] == (key,)
    if proposal is not None and same and not talk.place:
        # Nothing comes before what has the least already.
        return offer(talk, proposal)
    bound = Constraint(column=name, op="<" if direction == "min" else ">", value=held)
    asked = talk.wording.wish(bound)
    firm = [
        wish
        for wish in talk.preferences.known
        if not would_be_nice(talk, wish) and wish.column != name
    ]
    if talk.count([*firm, bound]):
        talk.preferences.forget([w for w in talk.preferences.soft if w.column == name])
        talk.preferences.add([bound])
        return f"{sentence(asked)} {offer(talk, talk.propose())}"
    # Positions stay those of the wishes, which may have to stay or give way.
    must = bound.model_copy(update={"hard": True})
    wishes = [must if wish.column == name else wish for wish in talk.preferences.soft]
    query = talk.query.replace(wishes if must in wishes else [*wishes, must])
    proposal = talk.propose_instead(query)
    if proposal is None:
        return f"There is none with {asked}. {understood(talk)}"
    first = talk.wording.item(proposal.answer.items[0].row, wished(talk))
    given_up = talk.wording.gives_way(proposal.answer.relaxed)
    told = f"nothing with {asked} fits the rest. If {given_up}, there is {first}"
    return f"{sentence(told)} Would that do?"


def limit_question(talk: Negotiation, way: tuple[str, Direction]) -> Question | None:
    """Return how far a limit may go, where more is allowed than is liked: `I can pay more`.

    None where less is liked of what may be less, and where there is no such limit.
    """
    name, direction = way
    liked = {"low": "min", "high": "max"}.get(talk.catalog.profile(name).desirable or "")
    liked = "min" if name == talk.catalog.cost_column else liked
    ops = UPPER if direction == "max" else LOWER
    limits = [wish for wish in talk.preferences.soft if wish.column == name and wish.op in ops]
    if not limits or liked in (None, direction):
        return None
    label, limit = talk.wording.label(name), talk.wording.condition(limits[0])
    return Question(name, f"So far the {label} is {limit}. How far may it go?")
