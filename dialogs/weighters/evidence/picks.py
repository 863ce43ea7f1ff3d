"""A person's picks with the rows they were taken from, out of events."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....catalogs.query.place_values import EARTH_KM
from ....catalogs.query.places import haversines
from .choices import ItemLookup, picked_places
from .events import Event
from .habits import Floats, Pick

if TYPE_CHECKING:
    from ....catalogs.versions.reader import CatalogReader


def picks_of_log(catalog: CatalogReader, key: str, events: Sequence[Event]) -> list[Pick]:
    """Return what was picked and what was not, event by event; items that are gone are left out."""
    items = ItemLookup(catalog.snapshot(), key)
    items.find(name for event in events for name in event.shown)
    found = [items.present(event.shown) for event in events]
    numbers = sorted({number for _, own in found for number in own})
    rows = dict(zip(numbers, items.snapshot.fetch(numbers), strict=True)) if numbers else {}
    return [
        pick
        for event, (places, own) in zip(events, found, strict=True)
        for pick in _picks(event, places, [rows[number] for number in own])
    ]


def _picks(event: Event, places: Sequence[int], rows: Sequence[dict[str, Any]]) -> list[Pick]:
    taken = picked_places(event)
    left = [at for at, place in enumerate(places) if place not in taken]
    point = point_of(event)
    picks: list[Pick] = []
    for at, place in enumerate(places):
        if place in taken:
            options = [at, *left]
            positions = tuple(places[option] for option in options)
            chosen = tuple(rows[option] for option in options)
            picks.append(Pick(event.id, event.time, chosen, positions, point))
    return picks


def point_of(event: Event) -> tuple[float, float] | None:
    """Return where somebody asked from: the event's place, else that of what they asked."""
    if event.place is not None:
        return event.place
    for constraint in event.constraints:
        if constraint.op in ("within", "reachable") and isinstance(constraint.value, tuple):
            latitude, longitude = constraint.value[:2]
            return float(latitude), float(longitude)  # pyright: ignore[reportArgumentType] checked numbers
    return None


def distances(catalog: CatalogReader, pick: Pick) -> Floats:
    """Return float64[options], km of each from where the person was; NaN where unknown."""
    columns = catalog.schema.places.location
    if columns is None or pick.point is None:
        return np.full(len(pick.rows), math.nan)
    latitudes, longitudes = (number_column(pick, column) for column in columns)
    h = haversines(pick.point, latitudes, longitudes)
    return 2 * EARTH_KM * np.arcsin(np.sqrt(np.minimum(h, 1.0)))


def number_column(pick: Pick, column: str) -> Floats:
    """Return float64[options] of a column, NaN for NULL."""
    values = [row.get(column) for row in pick.rows]
    return np.array([math.nan if value is None else float(value) for value in values])
