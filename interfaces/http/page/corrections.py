"""A chip corrected: another column, operator or value for one criterion or preference.

    ?max.mileage=900&fix=max.mileage&fix.column=price&fix.kind=max&fix.value=900

The form of a correction says the whole search besides, so that it works without a script; it is
answered with the address of the search corrected, which can be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .form_model import Field, FormModel
from .query_string import (
    MAX_VALUES,
    PLACE_KINDS,
    Criterion,
    Direction,
    Kind,
    Preference,
    Search,
    last_of,
)

FIX = "fix"
KINDS: dict[Kind, str] = {
    "is": "is",
    "not": "is not",
    "max": "at most",
    "min": "at least",
    "under": "less than",
    "over": "more than",
    "has": "has the words",
}
"""What a criterion may be corrected to, in the words of a menu."""

AIMS: dict[Direction, str] = {"low": "as low as possible", "high": "as high as possible"}
FIXED = ("find", *PLACE_KINDS)
"""Criteria of which only the value can be corrected."""

TRUTHS = {"yes": "true", "no": "false"}


def is_correction(parameters: Mapping[str, list[str]]) -> bool:
    """Whether an address says a correction."""
    return FIX in parameters


def corrected(search: Search, parameters: Mapping[str, list[str]], form: FormModel) -> Search:
    """Return a search with what an address corrects, and the way back to the search before.

    What does not name a criterion or preference of the search changes nothing; one without a value
    is removed. Its weight stays, and it is a must if the address says so.
    """
    key = last_of(parameters, FIX)
    criterion = search.get(key)
    preference = next((each for each in search.preferences if each.key == key), None)
    if criterion is not None:
        changed = _with_criterion(search, criterion, _fixed(criterion, parameters, form))
    elif preference is not None:
        changed = _with_preference(search, preference, _aimed(preference, parameters))
    else:
        return search.settled()
    return changed.settled() if changed == search else changed.undone_by(search)


def _fixed(
    criterion: Criterion, parameters: Mapping[str, list[str]], form: FormModel
) -> Criterion | None:
    kind, column = criterion.kind, criterion.column
    if kind not in FIXED:
        column = last_of(parameters, "fix.column") or column
        said = last_of(parameters, "fix.kind")
        kind = next((each for each in KINDS if each == said), kind)
    values = tuple(parameters.get("fix.value", ())[:MAX_VALUES])
    if not values:
        return None
    field = form.by_column.get(column)
    if field is not None and field.control == "yes_no":
        values = tuple(TRUTHS.get(value.casefold(), value) for value in values)
    if kind not in ("is", "not"):
        values = values[:1]
    return replace(
        criterion, kind=kind, column=column, values=values, must="fix.must" in parameters
    )


def _with_criterion(search: Search, old: Criterion, new: Criterion | None) -> Search:
    """Return a search with one criterion in another's place, and in that of one of its name."""
    if new is None:
        return search.without(old.key)
    criteria = [
        new if entry is old else entry
        for entry in search.criteria
        if entry is old or entry.key != new.key
    ]
    return replace(search, criteria=tuple(criteria))


def _aimed(preference: Preference, parameters: Mapping[str, list[str]]) -> Preference:
    said = last_of(parameters, "fix.kind")
    direction = next((each for each in AIMS if each == said), preference.direction)
    column = last_of(parameters, "fix.column") or preference.column
    return replace(preference, column=column, direction=direction)


def _with_preference(search: Search, old: Preference, new: Preference) -> Search:
    preferences = [
        new if entry is old else entry
        for entry in search.preferences
        if entry is old or entry.key != new.key
    ]
    return replace(search, preferences=tuple(preferences))


def fits(kind: Kind, field: Field | None) -> bool:
    """Whether a criterion of a kind can be asked of a field; of an unknown one any can."""
    if field is None or field.ordered:
        return kind != "has" or field is None
    if field.control == "yes_no":
        return kind in ("is", "not")
    return kind in ("is", "not", "has")
