"""What a visitor says in their own words, as filters and preferences, and what was not understood.

A constraint becomes the filters that say the same; one that no filter says is named. What is said
about a column takes the place of the filters on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ....catalogs.query.constraint import Constraint, Objective, words
from ....catalogs.query.place_values import PLACE_TESTS
from ....catalogs.versions.reader import CatalogReader
from ....dialogs.extraction.extracted import Extraction, Extractor
from ....dialogs.extraction.to_query import to_query
from ....rendering.html import Child, Html, tag
from .constraints import format_value, quoted
from .found_words import quoted_phrase
from .places import place_criterion
from .query_string import NEUTRAL, PLACE_KINDS, Criterion, Direction, Kind, Preference, Search
from .wording import element_id, isolated, shortened

SHOWN = 6
"""Pieces of what was not understood that are named."""

KINDS: dict[str, tuple[Kind, ...]] = {
    "==": ("is",),
    "in": ("is",),
    "contains any": ("is",),
    "!=": ("not",),
    "not in": ("not",),
    "contains": ("has",),
    "<": ("under",),
    "<=": ("max",),
    ">": ("over",),
    ">=": ("min",),
    "between": ("min", "max"),
}
"""The filters that say what an operator does, one for each value of `between`."""

DIRECTIONS: dict[str, Direction] = {"min": "low", "max": "high"}


@dataclass(frozen=True)
class Heard:
    """What was said, the keys of the filters it became, and what of it no filter stands for: words,
    wishes, and waived columns.
    """

    text: str
    not_understood: tuple[str, ...] = ()
    without_filter: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    is_empty: bool = False
    keys: frozenset[str] = frozenset()


def hear(search: Search, catalog: CatalogReader, reader: Extractor) -> tuple[Search, Heard]:
    """Return a search with what was said in it as filters, and what is to be told about that.

    Raises `QueryError` for more than a query may hold, and what the reader raises.
    """
    found = reader.extract(search.said, catalog)
    query = to_query(_with_one_bound(found, catalog))
    criteria, without = filters_of(query.constraints, catalog)
    preferences = preferences_of(query.objectives)
    heard = Heard(
        search.said,
        tuple(part.evidence.text for part in (*found.unresolved, *found.not_understood)),
        without,
        found.waived,
        not (criteria or preferences or without or found.waived),
        frozenset(entry.key for entry in (*criteria, *preferences)),
    )
    return _joined(search, criteria, preferences, found), heard


def filters_of(
    constraints: Iterable[Constraint], catalog: CatalogReader
) -> tuple[tuple[Criterion, ...], tuple[str, ...]]:
    """Return the filters that say what constraints do, and those that no filter says, in words."""
    wishes = filtered_wishes(constraints, catalog)
    without = [words(constraint) for constraint, criteria in wishes if not criteria]
    return tuple(criterion for _, criteria in wishes for criterion in criteria), tuple(without)


def filtered_wishes(
    constraints: Iterable[Constraint], catalog: CatalogReader
) -> list[tuple[Constraint, tuple[Criterion, ...]]]:
    """Return constraints, each with the filters that say it; none where no filter can."""
    taken: set[str] = set()
    wishes: list[tuple[Constraint, tuple[Criterion, ...]]] = []
    for constraint in constraints:
        fresh = tuple(criteria_of(constraint, catalog))
        if any(criterion.key in taken for criterion in fresh):
            fresh = ()
        taken.update(criterion.key for criterion in fresh)
        wishes.append((constraint, fresh))
    return wishes


def preferences_of(objectives: Iterable[Objective]) -> tuple[Preference, ...]:
    """Return objectives as preferences."""
    return tuple(map(_preference, objectives))


def _with_one_bound(found: Extraction, catalog: CatalogReader) -> Extraction:
    """Return what was read with a vague wish about a column that was spoken of as a preference.

    A column has one filter for a bound: that of "cheap, under 900" is 900. Rows are not ranked by
    texts such as times of day, so of "early, before 10:00" only the bound is left.
    """
    stated = {part.constraint.column for part in found.constraints}
    leanings = (
        replace(part, constraint=None) if part.column in stated else part
        for part in found.leanings
        if part.column not in stated or catalog.schema.find(part.column).ordered
    )
    objectives = (
        part for part in found.objectives if part.constraint is None or part.column not in stated
    )
    return replace(found, leanings=tuple(leanings), objectives=tuple(objectives))


def _joined(
    search: Search,
    criteria: Iterable[Criterion],
    preferences: tuple[Preference, ...],
    found: Extraction,
) -> Search:
    fresh = tuple(criteria)
    said = {criterion.column for criterion in fresh} | set(found.waived)
    placed = {criterion.key for criterion in fresh if criterion.kind in PLACE_KINDS}

    def replaced(old: Criterion) -> bool:
        return old.key in placed if old.kind in PLACE_KINDS else old.column in said

    aimed = {preference.column for preference in preferences} | set(found.waived)
    return replace(
        search,
        said="",
        criteria=(*(old for old in search.criteria if not replaced(old)), *fresh),
        preferences=(
            *(old for old in search.preferences if old.column not in aimed),
            *preferences,
        ),
    )


def criteria_of(constraint: Constraint, catalog: CatalogReader) -> Iterator[Criterion]:
    """Yield the filters that together say what a constraint does; none where there are none."""
    column, value = constraint.column, constraint.value
    weight = NEUTRAL if constraint.weight is None else round(constraint.weight * 100)
    if constraint.op in PLACE_TESTS:
        yield place_criterion(constraint, weight)
    if column is None or value is None:
        return
    kinds: tuple[Kind, ...] = KINDS.get(constraint.op, ())
    if constraint.op == "contains" and catalog.profile(column).kind == "list":
        kinds = ("is",)
    values = tuple(map(format_value, constraint.values))
    if kinds == ("has",):
        values = tuple(map(quoted_phrase, values))
    parts = [(value,) for value in values] if len(kinds) > 1 else [values]
    for kind, part in zip(kinds, parts, strict=False):
        yield Criterion(kind, column, part, weight=weight, must=constraint.hard)


def _preference(objective: Objective) -> Preference:
    weight = round(objective.weight * 100)
    return Preference(objective.column, DIRECTIONS[objective.direction], weight)


def heard_words(
    heard: Heard | None, before: str, sought: Sequence[tuple[str, Search]] = ()
) -> Html | None:
    """Return what was said, and what of it is no filter; None where nothing was said.

    `before` is the address without it; `sought` are words of it to be looked for in items.
    """
    if heard is None:
        return None
    told: list[Child] = [_said_line(heard, before)]
    if heard.is_empty:
        told.append(tag("p", "No wish was found in it."))
    if heard.waived:
        told.append(tag("p", f"All the same to you: {', '.join(heard.waived[:SHOWN])}."))
    if heard.without_filter:
        told.append(tag("p", f"No filter here says: {'; '.join(heard.without_filter[:SHOWN])}."))
    if heard.not_understood:
        named = ", ".join(map(quoted, heard.not_understood[:SHOWN]))
        told.append(tag("p", f"Not understood: {named}.", class_="fault"))
    told += [tag("p", _find_link(words, search)) for words, search in sought]
    return tag("section", *told, class_="heard", aria_label="What was understood")


def _said_line(heard: Heard, before: str) -> Html:
    hint = " Choose a filter below to correct it." if heard.keys else None
    undo = tag("a", "Undo", href=before, class_="button", id="undo-said")
    words = tag("span", "You said “", isolated(shortened(heard.text)), "”.", hint)
    return tag("p", words, undo, class_="undo")


def _find_link(words: str, search: Search) -> Html:
    named = ("Find items with the words “", isolated(words), "”")
    return tag("a", *named, href=search.address, id=element_id("q", words))
