"""What several numbers come to: `two rents and the fee`, `six of the one and four of the other`.

A model says only what is to be added up; each number is looked up in the rows at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...catalogs.json_values import Row
from ...catalogs.query.query import Query
from ..language.sums import Terms
from ..language.wording import sentence
from .item_answers import known_by, shown_at
from .naming import Direction
from .negotiation import Negotiation
from .sentences import SHALL_IT, understood, wished

MOST = 5_000
"""Rows of which the one with the least sum is looked for."""


@dataclass(frozen=True)
class Part:
    """A number so many times: of a column, of one item or of each; `times` itself for no column."""

    times: float
    column: str | None = None
    row: Row | None = None


@dataclass(frozen=True)
class Sum:
    """What is to be added up, and what it should not be more than."""

    parts: tuple[Part, ...] = ()
    limit: float | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns added up, each once."""
        return tuple(dict.fromkeys(part.column for part in self.parts if part.column))

    @property
    def terms(self) -> Terms:
        """The columns, and how many times each counts."""
        return {part.column: part.times for part in self.parts if part.column}

    @property
    def of_items(self) -> bool:
        """Whether it adds up numbers of several items."""
        return any(part.row is not None for part in self.parts)

    @property
    def is_plain(self) -> bool:
        """Whether it is the number of a column, to which nothing is added."""
        return len(self.parts) == 1 and self.parts[0].times == 1 and self.limit is None


NO_SUM = Sum()


def total_of(talk: Negotiation, rows: Sequence[Row], asked: Sum) -> str:
    """Return what is asked for comes to, for each of some items where it names none.

    Empty where a number is not known.
    """
    if not asked.columns or asked.is_plain:
        return ""
    if asked.of_items:
        return _told(talk, asked, rows[0] if rows else None, "")
    held = [(number, at) for at, row in enumerate(rows) if (number := _number(asked, row))]
    names = [talk.wording.names(row) for row in rows]
    told = (_told(talk, asked, rows[at], f"{names[at]}: ") for _, at in sorted(held))
    return " ".join(told)


def _number(asked: Sum, row: Row | None) -> float | None:
    """Return what all of it comes to; None where a number is not known."""
    total = 0.0
    for part in asked.parts:
        held = 1.0 if part.column is None else (part.row or row or {}).get(part.column)
        if isinstance(held, bool) or not isinstance(held, int | float):
            return None
        total += part.times * held
    return round(total, 2)


def _told(talk: Negotiation, asked: Sum, row: Row | None, before: str) -> str:
    """Return what a sum comes to and of what it is made, as a sentence."""
    number, column = _number(asked, row), asked.columns[0]
    if number is None:
        return ""
    several = len(asked.columns) > 1
    parts = (_part(talk, part, row, several=several) for part in asked.parts)
    told = f"{before}{' plus '.join(parts)} comes to {_value(talk, number, column)}"
    if asked.limit is not None:
        limit = _value(talk, asked.limit, column)
        within = f"yes, {'no more than ' if number < asked.limit else ''}{limit}"
        told += f", so {within if number <= asked.limit else f'no, more than {limit}'}"
    return sentence(told)


def _part(talk: Negotiation, part: Part, row: Row | None, *, several: bool) -> str:
    """Return a part of a sum with its number: `2 × rent 450 EUR`, `Iceberg 16 EUR`.

    `several`: numbers of several columns are added up.
    """
    if part.column is None:
        return f"{part.times:g}"
    times = "" if part.times == 1 else f"{part.times:g} × "
    of = part.row or row or {}
    label = talk.wording.label(part.column)
    name = label if part.row is None else talk.wording.names(of)
    name = f"{name} {label}" if part.row is not None and several else name
    return f"{times}{name} {talk.wording.value(of[part.column], part.column)}"


def best_total(talk: Negotiation, terms: Terms, direction: Direction) -> str:
    """Offer what has the least (or most) of a sum among what fits; say which it is."""
    found = talk.catalog.slice([talk.catalog.bind(wish) for wish in talk.preferences.known])
    if not 0 < len(found) <= MOST:
        return f"{len(found):,} fit; of fewer I can tell. {understood(talk)}"
    rows, asked = talk.catalog.fetch(found.ids.tolist()), Sum(tuple(parts_of_terms(terms)))
    sums = [(number, at) for at, r in enumerate(rows) if (number := _number(asked, r)) is not None]
    if not sums:
        return sentence(f"no {talk.wording.total(terms)} is known of what fits")
    number, at = min(sums) if direction == "min" else max(sums)
    place = shown_at(talk, rows[at])
    if place is None:
        talk.propose_instead(Query(base=tuple(known_by(rows[at]))))
        place = shown_at(talk, rows[at])
    talk.place = place or 0
    end = "lowest" if direction == "min" else "highest"
    value = _value(talk, number, next(iter(terms)))
    item = talk.wording.item(rows[at], [*terms, *wished(talk)])
    return f"{sentence(f'the {end} {talk.wording.total(terms)}, {value}: {item}')} {SHALL_IT}"


def parts_of_terms(terms: Terms) -> Iterable[Part]:
    """Return the parts of a sum of columns."""
    return (Part(times, name) for name, times in terms.items())


def _value(talk: Negotiation, number: float, column: str) -> str:
    return talk.wording.value(int(number) if number == int(number) else number, column)
