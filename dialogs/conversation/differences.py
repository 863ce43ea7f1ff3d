"""How a few items differ: what each has of what is asked about, and which has the most of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...catalogs.json_values import Row
from ...catalogs.versions.sorted_rows import SortKey
from ..language.wording import listed, sentence
from .item_answers import ranked, shown_at
from .naming import Direction
from .negotiation import Negotiation
from .sentences import at_end, wished

MOST_APART = 24
"""Values that items are told to differ by, those of all of them together."""


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
    columns: Sequence[str] = (),
    ways: Sequence[tuple[str, Direction]] = (),
) -> str:
    """Return what some items have in some columns, else where they differ.

    `ways`: what there should be least or most of, where that is known.
    """
    best = _best(talk, rows, ways)
    differ = [name for name in rows[0] if len({str(row[name]) for row in rows}) > 1]
    naming = {name for row in rows for name in talk.wording.naming(row)}
    # What was spoken of first, then the others in their order.
    apart = [name for name in dict.fromkeys([*wished(talk), *differ]) if name in differ]
    apart = [] if columns else [name for name in apart if name not in naming]
    shown = apart[: MOST_APART // len(rows)]
    more = [talk.wording.label(name) for name in apart[len(shown) :]]
    names = tuple(dict.fromkeys([*shown, *columns]))
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
    return " ".join(filter(None, [*best, sentence("; ".join(each)), also]))


def _best(
    talk: Negotiation, rows: Sequence[Row], ways: Sequence[tuple[str, Direction]]
) -> list[str]:
    """Return which of some rows has the least, or most, of a column; at most one."""
    for name, direction in ways[:1]:
        held = [row for row in rows if row[name] is not None]
        if len({row[name] for row in held}) > 1:
            end, ranks = max if direction == "max" else min, ranked(talk, name)
            places: list[Any] = [ranks.get(str(row[name]), row[name]) for row in held]
            alike = zip(held, places, strict=True)
            names = listed(talk.wording.names(row) for row, at in alike if at == end(places))
            told = at_end(talk, SortKey(name, direction == "max"), names)
            return [sentence(told)]
    return []
