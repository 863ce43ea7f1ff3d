"""What a question for a sum adds up: `both together`, `for three days with the deposit`.

A number in the question counts what is paid for so many: `for 60 of us` the price of a person, `for
a fortnight` that of a day or a week, else what a thing costs. Other prices that it names, and with
`all in` the one that is paid once, are added.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...catalogs.query.schema import name_words
from ..extraction.column_amounts import is_calendar_year
from ..extraction.value_index import index_of
from ..language.numbers import ONES
from ..language.tokens import folded_words
from ..language.units import CURRENCY_SIGNS, CURRENCY_WORDS, UNITS, spelling, unit_kinds
from .items_meant import meant
from .named_items import Ref
from .negotiation import Negotiation
from .people_said import HEADS, people_said

MOST_BARE = 100
"""How many are counted by a number that does not say of what."""

MOST_TAKEN = 20
"""How many are taken by a number before what they are called."""

NEARLY = 0.02
"""How far a period may be from a number of others: 30 days of a month, but no 4 weeks."""

_TOGETHER = frozenset("both altogether together total lot all everything".split())
_TIMES = {"couple": 2.0, "twice": 2.0, "double": 2.0, "half": 0.5, "pair": 2.0, "dozen": 12.0}
_WHOLE = frozenset("a an the per each every whole full entire".split())
_EACH = re.compile(r"\b(?:per|each|every)\s+(\w+)", re.IGNORECASE)
_APIECE = re.compile(
    r"\b(?:for|of)\s+each(?=\s+(?:of\s+(?:them|those|these|the)|one|for|if|and)\b|\s*(?:[.,;?!]|$))|"
    r"\beach\s*(?:[.?!]|$)|\b(?:apiece|separately|respectively)\b",
    re.IGNORECASE,
)
_LEFT_OF = re.compile(
    r"\b(?:left|remain(?:s|ing)?|over)\s+(?:\w+\s+)?(?:of|from|out\s+of)\s+"
    r"(?:(?:my|our|the|those|these)\s+)?\W?(\d[\d,]*(?:\.\d+)?)|"
    r"\b(?:of|from|out\s+of)\s+(?:my|our|the|those|these)\s+\W?(\d[\d,]*(?:\.\d+)?)"
    r"[^.?!]{0,30}?\b(?:left|remain(?:s|ing)?|over)\b",
    re.IGNORECASE,
)
"""A question for what is left of a sum of money: `how much of my 180 euros is left`."""

_AMOUNTS = re.compile(
    rf"[{''.join(CURRENCY_SIGNS)}]\s?\d[\d.,]*|\b\d{{1,2}}(?:[:.]\d\d)?\s?[ap]\.?m\b|"
    r"\b\d{1,2}:\d\d\b|\b\d+(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
"""Amounts of money, times and dates, which count nothing: `£20`, `19:30`, `the 3rd`."""

_WHEN = re.compile(r"(?:\w+\W+){0,3}?(?:when|what\s+(?:time|date|day))\b", re.IGNORECASE)
_BOUNDS = frozenset("min minimum max maximum from to least most".split())
"""Words of the name of a column that bounds how many there are, and does not count them."""

_RATES = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "hourly": "hour"}
_ADVERBS = {"fortnight": ("week", 2.0)}


def sum_said(
    talk: Negotiation,
    text: str,
    columns: Sequence[str],
    items: Sequence[Ref],
    taken: Mapping[Ref | None, int],
) -> list[dict[str, Any]]:
    """Return the parts of the sum that a sentence asks for, as a move holds them.

    `taken`: what the turn takes before it, and how many of each.
    """
    words = folded_words(text)
    cost, prices = talk.catalog.cost_column, _prices(talk)
    if not prices:
        return []
    spent = {**_had(talk), **taken}
    if spent and (left := _LEFT_OF.search(text)):
        return _left_of(talk, left, prices[0], spent)
    named = [name for name in columns if name in prices]
    if rate := rate_said(talk, text, columns):
        return rate
    counted, times, by = _counted(talk, text, prices, _paid(talk, items, prices))
    if any(taken.get(item, 1) > 1 for item in items):
        times = 1.0  # `Two of the first and one of the second`: each has its own number.
    parts = {counted: times}
    is_all = not _TOGETHER.isdisjoint(words)
    if not (named or is_all) and times == 1 and (columns or _WHEN.match(text.strip())):
        return []  # `When does it finish` asks for nothing that is paid.
    if counted != cost and cost and (is_all or cost in named) and not _unit_of(talk, cost):
        parts[cost] = 1.0
    parts |= {name: 1.0 for name in named if name not in parts}
    those: list[Ref | None] = [*items] or [None]
    had = _had(talk)
    if had and is_all and (not items or {*items} <= {*taken}):
        those = [*had, *(ref for ref in items if ref not in had)]
    elif not items and not taken and had and talk.accepted is not None and times == 1:
        those = [*had]
    numbers = {**had, **taken}

    def count(item: Ref | None, name: str) -> float:
        return float(numbers.get(item, 1)) if name == counted and times == 1 else parts[name]

    return [
        {"column": name, "times": count(item, name), "item": item}
        | ({"by": by} if name == counted else {})
        for item in those
        for name in parts
    ]


def _had(talk: Negotiation) -> dict[Ref | None, int]:
    """Return how many are taken of each item, by what it is called."""
    return {f"t{at}": talk.numbers.get(had.row_id, 1) for at, had in enumerate(talk.basket, 1)}


def _left_of(
    talk: Negotiation, said: re.Match[str], price: str, taken: Mapping[Ref | None, int]
) -> list[dict[str, Any]]:
    """Return a sum of money less what is taken costs."""
    money = float((said[1] or said[2]).replace(",", ""))
    # What is taken without a name is what is offered.
    refs = ((talk.place + 1 if ref is None else ref, number) for ref, number in taken.items())
    spent = ({"column": price, "times": -number, "item": ref} for ref, number in refs)
    return [{"column": "", "times": money, "item": None}, *spent]


def is_apiece(text: str) -> bool:
    """Return whether a text asks for a sum of each item: `the total for each`."""
    return _APIECE.search(text) is not None


def rate_said(talk: Negotiation, text: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the price for each of what another column counts: `the price per week`, of any item.

    Nothing where a price is for one of them already.
    """
    prices = _prices(talk)
    named = [name for name in columns if name in prices]
    others = {*columns} - {*prices}
    for word in map(spelling, _EACH.findall(text)):
        counts = [
            column.name
            for column in talk.catalog.schema.columns
            if column.family == "numeric"
            and column.name not in prices
            and word in map(spelling, name_words(column.name))
            and _BOUNDS.isdisjoint(name_words(column.name))
            and not is_calendar_year(talk.catalog.profile(column.name))
        ]
        # `What's that per week` is about what it costs, and `how long each session` is not.
        price = next(iter(named or (prices if others <= {*counts} else ())), None)
        if price is not None and counts and _unit_of(talk, price) != word:
            return [{"column": price, "per": counts[0]}]
    return []


