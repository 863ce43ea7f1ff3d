"""Sentences' parts: columns, wishes, changes and items in plain words.

Each is a few string operations; lists are cut after `LISTED` parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint, shown_text, spoken
from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader
from ...engine.answer import MovedConstraint
from ..language.units import UNITS, column_unit

LISTED = 6
"""Parts of a list that stand in a sentence."""

FEW = 3
"""Columns that an item is described by, where the person named fewer."""

LONGEST = 60
"""Characters of a value or of a person's words that stand in a sentence."""

_COMPARED = {
    "<=": "at most {}",
    "<": "under {}",
    ">=": "at least {}",
    ">": "over {}",
    "!=": "not {}",
    "not in": "not {}",
    "contains": "with {}",
    "contains any": "with {}",
    "like": "like {}",
    "ilike": "like {}",
    "is null": "none",
    "is not null": "any, but there",
}


def label(column: str) -> str:
    """Return what a column is called in a sentence, without its unit: `ram` of `ram_gb`."""
    words = name_words(column)
    if _unit(column):
        words = words[:-1]
    shouted = {part.casefold(): part for part in re.findall(r"[A-Z]{2,5}\b", column)}
    return " ".join(shouted.get(word, word) for word in words) or column


def value_words(value: object, column: str) -> str:
    """Return a value for a sentence, with the unit that the column's name tells."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = shown_text(spoken(value, column), LONGEST)
    unit = "" if isinstance(value, str) else _unit(column)
    return f"{text} {unit}" if unit else text


def _unit(column: str) -> str:
    """Return the unit that a column's name ends in, as written after a number; "" for none.

    What is called by its unit (horsepower) keeps it in its name.
    """
    words, unit = name_words(column), column_unit(column)
    if unit is None or len(words) < 2 or not words[-1].startswith(unit):
        return ""
    kind, _ = UNITS[unit]
    if kind == "power":
        return ""
    return words[-1].upper() if kind == "bytes" else words[-1]


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Return parts as a list in a sentence: `a, b and c`."""
    texts = list(parts)
    if len(texts) > LISTED:
        texts = [*texts[: LISTED - 1], f"{len(texts) - LISTED + 1} more"]
        last = "and"
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def condition(wish: Constraint) -> str:
    """Return what a wish asks of its column: `at most 900`, `diesel or petrol`."""
    column, value = wish.column or "", wish.value
    if wish.op == "between" and isinstance(value, tuple):
        low, high = (value_words(end, column) for end in value)
        return f"between {low} and {high}"
    if isinstance(value, tuple):
        text = listed((value_words(part, column) for part in value), "or")
    else:
        text = value_words(value, column)
    return _COMPARED.get(wish.op, "{}").format(text)


def wish_words(wish: Constraint) -> str:
    """Return a wish in plain words: `rent at most 900`, `balcony: yes`."""
    if wish.column is None:
        return shown_text(str(wish.value), LONGEST)
    if isinstance(wish.value, bool):
        return label(wish.column) if wish.value == (wish.op == "==") else f"no {label(wish.column)}"
    return f"{label(wish.column)} {condition(wish)}"


def quoted(text: str) -> str:
    """Return a person's own words in quotation marks, on one line and cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"“{shown_text(line, LONGEST)}”"


def changes(before: Sequence[Constraint], after: Sequence[Constraint]) -> list[str]:
    """Return what changed between two lists of wishes, a sentence each, without its full stop."""
    gone = [wish for wish in before if not any(_same(wish, other) for other in after)]
    new = [wish for wish in after if not any(_same(wish, other) for other in before)]
    told: list[str] = []
    for wish in new:
        old = [other for other in gone if other.column == wish.column]
        gone = [other for other in gone if other not in old]
        if old and wish.column is not None:
            was = listed((condition(other) for other in old), "or")
            told.append(f"{label(wish.column)}: {condition(wish)} now, no longer {was}")
    fresh = [wish for wish in new if not any(wish.column == old.column for old in before)]
    if fresh:
        told.append(f"noted: {listed(map(wish_words, fresh))}")
    beside = [wish for wish in new if wish not in fresh and not _told(wish, told)]
    if beside:
        told.append(f"also {listed(map(wish_words, beside))}")
    told += [
        f"{label(wish.column or '')} is open again, no longer {condition(wish)}" for wish in gone
    ]
    hard = [w for w in after if w.hard and any(_same(w, b) and not b.hard for b in before)]
    if hard:
        told.append(f"{listed(map(wish_words, hard))} stays, whatever else gives way")
    return told


def _told(wish: Constraint, told: Sequence[str]) -> bool:
    return any(condition(wish) in text for text in told)


def _same(first: Constraint, second: Constraint) -> bool:
    return (first.column, first.op, first.value) == (second.column, second.op, second.value)


def gives_way(relaxed: Sequence[Constraint]) -> str:
    """Return what gives way: `the rent goes to at most 950 and district Nord is dropped`."""
    parts = [
        f"the {label(wish.column or '')} becomes {condition(wish.to)} instead of {condition(wish)}"
        if isinstance(wish, MovedConstraint)
        else f"{wish_words(wish)} is given up"
        for wish in relaxed
    ]
    return listed(parts)


def item_words(row: Row, catalog: CatalogReader, columns: Iterable[str]) -> str:
    """Return an item by what names it, then the columns that matter, a short list."""
    given = [name for name in catalog.columns if row.get(name) is not None]
    naming = [name for name in given if catalog.schema.find(name).family == "text"][:2]
    ordered = [name for name in given if catalog.schema.find(name).ordered]
    cost = [catalog.cost_column] if catalog.cost_column in given else []
    names = " ".join(value_words(row[name], name) for name in naming)
    matter = [name for name in dict.fromkeys([*columns, *cost]) if name in given]
    shown = dict.fromkeys([*matter, *ordered[: max(0, FEW - len(matter))]])
    parts = [_part(row, name) for name in shown if name not in naming]
    return ", ".join(filter(None, [names, *parts[:LISTED]]))


def _part(row: Row, name: str) -> str:
    value = row[name]
    return label(name) if value is True else f"{label(name)} {value_words(value, name)}"


def sentence(text: str) -> str:
    """Return a text as a sentence: a capital first, a full stop last."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else ".")
