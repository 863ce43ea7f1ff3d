"""How items differ, or what all those of one value have beside those of another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ..language.wording import listed, sentence
from .asked import Asked
from .naming import named_values, place_of
from .negotiation import Negotiation
from .sampling import sampled
from .sentences import counted, understood, wished

COMPARED = 2
"""Items that are compared."""

FEW = 4
"""Items that are compared where as many fit and nothing is offered."""

TOLD = 3
"""Columns told of each of two kinds."""


_PLACES = re.compile(r"\b(?:first|second|third|last|1st|2nd|3rd)\b", re.IGNORECASE)


def compared(talk: Negotiation, asked: Asked) -> str:
    """Return how two values that are named differ, else the items shown, else the few that fit."""
    kinds = _kinds(talk, asked.text)
    if len(kinds) > 1:
        return " ".join(sentence(_kind(talk, kind, kinds)) for kind in kinds[:COMPARED])
    places = _PLACES.search(asked.text) is not None
    if talk.proposal is None and wished(talk) and (places or counted(talk) <= FEW):
        talk.propose()
    if talk.proposal is None:
        number = f"{counted(talk):,}"
        return f"{number} fit; once there are few I can tell how they differ. {understood(talk)}"
    shown = [item.row for item in talk.proposal.answer.items]
    return differing(talk, shown[: _number(asked.text, len(shown))], asked)


def _number(text: str, shown: int) -> int:
    """Return how many items are compared: two of many, all of few."""
    last = place_of(text, shown)
    few = shown if shown <= FEW else COMPARED
    return max(few, min(last + 1, shown)) if last is not None else few


def _kinds(talk: Negotiation, text: str) -> list[Constraint]:
    """Return the values of the first column of which a text names several."""
    values = named_values(text, talk.catalog)
    columns = Counter(wish.column for wish in values)
    several = [wish.column for wish in values if columns[wish.column] > 1]
    return [wish for wish in values if wish.column == several[0]] if several else []


def _kind(talk: Negotiation, kind: Constraint, kinds: Sequence[Constraint]) -> str:
    """Return how many there are of a kind, and what they have in the columns people decide by."""
    others = [wish for wish in talk.preferences.known if wish.column != kind.column]
    rows = sampled(talk, [*others, kind]) if talk.count([*others, kind]) else sampled(talk, [kind])
    ordered = [name for name in talk.catalog.columns if talk.catalog.schema.find(name).ordered]
    cost = talk.catalog.cost_column
    ordered.sort(key=lambda name: name != cost)
    parts = [_range(talk, name, rows) for name in ordered]
    told = [part for part in parts if part][:TOLD]
    name = talk.wording.value(kind.value, kind.column)
    return f"{name} ({talk.count([*others, kind]) or talk.count([kind]):,}): {listed(told)}"


def _range(talk: Negotiation, name: str, rows: Sequence[Row]) -> str:
    held = sorted(row[name] for row in rows if row[name] is not None)
    if not held:
        return ""
    low, high = (talk.wording.value(end, name) for end in (held[0], held[-1]))
    return f"{talk.wording.label(name)} {low}" + ("" if low == high else f" to {high}")


def differing(talk: Negotiation, rows: Sequence[Row], asked: Asked) -> str:
    """Return what some items have in the columns asked about, else where they differ."""
    names = asked.columns or [name for name in rows[0] if len({str(row[name]) for row in rows}) > 1]
    if not names or len(rows) < 2:
        return "They do not differ." if len(rows) > 1 else "There is only one."
    told = (
        f"{place}. {talk.wording.names(row)}: "
        + ", ".join(
            talk.wording.part(row, name) for name in names if name not in talk.wording.naming(row)
        )
        for place, row in enumerate(rows, 1)
    )
    return sentence("; ".join(told))
