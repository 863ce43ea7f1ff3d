"""Places and hours in a text: `within 2 km of 40.75, -73.98`, `open at half past ten on Friday`.

Read by patterns before anything else, from catalogs that have such columns alone; what they read
is blanked out for the other readers. “From here” is understood where the person says where that is,
in degrees. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from ...catalogs.errors import BadConstraint
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.places import PlaceColumns
from ..transcripts.transcript import Span
from .clocks import find_clocks
from .dates import find_days
from .extracted import Extracted

SCORE = 0.95
"""How surely a pattern means what it says."""

Point = tuple[float, float]

_DEGREES = (
    r"\(?\s*(?P<lat>-?\d{1,2}(?:\.\d+)?)°?\s*[,\uff0c]\s*(?P<lon>-?\d{1,3}(?:\.\d+)?)°?\s*\)?"
)
_HERE = r"(?P<here>here|me|my\s+place|where\s+i\s+am)\b"
_TARGET = rf"(?:{_DEGREES}|{_HERE})"
_UNITS = {
    "km": 1.0, "kilometre": 1.0, "kilometer": 1.0, "公里": 1.0, "千米": 1.0, "m": 0.001,
    "metre": 0.001, "meter": 0.001, "米": 0.001, "mile": 1.609344, "mi": 1.609344,
}  # fmt: skip
_UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})(?:s\b|\b|(?<=[米里]))"
_MOST = r"(?:(?:within|at\s+most|no\s+more\s+than|less\s+than|up\s+to|under|max(?:imum)?)\s+)?"
_NUMBER = r"(?P<number>\d+(?:\.\d+)?|(?:a|one|half\s+an?)(?=\s))"
_FAR = (
    re.compile(
        rf"\b{_MOST}{_NUMBER}\s*{_UNIT}\s+(?:away\s+)?(?:of|from|around)\s+{_TARGET}", re.IGNORECASE
    ),
    re.compile(rf"(?:距离?|离){_DEGREES}\s*{_NUMBER}\s*{_UNIT}(?:以内|之内|内)?"),
    re.compile(rf"{_DEGREES}\s*(?:附近|周边|周围)\s*{_NUMBER}\s*{_UNIT}(?:以内|之内|内)?"),
)
_MODES = {
    "walk": "walk", "walking": "walk", "on foot": "walk", "步行": "walk", "走路": "walk",
    "bike": "bike", "cycling": "bike", "bike ride": "bike", "by bike": "bike", "骑行": "bike",
    "骑车": "bike", "drive": "drive", "driving": "drive", "by car": "drive", "开车": "drive",
    "驾车": "drive",
}  # fmt: skip
_MODE = f"(?P<mode>{'|'.join(sorted(_MODES, key=len, reverse=True))})"
_REACHED = (
    re.compile(
        rf"\b{_MOST}(?:an?\s+)?{_NUMBER}[\s-]*(?:minutes?|mins?)(?:['’]s?)?\s+{_MODE}\s+"
        rf"(?:away\s+)?(?:from|of|to)\s+{_TARGET}",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:从|距离?|离){_DEGREES}\s*{_MODE}\s*{_NUMBER}\s*分钟(?:以内|之内|内)?"),
)
_AT = re.compile(
    rf"(?:\bi(?:['’]m|\s+am)\s+(?:now\s+)?(?:at|near)|我在)\s*{_DEGREES}", re.IGNORECASE
)
_OPEN = re.compile(r"\b(?:(?:still|be|is|are)\s+)*open(?=\s+(?:at|on|tomorrow|this|next|\w+day))")
_ENDS = re.compile(r"[;!?\n]|[.,](?!\d)|\b(?:and|with|but|under|for|within)\b", re.IGNORECASE)
WINDOW = 48
"""Characters after “open” in which its day and time stand."""

_CHINESE_OPEN = re.compile(
    r"(?P<day>今天|今晚|明天|明晚|后天)?(?P<half>早上|上午|中午|下午|晚上)?"
    r"(?P<hour>\d{1,2})(?:[:\uff1a点](?P<minute>\d{2}|半)?)分?(?:还|仍|也|要)?(?:在)?(?:营业|开门|开着)"
)
_DAYS_AHEAD = {"明天": 1, "明晚": 1, "后天": 2}


@dataclass(frozen=True)
class PlacesSaid:
    """What a text says of places and hours, and the text without it, each place kept."""

    found: tuple[Extracted, ...]
    rest: str


def places_said(text: str, number: int, places: PlaceColumns, today: date) -> PlacesSaid:
    """Return what message `number` says of places and hours, as far as the catalog has them."""
    readers: list[Iterator[tuple[int, int, str, object]]] = []
    if places.location is not None:
        readers.append(_near(text))
    if places.hours is not None:
        readers += [_open(text, today), _open_in_chinese(text, today)]
    found: list[Extracted] = []
    for reader in readers:
        for start, end, op, value in reader:
            try:
                constraint = Constraint.model_validate({"op": op, "value": value})
            except BadConstraint:
                continue
            span = Span(number, start, end, text[start:end])
            found.append(Extracted(constraint, SCORE, span, text[start:end]))
            text = text[:start] + " " * (end - start) + text[end:]
    stands = _AT.search(text) if found else None
    if stands:
        text = text[: stands.start()] + " " * len(stands[0]) + text[stands.end() :]
    return PlacesSaid(tuple(sorted(found, key=lambda each: each.evidence.start)), text)


def _near(text: str) -> Iterator[tuple[int, int, str, object]]:
    stands = _AT.search(text)
    here = _point(stands.groupdict()) if stands else None
    for patterns, op in ((_FAR, "within"), (_REACHED, "reachable")):
        for match in (match for pattern in patterns for match in pattern.finditer(text)):
            told = match.groupdict()
            point = here if told.get("here") else _point(told)
            if point is None:
                continue
            amount = _amount(told["number"])
            if op == "within":
                kilometres = round(amount * _UNITS[told["unit"].casefold()], 6)
                yield match.start(), match.end(), op, [*point, kilometres]
            else:
                mode = _MODES[re.sub(r"\s+", " ", told["mode"].casefold())]
                yield match.start(), match.end(), op, [*point, mode, amount]


def _point(told: Mapping[str, str | None]) -> Point | None:
    return (float(told["lat"] or 0), float(told["lon"] or 0)) if told.get("lat") else None


def _amount(said: str) -> float:
    if said[0].isdigit():
        number = float(said)
        return int(number) if number.is_integer() else number
    return 0.5 if said.casefold().startswith("half") else 1


def _open(text: str, today: date) -> Iterator[tuple[int, int, str, object]]:
    """Yield the moments after the word open: the day is today where none is said."""
    days, clocks = list(find_days(text, today)), list(find_clocks(text))
    for match in _OPEN.finditer(text):
        ending = _ENDS.search(text, match.end(), match.end() + WINDOW)
        stop = ending.start() if ending else match.end() + WINDOW
        times = [
            clock
            for clock in clocks
            if match.end() <= clock.start < stop and clock.minutes[0][0] == clock.minutes[0][1]
        ]
        if not times:
            continue
        on = [day for day in days if match.end() <= day.start < stop and day.first == day.last]
        day = on[0].first if on else today
        minute = times[0].minutes[0][0]
        end = max([times[0].end, *(each.end for each in on[:1])])
        yield match.start(), end, "open at", f"{day} {minute // 60:02}:{minute % 60:02}"


def _open_in_chinese(text: str, today: date) -> Iterator[tuple[int, int, str, object]]:
    for match in _CHINESE_OPEN.finditer(text):
        hour, said = int(match["hour"]), match["minute"] or "00"
        evening = match["half"] in ("下午", "晚上") or match["day"] in ("今晚", "明晚")
        hour += 12 * (evening and hour < 12)
        day = today + timedelta(_DAYS_AHEAD.get(match["day"] or "", 0))
        minute = "30" if said == "半" else said
        yield match.start(), match.end(), "open at", f"{day} {hour:02}:{minute}"
