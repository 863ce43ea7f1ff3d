"""Where a catalog's places and hours stand, and what a constraint on them measures.

Distances are great circles on a sphere of 6371.0088 km. What DuckDB runs and what is computed in
memory follow the same formula; rows too close to a bound to be sure are left to DuckDB.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import BadConstraint
from .opening_hours import STEP, steps_to_open
from .place_values import (
    EARTH_KM,
    ESTIMATE,
    MEASURED,
    MINUTES_A_KM,
    PLACE_TESTS,
    check_place_value,
    moment_of,
    number_text,
)
from .travel_times import KnownMinutes, TravelTimes

if TYPE_CHECKING:
    from .constraint import Constraint

Floats = NDArray[np.float64]

LATITUDES = ("latitude", "lat")
LONGITUDES = ("longitude", "lon", "lng", "long")
HOURS = (
    "opening_hours opentime_week open_hours opening_times business_hours hours opentime "
    "opentime_today"
).split()
"""Names of columns by which they are found, the first found is taken."""


@dataclass(frozen=True)
class PlaceColumns:
    """The columns of a catalog that say where something is, and when it is open.

    `travel` are minutes that somebody measured.
    """

    location: tuple[str, str] | None = None
    hours: str | None = None
    travel: TravelTimes | None = None

    @classmethod
    def guessed(cls, numeric: Iterable[str], texts: Iterable[str]) -> PlaceColumns:
        """Return the columns whose names tell."""
        by_name = {name.casefold(): name for name in numeric}
        latitude = next((by_name[name] for name in LATITUDES if name in by_name), None)
        longitude = next((by_name[name] for name in LONGITUDES if name in by_name), None)
        of_texts = {name.casefold().replace(" ", "_"): name for name in texts}
        hours = next((of_texts[name] for name in HOURS if name in of_texts), None)
        both = (latitude, longitude) if latitude and longitude else None
        return cls(both, hours)

    def located(self, op: str) -> tuple[str, str]:
        """Return the columns of latitude and longitude; raise `BadConstraint` without."""
        if self.location is None:
            hint = "name its columns: --location LAT,LON, or location=(lat, lon)"
            raise BadConstraint("op", op, "the catalog has no location columns", hint=hint)
        return self.location

    def hours_column(self) -> str:
        """Return the column of opening hours; raise `BadConstraint` without."""
        if self.hours is None:
            hint = "name it: --hours COLUMN, or hours=column"
            raise BadConstraint("op", "open at", "the catalog has no opening hours", hint=hint)
        return self.hours


@dataclass(frozen=True)
class Measure:
    """What a constraint on places or hours measures of a row: km, minutes of travel or to wait.

    `columns` are those it reads. Its name is that of a column that no file has:
    `distance_km(40.75, -73.98)`, by which bounds, shifts and scores find its numbers. Where minutes
    are `known` the last column names the item; a named `origin` may have no point to measure from.
    """

    kind: Literal["within", "reachable", "open at"]
    columns: tuple[str, ...]
    point: tuple[float, float] | None = (0.0, 0.0)
    mode: str = ""
    moment: datetime = datetime.min
    origin: str = ""
    known: KnownMinutes | None = None

    @property
    def name(self) -> str:
        """The name, from which `measure_named` makes the measure again."""
        if self.kind == "open at":
            return f"minutes_from_open('{self.moment:%Y-%m-%d %H:%M}')"
        place = f"'{self.origin}'" if self.origin else ", ".join(map(repr, self.point or ()))
        if self.kind == "within":
            return f"distance_km({place})"
        return f"travel_minutes({place}, '{self.mode}')"

    @staticmethod
    def called(op: str, value: Sequence[Any]) -> str:
        """Return the name of what a distance or minutes from a place are."""
        if isinstance(value[0], str):
            return Measure("reachable", (), None, str(value[1]), origin=value[0]).name
        point = (float(value[0]), float(value[1]))
        kind: Literal["within", "reachable"] = "within" if op == "within" else "reachable"
        return Measure(kind, (), point, "" if op == "within" else str(value[2])).name

    @property
    def digits(self) -> int:
        """Decimal places to which it is told: metres, tenths of a minute."""
        return 3 if self.kind == "within" else 1

    @property
    def factor(self) -> float:
        """What a kilometre counts."""
        return MINUTES_A_KM[self.mode] if self.mode else 1.0

    def kilometres(self, most: float) -> float:
        """Return a bound on what is measured in km."""
        return most / self.factor

    def of_points(self, latitudes: Floats, longitudes: Floats) -> Floats:
        """Return what is measured at some points, NaN for one that is on no map."""
        if self.point is None:
            return np.full(len(latitudes), math.nan)
        h = haversines(self.point, latitudes, longitudes)
        return 2 * EARTH_KM * np.arcsin(np.sqrt(np.minimum(h, 1.0))) * self.factor

    def of_text(self, text: object) -> float:
        """Return how many minutes away the nearest quarter of an hour is that is open; or NaN."""
        steps = steps_to_open(text, self.moment) if isinstance(text, str) else None
        return math.nan if steps is None else float(STEP * abs(steps))

    def of_row(self, row: dict[str, Any]) -> float:
        """Return what is measured of a row."""
        values = [row[column] for column in self.columns]
        if self.kind == "open at":
            return self.of_text(values[0])
        known = self.known.minutes.get(str(values.pop())) if self.known else None
        if known is not None:
            return known
        if None in values or not values:
            return math.nan
        latitude, longitude = (np.array([float(value)]) for value in values)
        return float(self.of_points(latitude, longitude)[0])


def measure_of(op: str, value: Any, places: PlaceColumns) -> Measure:
    """Return what a constraint measures; raise `BadConstraint` where the catalog has no place."""
    if op == "open at":
        return Measure("open at", (places.hours_column(),), moment=moment_of(value))
    if op == "within":
        return Measure("within", places.located(op), (float(value[0]), float(value[1])))
    return _travel(value, places)


def _travel(value: Any, places: PlaceColumns) -> Measure:
    """Return the measure of minutes from a place or a named origin."""
    name, travel = value[0] if isinstance(value[0], str) else "", places.travel
    if name and travel is None:
        hint = "give latitude and longitude, or --travel-times FILE"
        raise BadConstraint("value", name, "no travel times are known", hint=hint)
    point = travel.point(name) if name and travel else (float(value[0]), float(value[1]))
    mode = str(value[1 if name else 2])
    known = travel.known(name or point or "", mode) if travel else None
    # Minutes alone will do, where nothing else is known.
    is_estimated = point is not None and not (known and places.location is None)
    columns = places.located("reachable") if is_estimated else ()
    if known is not None:
        columns = (*columns, known.column)
    elif not is_estimated:
        raise BadConstraint("value", mode, f"no minutes from {name} are known by it")
    return Measure(
        "reachable", columns, point if is_estimated else None, mode, origin=name, known=known
    )


def told(words: str, constraint: Constraint, places: PlaceColumns) -> str:
    """Return a constraint in words with what its minutes are: measured, or an estimate."""
    if places.travel is None or not words.endswith((ESTIMATE, MEASURED)):
        return words
    if constraint.op == "reachable":
        measure = measure_of("reachable", constraint.value, places)
    else:
        measure = measure_named(constraint.column or "", places)
    if measure is None:
        return words
    said = "estimate" if measure.known is None else "measured"
    if measure.known and measure.point is not None:
        said = "measured, else estimate"
    return f"{words.rpartition('(')[0]}({said})"


_NAMED = re.compile(
    r"distance_km\((?P<within>[^)]*)\)|travel_minutes\((?P<reachable>[^)]*)\)"
    r"|minutes_from_open\('(?P<open_at>[^)]*)'\)",
    re.IGNORECASE,
)


def is_measured(name: str) -> bool:
    """Return whether a name is that of what is measured: `distance_km(40.75, -73.98)`."""
    return "(" in name and _NAMED.fullmatch(name) is not None


def measure_named(name: str, places: PlaceColumns) -> Measure | None:
    """Return the measure of that name; None for a name that is none.

    Raises `BadConstraint` for a place that cannot be.
    """
    match = _NAMED.fullmatch(name)
    if match is None:
        return None
    if match["open_at"] is not None:
        return measure_of("open at", match["open_at"], places)
    op = "reachable" if match["within"] is None else "within"
    value = [_argument(part.strip()) for part in match[op].split(",")]
    check_place_value(op, (*value, 0))
    return measure_of(op, value, places)


def _argument(text: str) -> float | str:
    """Return a number, or what stands in quotes."""
    try:
        return float(text)
    except ValueError:
        return text.strip("'")


def limit_of(op: str, value: Any) -> float:
    """Return the most that a constraint lets its measure be."""
    return 0.0 if op == "open at" else float(value[-1])


def haversines(point: tuple[float, float], latitudes: Floats, longitudes: Floats) -> Floats:
    """Return sin² of half the angle between a point and others in degrees; NaN off the map."""
    with np.errstate(invalid="ignore"):
        known = (np.abs(latitudes) <= 90) & (np.abs(longitudes) <= 360)
        half = np.sin(np.radians(latitudes - point[0]) / 2)
        across = np.sin(np.radians(longitudes - point[1]) / 2)
        scale = math.cos(math.radians(point[0])) * np.cos(np.radians(latitudes))
        return np.where(known, half * half + scale * (across * across), math.nan)


def distance_parts(measure: Measure) -> tuple[str | float, ...]:
    """Return the SQL of a measure, numbers apart, over columns already in quotes; NULL off the map.

    A sine of infinity would be an error.
    """
    if measure.point is None:
        return ("CAST(NULL AS DOUBLE)",)
    latitude, longitude = (f"CAST({column} AS DOUBLE)" for column in measure.columns[:2])
    lat, lon = measure.point
    scaled = f" * {number_text(measure.factor)}" if measure.mode else ""
    return (
        f"CASE WHEN abs({latitude}) <= 90 AND abs({longitude}) <= 360 THEN "
        f"2 * {EARTH_KM} * asin(sqrt(least(1, pow(sin(radians({latitude} - ",
        lat,
        ") / 2), 2) + cos(radians(",
        lat,
        f")) * cos(radians({latitude})) * pow(sin(radians({longitude} - ",
        lon,
        f") / 2), 2)))){scaled} END",
    )


def box_around(point: tuple[float, float], km: float) -> tuple[list[tuple[float, float]], ...]:
    """Return intervals of latitude and longitude that hold every point so near, and some more."""
    angle = km / EARTH_KM * (1 + 1e-9)
    slack = 1e-7
    reach = math.degrees(angle) + slack
    low, high = point[0] - reach, point[0] + reach
    latitudes = [(max(low, -90.0), min(high, 90.0))]
    if low <= -90 or high >= 90 or angle >= math.pi / 2:
        return latitudes, [(-360.0, 360.0)]
    wide = math.sin(angle) / math.cos(math.radians(point[0]))
    across = math.degrees(math.asin(min(1.0, wide))) + slack
    around = [point[1] + turn for turn in (-720.0, -360.0, 0.0, 360.0, 720.0)]
    longitudes = [(each - across, each + across) for each in around]
    kept = [(max(-360.0, a), min(360.0, b)) for a, b in longitudes if b >= -360 and a <= 360]
    return latitudes, _joined(kept)


def _joined(intervals: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return ascending intervals, those that overlap as one."""
    joined = list[tuple[float, float]]()
    for low, high in intervals:
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined


