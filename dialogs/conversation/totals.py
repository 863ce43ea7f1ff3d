"""What several numbers of an item come to: `six rents and the fee`.

Each is a sum over the rows at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from ...catalogs.json_values import Row
from ...catalogs.query.query import Query
from ..language.sums import Terms, is_total
from ..language.wording import listed, sentence
from .item_answers import known_by, shown_at
from .naming import Direction
from .negotiation import Negotiation
from .sentences import understood, wished

NO_TERMS: Terms = MappingProxyType({})

MOST = 5_000
"""Rows of which the one with the least sum is looked for."""


def total_of(talk: Negotiation, rows: Sequence[Row], terms: Terms) -> str:
    """Return what the numbers of items come to, the least first; empty where none is known."""
    if not is_total(terms):
        return ""
    held = sorted(_sums(rows, terms))
    told = [_value(talk, number, terms) for number, _ in held]
    if len(rows) > 1:
        names = (talk.wording.names(rows[at]) for _, at in held)
        told = [f"{number} with {name}" for number, name in zip(told, names, strict=True)]
    return sentence(f"{talk.wording.total(terms)} comes to {listed(told)}") if told else ""


def best_total(talk: Negotiation, terms: Terms, direction: Direction) -> str:
    """Offer what has the least (or most) of a sum among what fits; say which it is."""
    found = talk.catalog.slice([talk.catalog.bind(wish) for wish in talk.preferences.known])
    if not 0 < len(found) <= MOST:
        return f"{len(found):,} fit; of fewer I can tell. {understood(talk)}"
    rows = talk.catalog.fetch(found.ids.tolist())
    held = sorted(_sums(rows, terms), reverse=direction == "max")
    if not held:
        return sentence(f"no {talk.wording.total(terms)} is known of what fits")
    number, at = held[0]
    row = rows[at]
    place = shown_at(talk, row)
    if place is None:
        talk.propose_instead(Query(base=tuple(known_by(row))))
        place = shown_at(talk, row)
    talk.place = place or 0
    end = "lowest" if direction == "min" else "highest"
    item = talk.wording.item(row, [*terms, *wished(talk)])
    told = f"the {end} {talk.wording.total(terms)}, {_value(talk, number, terms)}: {item}"
    return f"{sentence(told)} Shall it be that one?"


def _sums(rows: Sequence[Row], terms: Terms) -> list[tuple[float, int]]:
    """Return what the numbers of each row come to, and its place; none where one is not known."""
    sums: list[tuple[float, int]] = []
    for at, row in enumerate(rows):
        numbers = [row[name] for name in terms]
        if all(type(number) in (int, float) for number in numbers):
            total = sum(t * n for t, n in zip(terms.values(), numbers, strict=True))
            sums.append((round(total, 2), at))
    return sums


def _value(talk: Negotiation, number: float, terms: Terms) -> str:
    whole = int(number) if number == int(number) else number
    return talk.wording.value(whole, next(iter(terms)))
