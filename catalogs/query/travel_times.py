"""Measured minutes of travel: a table of origin, item, mode and minutes, instead of an estimate.

Read from CSV, JSON or JSON lines, or from mappings. An origin is a place, to five decimals of a
degree (a metre), or a name, or both. One column is called as the catalog's that names items.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ..errors import BadConstraint, QueryError, UnreadableFile, excerpt
from .place_values import check_origin, check_place_value

Point = tuple[float, float]
TravelSource = str | Path | Iterable[Mapping[str, Any]]

MOST_PAIRS = 200_000
"""Rows of a table; those of one origin and mode stand in the SQL of a question."""

LATITUDES, LONGITUDES = ("lat", "latitude"), ("lon", "lng", "longitude")
ORIGINS = ("origin", "from")
_KNOWN = frozenset((*LATITUDES, *LONGITUDES, *ORIGINS, "mode", "minutes"))


@dataclass(frozen=True, eq=False)
class KnownMinutes:
    """Minutes from one origin by one mode, by the text of the column that names items."""

    column: str
    minutes: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class TravelTimes:
    """Minutes by origin and mode, and the places of named origins, None where nobody said.

    `column` is the catalog's column that names items.
    """

    column: str
    minutes: Mapping[tuple[str | Point, str], Mapping[str, float]]
    origins: Mapping[str, Point | None]

    def known(self, origin: str | Point, mode: str) -> KnownMinutes | None:
        """Return the minutes from an origin by a mode; None where none are known."""
        place = origin if isinstance(origin, str) else _rounded(origin)
        found = self.minutes.get((place, mode))
        return None if found is None else KnownMinutes(self.column, found)

    def point(self, name: str) -> Point | None:
        """Return where a named origin is, None where nobody said; raise `BadConstraint`."""
        if name not in self.origins:
            hint = f"known: {', '.join(list(self.origins)[:10]) or 'none'}"
            raise BadConstraint("value", name, "no origin of the travel times", hint=hint)
        return self.origins[name]


def read_travel_times(source: TravelSource, key: str | None = None) -> TravelTimes:
    """Return a table of measured minutes.

    `key` is the catalog's column that a column called `key` stands for. Raises `UnreadableFile`,
    naming the line, or `QueryError` for mappings.
    """
    is_file = isinstance(source, str | Path)
    path = str(source) if isinstance(source, str | Path) else "travel times"
    try:
        rows = _rows(Path(path)) if is_file else enumerate(cast("Iterable[Any]", source), 1)
        return _read(rows, key)
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
    except QueryError as error:
        reason = str(error)
    if is_file:
        raise UnreadableFile(path, reason)
    raise QueryError(f"travel times: {reason}")


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a file with the lines, or for one JSON list the places, they stand at."""
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        for line, written in enumerate(text.splitlines(), 1):
            if written.strip():
                yield line, _json(written, line)
    elif path.suffix.lower() == ".json":
        listed = _json(text, 1)
        if not isinstance(listed, list):
            raise ValueError("no list of objects")
        yield from enumerate(cast("list[Any]", listed), 1)
    else:
        reader = csv.DictReader(text.splitlines(), strict=True)
        for row in reader:
            yield reader.line_num, row


def _json(text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"line {line}: no JSON") from None


def _read(rows: Iterable[tuple[int, Any]], key: str | None) -> TravelTimes:
    minutes: dict[tuple[str | Point, str], dict[str, float]] = {}
    origins: dict[str, Point | None] = {}
    column = ""
    for count, (line, row) in enumerate(rows, 1):
        if count > MOST_PAIRS:
            raise ValueError(f"more than {MOST_PAIRS:,} rows")
        try:
            column = _take(row, column, minutes, origins)
        except QueryError as error:
            raise ValueError(f"line {line}: {error}") from None
    if not column:
        raise ValueError("no rows")
    return TravelTimes(key if column == "key" and key else column, minutes, origins)


def _take(
    row: Any,
    column: str,
    minutes: dict[tuple[str | Point, str], dict[str, float]],
    origins: dict[str, Point | None],
) -> str:
    """Take in one row; return the column that names items. Raises `QueryError`."""
    if not isinstance(row, Mapping):
        raise QueryError("no object")
    given = {
        str(name): value
        for name, value in cast("Mapping[Any, Any]", row).items()
        if value is not None and value != ""
    }
    named = [name for name in given if name.casefold() not in _KNOWN]
    if len(named) != 1 or column not in ("", named[0]):
        hint = "origin or lat, lon; mode; minutes; and one column that names items"
        raise QueryError(f"columns {excerpt(', '.join(given))}", hint=hint)
    folded = {name.casefold(): value for name, value in given.items()}
    name, point = _origin(folded)
    mode, spent = str(folded.get("mode", "")), _number(folded.get("minutes"))
    check_place_value("reachable", (*(point or (0.0, 0.0)), mode, spent))
    assert spent is not None
    if name is not None:
        if name in origins and point not in (None, origins[name]):
            raise QueryError(f"origin {excerpt(name)} has two places")
        origins[name] = point or origins.get(name)
    item = _item(given[named[0]])
    for origin in (name, None if point is None else _rounded(point)):
        known = {} if origin is None else minutes.setdefault((origin, mode), {})
        if known.setdefault(item, spent) != spent:
            raise QueryError(f"two times to {excerpt(item)}", hint="leave one out")
    return named[0]


def _origin(row: Mapping[str, Any]) -> tuple[str | None, Point | None]:
    name = next((str(row[each]) for each in ORIGINS if each in row), None)
    if name is not None:
        check_origin(name)
    latitude = next((_number(row[each]) for each in LATITUDES if each in row), None)
    longitude = next((_number(row[each]) for each in LONGITUDES if each in row), None)
    if (latitude is None) != (longitude is None) or (name is None and latitude is None):
        raise QueryError("no origin", hint="give lat and lon, or a name as origin")
    return name, None if latitude is None or longitude is None else (latitude, longitude)


def _number(value: object) -> float | None:
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d+(\.\d*)?\s*", value, re.ASCII):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise QueryError(f"{excerpt(value)} is no number")
    return float(value)


def _item(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise QueryError(f"{excerpt(value)} names no item", hint="give a text or a whole number")
    return str(value)


def _rounded(point: Point) -> Point:
    return round(point[0], 5) + 0.0, round(point[1], 5) + 0.0
