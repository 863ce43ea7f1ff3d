"""What several numbers come to: `two rents and the fee`, `six of the one and four of the other`.

A model says only what is to be added up; each number is looked up in the rows at hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, spoken
from ...catalogs.query.schema import name_words
from ..language.sums import Terms, added_up, is_total
from ..language.units import CURRENCY_SIGNS
from ..language.wording import Wording, sentence
from .clock_sums import DAY, LAST_DAY, finite, minutes_of, moment
from .item_answers import put_forward
from .naming import Direction
from .negotiation import Negotiation
from .sentences import SHALL_IT, offer_or_nothing, understood, wished

WEEK = 7 * DAY
"""Minutes of a week."""

MOST_NEEDED = 1e15
"""How many are counted in whole ones."""

MOST = 5_000
"""Rows of which the one with the least sum is looked for."""


@dataclass(frozen=True)
class Part:
    """A number so many times: of a column, of one item or of each; `times` itself for no column.

    `per`: the column of the same item that it is divided by; `whole`: as many as it takes of what
    is held there to come to `times`; `by`: the column that it is multiplied by.
    """

    times: float
    column: str | None = None
    row: Row | None = None
    per: str | None = None
    whole: bool = False
    by: str | None = None

    def needed(self, by: float) -> float:
        """Return how many times it counts, where `by` is what it is divided by."""
        times = self.times / by
        if not (self.whole and self.per) or abs(times) >= MOST_NEEDED:
            return times
        return math.copysign(math.ceil(round(abs(times), 9)), times)

    @property
    def columns(self) -> Sequence[str]:
        """The columns that it is made of."""
        return [name for name in (self.column, self.per, self.by) if name]


@dataclass(frozen=True)
class Sum:
    """What is to be added up, and what it should not be more than; `lost`: a part is not known.

    `clock`: the column of times of day, or of days, after which the rest of it is counted; `way`:
    it is asked of which item it is the least, or the most.
    """

    parts: tuple[Part, ...] = ()
    limit: float | None = None
    lost: bool = False
    clock: str | None = None
    way: Direction | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns added up, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.columns))

    @property
    def is_worked_out(self) -> bool:
        """Whether it is more than the number of a column."""
        return is_total(self.terms) or any(part.per or part.by for part in self.parts)

    @property
    def terms(self) -> Terms:
        """The columns, and how many times each counts."""
        return added_up((part.column, part.times) for part in self.parts if part.column)

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns of whose unit it is."""
        return tuple(part.column for part in self.parts if part.column)

    def called(self, wording: Wording) -> str:
        """Return what it is called: `2 × rent plus fee`, `60 × price per length`."""
        names = list[str]()
        for part in self.parts:
            times = abs(part.times)
            name = wording.total({part.column: times}) if part.column else spoken(times)
            sign = "minus " if part.times < 0 else "plus " if names else ""
            by = f" per {wording.label(part.per)}" if part.per else ""
            by += f" × {wording.label(part.by)}" if part.by else ""
            names.append(f"{sign}{name}{by}")
        return " ".join(names)

    @property
    def of_items(self) -> bool:
        """Whether it adds up numbers of several items."""
        return any(part.row is not None for part in self.parts)

    def of(self, row: Row) -> Sum:
        """Return the sum of one item: what is of none in particular, and what is its own."""
        return replace(self, parts=tuple(p for p in self.parts if p.row is None or p.row == row))

    @property
    def is_plain(self) -> bool:
        """Whether it is the number of a column, to which nothing is added."""
        return len(self.parts) == 1 and not self.is_worked_out and self.limit is None


_CLOSE = 1e-6
"""How near a number is to be to a share of one: a third is 0.3333333."""

NO_SUM = Sum()

LOST = "I cannot add all of that up."


