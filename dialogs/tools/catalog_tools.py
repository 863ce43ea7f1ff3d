"""A catalog answers map tools that nobody recorded: searches by its rows, ways by distance.

Ways are great circles with the minutes that `MINUTES_A_KM` makes of them: no road is looked at.
What a catalog cannot know (profiles, lines, the web) it does not answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any, cast

import numpy as np

from ...catalogs.catalog import Catalog
from ...catalogs.query.place_values import MINUTES_A_KM
from .calls import Arguments, ToolCall
from .matching import number
from .place_index import PlaceIndex, Point, Rows, distances

LISTED = 20
"""Places of a reply."""

RADIUS, NEIGHBOURHOOD, CORRIDOR = 5_000.0, 2_000.0, 2_000.0
"""Metres around a point, at a point, and beside a way, where nobody says."""

MOST_POINTS = 100
EXACT_POINTS = 7
"""So many points are put in the best order of all; more are visited nearest first."""

WAYS: Mapping[str, str] = {
    word: mode
    for mode, words in {
        "drive": "drive driving car taxi truck motorcycle 驾车 开车 自驾 打车 货车 摩托车 0",
        "walk": "walk walking foot 步行 走路 2",
        "bike": "bike bicycle cycling ride riding 骑行 自行车",
    }.items()
    for word in words.split()
}


class CatalogTools:
    """The simulated stage of a sandbox over one catalog, as it stood when first asked."""

    def __init__(self, catalog: Catalog, *, key: str | None = None) -> None:
        self._catalog, self._key = catalog, key
        self._tools: Mapping[str, Callable[[Arguments], Any]] = {
            "search_poi": self._search,
            "search_around_poi": self._search_around,
            "search_poi_along_route": self._search_along,
            "search_poi_around_multipoints": self._search_between,
            "get_navigation": self._navigation,
            "get_sequential_navigation": self._sequence,
            "optimize_visit_order": self._order,
            "get_rgeo": self._place_at,
        }

    @cached_property
    def index(self) -> PlaceIndex:
        """The places, read once."""
        return PlaceIndex(self._catalog, self._key)

    def result(self, call: ToolCall) -> Any:
        """Return what a tool replies; None for one not known here, or without what it needs."""
        tool = self._tools.get(call.tool)
        return None if tool is None else tool(call.arguments)

    def _search(self, given: Arguments) -> Any:
        text = _text(given, "query")
        if text is None:
            return None
        rows = self.index.matching(text)
        region = _text(given, "cur_adcode")
        if region is not None:
            near = self.index.inside(region, rows)
            others = rows[~np.isin(rows, near)]
            rows = near if given.get("city_limit") else np.concatenate([near, others])
        return self._listed(rows)

    def _search_around(self, given: Arguments) -> Any:
        text, point = _text(given, "query"), _point(given, "y", "x")
        if text is None or point is None:
            return None
        rows, gaps = self._within(self.index.matching(text), point, _metres(given, "range", RADIUS))
        return self._listed(rows, gaps, self._sorted_by(given, rows, gaps))

    def _sorted_by(self, given: Arguments, rows: Rows, gaps: Any) -> Sequence[int]:
        """Return the order that a rule asks for: relevance, distance, rating, or price."""
        rule = str(given.get("sort_rule") or "").strip()[:1]
        if rule == "0":
            return range(len(rows))
        column = {"2": "rating", "3": "cost", "4": "cost"}.get(rule)
        values = gaps if column is None else self._numbers(column, rows)
        sign = -1 if rule in ("2", "4") else 1
        keyed = [
            (math.inf if math.isnan(v) else sign * v, gap)
            for v, gap in zip(values, gaps, strict=True)
        ]
        return sorted(range(len(rows)), key=lambda at: keyed[at])

    def _numbers(self, column: str, rows: Rows) -> list[float]:
        """Return a column's numbers in some rows, NaN where there is none."""
        listed: list[int] = rows.tolist()
        found = [number(self.index.rows[at].get(column)) for at in listed]
        return [math.nan if value is None else float(value) for value in found]

    def _search_along(self, given: Arguments) -> Any:
        text = _text(given, "keywords") or _text(given, "query")
        start, end = _point(given, "start_y", "start_x"), _point(given, "end_y", "end_x")
        if text is None or start is None or end is None:
            return None
        rows = self.index.matching(text)
        at, gaps = self._beside(start, end, rows)
        near = gaps <= _metres(given, "range", CORRIDOR) / 1_000
        order = np.argsort(at[near], kind="stable").tolist()
        return self._listed(rows[near], gaps[near], order)

    def _beside(self, start: Point, end: Point, rows: Rows) -> tuple[Any, Any]:
        """Return how far along a straight way places lie, from 0 to 1, and how many km beside it.

        On a plane that touches the earth halfway: good for ways within a country.
        """
        latitudes, longitudes = (values[rows] for values in self.index.points)
        scale = math.cos(math.radians((start[0] + end[0]) / 2))
        way = np.array([end[0] - start[0], (end[1] - start[1]) * scale])
        off = np.stack([latitudes - start[0], (longitudes - start[1]) * scale])
        length = float(way @ way)
        at = np.clip((way @ off) / length, 0, 1) if length else np.zeros(len(rows))
        gaps = [
            float(distances(point, np.array([lat]), np.array([lon]))[0])
            for point, lat, lon in zip(
                _points_on(start, end, at), latitudes, longitudes, strict=True
            )
        ]
        return at, np.array(gaps)

    def _search_between(self, given: Arguments) -> Any:
        text, points = _text(given, "query"), _points(given.get("pois"))
        if text is None or not points:
            return None
        rows = self.index.matching(text)
        gaps = np.stack([self.index.kilometres(point, rows) for point in points])
        reach = _metres(given, "range_meters", RADIUS) / 1_000
        every = given.get("need_centrality_filter") is True
        kept = (gaps <= reach).all(axis=0) if every else (gaps <= reach).any(axis=0)
        worst = gaps.max(axis=0)[kept]
        return self._listed(rows[kept], worst, np.argsort(worst, kind="stable").tolist())

    def _within(self, rows: Rows, point: Point, metres: float) -> tuple[Rows, Any]:
        gaps = self.index.kilometres(point, rows)
        near = gaps <= metres / 1_000
        return rows[near], gaps[near]

    def _listed(
        self, rows: Rows, gaps: Any = None, order: Sequence[int] | None = None
    ) -> dict[str, Any]:
        """Return the first places in an order, and how many there are."""
        chosen = list(range(len(rows)) if order is None else order)[:LISTED]
        pois = [
            self.index.record(int(rows[at]), None if gaps is None else float(gaps[at]))
            for at in chosen
        ]
        return {"count": len(rows), "pois": pois}

    def _navigation(self, given: Arguments) -> Any:
        start, end = _point(given, "start_lat", "start_lon"), _point(given, "end_lat", "end_lon")
        key = _text(given, "end_poiid")
        if end is None and key is not None and (row := self.index.of_key(key)) is not None:
            end = self.index.point(row)
        if start is None or end is None:
            return None
        modes = [WAYS.get(word, word) for word in _words(given.get("mode"))] or ["drive"]
        return {"routes": [{"mode": mode, **_way([start, end], mode)} for mode in modes]}

    def _sequence(self, given: Arguments) -> Any:
        points = _points(given.get("points"))
        if len(points) < 2:
            return None
        legs = [_way(leg, "drive") for leg in pairwise(points)]
        return {"legs": legs, **_way(points, "drive")}

    def _order(self, given: Arguments) -> Any:
        start, end = _point(given, "start_lat", "start_lon"), _point(given, "end_lat", "end_lon")
        via = _points(given.get("via_points"))
        if start is None or not via:
            return None
        order = best_order(start, via, end)
        names = (_text(given, "via_names") or "").split(",")
        points = [start, *(via[at] for at in order), *([] if end is None else [end])]
        mode = next((WAYS.get(word, word) for word in _words(given.get("mode"))), "drive")
        named = [names[at].strip() for at in order] if len(names) == len(via) else None
        return {"order": order, "names": named, **_way(points, mode)}

    def _place_at(self, given: Arguments) -> Any:
        point = _point(given, "y", "x") or next(iter(_points(given.get("location"))), None)
        if point is None:
            return None
        reach = _metres(given, "range_meters", NEIGHBOURHOOD)
        rows, gaps = self._within(self.index.all_rows(), point, reach)
        order = np.argsort(gaps, kind="stable").tolist()
        nearest = self.index.rows[int(rows[order[0]])] if order else {}
        region = {column: nearest.get(column) for column in self.index.regions}
        return {**region, **self._listed(rows, gaps, order)}


