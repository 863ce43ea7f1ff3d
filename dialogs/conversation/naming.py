"""What a person's words point at: columns by name, ends of columns by grade, items by place.

Columns are found by the extractor's index, grades by the lexicon (`cheaper`, `closest`), in time
linear in the first `READ` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.reader import CatalogReader
from ..extraction.mentions import find_mentions
from ..extraction.reading import Reading, named
from ..extraction.value_index import index_of
from ..language.column_phrases import column_topics, name_words
from ..language.grades import grades
from ..language.numbers import ONES
from ..language.tokens import folded, tokens
from ..language.units import spelling

ENDS = frozenset("max min maximum minimum most least".split())
"""Words for an end of a column that names of columns hold, too."""

READ = 2_000
"""Characters of a turn in which columns and places are looked for."""

Direction = Literal["min", "max"]
Span = tuple[int, int]

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LAST = "last"


def named_values(text: str, catalog: CatalogReader) -> list[Constraint]:
    """Return what a text names of the catalog's values, whole and wished or not, in order.

    A common word, `a` of energy label A, names none.
    """
    index = index_of(catalog)
    reading = Reading(text[:READ], 0, index, {})
    found = {
        (option.column, option.values[0]): None
        for mention in find_mentions(reading)
        for option in mention.options
        if mention.kind == "value"
        and option.how in ("whole", "part")
        and not mention.inside
        and not (mention.first == mention.last and reading.is_common(mention.first))
    }
    return [
        Constraint(
            column=column, op="contains" if index.columns[column].parts else "==", value=value
        )
        for column, value in found
    ]


def values_meant(text: str, catalog: CatalogReader) -> dict[str, set[Any]]:
    """Return the values that a text may name, in full or in part, by column: `the Skydog`."""
    reading = Reading(text[:READ], 0, index_of(catalog), {})
    meant: dict[str, set[Any]] = {}
    for mention in find_mentions(reading):
        common = all(reading.is_common(at) for at in range(mention.first, mention.last + 1))
        if mention.kind == "value" and not common:
            for option in mention.options:
                meant.setdefault(option.column, set()).update(option.values)
    return meant


def column_mentions(text: str, catalog: CatalogReader) -> dict[str, list[Span]]:
    """Return the columns that a text names, with the characters that name each, in order.

    A word that names several columns (`mileage`) stands for all of those it names as surely.
    """
    words = tokens(text[:READ])
    stems = [spelling(word.folded) for word in words]
    found: dict[str, list[Span]] = {}
    for first, last, columns in named(stems, index_of(catalog)):
        best = max(strength for _, strength in columns)
        for column, strength in columns:
            if strength == best:
                found.setdefault(column, []).append((words[first].start, words[last].end))
    return found


def named_wishes(text: str, columns: Iterable[str], wishes: Sequence[Constraint]) -> list[int]:
    """Return the positions of the wishes that a text names by column or by value."""
    reply, named = f" {' '.join(folded(text[:READ]).split())} ", set(columns)
    return [
        at
        for at, wish in enumerate(wishes)
        if wish.column in named or any(value in reply for value in _texts(wish))
    ]


def _texts(wish: Constraint) -> list[str]:
    return [folded(value) for value in wish.values if isinstance(value, str) and len(value) > 1]


def graded(
    text: str, catalog: CatalogReader, forms: Sequence[str] = ("more", "most")
) -> list[tuple[str, Direction]]:
    """Return the columns a text wishes lower or higher: `cheaper`, `closest`, `more seats`.

    A word that fits any column (`lower`) goes with the columns that the text names.
    """
    mentions = column_mentions(text, catalog)
    named = [name for name in mentions if catalog.schema.find(name).ordered]
    meanings = grades()
    # The `max` of `max wind` is a column's own word.
    spans = (span for places in mentions.values() for span in places)
    own = [(start, end) for start, end in spans if not is_graded(text[start:end])]
    words = tokens(text[:READ])
    # `at least` names an end of nothing.
    bounds = {at for at in range(1, len(words)) if words[at - 1].folded == "at"}
    # Nor does the `max` in the name of a column that is meant.
    parts_of_names = {part for name in mentions for part in name_words(name)}
    ends = {part[:3] for part in ENDS & parts_of_names}
    bounds |= {
        at for at, word in enumerate(words) if word.folded in ENDS and word.folded[:3] in ends
    }
    parts = [
        word.folded
        for at, word in enumerate(words)
        if at not in bounds
        and not any(start <= word.start and word.end <= end for start, end in own)
    ]
    phrases = [tuple(parts[at : at + n]) for n in (2, 1) for at in range(len(parts) - n + 1)]
    for phrase in phrases:
        senses = meanings.get(phrase, ())
        if phrase[0] in ("too", "so") and len(phrase) == 2:
            senses = meanings.get(phrase[1:], ())
            senses = [(g.topic, "min" if g.direction == "max" else "max") for g in senses]
        else:
            senses = [(g.topic, g.direction) for g in senses if g.form in forms]
        if found := _columns_of(senses, named, catalog):
            return found
    return []


_ASKED_FOR = (
    (r"what\s+time|when|how\s+soon", ("date", "departure", "arrival"), ("TIME", "DATE")),
    (r"how\s+much", ("price", "rent", "fee"), ()),
    (r"how\s+many", ("people", "students", "team"), ()),
    (r"where(?:abouts)?", ("place",), ()),
)
"""Words of a question, the topics of the columns that it asks for, and the types of their cells."""

_HOW = re.compile(r"\bhow\s+(\w+)", re.IGNORECASE)
ASKED_FOR = 3
"""Columns that are told where a question names none."""


def asked_for(text: str, catalog: CatalogReader) -> list[str]:
    """Return the columns that a question's own words ask for: `when is it?`, `how wide?`."""
    topics, types = set[str](), set[str]()
    for words, about, of_type in _ASKED_FOR:
        if re.search(rf"\b(?:{words})\b", text[:READ], re.IGNORECASE):
            topics, types = {*about}, {*of_type}
            break
    for word in _HOW.findall(text[:READ]):
        topics |= {grade.topic for grade in grades().get((word.lower(),), ()) if grade.topic}
    return [
        name
        for name in catalog.columns
        if not topics.isdisjoint(_topics_of(name, catalog))
        or catalog.schema.find(name).sql_type in types
    ][:ASKED_FOR]