def total_of(talk: Negotiation, rows: Sequence[Row], asked: Sum, *, apart: bool = False) -> str:
    """Return what is asked for comes to, for each of some items where it names none.

    `apart`: what is named of each item is its own sum. Empty where a number is not known; where it
    is known of others, that it is not.
    """
    if asked.lost:
        return LOST
    if not asked.columns or asked.is_plain:
        return ""
    if asked.of_items and not (apart and len(rows) > 1):
        return _told(talk, asked, rows[0] if rows else None, "")
    rows = [row for row in rows if not asked.of_items or asked.of(row).parts]
    each = [asked.of(row) for row in rows]
    held = [_number(talk, one, row) for one, row in zip(each, rows, strict=True)]
    sums = sorted((number, at) for at, number in enumerate(held) if number is not None)
    names = ["" if one.of_items else _named(talk, row) for one, row in zip(each, rows, strict=True)]
    told = [_told(talk, each[at], rows[at], names[at]) for _, at in sums]
    if (way := asked.way) is not None and len({round(number, 2) for number, _ in sums}) > 1:
        number, at = sums[0] if way == "min" else sums[-1]
        end = "least" if way == "min" else "most"
        value = _value(talk, number, each[at])
        told.insert(0, sentence(f"the {end}: {talk.wording.names(rows[at])}, {value}"))
    lost = [at for at in range(len(rows)) if at not in {place for _, place in sums}]
    told += [_not_known(talk, each[at], rows[at]) for at in lost if sums]
    return " ".join(filter(None, told))


def _named(talk: Negotiation, row: Row) -> str:
    return f"{talk.wording.names(row)}: "


def _not_known(talk: Negotiation, asked: Sum, row: Row) -> str:
    """Return of which column of an item no number is known."""
    lost = next((name for name in asked.columns if row.get(name) is None), None)
    return "" if lost is None else sentence(_named(talk, row) + talk.wording.part(row, lost))


def _sums(talk: Negotiation, asked: Sum, rows: Sequence[Row]) -> list[tuple[float, int]]:
    """Return what it comes to and the place of each row of which that is known, the least first."""
    found = ((_number(talk, asked, row), at) for at, row in enumerate(rows))
    return sorted((number, at) for number, at in found if number is not None)


def _number(talk: Negotiation, asked: Sum, row: Row | None) -> float | None:
    """Return what all of it comes to; None where a number is not known.

    Minutes, where it begins at a time of day.
    """
    total = 0.0
    for part in asked.parts:
        of = part.row or row or {}
        held = 1.0 if part.column is None else finite(of.get(part.column))
        if asked.clock is not None:
            held = minutes_of(talk.wording, of, part.column or "")
            held = None if held is None or abs(held) > LAST_DAY * DAY else held
        by, times = (1.0 if n is None else finite(of.get(n)) for n in (part.per, part.by))
        if held is None or times is None or not by:
            return None
        total += part.needed(by) * times * held
    return finite(total)


def _told(talk: Negotiation, asked: Sum, row: Row | None, before: str) -> str:
    """Return what a sum comes to and of what it is made, as a sentence."""
    number = _number(talk, asked, row)
    if number is None:
        return ""
    several, told = len(asked.columns) > 1, before
    for at, part in enumerate(asked.parts):
        sign = "minus " if part.times < 0 else "plus " if at else ""
        told += f"{sign}{_part(talk, part, row, several=several)} "
    told += f"comes to {_value(talk, number, asked)}{_last_week(asked, row, number)}"
    if asked.limit is not None and asked.clock is None:
        limit, cents = _value(talk, asked.limit, asked), round(number, 2)
        within = f"yes, {'no more than ' if cents < asked.limit else ''}{limit}"
        told += f", so {within if cents <= asked.limit else f'no, more than {limit}'}"
    return sentence(told)


def _last_week(asked: Sum, row: Row | None, number: float) -> str:
    """Return when the last of some weeks begins, which is what people call the end of a course."""
    named = (p for p in asked.parts if p.column and p.times == 1)
    weeks = [part for part in named if "weeks" in name_words(part.column or "")]
    begins = asked.clock is not None and isinstance((row or {}).get(asked.clock), date)
    if not begins or not weeks:
        return ""
    return f", and the last week begins {moment(number - WEEK)}"


