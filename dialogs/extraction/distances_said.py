"""Distances and minutes of travel in a text: `a ten-minute walk from …`, `more than 5 km from …`.

Patterns give an amount, which side of it is meant, and the place where one stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..language.numbers import ONES, TENS

Point = tuple[float, float]

DEGREES = r"\(?\s*-?\d{1,2}(?:\.\d+)?°?\s*[,\uff0c]\s*-?\d{1,3}(?:\.\d+)?°?\s*\)?"
_HERE = r"(?:here|me|my\s+place|where\s+i\s+am|my\s+hotel)\b"
_TARGET = rf"(?P<target>{DEGREES}|{_HERE})"

_WORDS = {**ONES, **TENS, "a": 1, "an": 1, "twenty-five": 25, "forty-five": 45}
_SHARES = {"half": 0.5, "quarter": 0.25, "three": 0.75}
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))


def _number(name: str = "number") -> str:
    parts = r"half\s+an?|(?:a\s+)?quarter\s+of\s+an?|three\s+quarters\s+of\s+an?"
    return rf"(?P<{name}>\d+(?:\.\d+)?|(?:{parts}|{_WORD})(?=[\s-]))"


UNITS = {
    "km": 1.0, "kilometre": 1.0, "kilometer": 1.0, "公里": 1.0, "千米": 1.0, "m": 0.001,
    "metre": 0.001, "meter": 0.001, "米": 0.001, "mile": 1.609344, "mi": 1.609344,
}  # fmt: skip
_UNIT = rf"(?P<unit>{'|'.join(sorted(UNITS, key=len, reverse=True))})(?:s\b|\b|(?<=[米里]))"
_AND_HALF = r"(?P<half>\s+and\s+a\s+half)?"
_MOST = (
    r"within|at\s+most|(?:no|not|nothing)\s+(?:(?:more|further|farther)\s+than|over|beyond)|less\s+than|up\s+to|under"
    r"|max(?:imum)?|in|closer\s+than|nearer\s+than"
)
_LEAST = r"at\s+least|(?:no|not)\s+(?:less|nearer|closer)\s+than"
_OVER = r"more\s+than|over|further\s+than|farther\s+than|beyond"
_BOUND = rf"(?:(?P<least>{_LEAST})|(?P<over>{_OVER})|(?P<most>{_MOST}))\s+"
_TAIL = r"(?P<tail>\s+(?:or\s+less|at\s+most|max(?:imum)?|at\s+the\s+most|away))?"
_LINK = rf"(?:\s+(?:of|from|around|to)\s+{_TARGET})?"
_MODES = {
    "walk": "walk", "walking": "walk", "on foot": "walk", "by foot": "walk", "步行": "walk",
    "走路": "walk", "bike": "bike", "cycle": "bike", "cycling": "bike", "bike ride": "bike",
    "by bike": "bike", "ride": "bike", "骑行": "bike", "骑车": "bike", "drive": "drive",
    "driving": "drive", "by car": "drive", "开车": "drive", "驾车": "drive",
}  # fmt: skip
_MODE = f"(?P<mode>{'|'.join(sorted(_MODES, key=len, reverse=True))})"
_TIME = rf"{_number()}[\s-]*(?P<unit>minutes?|mins?|hours?)(?:['\u2019]s?)?{_AND_HALF}"
_CHINESE_NUMBER = r"\d+(?:\.\d+)?|[一二两三四五六七八九十半]{1,3}"
_CHINESE_UNIT = r"(?P<unit>公里|千米|米)"
_CHINESE_TIME = rf"(?P<number>{_CHINESE_NUMBER})个?(?P<unit>分钟|小时|刻钟)"
_UP_TO, _INSIDE = r"\s*(?:不超过|不到|最多)?\s*", r"(?:以内|之内|内)?"
_FROM_POINT = rf"(?:从|距离?|离)(?P<target>{DEGREES})"

_BETWEEN = re.compile(
    rf"\bbetween\s+{_number('low')}\s+and\s+{_number()}\s*{_UNIT}{_TAIL}{_LINK}", re.IGNORECASE
)
_FAR = (
    _BETWEEN,
    re.compile(
        rf"(?:\b{_BOUND})?(?P<radius>\ba?\s*radius\s+of\s+)?\b{_number()}[\s-]*{_UNIT}{_AND_HALF}"
        rf"{_TAIL}{_LINK}(?P<after>\s+at\s+most\b)?",
        re.IGNORECASE,
    ),
    re.compile(rf"{_FROM_POINT}{_UP_TO}(?P<number>{_CHINESE_NUMBER})\s*{_CHINESE_UNIT}{_INSIDE}"),
    re.compile(
        rf"(?P<target>{DEGREES})\s*[，,]?\s*(?:附近|周边|周围){_UP_TO}"
        rf"(?P<number>{_CHINESE_NUMBER})\s*{_CHINESE_UNIT}{_INSIDE}"
    ),
)
_REACHED = (
    re.compile(
        rf"(?:\b{_BOUND})?(?:\ban?\s+)?\b{_TIME}[\s-]+{_MODE}\b(?P<tail>\s+(?:away|at\s+most))?{_LINK}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_MODE}\b(?:\s+(?:to|there|it))?\s+{_BOUND}{_TIME}{_LINK}", re.IGNORECASE),
    re.compile(rf"{_FROM_POINT}\s*{_MODE}{_UP_TO}{_CHINESE_TIME}{_INSIDE}"),
    re.compile(
        rf"{_MODE}{_UP_TO}{_CHINESE_TIME}{_INSIDE}(?:就|能|可以)*到达?(?P<target>{DEGREES})"
    ),
)
_STATED = re.compile(
    r"(?:\b(?:(?:i|we)(?:['\u2019](?:m|re)|\s+(?:am|are))\s+)?(?:now\s+|staying\s+)?"
    r"(?:my\s+\w+\s+is\s+)?(?:at|near|around|close\s+to|by)\s+|我?在)?"
    rf"(?P<target>{DEGREES})(?:附近|周边|周围)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """An amount in km, or minutes by a mode; `low` is None for a bound on one side.

    `point` is where from, None for where the person is. `is_least`: so far at least, `is_strict`:
    the amount itself left out.
    """

    start: int
    end: int
    amount: float
    mode: str
    point: Point | None
    low: float | None = None
    is_least: bool = False
    is_strict: bool = False


def find_distances(text: str) -> Iterator[Said]:
    """Yield distances and times of travel, those without a place only where they are bounds."""
    for patterns, is_reached in ((_REACHED, True), (_FAR, False)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                said = _said(match, is_reached)
                if said is not None:
                    yield said
                    text = text[: said.start] + " " * (said.end - said.start) + text[said.end :]


def _said(match: re.Match[str], is_reached: bool) -> Said | None:
    told = match.groupdict()
    unit, target = told["unit"].casefold(), told.get("target")
    # A length alone may be that of anything.
    is_bound = any(told.get(name) for name in ("most", "least", "over", "tail", "after", "radius"))
    if not target and not (is_reached or is_bound or told.get("low")):
        return None
    scale = _minutes(unit) if is_reached else UNITS[unit]
    low = told.get("low")
    return Said(
        match.start(),
        match.end(),
        round((_amount(told["number"]) + (0.5 if told.get("half") else 0)) * scale, 6),
        _MODES[re.sub(r"\s+", " ", told["mode"].casefold())] if is_reached else "",
        point_of(target or ""),
        None if low is None else round(_amount(low) * scale, 6),
        is_least=bool(told.get("least") or told.get("over")),
        is_strict=bool(told.get("over")),
    )


def _minutes(unit: str) -> float:
    return 60.0 if unit.startswith("hour") or unit == "小时" else 15.0 if unit == "刻钟" else 1.0


def _amount(said: str) -> float:
    if said[0].isdigit():
        return float(said)
    words = said.casefold().split()
    if words[0] in _WORDS and len(words) == 1:
        return _WORDS[words[0]]
    share = next((word for word in words if word in _SHARES), "")
    return _SHARES[share] if share else chinese_number(said)


def chinese_number(said: str) -> float:
    """Return a Chinese number below a hundred, or a half."""
    digits = {digit: number for number, digit in enumerate("一二三四五六七八九", 1)} | {"两": 2}
    if said == "半":
        return 0.5
    tens, ten, ones = said.rpartition("十")
    high = (digits.get(tens, 1) if ten else 0) * 10
    return high + digits.get(ones, 0)


def point_of(target: str) -> Point | None:
    """Return the degrees of a place; None for one in words."""
    numbers = re.findall(r"-?\d+(?:\.\d+)?", target)
    return (float(numbers[0]), float(numbers[1])) if len(numbers) == 2 else None


def stated_points(text: str) -> list[tuple[int, int, Point]]:
    """Return the places that a text names in degrees with decimals, with the words before them."""
    found = [(match, point_of(match["target"])) for match in _STATED.finditer(text)]
    return [
        (match.start(), match.end(), point)
        for match, point in found
        if point is not None and match["target"].count(".") == 2
    ]
