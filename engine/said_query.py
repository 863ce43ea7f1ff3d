"""A query as its catalog's configuration means it: texts in the catalog's own spelling where case
does not count, and items ranked by the columns that the configuration names.

A dictionary look-up a value; the spellings of a column are folded once a version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from ..catalogs.query.constraint import Constraint, Objective, Scalar
from ..catalogs.query.query import Query
from ..catalogs.query.schema import Desirable, guess_desirable
from ..catalogs.versions.snapshot import Snapshot

FOLDED = ("==", "!=", "in", "not in")
_LISTED = {"==": "in", "!=": "not in"}

Spellings = Mapping[str, tuple[str, ...]]
_spellings: WeakKeyDictionary[Snapshot, dict[str, Spellings]] = WeakKeyDictionary()


def as_said(query: Query, catalog: Snapshot) -> Query:
    """Return a query as the catalog's configuration means it: itself where that says nothing."""
    said = catalog.presentation
    base, constraints, objectives = query.base, query.constraints, query.objectives
    if said.folds_case:
        base = tuple(folded(constraint, catalog) for constraint in base)
        constraints = tuple(folded(constraint, catalog) for constraint in constraints)
    if said.ranked and not objectives:
        objectives = tuple(_objectives(catalog))
    if (base, constraints, objectives) == (query.base, query.constraints, query.objectives):
        return query
    return Query(base=base, constraints=constraints, objectives=objectives)


def folded(constraint: Constraint, catalog: Snapshot) -> Constraint:
    """Return a constraint whose texts are spelled as the catalog spells them, case aside."""
    if constraint.op not in FOLDED or constraint.column is None:
        return constraint
    column = catalog.schema.find(constraint.column)
    if column.family != "text":
        return constraint
    spellings = _folded_texts(catalog, column.name)
    meant: dict[Scalar, None] = {}
    for value in constraint.values:
        own = spellings.get(value.casefold(), ()) if isinstance(value, str) else ()
        meant |= dict.fromkeys(own or (value,))
    values = tuple(meant)
    if values == constraint.values:
        return constraint
    if constraint.op in _LISTED and len(values) == 1:
        return constraint.changed(constraint.op, values[0])
    return constraint.changed(_LISTED.get(constraint.op, constraint.op), values)


def _folded_texts(catalog: Snapshot, column: str) -> Spellings:
    """Return the spellings of a column by what they are with case aside."""
    known = _spellings.setdefault(catalog, {})
    if column not in known:
        by_folded: dict[str, list[str]] = {}
        for text in catalog.texts(column):
            by_folded.setdefault(text.casefold(), []).append(text)
        known[column] = {text: tuple(sorted(each)) for text, each in by_folded.items()}
    return known[column]


def _objectives(catalog: Snapshot) -> Iterator[Objective]:
    for name in catalog.presentation.ranked:
        better = better_direction(catalog, name)
        if better is not None:
            yield Objective(column=name, direction="min" if better == "low" else "max")


def better_direction(catalog: Snapshot, name: str) -> Desirable | None:
    """Return the direction of a column that most people want, None where unclear."""
    column = catalog.schema.find(name)
    override = catalog.metadata.overrides.get(column.name)
    said = override.desirable if override else None
    if said == "none":
        return None
    return said or guess_desirable(column.name, column.family)