def _part(talk: Negotiation, part: Part, row: Row | None, *, several: bool) -> str:
    """Return a part of a sum with its number: `2 × rent 450 EUR`, `Iceberg 16 EUR`.

    `several`: numbers of several columns are added up.
    """
    of = part.row or row or {}
    if part.whole and part.per and (held := finite(of.get(part.per))):
        each = f"{spoken(abs(part.times))} divided by {talk.wording.part(of, part.per)}"
        number = f"{spoken(abs(part.needed(held)))} ({each}, rounded up)"
        if part.column is None:
            return number
        return f"{number} × {talk.wording.part(of, part.column)}"
    by = "" if part.per is None else f" divided by {talk.wording.part(of, part.per)}"
    if part.column is None:
        return f"{spoken(abs(part.times))}{by}"
    times, share = abs(part.times), 1 / abs(part.times) if part.times else 0.0
    if times < 1 and abs(share - round(share)) < _CLOSE * share:
        times, by = 1.0, f" divided by {round(share)}{by}"
    times = "" if times == 1 else f"{spoken(times)} × "
    times += "" if part.by is None else f"{talk.wording.part(of, part.by)} × "
    label = talk.wording.label(part.column)
    name = label if part.row is None else talk.wording.names(of)
    name = f"{name} {label}" if part.row is not None and several else name
    return f"{times}{name} {talk.wording.value(of[part.column], part.column)}{by}"


def best_total(
    talk: Negotiation,
    asked: Sum,
    direction: Direction,
    beside: Row | None = None,
    within: Sequence[Constraint] = (),
) -> str:
    """Offer what has the least (or most) of a sum among what fits; say which it is.

    `beside`: what it should have less, or more, than; `within`: what it has to meet besides.
    """
    if asked.lost:
        return LOST
    own = {wish.column for wish in within}
    wishes = [*within, *(wish for wish in talk.preferences.known if wish.column not in own)]
    found = talk.catalog.slice([talk.catalog.bind(wish) for wish in wishes])
    if not len(found):
        return offer_or_nothing(talk)
    if len(found) > MOST:
        return f"{len(found):,} fit; of fewer I can tell. {understood(talk)}"
    every: list[int] = found.ids.tolist()
    ids = [at for at in every if at not in talk.set_aside] or every
    rows = talk.catalog.fetch(ids)
    sums = _sums(talk, asked, rows)
    name = asked.called(talk.wording)
    if not sums:
        return sentence(f"no {name} is known of what fits")
    number, at = sums[0] if direction == "min" else max(sums, key=lambda found: found[0])
    held = None if beside is None else _number(talk, asked, beside)
    if held is not None and (number >= held if direction == "min" else number <= held):
        less = "less" if direction == "min" else "more"
        return sentence(f"nothing that fits has {less} than {name} {_value(talk, held, asked)}")
    item = talk.wording.item(rows[at], [*asked.columns, *wished(talk)])
    end = "lowest" if direction == "min" else "highest"
    told = sentence(f"the {end} {name}, {_value(talk, number, asked)}: {item}")
    if (place := put_forward(talk, rows[at])) is None:
        return told
    talk.place = place
    return f"{told} {SHALL_IT}"


def _value(talk: Negotiation, number: float, asked: Sum) -> str:
    """Return a sum of cents with the unit of its columns, where they have one in common.

    What is less than one by as many digits as tell something; a time of day as such.
    """
    if asked.clock is not None:
        return moment(number)
    columns = asked.counted
    units = {talk.wording.unit(name) for name in columns}
    if (cents := round(number, 2)) != number and abs(number) < 1:
        unit = units.pop() if len(units) == 1 else ""
        digits = f"{number:.2g}"
        return f"{unit}{digits}" if unit in CURRENCY_SIGNS else f"{digits} {unit}".strip()
    number = cents
    held = int(number) if number == int(number) else number
    return talk.wording.value(held, columns[0] if columns and len(units) == 1 else None)
