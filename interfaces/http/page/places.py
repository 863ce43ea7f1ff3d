"""Places and hours on the page: `near.place=40.75, -73.98, 1` in an address, and its controls."""

from __future__ import annotations

from dataclasses import dataclass

from ....catalogs.errors import QueryError
from ....catalogs.query.constraint import Constraint, words
from ....catalogs.query.place_values import PLACE_TESTS, number_text, place_words
from ....catalogs.query.places import PlaceColumns, told
from .query_string import Criterion, Kind, Search

KINDS: dict[str, Kind] = {"within": "near", "reachable": "reach", "open at": "open"}
"""The kind of filter by the operator of its constraint."""

OPERATORS = {kind: op for op, kind in KINDS.items()}
COLUMNS = {"near": "place", "reach": "place", "open": "hours"}
"""What stands in an address where others have a column."""

FORMS = {"near": "latitude, longitude, km", "reach": "latitude, longitude, walk, minutes"}


def place_fields(criterion: Criterion) -> dict[str, object]:
    """Return operator and value of a criterion's constraint; raise `QueryError` for none."""
    op, said = OPERATORS[criterion.kind], criterion.values[-1]
    if op == "open at":
        return {"op": op, "value": said}
    parts = [part.strip() for part in said.split(",")]
    texts = {0, 1} if len(parts) == 3 else {2}
    value = [
        part if op == "reachable" and place in texts else _number(part, criterion.kind)
        for place, part in enumerate(parts)
    ]
    return {"op": op, "value": value}


def _number(text: str, kind: str) -> float:
    try:
        return float(text)
    except ValueError:
        problem = f"“{text[:40]}” is no number"
        raise QueryError(problem, hint=f"give {FORMS[kind]}") from None


def place_value(constraint: Constraint) -> str:
    """Return what stands in an address for a constraint on places or hours."""
    value = constraint.value
    if not isinstance(value, tuple):
        return str(value).replace("T", " ")
    parts = [part if isinstance(part, str) else number_text(float(str(part))) for part in value]
    return ", ".join(parts)


def place_criterion(constraint: Constraint, weight: int) -> Criterion:
    """Return the filter that says what a constraint on places or hours does."""
    kind = KINDS[constraint.op]
    values = (place_value(constraint),)
    return Criterion(kind, COLUMNS[kind], values, weight=weight, must=constraint.hard)


def place_phrase(criterion: Criterion, places: PlaceColumns) -> str:
    """Return a filter in words; as it was given where it says nothing."""
    try:
        constraint = Constraint.model_validate(place_fields(criterion))
        return told(words(constraint), constraint, places)
    except QueryError:
        return criterion.values[-1]


def moved_place(to: Constraint) -> str | None:
    """Return where a constraint on places or hours moved, in words; None for any other."""
    return place_words(to.op, to.value) if to.op in PLACE_TESTS else None


@dataclass(frozen=True)
class PlaceControl:
    """A control for places or hours: the criterion's key, its label, and the input's own."""

    key: str
    label: str
    type: str
    placeholder: str | None = None


def place_controls(places: PlaceColumns) -> tuple[PlaceControl, ...]:
    """Return the controls for which the catalog has columns."""
    near = PlaceControl("near.place", "Near a place", "text", FORMS["near"])
    hours = PlaceControl("open.hours", "Open at", "datetime-local")
    return (*([near] if places.location else []), *([hours] if places.hours else []))


def control_value(control: PlaceControl, search: Search) -> str | None:
    """Return what stands in a control."""
    values = search.values(control.key)
    if not values:
        return None
    return values[-1].replace(" ", "T") if control.key == "open.hours" else values[-1]
