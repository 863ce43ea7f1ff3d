"""A profile that outlives its conversation: wishes with the words behind each, as JSON.

It carries over to another catalog: a wish goes to the column of the same name, or of the same
words in name, label or synonyms. What has no such column, or a value that the column cannot
hold, is said and left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.place_values import PLACE_TESTS
from ...catalogs.query.query import Query
from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader

HINT = 'give {"wishes": [{"constraint": {…}, "said": "…"}, …]}'


@dataclass(frozen=True, slots=True)
class SavedWish:
    """A wish as a constraint, weighed, and the words that said it, verbatim."""

    constraint: Constraint
    said: str

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"constraint": self.constraint.record(), "said": self.said}


def profile_record(wishes: Iterable[SavedWish]) -> dict[str, Any]:
    """Return a profile as the JSON object that `read_profile` reads."""
    return {"wishes": [wish.record() for wish in wishes]}


def read_profile(text: str) -> list[SavedWish]:
    """Return the wishes of a profile. Raises `QueryError` where it is none."""
    try:
        record: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"no profile: not JSON: {excerpt(str(error))}", hint=HINT) from None
    wishes = _mapping(record).get("wishes")
    if not isinstance(wishes, list):
        raise QueryError("no profile: it has no list of wishes", hint=HINT)
    return [_wish(wish) for wish in cast("list[object]", wishes)]


def _wish(record: object) -> SavedWish:
    fields = _mapping(record)
    constraint = _mapping(fields.get("constraint"))
    if not constraint:
        raise QueryError(f"{excerpt(str(record))} is no wish", hint=HINT)
    return SavedWish(Constraint.model_validate(constraint), str(fields.get("said", "")))


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


@dataclass(frozen=True)
class CarriedOver:
    """What a profile asks of a catalog, and what the catalog has no place for."""

    query: Query
    lacking: tuple[SavedWish, ...]


def carried_over(wishes: Sequence[SavedWish], catalog: CatalogReader) -> CarriedOver:
    """Return a query of the wishes that a catalog can tell, in their order."""
    fitting: list[Constraint] = []
    lacking: list[SavedWish] = []
    for wish in wishes:
        is_placed = wish.constraint.op in PLACE_TESTS
        column = None if is_placed else _column_like(wish.constraint.column or "", catalog)
        moved = wish.constraint.model_copy(update={"column": column})
        if (is_placed or column is not None) and _fits(moved, catalog):
            fitting.append(moved)
        else:
            lacking.append(wish)
    return CarriedOver(Query(constraints=tuple(fitting)), tuple(lacking))


def _column_like(name: str, catalog: CatalogReader) -> str | None:
    """Return the one column that a name means; None where there is none, or several."""
    wanted = frozenset(name_words(name))
    found: list[str] = []
    for column in catalog.columns:
        if column == name:
            return column
        words = catalog.dictionary.get(column)
        called = (column, *(words.phrases if words else ()))
        if wanted and any(frozenset(name_words(phrase)) == wanted for phrase in called):
            found.append(column)
    return found[0] if len(found) == 1 else None


def _fits(constraint: Constraint, catalog: CatalogReader) -> bool:
    """Return whether the column can hold the value, and for texts whether any row has it."""
    try:
        predicate = catalog.bind(constraint)
    except QueryError:
        return False
    compares = constraint.op in ("==", "in", "contains", "contains any")
    return not compares or bool(catalog.count([predicate]))