def best_order(start: Point, via: Sequence[Point], end: Point | None) -> list[int]:
    """Return the order of the shortest way from start to end: of all orders where they are few.

    More than `EXACT_POINTS` are visited nearest first.
    """

    def length(order: Sequence[int]) -> float:
        return _length([start, *(via[at] for at in order), *([] if end is None else [end])])

    if len(via) <= EXACT_POINTS:
        return list(min(permutations(range(len(via))), key=length))
    left, at, order = list(range(len(via))), start, list[int]()
    while left:
        nearest = min(left, key=lambda place: _length([at, via[place]]))
        left.remove(nearest)
        order.append(nearest)
        at = via[nearest]
    return order


def _points_on(start: Point, end: Point, shares: Any) -> list[Point]:
    latitudes = start[0] + shares * (end[0] - start[0])
    longitudes = start[1] + shares * (end[1] - start[1])
    return list(zip(latitudes.tolist(), longitudes.tolist(), strict=True))


def _length(points: Sequence[Point]) -> float:
    """Return the km of a way through points."""
    latitudes, longitudes = np.array(points, np.float64).T
    return math.fsum(
        float(distances(point, latitudes[at + 1 : at + 2], longitudes[at + 1 : at + 2])[0])
        for at, point in enumerate(points[:-1])
    )


