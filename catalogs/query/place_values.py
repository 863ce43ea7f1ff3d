"""The values of constraints on places and hours: checked, and written for people.

`within` takes [lat, lon, km], `reachable` [lat, lon, mode, minutes], `open at` a moment.
"""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Any, cast

from ..errors import BadConstraint

PLACE_TESTS = ("within", "reachable", "open at")
"""Operators that name no column: the catalog knows where its places and hours stand."""

MINUTES_A_KM = {"walk": 16.25, "bike": 5.0, "drive": 3.0}
"""Minutes a kilometre as the crow flies: 4.8 km/h and 15.6 km/h by ways 1.3 times as long, and
28 km/h by ways 1.4 times as long. An estimate: no roads are looked at."""

ESTIMATE, MEASURED = "(estimate)", "(measured)"
"""Beside minutes that were computed from a distance, and those that somebody measured."""

MOST_NAME = 100
_ORIGIN = re.compile(r"[^(),'\"\n]+")

MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:00)?", re.ASCII)


def check_place_value(op: str, value: Any) -> None:
    """Raise `BadConstraint` for a value that no constraint on places or hours has."""
    if op == "open at":
        moment_of(value)
        return
    write = "[lat, lon, km]" if op == "within" else "[lat, lon, mode, minutes]"
    parts = cast("tuple[Any, ...]", value if isinstance(value, tuple) else (value,))
    if op == "reachable" and len(parts) == 3 and isinstance(parts[0], str):
        check_origin(parts[0])
        parts = (0, 0, *parts[1:])
    if len(parts) != (3 if op == "within" else 4):
        raise BadConstraint("value", list(parts), f"{op!r} needs {write}", hint=f"write {write}")
    if op == "reachable" and parts[2] not in MINUTES_A_KM:
        hint = f"known: {', '.join(MINUTES_A_KM)}"
        raise BadConstraint("value", parts[2], "no way to travel", hint=hint)
    _check_number(parts[0], -90, 90, "a latitude")
    _check_number(parts[1], -180, 180, "a longitude")
    check_limit(op, parts[-1])


def check_origin(name: str) -> None:
    """Raise `BadConstraint` for what is no name of an origin of travel."""
    if not 0 < len(name) <= MOST_NAME or not _ORIGIN.fullmatch(name):
        hint = f"at most {MOST_NAME} characters, no brackets, commas or quotes"
        raise BadConstraint("value", name, "no name of an origin", hint=hint)


def check_limit(op: str, value: Any) -> None:
    """Raise `BadConstraint` for what is no distance in km (`within`), or no minutes."""
    most, name = (21_000, "a distance in km") if op == "within" else (1_000_000, "minutes")
    _check_number(value, 0, most, name)


def _check_number(value: Any, low: float, high: float, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadConstraint("value", value, f"not {name}", hint="give a number")
    # Written so that NaN fails.
    if not low <= value <= high:
        raise BadConstraint("value", value, f"not {name}", hint=f"give {low:,} to {high:,}")


def moment_of(value: Any) -> datetime:
    """Return a moment in local time, to the minute; raise `BadConstraint` for no such moment."""
    if isinstance(value, datetime):
        return value.replace(second=0, microsecond=0, tzinfo=None)
    match = MOMENT.fullmatch(value) if isinstance(value, str) else None
    try:
        if match:
            moment = datetime.fromisoformat(f"{match[1]} {match[2]}")
            # The weeks around it have to be dates, too.
            if 1 < moment.year < 9999:
                return moment
    except ValueError:
        pass
    hint = "write 'YYYY-MM-DD HH:MM'"
    raise BadConstraint("value", value, "no moment", hint=hint)


def place_words(op: str, value: Any) -> str:
    """Return a constraint on places or hours for a person: `within 1 km of 40.75, -73.98`."""
    if op == "open at":
        return place_condition(op, value)
    named = isinstance(value[0], str)
    place = value[0] if named else f"{number_text(value[0])}, {number_text(value[1])}"
    if op == "within":
        return f"{place_condition(op, value)} of {place}"
    return f"{value[-2]} from {place} {place_condition(op, value)}"


_MEASURED = re.compile(r"distance_km\((.+?), (.+?)\)|travel_minutes\((.+), '(\w+)'\)")


def measured_words(name: str) -> tuple[str, str] | None:
    """Return what is measured for a person, and its unit: `distance from 40.75, -73.98`, `km`.

    None for a name that is none of a measure.
    """
    match = _MEASURED.fullmatch(name)
    if match is None:
        return None
    if match[1]:
        return f"distance from {match[1]}, {match[2]}", "km"
    origin, mode = match[3], match[4]
    is_named = origin.startswith("'")
    return f"{mode} from {origin.strip(chr(39))}", f"min {MEASURED if is_named else ESTIMATE}"


def place_condition(op: str, value: Any) -> str:
    """Return what may change of it: `within 1.4 km`, `≤ 15 min (estimate)`.

    Where a table of minutes is known, `places.told` says what they are instead.
    """
    if op == "open at":
        return f"open at {moment_of(value):%Y-%m-%d %H:%M}"
    if op == "within":
        return f"within {number_text(value[2])} km"
    return f"≤ {number_text(value[-1])} min {MEASURED if isinstance(value[0], str) else ESTIMATE}"


def number_text(number: float) -> str:
    """Return a number of degrees, kilometres or minutes with what digits it has."""
    return f"{number:.10g}"


def half_chord(km: float) -> float:
    """Return the haversine of a distance in km: sin² of half its angle, at most 1."""
    return math.sin(min(km / (2 * EARTH_KM), math.pi / 2)) ** 2


EARTH_KM = 6371.0088
"""The mean radius of the earth in km (IUGG)."""