def _prices(talk: Negotiation) -> list[str]:
    """Return the columns of money, what the thing costs first."""
    cost = talk.catalog.cost_column
    money = (
        column.name
        for column in talk.catalog.schema.columns
        if column.family == "numeric"
        and "money" in unit_kinds(column.name, talk.wording.unit(column.name))
    )
    return [*([cost] if cost else []), *(name for name in money if name != cost)]


def number_taken(talk: Negotiation, text: str, named: Sequence[str]) -> int | None:
    """Return how many of an item a sentence takes: `six of them`, `2 star jasmine`; None for one.

    `named` are the words that name what is taken. A number that an item near is called by is none.
    """
    words = folded_words(text)
    for at, number in _numbers(words):
        if words[at + 1 : at + 2] == ["of"] and number >= 2:
            return int(number)
    for said in named:
        first, *others = folded_words(said) or [""]
        number = next((number for _, number in _numbers([first])), 0.0)
        counts = bool(others) and others[0].isalpha() and 2 <= number <= MOST_TAKEN
        if counts and not _measures(talk, others[0]) and first not in _called(talk, said):
            return int(number)
    return people_said(text, per_head=_is_per_head(talk))[0] or None


def _is_per_head(talk: Negotiation) -> bool:
    """Return whether a catalog counts people, or places for them, in one of its columns."""
    names = (word for name in talk.catalog.columns for word in name_words(name))
    return not HEADS.isdisjoint(map(spelling, names))


def _measures(talk: Negotiation, word: str) -> bool:
    """Return whether a number before a word measures: `4 rooms`, `3 litre`."""
    known = spelling(word)
    return known in UNITS or known in index_of(talk.catalog).namings


def _called(talk: Negotiation, said: str) -> set[str]:
    """Return the words that the items are called by which some words name."""
    rows = meant(talk, [said]).rows
    return {word for row in rows for word in folded_words(talk.wording.names(row))}


