"""How items differ, or what all those of one value have beside those of another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Any

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.sorted_rows import SortKey
from ..language.tokens import folded_words
from ..language.wording import listed, sentence
from .agents import parts_of
from .asked import Asked
from .item_answers import (
    FEW,
    item_asked_about,
    naming_columns,
    only_item,
    ranked,
    shown_at,
    told_of,
)
from .naming import Direction, graded, named_values, values_meant
from .negotiation import Negotiation
from .parts import compares
from .sampling import sampled
from .sentences import at_end, counted, understood, wished

MOST_APART = 7
"""Columns in which items are told to differ, where none is asked about."""

COMPARED = 2
"""Items that are compared."""

_WHICH = re.compile(r"\b(?:which|whose)\b", re.IGNORECASE)
_THIS_OR = re.compile(r"\b(?:this|that|it)(?:\s+one)?\s+or\b", re.IGNORECASE)
_OF_TWO = re.compile(rf"{_THIS_OR.pattern}|\bbetween\b", re.IGNORECASE)
"""Words that name what is compared, and ask for no more of it than is asked."""

TOLD = 3
"""Columns told of each of two kinds."""


_PLACES_OF = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1}
_PLACES = re.compile(rf"\b({'|'.join(_PLACES_OF)})\b", re.IGNORECASE)


def compared(talk: Negotiation, asked: Asked) -> str:
    """Return how two values that are named differ, else the items shown, else the few that fit."""
    kinds = _kinds(talk, asked.text)
    if items := _single_items(talk, kinds or _named_in_part(talk, asked.text)):
        return differing(talk, items, asked)
    if len(kinds) > 1:
        return " ".join(sentence(_kind(talk, kind, asked.columns)) for kind in kinds[:COMPARED])
    places = _PLACES.search(asked.text) is not None
    if talk.proposal is None and wished(talk) and (places or counted(talk) <= FEW):
        talk.propose()
    if talk.proposal is None:
        number = f"{counted(talk):,}"
        return f"{number} fit; once there are few I can tell how they differ. {understood(talk)}"
    rows = [item.row for item in talk.proposal.answer.items]
    return differing(talk, _meant(talk, asked, rows), asked)


def _meant(talk: Negotiation, asked: Asked, rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows that a question is about: by their places or names, else the first few."""
    places = [_PLACES_OF[word.casefold()] for word in _PLACES.findall(asked.text)]
    places = [len(rows) - 1 if at < 0 else at for at in places]
    by_place = [rows[at] for at in dict.fromkeys(places) if at < len(rows)]
    if len(by_place) > 1:
        return by_place
    meant = values_meant(asked.text, talk.catalog)
    by_name = [
        row
        for row in rows
        if any(values.intersection(parts_of(row[column])) for column, values in meant.items())
    ]
    numbers = set(re.findall(r"\d{2,}", asked.text))
    bearing = [row for row in by_name if numbers.intersection(_names(talk, row))]
    alike = {_names(talk, row)[0] for row in bearing}
    by_name = [row for row in by_name if row in bearing or _names(talk, row)[0] not in alike]
    this_or = _THIS_OR.search(asked.text) is not None
    if talk.offered is not None and (len(by_name) == 1 or this_or):
        offered, kept = talk.offered.row, [row for row in by_name if row != talk.offered.row]
        other = item_asked_about(talk, asked.text) if this_or else None
        if other is not None and other.by.column in talk.wording.naming(other.row):
            kept = [other.row]
        by_name = [offered, *(kept or _like(talk, offered, meant))]
    return by_name if len(by_name) > 1 else rows[: len(rows) if len(rows) <= FEW else COMPARED]


def _like(talk: Negotiation, row: Row, meant: Mapping[str, Set[Any]]) -> list[Row]:
    """Return the item that begins like the name of another: `the one at Bergmann`, of its kind."""
    wishes = [
        Constraint(column=column, op="==", value=value)
        for column in talk.wording.naming(row)
        for value in meant.get(column, ())
        if value != row[column] and folded_words(str(value))[:1] == _names(talk, row)[:1]
    ]
    only = [only_item(talk, wish) for wish in wishes]
    return [other for other in only if other is not None][:1]


def _names(talk: Negotiation, row: Row) -> list[str]:
    return folded_words(talk.wording.names(row)) or [""]


def _kinds(talk: Negotiation, text: str) -> list[Constraint]:
    """Return the values of the first column of which a text names several."""
    values = named_values(text, talk.catalog)
    columns = Counter(wish.column for wish in values)
    several = [wish.column for wish in values if columns[wish.column] > 1]
    return [wish for wish in values if wish.column == several[0]] if several else []


def _named_in_part(talk: Negotiation, text: str) -> list[Constraint]:
    """Return a few items that a text names in part, by their names: `Katrin and Julia`."""
    meant = values_meant(text, talk.catalog)
    for column in naming_columns(talk):
        values = meant.get(column, set[Any]())
        if 1 < len(values) <= FEW:
            return [Constraint(column=column, op="==", value=value) for value in sorted(values)]
    return []


