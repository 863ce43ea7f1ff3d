"""Catalog values as people say them: other case, hyphens, parts of names, lists and choices."""

from __future__ import annotations

import re

from ..labelled import Plain
from .draft import Pieces
from .made_catalogs import MadeColumn
from .speaker import Meant, Speaker

TYPED = (";", "|")
"""Between parts of a cell, these make the column one of lists, of which `!=` asks each part."""

WORDY = ("text", "name", "list")
"""Kinds of columns whose values are words."""


def spoken_value(speaker: Speaker, column: MadeColumn, value: str) -> str:
    """Return a value as somebody might write it; it still names this value alone."""
    text = value
    if (text.isupper() and len(text) > 4) or speaker.chance(0.25):
        text = text.lower() if column.kind != "name" or speaker.chance(0.5) else text.title()
    if "-" in text and speaker.chance(0.3):
        text = text.replace("-", speaker.one_of((" ", "")))
    elif " & " in text and speaker.chance(0.5):
        text = text.replace(" & ", " and ")
    if " " in value and speaker.chance(0.25 if column.kind == "name" else 0.08):
        return _part(speaker, column, value) or text
    if (
        column.notion.key == "category"
        and re.fullmatch(r"[a-z]+[b-rt-z]", text)
        and speaker.chance(0.06)
    ):
        speaker.shows("inflected")
        return f"{text}s"
    return text


def _part(speaker: Speaker, column: MadeColumn, value: str) -> str:
    """Return words of a name that no other value of the column has, or nothing."""
    words = value.split()
    if len(words) < 2:
        return ""
    others = [set(str(other).casefold().split()) for other in column.values if other != value]
    parts = [word for word in words if len(word) > 3 or any(map(str.isdigit, word))]
    own = [word for word in parts if not any(word.casefold() in other for other in others)]
    if not own:
        return ""
    speaker.shows("partial name")
    return speaker.one_of(own)


def picked(speaker: Speaker, column: MadeColumn, count: int) -> list[str]:
    """Return distinct values of a column, fewer where it has not so many."""
    values = [str(value) for value in column.values]
    return speaker.random.sample(values, min(count, len(values)))


def marked_value(speaker: Speaker, column: MadeColumn, value: str, mark: int) -> Pieces:
    """Return a value's words under a mark, now and then after an article."""
    return [(_article(speaker, column), 0), (spoken_value(speaker, column, value), mark)]


_ARTICLES = {"city": 0.04, "district": 0.25, "brand": 0.15, "category": 0.22, "name": 0.3}
"""How often an article stands before a value, by notion."""


def _article(speaker: Speaker, column: MadeColumn) -> str:
    if not speaker.chance(_ARTICLES.get(column.notion.key, 0.08)):
        return ""
    return "the " if column.notion.key in ("city", "district") else speaker.one_of(("a_ ", "the "))


def choice(
    speaker: Speaker, column: MadeColumn, section: str, values: list[str], mark: int
) -> Pieces:
    """Return several values in one phrase, all under one mark."""
    names = dict(zip("xyz", values, strict=False))
    slots: dict[str, str | Pieces] = {
        name: marked_value(speaker, column, value, mark) for name, value in names.items()
    }
    return speaker.words(f"{section}.{'three' if len(values) == 3 else 'two'}", **slots)


def wanted(speaker: Speaker, column: MadeColumn, *, correct: bool = False) -> Pieces:
    """Return the words for one wanted value, or for a choice, and keep what they mean."""
    if correct:
        return corrected(speaker, column)
    weights = (35, 45, 20) if column.kind == "list" else (66, 24, 10)
    many = speaker.random.choices((1, 2, 3), weights)[0]
    values = picked(speaker, column, many)
    if column.kind == "list":
        return _parts(speaker, column, values)
    if len(values) == 1:
        return one_value(speaker, column, values[0])
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "in", list[Plain](values)))
    speaker.shows("alternatives")
    return choice(speaker, column, "values.either", values, mark)


def one_value(speaker: Speaker, column: MadeColumn, value: str, op: str = "==") -> Pieces:
    """Return the words for one value, and keep that it is wanted (or not, by `op`)."""
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, op, value))
    return marked_value(speaker, column, value, mark)


def _parts(speaker: Speaker, column: MadeColumn, values: list[str]) -> Pieces:
    """Return the words for parts of lists: one, all of several, or any of several."""
    if len(values) == 1:
        return one_value(speaker, column, values[0], "contains")
    if speaker.chance(0.45):
        mark = speaker.mark()
        speaker.means(Meant("constraint", mark, column.name, "contains any", list[Plain](values)))
        speaker.shows("alternatives", "any of a list")
        return choice(speaker, column, "values.either", values, mark)
    speaker.shows("all of a list")
    slots: dict[str, str | Pieces] = {
        name: one_value(speaker, column, value, "contains")
        for name, value in zip("xyz", values, strict=False)
    }
    return speaker.words(f"values.all.{'three' if len(values) == 3 else 'two'}", **slots)


def refused(speaker: Speaker, column: MadeColumn, value: str) -> Pieces:
    """Return the words for an unwanted value, and keep that it is."""
    speaker.shows("negation")
    if column.kind != "list" or column.separator.strip() in TYPED:
        return one_value(speaker, column, value, "!=")
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "not in", cells_with(column, value)))
    return marked_value(speaker, column, value, mark)


def cells_with(column: MadeColumn, part: str) -> list[Plain]:
    """Return the cells of a list column that hold a part."""
    cells = {str(cell) for cell in column.cells if cell is not None}
    return sorted(cell for cell in cells if part in cell.split(column.separator))


def corrected(speaker: Speaker, column: MadeColumn) -> Pieces:
    """Return a value said and taken back for another in one breath."""
    wrong, right = picked(speaker, column, 2)
    return correction(speaker, column, wrong, right, "tendencies.correct.breath")


def correction(
    speaker: Speaker, column: MadeColumn, wrong: str, right: str, section: str
) -> Pieces:
    """Return a phrase that puts one value in another's place."""
    speaker.shows("correction")
    speaker.does("correct")
    slip = speaker.mark()
    speaker.means(Meant("corrected", slip, column.name))
    op = "contains" if column.kind == "list" else "=="
    return speaker.words(
        section,
        x=marked_value(speaker, column, wrong, slip),
        y=one_value(speaker, column, right, op),
    )