def widened(constraint: Constraint, measure: Measure, row: dict[str, Any]) -> tuple[str, Any]:
    """Return a constraint's operator and value moved just far enough to let a row in.

    A distance to the metre, minutes to the tenth, each rounded outwards; a moment by quarters of
    an hour. A strict bound becomes one that includes its end.
    """
    op, value = constraint.op, constraint.value
    if op == "open at":
        from .opening_hours import moved_moment

        moved = moved_moment(cast("str", row[measure.columns[0]]), measure.moment)
        assert moved is not None
        return op, f"{moved:%Y-%m-%d %H:%M}"
    up, down = _rounded(measure, row)
    if op in PLACE_TESTS:
        return op, (*cast("tuple[Any, ...]", value)[:-1], up)
    if op == "between":
        low, high = cast("tuple[float, float]", value)
        return op, (down, high) if up <= low else (low, up)
    return ("<=", up) if op in ("<", "<=") else (">=", down)


def _rounded(measure: Measure, row: dict[str, Any]) -> tuple[float, float]:
    """Return what is measured of a row, rounded up and down by at most one unit."""
    reached, units = measure.of_row(row), 10**measure.digits
    if reached == round(reached, measure.digits):
        # Minutes that somebody measured.
        return reached, reached
    up = math.ceil(reached * (1 + 1e-12) * units) / units
    return up, math.floor(reached * (1 - 1e-12) * units) / units