_SORT = re.compile(
    r"\b(?:(?:sort|order|rank|arrange)(?:ed|d)?|top|best|first)\b.*?\bby\b(.*)", re.I | re.S
)
_FALLING = re.compile(
    r"\b(?:(?:high|big|large|most|more)\w*\s+to\s|(?:highest|largest|biggest|desc(?:ending)?|"
    r"falling)\b)",
    re.IGNORECASE,
)
_RISING = re.compile(
    r"\b(?:(?:low|small|least|less|cheap)\w*\s+to\s|(?:lowest|smallest|asc(?:ending)?|rising)\b)",
    re.IGNORECASE,
)


def sorted_by(text: str, catalog: CatalogReader) -> tuple[str, Direction] | None:
    """Return the column to sort by, and what comes first: `sort them by price`.

    Without a word for it the end that is liked comes first, of others the lowest.
    """
    asked = _SORT.search(text[:READ])
    if asked is None:
        return None
    columns = (n for n in column_mentions(asked[1], catalog) if catalog.schema.find(n).ordered)
    name = next(columns, None)
    if name is None:
        return None
    falls = catalog.profile(name).desirable == "high" and not _RISING.search(asked[1])
    return name, "max" if falls or _FALLING.search(asked[1]) else "min"


def is_graded(text: str) -> bool:
    """Return whether a text says little or much of something: `cheaper`, which names no column."""
    return tuple(word.folded for word in tokens(text)) in grades()


def _columns_of(
    senses: Sequence[tuple[str, str]], named: Sequence[str], catalog: CatalogReader
) -> list[tuple[str, Direction]]:
    """Return the columns of the first sense that has some, the cost column before others.

    A word of several topics is about what a column's name says first: `younger` of `age (yrs)`.
    """
    found: dict[str, Direction] = {}
    topics = {topic for topic, _ in senses}
    first = {
        name: next((topic for topic in _topics_of(name, catalog) if topic in topics), "")
        for name in catalog.columns
    }
    for topic, direction in senses:
        way: Direction = "min" if direction == "min" else "max"
        columns = [name for name in first if first[name] == topic] if topic else named
        for name in columns:
            if catalog.schema.find(name).ordered:
                found.setdefault(name, way)
    cost = catalog.cost_column
    return sorted(found.items(), key=lambda pair: (pair[0] not in named, pair[0] != cost))


_MOMENTS = ("date", "departure", "arrival")


def _topics_of(name: str, catalog: CatalogReader) -> list[str]:
    """Return the topics of a column; none of moments where it holds none: `distance from town`."""
    sql_type = catalog.schema.find(name).sql_type
    holds = sql_type.startswith(("DATE", "TIME")) or sql_type == "VARCHAR"
    return [topic for topic in column_topics(name) if holds or topic not in _MOMENTS]


def place_of(text: str, count: int) -> int | None:
    """Return the place (from 0) of the item that a short text picks: `the second one`, `3`."""
    parts = [word.folded for word in tokens(text[:READ])]
    if len(parts) > 8:
        return None
    for word in parts:
        if word in ORDINALS:
            return ORDINALS.index(word)
        if word == LAST and count:
            return count - 1
    for at, word in enumerate(parts):
        spelled = ONES.get(word) if word != "one" else None
        number = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else spelled
        picks = len(parts) == 1 or parts[at - 1] in ("number", "no", "item", "nr")
        if number is not None and picks and (at > 0 or len(parts) == 1):
            return int(number) - 1
    return None
