"""Places and hours in a text: `within 2 km of 40.75, -73.98`, `open at half past ten on Friday`.

Read by patterns before anything else, from catalogs that have such columns alone; what they read
is blanked out for the other readers. “From here” is understood where the person says where that is,
in degrees. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from ...catalogs.errors import BadConstraint
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.places import Measure, PlaceColumns
from ..transcripts.transcript import Span
from .clocks import find_clocks
from .dates import find_days
from .distances_said import (
    Point,
    Said,
    chinese_number,
    find_distances,
    stated_points,
)
from .extracted import Extracted

SCORE = 0.95
"""How surely a pattern means what it says."""

_OPEN = re.compile(
    r"\b(?:(?:still|be|is|are)\s+)*(?P<denied>not\s+|(?<=n['\u2019]t\s))?(?:be\s+)?"
    r"open(?=\s+(?:at|on|tomorrow|tonight|this|next|\w+day))",
    re.IGNORECASE,
)
_EVENING = re.compile(
    r"\b(?:tonight|(?:this|in\s+the|tomorrow)\s+(?:evening|afternoon)|\w+day\s+(?:night|evening|afternoon))\b",
    re.I,
)
DAY = 1_440
_ENDS = re.compile(r"[;!?\n]|[.,](?!\d)|\b(?:and|with|but|under|for|within)\b", re.IGNORECASE)
WINDOW = 48
"""Characters after “open” in which its day and time stand."""

_CHINESE_OPEN = re.compile(
    r"(?P<day>今天|今晚|明天|明晚|后天)?(?:(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天]))?"
    r"(?P<half>早上|上午|中午|下午|晚上)?"
    r"(?P<hour>\d{1,2}|[一二两三四五六七八九十]{1,3})[:\uff1a点](?P<minute>\d{2}|半)?分?"
    r"(?P<denied>不)?(?:还|仍|也|要)?(?:在)?(?:营业|开门|开着)"
)
_WEEKDAYS = ("一", "二", "三", "四", "五", "六", "日")
_DAYS_AHEAD = {"明天": 1, "明晚": 1, "后天": 2}


@dataclass(frozen=True)
class PlacesSaid:
    """What a text says of places and hours, and the text without it, each place kept."""

    found: tuple[Extracted, ...]
    rest: str


def places_said(text: str, number: int, places: PlaceColumns, today: date) -> PlacesSaid:
    """Return what message `number` says of places and hours, as far as the catalog has them."""
    readers: list[Iterator[tuple[int, int, dict[str, object]]]] = []
    if places.location is not None:
        readers.append(_near(text))
    if places.hours is not None:
        readers += [_open(text, today), _open_in_chinese(text, today)]
    found: list[Extracted] = []
    for reader in readers:
        for start, end, fields in reader:
            try:
                constraint = Constraint.model_validate(fields)
            except BadConstraint:
                continue
            span = Span(number, start, end, text[start:end])
            found.append(Extracted(constraint, SCORE, span, text[start:end]))
            text = text[:start] + " " * (end - start) + text[end:]
    # Degrees are no amounts of anything else, whatever is asked of the place.
    for start, end, _ in stated_points(text) if places.location is not None else ():
        text = text[:start] + " " * (end - start) + text[end:]
    return PlacesSaid(tuple(sorted(found, key=lambda each: each.evidence.start)), text)


def _near(text: str) -> Iterator[tuple[int, int, dict[str, object]]]:
    """Yield distances and times of travel: from where the person says to be, unless a place is."""
    stated = stated_points(text)
    for said in find_distances(text):
        point = said.point or next((point for _, _, point in stated), None)
        if point is not None:
            yield said.start, said.end, _bound(said, point)


def _bound(said: Said, point: Point) -> dict[str, object]:
    op, place = ("reachable", [*point, said.mode]) if said.mode else ("within", [*point])
    amount = int(said.amount) if said.amount.is_integer() else said.amount
    if said.low is None and not said.is_least:
        return {"op": op, "value": [*place, amount]}
    column = Measure.called(op, place)
    if said.low is not None:
        return {"column": column, "op": "between", "value": [said.low, said.amount]}
    return {"column": column, "op": ">" if said.is_strict else ">=", "value": amount}


def _open(text: str, today: date) -> Iterator[tuple[int, int, dict[str, object]]]:
    """Yield the moments after the word open: the day is today where none is said."""
    days, clocks = list(find_days(text, today)), list(_clocks(text))
    for match in _OPEN.finditer(text):
        ending = _ENDS.search(text, match.end(), match.end() + WINDOW)
        stop = ending.start() if ending else match.end() + WINDOW
        times = [clock for clock in clocks if match.end() <= clock[0] < stop]
        if not times:
            continue
        on = [day for day in days if match.end() <= day.start < stop and day.first == day.last]
        evening = _EVENING.search(text, match.end(), stop)
        _, at, minute = times[0]
        end = max(at, on[0].end if on else 0, evening.end() if evening else 0)
        day, said = on[0].first if on else today, text[match.end() : end].casefold()
        if evening and minute < DAY / 2 and not re.search(r"\ba\.?m\b", said):
            minute += DAY // 2
        if "midnight" in said:
            # That at the end of the day.
            day += timedelta(1)
        moment = f"{day} {minute // 60:02}:{minute % 60:02}"
        yield match.start(), end, _opened(moment, denied=match["denied"] is not None)


def _opened(moment: str, *, denied: bool) -> dict[str, object]:
    if denied:
        return {"op": "sql", "value": f"NOT open_at('{moment}')"}
    return {"op": "open at", "value": moment}


def _clocks(text: str) -> list[tuple[int, int, int]]:
    """Return start, end and minute of the day of the times that a text says."""
    return [
        (clock.start, clock.end, clock.minutes[0][0])
        for clock in find_clocks(text)
        if clock.minutes[0][0] == clock.minutes[0][1]
    ]


def _open_in_chinese(text: str, today: date) -> Iterator[tuple[int, int, dict[str, object]]]:
    for match in _CHINESE_OPEN.finditer(text):
        said = match["minute"] or "00"
        hour = int(match["hour"]) if match["hour"].isdigit() else int(chinese_number(match["hour"]))
        evening = match["half"] in ("下午", "晚上") or match["day"] in ("今晚", "明晚")
        hour += 12 * (evening and hour < 12)
        day = today + timedelta(_DAYS_AHEAD.get(match["day"] or "", 0))
        if match["weekday"]:
            weekday = _WEEKDAYS.index(match["weekday"].replace("天", "日"))
            day = today + timedelta((weekday - today.weekday()) % 7)
        minute = "30" if said == "半" else said
        moment = f"{day} {hour:02}:{minute}"
        yield match.start(), match.end(), _opened(moment, denied=match["denied"] is not None)