def _single_items(talk: Negotiation, kinds: Sequence[Constraint]) -> list[Row]:
    """Return the items that some values name, one each; none where one of them names several."""
    rows = [only_item(talk, kind) for kind in kinds]
    items = [row for row in rows if row is not None]
    return items if len(items) == len(rows) else []


def _kind(talk: Negotiation, kind: Constraint, asked: Sequence[str]) -> str:
    """Return how many there are of a kind, and what they have in the columns asked about.

    And in some that people decide by.
    """
    others = [wish for wish in talk.preferences.known if wish.column != kind.column]
    # Of what fits, where that holds the kind, else of all.
    within = [*others, kind] if (count := talk.count([*others, kind])) else [kind]
    rows, count = sampled(talk, within), count or talk.count(within)
    ordered = [name for name in talk.catalog.columns if talk.catalog.schema.find(name).ordered]
    cost = talk.catalog.cost_column
    ordered.sort(key=lambda name: name != cost)
    own = [name for name in asked if name != kind.column]
    parts = [_range(talk, name, rows) for name in dict.fromkeys([*own, *ordered])]
    told = [part for part in parts if part][: max(TOLD, len(own))]
    name = talk.wording.value(kind.value, kind.column)
    return f"{name} ({count:,}): {listed(told)}"


def _range(talk: Negotiation, name: str, rows: Sequence[Row]) -> str:
    held = sorted(row[name] for row in rows if row[name] is not None)
    if not held:
        return ""
    low, high = (talk.wording.value(end, name) for end in (held[0], held[-1]))
    return f"{talk.wording.label(name)} {low}" + ("" if low == high else f" to {high}")


def _numbered(talk: Negotiation, rows: Sequence[Row]) -> list[str]:
    """Return what items are called, behind the numbers they are shown by where they are the first.

    Behind all other numbers, too, where some are called the same.
    """
    names = [talk.wording.names(row) for row in rows]
    places = [shown_at(talk, row) for row in rows]
    if places != list(range(len(rows))) and len(set(names)) == len(names):
        return names
    return [
        name if at is None else f"{at + 1}. {name}" for at, name in zip(places, names, strict=True)
    ]


def differing(
    talk: Negotiation,
    rows: Sequence[Row],
    asked: Asked,
    columns: Sequence[str] = (),
    ways: Sequence[tuple[str, Direction]] = (),
) -> str:
    """Return what some items have in the columns compared, else where they differ.

    And what they have in the columns that are asked about beside that. `columns`: by which they
    are compared, `ways`: what there should be least or most of, where that is known.
    """
    if len(rows) < 2:
        only = "There is only one."
        return f"{only} {told_of(talk, rows[0], asked)}" if rows and asked.columns else only
    own, which = {*columns}, _WHICH.search(asked.text) is not None
    own |= {name for part in asked.sentences if compares(part.text) for name in part.columns}
    best = _best(talk, rows, ways or (graded(asked.text, talk.catalog) if which else []))
    # Whoever asks which of two is cheaper wants no more of them.
    first = [name for name, _ in best if _OF_TWO.search(asked.text)]
    own.update(first)
    differ = [name for name in rows[0] if len({str(row[name]) for row in rows}) > 1]
    naming = {name for row in rows for name in talk.wording.naming(row)}
    # What was spoken of first, then the others in their order.
    apart = [name for name in dict.fromkeys([*wished(talk), *differ]) if name in differ]
    apart = [] if own else [name for name in apart if name not in naming]
    shown = apart if len(apart) <= MOST_APART else apart[: MOST_APART - 1]
    more = [talk.wording.label(name) for name in apart[len(shown) :]]
    names = tuple(dict.fromkeys([*shown, *first, *asked.columns]))
    if not names:
        return "They do not differ."
    told = (
        f"{name}: "
        + ", ".join(
            talk.wording.part(row, name) for name in names if name not in talk.wording.naming(row)
        )
        for row, name in zip(rows, _numbered(talk, rows), strict=True)
    )
    each = [text for text in told if not text.endswith(": ")]
    also = sentence(f"they also differ in {listed(more)}") if more else ""
    return " ".join(filter(None, [*(text for _, text in best), sentence("; ".join(each)), also]))


def _best(
    talk: Negotiation, rows: Sequence[Row], ways: Sequence[tuple[str, Direction]]
) -> list[tuple[str, str]]:
    """Return the column by which one of some rows is asked for, and which that is; at most one."""
    for name, direction in ways[:1]:
        held = [row for row in rows if row[name] is not None]
        if len({row[name] for row in held}) > 1:
            end, ranks = max if direction == "max" else min, ranked(talk, name)
            places: list[Any] = [ranks.get(str(row[name]), row[name]) for row in held]
            alike = zip(held, places, strict=True)
            names = listed(talk.wording.names(row) for row, at in alike if at == end(places))
            told = at_end(talk, SortKey(name, direction == "max"), names)
            return [(name, sentence(told))]
    return []
