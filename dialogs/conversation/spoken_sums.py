"""What a question for a sum adds up: `both together`, `for three days with the deposit`.

A number in the question counts what is paid for so many: `for 60 of us` the price of a person, `for
a fortnight` that of a day or a week, else what a thing costs. Other prices that it names, and with
`all in` the one that is paid once, are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from ...catalogs.query.schema import name_words
from ..extraction.value_index import index_of
from ..language.numbers import ONES
from ..language.tokens import folded_words
from ..language.units import UNITS, spelling, unit_kinds
from .items_meant import meant
from .named_items import Ref, near
from .negotiation import Negotiation

MOST_BARE = 100
"""How many are counted by a number that does not say of what."""

MOST_TAKEN = 20
"""How many are taken by a number before what they are called."""

_TOGETHER = frozenset("both altogether together total lot all everything".split())
_TIMES = {"couple": 2.0, "twice": 2.0, "double": 2.0, "half": 0.5, "pair": 2.0, "dozen": 12.0}
_WHOLE = frozenset("a an the whole full entire".split())
_HEADS = frozenset("person people head guest adult child kid pupil student seat place".split())
_RATES = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "hourly": "hour"}
_ADVERBS = {"fortnight": ("week", 2.0)}


def sum_said(
    talk: Negotiation, text: str, columns: Sequence[str], items: Sequence[Ref]
) -> list[dict[str, Any]]:
    """Return the parts of the sum that a sentence asks for, as a move holds them."""
    words = folded_words(text)
    money = [
        column.name
        for column in talk.catalog.schema.columns
        if column.family == "numeric"
        and "money" in unit_kinds(column.name, talk.wording.unit(column.name))
    ]
    cost = talk.catalog.cost_column
    prices = [*([cost] if cost else []), *(name for name in money if name != cost)]
    if not prices:
        return []
    named = [name for name in columns if name in prices]
    counted, times = _counted(talk, words, [*prices])
    parts = {counted: times}
    is_all = not _TOGETHER.isdisjoint(words)
    if counted != cost and cost and (is_all or cost in named) and not _unit_of(talk, cost):
        parts[cost] = 1.0
    parts |= {name: 1.0 for name in named if name not in parts}
    those: list[Ref | None] = [*items] or [None]
    taken = {f"t{at}": item.row_id for at, item in enumerate(talk.basket, 1)}
    if not items and is_all and len(taken) > 1:
        those = [ref for ref, _ in near(talk) if ref in taken]
    if those == [None] and talk.offered is not None and times == 1:
        those = [ref for ref, row in taken.items() if row == talk.offered.row_id] or those

    def count(item: Ref | None, name: str) -> float:
        known = talk.numbers.get(taken.get(str(item), -1), 1)
        return float(known) if name == counted and times == 1 else parts[name]

    return [
        {"column": name, "times": count(item, name), "item": item}
        for item in those
        for name in parts
    ]


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
    return None


def _measures(talk: Negotiation, word: str) -> bool:
    """Return whether a number before a word measures: `4 rooms`, `3 litre`."""
    known = spelling(word)
    return known in UNITS or known in index_of(talk.catalog).namings


def _called(talk: Negotiation, said: str) -> set[str]:
    """Return the words that the items are called by which some words name."""
    rows = meant(talk, [said]).rows
    return {word for row in rows for word in folded_words(talk.wording.names(row))}


def _counted(talk: Negotiation, words: Sequence[str], prices: Sequence[str]) -> tuple[str, float]:
    """Return the price that counts several times, and how many."""
    units = {name: _unit_of(talk, name) for name in prices}
    for at, number in _numbers(words):
        behind = [spelling(word) for word in words[at + 1 : at + 4]]
        for name, unit in units.items():
            if unit in _HEADS and not _HEADS.union({"us", "of"}).isdisjoint(behind):
                return name, number
            if behind and unit and (times := _periods(behind[0], unit)):
                return name, number * times
        if number > MOST_BARE:
            continue  # A budget: `what is left of our 800?`
        per_head = next((name for name, unit in units.items() if unit in _HEADS), None)
        return per_head or prices[0], number
    for before, word in pairwise(words):
        for name, unit in units.items():
            times = _periods(spelling(word), unit) if before in _WHOLE and unit else 0.0
            if times > 1:
                return name, times
    return prices[0], 1.0


def _unit_of(talk: Negotiation, name: str) -> str:
    """Return for what a price is paid: `day` of a day rate, `person`; empty for the thing."""
    words = [*name_words(name), *name_words(talk.wording.unit(name))]
    for word in map(spelling, words):
        unit = _RATES.get(word, word)
        if unit in _HEADS or UNITS.get(unit, ("", 0.0))[0] == "time":
            return unit
    return ""


def _periods(said: str, unit: str) -> float:
    """Return how many of one unit of time another is; 0 where one of them is none."""
    said, more = _ADVERBS.get(said, (said, 1.0))
    kinds = [UNITS.get(word, ("", 0.0)) for word in (said, unit)]
    if any(kind != "time" for kind, _ in kinds):
        return 0.0
    return round(more * kinds[0][1] / kinds[1][1])


def _numbers(words: Sequence[str]) -> Iterator[tuple[int, float]]:
    for at, word in enumerate(words):
        if word.isdecimal() and len(word) < 7:
            yield at, float(word)
        elif word in _TIMES:
            yield at, _TIMES[word]
        elif word in ONES and word != "one":
            yield at, float(ONES[word])