def _paid(talk: Negotiation, items: Sequence[Ref], prices: Sequence[str]) -> set[float]:
    """Return the prices of what is spoken of, offered or taken, which count nothing when said."""
    had = (*talk.basket, *([] if talk.offered is None else [talk.offered]))
    rows = [*meant(talk, items).rows, *(item.row for item in had)]
    held = (row[name] for row in rows for name in prices)
    return {float(value) for value in held if isinstance(value, int | float)}


def _counted(
    talk: Negotiation, text: str, prices: Sequence[str], paid: Collection[float]
) -> tuple[str, float, str]:
    """Return the price that counts several times, how many, and the column it is multiplied by.

    `paid`: prices, which count nothing.
    """
    units = {name: _unit_of(talk, name) for name in prices}
    per_head = next((name for name, unit in units.items() if unit in HEADS), None)
    if people := people_said(text)[0]:
        return per_head or prices[0], float(people), ""
    words = folded_words(_AMOUNTS.sub(" ", text))
    for at, number in _numbers(words):
        if number in paid or _is_amount(words[at + 1 : at + 2]):
            continue
        behind = [spelling(word) for word in words[at + 1 : at + 4]]
        for name, unit in units.items():
            if unit in HEADS and not HEADS.union({"us", "of"}).isdisjoint(behind):
                return name, number, ""
            times, by = _periods_of(talk, behind[0], unit) if behind else (0.0, "")
            if times:
                return name, number * times, by
        of_time = any(map(_is_time, behind[:1])) and any(map(_is_time, units.values()))
        if number > MOST_BARE or of_time:
            continue  # A budget, `what is left of our 800?`, or a time that is not paid by.
        return per_head or prices[0], number, ""
    for before, word in pairwise(words):
        for name, unit in units.items():
            times, by = _periods_of(talk, spelling(word), unit) if before in _WHOLE else (0.0, "")
            if times > 1 or by:
                return name, times, by
    return prices[0], 1.0, ""


def _periods_of(talk: Negotiation, said: str, unit: str) -> tuple[float, str]:
    """Return how often a price for a unit of time is paid in a period, and by what of an item.

    By the column that says how many: weekly hours. What is paid for an hour is not paid for all
    hours of a day.
    """
    times = _periods(said, unit) if unit else 0.0
    if times <= 1:
        return times, ""
    for column in talk.catalog.schema.columns:
        words = [spelling(_RATES.get(word, word)) for word in name_words(column.name)]
        measured = {spelling(talk.wording.unit(column.name)), *words}
        periods = [word for word in words if _length(word) > _length(unit)]
        if column.family == "numeric" and periods and _length(unit) in map(_length, measured):
            counted = _periods(said, periods[0])
            return counted, column.name if counted else ""
    return (0.0, "") if unit == "hour" else (times, "")


def _is_amount(behind: Sequence[str]) -> bool:
    """Return whether the word behind a number makes it an amount: `20 quid`, `44 decibels`."""
    known = (UNITS.get(spelling(word), ("", 0.0))[0] for word in behind)
    return not CURRENCY_WORDS.isdisjoint(behind) or any(kind not in ("", "time") for kind in known)


def _is_time(word: str) -> bool:
    return _length(_ADVERBS.get(word, (word, 1.0))[0]) > 0


def _length(word: str) -> float:
    """Return how long a unit of time is; 0 of what is none."""
    kind, length = UNITS.get(word, ("", 0.0))
    return length if kind == "time" else 0.0


def _unit_of(talk: Negotiation, name: str) -> str:
    """Return for what a price is paid: `day` of a day rate, `person`; empty for the thing."""
    words = [*name_words(name), *name_words(talk.wording.unit(name))]
    for word in map(spelling, words):
        unit = _RATES.get(word, word)
        if unit in HEADS or UNITS.get(unit, ("", 0.0))[0] == "time":
            return unit
    return ""


def _periods(said: str, unit: str) -> float:
    """Return how many of one unit of time another is; 0 where it is no whole number of them."""
    said, more = _ADVERBS.get(said, (said, 1.0))
    kinds = [UNITS.get(word, ("", 0.0)) for word in (said, unit)]
    if any(kind != "time" for kind, _ in kinds):
        return 0.0
    times = more * kinds[0][1] / kinds[1][1]
    return round(times) if abs(times - round(times)) <= NEARLY * times else 0.0


def _numbers(words: Sequence[str]) -> Iterator[tuple[int, float]]:
    for at, word in enumerate(words):
        if word.isdecimal() and len(word) < 7:
            yield at, float(word)
        elif word in _TIMES:
            yield at, _TIMES[word]
        elif word in ONES and word != "one":
            yield at, float(ONES[word])
        elif word == "both" and not HEADS.isdisjoint(map(spelling, words[at + 1 : at + 2])):
            yield at, 2.0
