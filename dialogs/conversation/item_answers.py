"""Answers about single items: what they have, why they are offered or not, how they differ.

An item is named by a value that no other has, by its place, or is the one offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ...catalogs.errors import ConcedeError
from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.sorted_rows import SortKey
from ...engine.answer import Item
from ..extraction.ordered_values import order_of
from ..language.wording import listed, sentence
from .agents import parts_of
from .asked import Asked
from .naming import Direction, named_values, values_meant
from .negotiation import Negotiation
from .proposal import by_cost
from .sentences import SHALL_IT, at_end, counted, offer, offer_or_nothing, understood, wished

_THE_ONE = re.compile(r"\bthe\s+[\w\s'&-]{1,40}?\s+one\b", re.IGNORECASE)

TELLING = 200
"""Characters of a value by which an item is known again."""

FEW = 4
"""Items of which each is told, or compared, where as many fit and none is offered or named."""


def why(talk: Negotiation, asked: Asked) -> str:
    """Return why the offered item is offered, and why others are not."""
    proposal, item, named = talk.proposal, talk.offered, named_item(talk, asked.text)
    if named is not None and (item is None or named.row != item.row):
        return why_not(talk, named.row)
    if proposal is None:
        return (
            reason(talk, asked) if talk.question else f"Nothing is offered yet. {understood(talk)}"
        )
    if item is None:
        return offer(talk, proposal)
    wishes = proposal.query.constraints
    words = talk.wording
    meets = [_met(talk, wishes[at], item.row) for at in item.meets]
    misses = [_met(talk, wishes[at], item.row) for at in item.misses]
    meets = [*(talk.wording.wish(wish) for wish in proposal.query.base), *meets]
    told = [f"it meets {listed(meets)}" if meets else "nothing was asked that it could miss"]
    if misses:
        told.append(f"it misses {listed(misses)}, which matters least of what had to give way")
    told += [
        f"its {words.label(goal.column)} of {words.value(item.row[goal.column], goal.column)} "
        f"counts, the {'lower' if goal.direction == 'min' else 'higher'} the better"
        for goal in proposal.query.objectives
        if item.row[goal.column] is not None
    ]
    for clash in proposal.answer.conflicts[:1] if misses else ():
        clashing = [*proposal.query.base, *(wishes[at] for at in sorted(clash))]
        told.append(f"nothing meets {listed(map(words.wish, clashing))} together")
    return " ".join(map(sentence, told))


def why_not(talk: Negotiation, row: Row, misses: Sequence[Constraint] | None = None) -> str:
    """Return what an item that is not offered misses, of what is understood if it is not given."""
    if misses is None:
        misses = [wish for wish in talk.preferences.known if not has(talk, row, [wish])]
    name, offered = talk.wording.names(row), talk.proposal is not None
    if misses:
        told = dict.fromkeys(_met(talk, wish, row) for wish in misses)
        return sentence(f"{name} misses {listed(told)}")
    return sentence(f"{name} meets all you asked{', but is not ranked first' if offered else ''}")


def _met(talk: Negotiation, wish: Constraint, row: Row) -> str:
    if wish.column is None or wish.op == "==" or row.get(wish.column) is None:
        return talk.wording.wish(wish)
    held = talk.wording.value(row[wish.column], wish.column)
    return f"{talk.wording.wish(wish)} (it is {held})"


@dataclass(frozen=True, slots=True)
class Named:
    """An item, and the wish for the value that it is named by."""

    by: Constraint
    row: Row


def named_item(talk: Negotiation, text: str) -> Named | None:
    """Return the item that a text names by a value that no other has, or none that is shown.

    None where it does not.
    """
    shown = _near_at_hand(talk)
    for wish in named_values(text, talk.catalog):
        if (row := only_item(talk, wish)) is not None:
            return Named(wish, row)
        those = [row for row in shown if wish.value in parts_of(row[wish.column or ""])]
        names = _THE_ONE.search(text) or any(wish.column in talk.wording.naming(r) for r in those)
        if names and len(those) == 1 < len(shown):
            return Named(wish, those[0])
    naming = {name for row in shown for name in talk.wording.naming(row)}
    for column, values in values_meant(text, talk.catalog).items():
        those = [row for row in shown if row[column] in values] if column in naming else []
        if len(those) == 1 < len(shown):
            return Named(Constraint(column=column, op="==", value=those[0][column]), those[0])
    return None


def item_asked_about(talk: Negotiation, text: str) -> Named | None:
    """Return the item that a text names, in part as well: of all items, where it can be no other.

    None where it names none.
    """
    if (named := named_item(talk, text)) is not None:
        return named
    meant = values_meant(text, talk.catalog).items()
    single = [(column, values) for column, values in meant if len(values) == 1]
    naming = naming_columns(talk) if single else []
    for column, values in single:
        if column in naming:
            wish = Constraint(column=column, op="==", value=next(iter(values)))
            if (row := only_item(talk, wish)) is not None:
                return Named(wish, row)
    return None


def naming_columns(talk: Negotiation) -> list[str]:
    """Return the columns that name the catalog's items."""
    first = talk.catalog.slice([]).first() if talk.catalog.row_count else None
    return [] if first is None else talk.wording.naming(talk.catalog.fetch([first])[0])