def _way(points: Sequence[Point], mode: str) -> dict[str, Any]:
    """Return a way's metres and minutes; None minutes where no one knows how fast it is."""
    km, pace = _length(points), MINUTES_A_KM.get(mode)
    minutes = None if pace is None else round(km * pace, 1)
    return {"distance": round(1_000 * km), "minutes": minutes}


def _text(given: Arguments, name: str) -> str | None:
    value = given.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _words(value: Any) -> list[str]:
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [one.strip().casefold() for one in values if isinstance(one, str) and one.strip()]


def _degrees(value: Any, most: float) -> float | None:
    found = number(value)
    return float(found) if found is not None and abs(found) <= most else None


def _point(given: Arguments, latitude: str, longitude: str) -> Point | None:
    lat, lon = _degrees(given.get(latitude), 90), _degrees(given.get(longitude), 180)
    return None if lat is None or lon is None else (lat, lon)


def _metres(given: Arguments, name: str, usual: float) -> float:
    found = number(given.get(name))
    return usual if found is None or found <= 0 else float(found)


def _points(value: Any) -> list[Point]:
    """Return the points of a list of objects or pairs, or of a text `lon,lat;…`; [] for others."""
    if isinstance(value, str):
        value = [part.split(",") for part in value.split(";") if part.strip()]
    if not isinstance(value, list) or len(cast("list[Any]", value)) > MOST_POINTS:
        return []
    found = [_point_of(each) for each in cast("list[Any]", value)]
    return [] if None in found else [point for point in found if point is not None]


def _point_of(value: Any) -> Point | None:
    if isinstance(value, list) and len(cast("list[Any]", value)) == 2:
        longitude, latitude = cast("list[Any]", value)
        return _point({"lon": longitude, "lat": latitude}, "lat", "lon")
    if not isinstance(value, dict):
        return None
    named = cast("dict[str, Any]", value)
    return _point(named, "lat", "lon") or _point(named, "y", "x")
