"""The places of a catalog, found by words and by nearness.

An inverted index over the words of all text cells but keys and hours, made at the first search; a
search adds up the weights of its words. Distances are great circles to every place that is asked.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError, UnknownColumn
from ...catalogs.json_values import Row
from ...catalogs.query.place_values import EARTH_KM
from ...catalogs.query.places import haversines
from .text_vectors import terms

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]
Point = tuple[float, float]
"""Latitude and longitude in degrees."""

NAMES = ("name", "title", "poi_name", "label")
KEYS = ("poi", "poiid", "poi_id", "id")
REGIONS = ("city", "cityname", "province", "district", "adname", "region")
"""Columns by which a place's name, its key and where it lies are found."""

ENOUGH, BEST = 0.3, 0.8
"""Share of the words asked for that a place has at least, and of the best place's share."""

MAX_PLACES = 1_000_000


class PlaceIndex:
    """One version of a catalog's rows, searched by words and by nearness.

    Raises `UnknownColumn` for a key that is none, `QueryError` for too many rows.
    """

    def __init__(self, catalog: Catalog, key: str | None = None) -> None:
        now = catalog.snapshot()
        if now.row_count > MAX_PLACES:
            raise QueryError(f"{now.row_count:,} places", hint=f"{MAX_PLACES:,} are the most")
        self.columns = catalog.columns
        if key is not None and key not in self.columns:
            raise UnknownColumn(key, self.columns)
        self.key = key or self._named(KEYS)
        self.name = self._named(NAMES) or self.key
        self.places = catalog.schema.places
        self.rows: Sequence[Row] = now.fetch(now.slice(()).ids.tolist())

    def _named(self, names: Sequence[str]) -> str | None:
        """Return the first column of these names, whatever its case."""
        by_name = {column.casefold(): column for column in self.columns}
        return next((by_name[name] for name in names if name in by_name), None)

    @property
    def regions(self) -> tuple[str, ...]:
        """The columns that say in which city or district a place lies."""
        return tuple(column for column in self.columns if column.casefold() in REGIONS)

    @cached_property
    def points(self) -> tuple[Numbers, Numbers]:
        """Latitudes and longitudes of all rows, NaN where a row has none."""
        if self.places.location is None:
            nowhere = np.full(len(self.rows), math.nan)
            return nowhere, nowhere
        latitudes, longitudes = (
            np.array([_number(row[column]) for row in self.rows], np.float64)
            for column in self.places.location
        )
        return latitudes, longitudes

    def point(self, row: int) -> Point | None:
        """Return where a row is; None where it does not say."""
        latitude, longitude = (float(values[row]) for values in self.points)
        return None if math.isnan(latitude + longitude) else (latitude, longitude)

    def kilometres(self, point: Point, rows: Rows) -> Numbers:
        """Return how far rows are from a point, NaN for one without a place."""
        latitudes, longitudes = self.points
        return distances(point, latitudes[rows], longitudes[rows])

    def all_rows(self) -> Rows:
        """Return the numbers of all rows."""
        return np.arange(len(self.rows), dtype=np.int64)

    def of_key(self, key: str) -> int | None:
        """Return the first row with a key."""
        return self._by_key.get(key.strip())

    @cached_property
    def _by_key(self) -> dict[str, int]:
        if self.key is None:
            return {}
        pairs = [(str(row[self.key]), at) for at, row in enumerate(self.rows)]
        return dict(reversed(pairs))

    def inside(self, region: str, rows: Rows) -> Rows:
        """Return those of some rows that lie in a region; all where the catalog says no region.

        A region may be part of a name (`Ningbo` of `Ningbo City`), or a name part of it.
        """
        named = region.strip().casefold()
        if not self.regions or not named or named.isdigit():
            return rows
        return np.array([at for at in rows.tolist() if self._lies_in(at, named)], np.int64)

    def _lies_in(self, row: int, named: str) -> bool:
        cells = [str(self.rows[row][column] or "").casefold() for column in self.regions]
        return any(cell and (named in cell or cell in named) for cell in cells)

    def matching(self, text: str) -> Rows:
        """Return the rows that speak of a text, those with more of its words first."""
        wanted = terms(text)
        total = math.fsum(wanted.values())
        shares = np.zeros(len(self.rows))
        for term, weight in wanted.items():
            shares[self._rows_by_term.get(term, [])] += weight
        if not total or not shares.any():
            return np.array([], np.int64)
        shares /= total
        kept = np.flatnonzero(shares >= max(ENOUGH, BEST * float(shares.max())) - 1e-9)
        return kept[np.argsort(-shares[kept], kind="stable")]

    @cached_property
    def _rows_by_term(self) -> Mapping[str, list[int]]:
        hidden = {self.key, self.places.hours, *self.regions}
        columns = [column for column in self.columns if column not in hidden]
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, row in enumerate(self.rows):
            text = " ; ".join(cell for column in columns if isinstance(cell := row[column], str))
            for term in terms(text):
                found[term].append(at)
        return dict(found)

    def record(self, row: int, kilometres: float | None = None) -> dict[str, Any]:
        """Return a place as tools list it: key, name, point, and its other cells that are known."""
        cells = {name: _json(value) for name, value in self.rows[row].items() if value is not None}
        point = self.point(row)
        known = {
            "poiid": str(row) if self.key is None else str(cells.pop(self.key, row)),
            "name": None if self.name is None else cells.pop(self.name, None),
            "x": None if point is None else point[1],
            "y": None if point is None else point[0],
        }
        if kilometres is not None:
            known["distance"] = round(1_000 * kilometres)
        for column in self.places.location or ():
            cells.pop(column, None)
        return known | cells


def distances(point: Point, latitudes: Numbers, longitudes: Numbers) -> Numbers:
    """Return great-circle distances in km from a point, NaN off the map."""
    h = haversines(point, latitudes, longitudes)
    return 2 * EARTH_KM * np.arcsin(np.sqrt(np.minimum(h, 1.0)))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return math.nan
    return float(value)


def _json(value: Any) -> Any:
    """Return a cell as JSON has it; a date or time as its text."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_json(each) for each in cast("list[Any]", value)]
    return value if isinstance(value, str | int | float | bool) else str(value)