def only_item(talk: Negotiation, wish: Constraint) -> Row | None:
    """Return the item that meets a wish, if it is the only one."""
    rows = talk.catalog.slice([talk.catalog.bind(wish)])
    return talk.catalog.fetch(rows.ids.tolist())[0] if len(rows) == 1 else None


def _near_at_hand(talk: Negotiation) -> list[Row]:
    """Return the items that are shown, else those that fit where they are few."""
    if talk.proposal is not None:
        return [item.row for item in talk.proposal.answer.items]
    if not (wished(talk) and 0 < counted(talk) <= FEW):
        return []
    rows = talk.catalog.slice([talk.catalog.bind(wish) for wish in talk.preferences.known])
    return talk.catalog.fetch(rows.ids.tolist())


def has(talk: Negotiation, row: Row, wishes: Sequence[Constraint]) -> bool:
    """Return whether an item meets all these wishes; it is known by the values it holds."""
    try:
        return talk.count([*known_by(row), *wishes]) > 0
    except ConcedeError:
        return False  # It holds what no wish can be compared with.


def known_by(row: Row) -> list[Constraint]:
    """Return wishes that an item alone meets, or its like."""
    return [
        Constraint(column=name, op="==", value=value)
        for name, value in row.items()
        if isinstance(value, str | int | date) and len(str(value)) <= TELLING
    ]


def shown_at(talk: Negotiation, row: Row) -> int | None:
    """Return the place of an item among those that are shown; None for one that is not."""
    rows = [] if talk.proposal is None else [item.row for item in talk.proposal.answer.items]
    return rows.index(row) if row in rows else None


def put_forward(talk: Negotiation, row: Row) -> int | None:
    """Return the place of an item among those shown, where it is put if it is not; None if not."""
    if shown_at(talk, row) is None and (wishes := known_by(row)):
        talk.propose_instead(Query(base=tuple(wishes)))
    return shown_at(talk, row)


def item_of(talk: Negotiation, row: Row, asked: Query) -> Item | None:
    """Return a row as an item of what answers a query; None where it does not, or is not known."""
    if not (own := known_by(row)):
        return None
    wishes, goals = asked.constraints, asked.objectives
    alone = Query(base=(*asked.base, *own), constraints=wishes, objectives=goals)
    return next(iter(talk.repaired(alone, 1).items), None)


def stay_with(talk: Negotiation, row: Row, *, anyway: bool = False) -> bool:
    """Offer an item of what fits, of however far down; return whether it is one of them.

    `anyway`: offer it even where it is none of them.
    """
    proposal, place = talk.proposal, shown_at(talk, row)
    if place is None and proposal is not None and has(talk, row, talk.preferences.known):
        held = proposal.answer.items
        if (item := item_of(talk, row, proposal.query)) is not None:
            answer = proposal.answer.model_copy(update={"items": (*held, item)})
            talk.proposal, place = replace(proposal, answer=answer), len(held)
    place = put_forward(talk, row) if place is None and anyway else place
    talk.place = talk.place if place is None else place
    return place is not None


def ranked(talk: Negotiation, name: str) -> dict[str, int]:
    """Return the places of a column's texts in a common order; none where they have none."""
    if talk.catalog.schema.find(name).family != "text":
        return {}
    texts = [value for value in talk.catalog.profile(name).values if isinstance(value, str)]
    return order_of(name, texts)


def best(talk: Negotiation, way: tuple[str, Direction], within: Sequence[Constraint] = ()) -> str:
    """Offer what has the least (or most) of a column among what fits; say which it is.

    `within`: what it has to meet besides, or in place of what is wished of the same columns.
    """
    name, direction = way
    key = SortKey(name, direction == "max")
    query, ranks = _within(talk.query, within), ranked(talk, name)
    ends = sorted(ranks, key=ranks.__getitem__, reverse=direction == "max")
    wishes = (Constraint(column=name, op="==", value=value, hard=True) for value in ends)
    if most := next((wish for wish in wishes if counted(talk, [wish])), None):
        others = [wish for wish in query.constraints if wish.column != name]
        query = query.replace([*others, most])
    proposal = talk.propose_instead(query, by_cost([key], talk.catalog.cost_column))
    if proposal is None:
        return offer_or_nothing(talk)
    row, label = proposal.answer.items[0].row, talk.wording.label(name)
    if row[name] is None:
        return sentence(f"no {label} is known of what fits")
    told = at_end(talk, key, talk.wording.item(row, [name, *wished(talk)]))
    alike = sum(item.row[name] == row[name] for item in proposal.answer.items)
    told = f"one of several with {told}" if alike > 1 else told
    first = least(proposal.answer.items, way) or 0
    if proposal.answer.items[first].row_id in talk.passed:
        told = f"besides what you passed over, {told}"
    if given_up := talk.wording.gives_way(proposal.answer.relaxed):
        return f"{sentence(f'nothing fits all of it. If {given_up}, {told}')} Would that do?"
    return f"{sentence(told)} {SHALL_IT}"


def _within(query: Query, within: Sequence[Constraint]) -> Query:
    """Return a query that has to meet more."""
    own = {wish.column for wish in within}
    base = (*within, *(wish for wish in query.base if wish.column not in own))
    soft = tuple(wish for wish in query.constraints if wish.column not in own)
    return Query(base=base, constraints=soft, objectives=query.objectives)


def least(items: Sequence[Item], way: tuple[str, Direction]) -> int | None:
    """Return the place of the item shown that has the least, or most, of a column."""
    held = [(item.row[way[0]], at) for at, item in enumerate(items) if item.row[way[0]] is not None]
    ends = min(held, default=None) if way[1] == "min" else max(held, default=None)
    return None if ends is None else ends[1]


def told_of(talk: Negotiation, row: Row, asked: Asked, verdict: str = "") -> str:
    """Return what a row has in the columns asked about, or in all, behind yes or no."""
    mentioned = [found.constraint.column for found in asked.extraction.constraints]
    naming = talk.wording.naming(row)
    about = [name for name in (*asked.columns, *mentioned) if name and name not in naming]
    if not about and asked.columns:
        # What kind of thing it is may be asked, though it is a part of its name.
        told = ", ".join(talk.wording.part(row, name) for name in asked.columns)
        return sentence(f"{talk.wording.names(row)}: {told}")
    if not about and not _ALL.search(asked.text):
        known = listed(talk.wording.label(name) for name, held in row.items() if held is not None)
        return sentence(f"of {talk.wording.names(row)} I know {known}")
    if not about:
        about = [n for n, held in row.items() if held is not None and n not in naming][:10]
    told = ", ".join(talk.wording.told(row, name) for name in dict.fromkeys(about))
    told = f"{verdict}{told}".replace("no, no ", "no ", 1)
    names = talk.wording.names(row)
    return sentence(f"{names}: {told}" if names else told if verdict else f"it has {told}")


_ALL = re.compile(
    r"\b(?:more|about|tell|describe|details?|everything|all|what is|what's|show|see|look)\b", re.I
)
"""Words of a question for all that is known of an item."""


def reason(talk: Negotiation, asked: Asked) -> str:
    """Return why something is asked."""
    if talk.question is None:
        return f"I ask so that what I offer fits. {understood(talk)}"
    name = talk.wording.label(talk.question.slot)
    return (
        f"I ask about {name} because the answer narrows down what is left the most; you may "
        f"leave it open. {understood(talk)}"
    )
