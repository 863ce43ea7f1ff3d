"""Dates and times in a text, relative ones too: `1 March`, `next Friday`, `in two weeks`, `5 pm`.

One pass of a pattern over the text; each match is computed from today.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from ..language.numbers import ONES, ORDINALS

_MONTH_NAMES = (
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug"
    "|september sep sept|october oct|november nov|december dec"
)
_DAY_NAMES = (
    "monday mon|tuesday tue tues|wednesday wed|thursday thu thurs|friday fri|saturday sat"
    "|sunday sun"
)


def _numbered(names: str, start: int) -> dict[str, int]:
    groups = enumerate(names.split("|"), start=start)
    return {name: number for number, group in groups for name in group.split()}


MONTHS = _numbered(_MONTH_NAMES, 1)
DAYS = _numbered(_DAY_NAMES, 0)

_FEASTS = {"christmas eve": 1224, "christmas": 1225, "new year's eve": 1231, "new year": 101}


def _any(words: dict[str, int] | dict[str, float]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{_any(ORDINALS)})"
_COUNT = rf"(?:\d{{1,3}}|an?|{_any(ONES)})"
_DATE = re.compile(
    r"\b(?:"
    r"(?P<iso>(?P<y0>\d{4})-(?P<m0>\d{1,2})-(?P<d0>\d{1,2}))"
    r"|(?P<us>(?P<m5>\d{1,2})/(?P<d5>\d{1,2})(?:/(?P<y5>\d{4}))?)"
    r"|(?P<eu>(?P<d6>\d{1,2})\.(?P<m6>\d{1,2})\.(?P<y6>\d{4}))"
    rf"|(?P<dm>(?:the\s+)?(?P<d1>\d{{1,2}}|{_ORDINAL})\s+(?:of\s+)?(?P<m1>{_any(MONTHS)})\b\.?"
    r"(?:,?\s+(?P<y1>\d{4}))?)"
    rf"|(?P<md>(?P<m2>{_any(MONTHS)})\.?\s+(?:the\s+)?(?P<d2>{_ORDINAL}|\d{{1,2}})\b"
    r"(?:,?\s+(?P<y2>\d{4}))?)"
    rf"|(?P<my>(?:(?P<part3>early|mid|late|beginning\s+of|start\s+of|middle\s+of|end\s+of)[\s-]+)?"
    rf"(?P<m3>{_any(MONTHS)})\b(?:\.?,?\s+(?P<y3>\d{{4}}))?)"
    r"|(?P<named>(?:the\s+)?day\s+after\s+tomorrow|today|tonight|tomorrow|yesterday|right\s+now)"
    rf"|(?P<weekday>(?:(?P<which>next|this|coming)\s+)?(?P<day>{_any(DAYS)}))"
    r"|(?P<period>(?:(?P<part4>beginning|start|middle|end)\s+of\s+)?(?P<when>next|this|coming|the)\s+"
    r"(?P<unit4>week|weekend|month|year))"
    rf"|(?P<ahead>(?:(?:in|within|for)\s+)?(?:the\s+next\s+|another\s+)?(?P<count>{_COUNT})"
    r"(?:\s+more)?\s+(?P<unit>day|week|month|year)s?)"
    rf"|(?P<feast>{_any(_FEASTS)})"
    rf"|(?P<nth>the\s+(?P<d7>{_ORDINAL}))"
    r"|(?P<year>(?:19|20)\d{2})"
    r")\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(?:(?P<h>[01]?\d|2[0-3])(?:[:.](?P<m>[0-5]\d))?\s*(?P<half>[ap])\.?\s?m\b\.?"
    r"|(?P<h2>[01]?\d|2[0-3])(?::|h)(?P<m2>[0-5]\d)?\b"
    rf"|(?P<past>half|quarter)\s+(?P<to>past|to)\s+(?P<h3>\d{{1,2}}|{_any(ONES)})"
    r"(?:\s*(?:(?P<half3>[ap])\.?\s?m\b|in\s+the\s+(?P<part>morning|afternoon|evening)))?"
    rf"|(?P<h4>\d{{1,2}}|{_any(ONES)})\s*(?:o['’]clock)?\s*(?:in\s+the|at)\s+"
    r"(?P<part4>morning|afternoon|evening|night)"
    rf"|(?P<h5>\d{{1,2}}|{_any(ONES)})\s*o['’]clock"
    r"|(?P<noon>noon|midday|midnight))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Day:
    """Characters `start` to `end` that mean some day from `first` to `last`; `kind` of pattern."""

    start: int
    end: int
    first: date
    last: date
    kind: str


@dataclass(frozen=True, slots=True)
class Clock:
    """Characters `start` to `end` that mean a time, in minutes after midnight, likeliest first."""

    start: int
    end: int
    minutes: tuple[int, ...]


def find_days(text: str, today: date) -> Iterator[Day]:
    """Yield the dates of a text; without a year, the next one from today on."""
    for match in _DATE.finditer(text):
        kind = next(name for name in _KINDS if match[name])
        try:
            first, last = _KINDS[kind](match, today)
        except (ValueError, OverflowError):
            continue
        yield Day(match.start(), match.end(), first, last, kind)


def _day_of(match: re.Match[str], today: date) -> tuple[date, date]:
    group = next(n for n in "01256" if match[f"d{n}"])
    month = match[f"m{group}"].casefold()
    number = MONTHS.get(month) or int(month)
    day, year = _ordinal(match[f"d{group}"]), match[f"y{group}"]
    if number > 12:
        number, day = day, number
    return _once(date(int(year), number, day)) if year else _next(number, day, today)


def _once(day: date) -> tuple[date, date]:
    return day, day


def _ordinal(word: str) -> int:
    folded = word.casefold()
    return int(ORDINALS[folded]) if folded in ORDINALS else int(re.sub(r"\D", "", folded))


def _month_of(match: re.Match[str], today: date) -> tuple[date, date]:
    number = MONTHS[match["m3"].casefold()]
    year = int(match["y3"]) if match["y3"] else today.year + (number < today.month)
    return _part(*_whole_month(year, number), match["part3"])


def _whole_month(year: int, month: int) -> tuple[date, date]:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _part(first: date, last: date, part: str | None) -> tuple[date, date]:
    """Return the third of a period that `early`, `middle of` or `end of` means."""
    if not part:
        return first, last
    third = (last - first) / 3
    word = part.casefold().split()[0]
    if word in ("early", "beginning", "start"):
        return first, first + third
    return (last - third, last) if word in ("late", "end") else (first + third, last - third)


def _named(match: re.Match[str], today: date) -> tuple[date, date]:
    words = " ".join(match["named"].casefold().split()).removeprefix("the ")
    away = {"day after tomorrow": 2, "tomorrow": 1, "yesterday": -1}.get(words, 0)
    return _once(today + timedelta(away))


def _weekday(match: re.Match[str], today: date) -> tuple[date, date]:
    ahead = (DAYS[match["day"].casefold()] - today.weekday()) % 7
    if (match["which"] or "").casefold() == "next":
        ahead = ahead or 7
    return _once(today + timedelta(ahead))


def _period(match: re.Match[str], today: date) -> tuple[date, date]:
    unit, step = match["unit4"].casefold(), match["when"].casefold() == "next"
    monday = today - timedelta(today.weekday())
    if unit == "week":
        first = monday + timedelta(7 * step)
        span = first, first + timedelta(6)
    elif unit == "weekend":
        first = monday + timedelta(5 + 7 * step)
        span = first, first + timedelta(1)
    elif unit == "month":
        span = _whole_month(today.year, today.month + step)
    else:
        span = date(today.year + step, 1, 1), date(today.year + step, 12, 31)
    return _part(*span, match["part4"])


def _ahead(match: re.Match[str], today: date) -> tuple[date, date]:
    word = match["count"].casefold()
    count = int(word) if word.isdigit() else ONES.get(word, 1)
    unit = match["unit"].casefold()
    if unit in ("day", "week"):
        return _once(today + timedelta(count * (7 if unit == "week" else 1)))
    _, last = _whole_month(today.year, today.month + count * (12 if unit == "year" else 1))
    return _once(last.replace(day=min(today.day, last.day)))


def _feast(match: re.Match[str], today: date) -> tuple[date, date]:
    month, day = divmod(_FEASTS[match["feast"].casefold()], 100)
    return _next(month, day, today)


def _next(month: int, day: int, today: date) -> tuple[date, date]:
    """Return the next such day from today on."""
    found = date(today.year, month, day)
    return _once(found if found >= today else date(today.year + 1, month, day))


def _nth(match: re.Match[str], today: date) -> tuple[date, date]:
    day = _ordinal(match["d7"])
    first, last = _whole_month(today.year, today.month + (day < today.day))
    if day > last.day:
        raise ValueError(day)
    return _once(first.replace(day=day))


def _year(match: re.Match[str], today: date) -> tuple[date, date]:
    return date(int(match["year"]), 1, 1), date(int(match["year"]), 12, 31)


_KINDS = dict.fromkeys(("iso", "us", "eu", "dm", "md"), _day_of) | {
    "my": _month_of,
    "named": _named,
    "weekday": _weekday,
    "period": _period,
    "ahead": _ahead,
    "feast": _feast,
    "nth": _nth,
    "year": _year,
}


def find_clocks(text: str) -> Iterator[Clock]:
    """Yield the times of a text; where morning or evening is not said, both."""
    for match in _CLOCK.finditer(text):
        if match["noon"]:
            minutes = (0 if match["noon"].casefold() == "midnight" else 720,)
        else:
            minutes = _minutes(match)
        if minutes:
            yield Clock(match.start(), match.end(), minutes)


def _minutes(match: re.Match[str]) -> tuple[int, ...]:
    said = next(match[name] for name in ("h", "h2", "h3", "h4", "h5") if match[name]).casefold()
    hour = int(said) if said.isdigit() else ONES[said]
    minute = int(match["m"] or match["m2"] or 0)
    half = (match["half"] or match["half3"] or "").casefold()
    part = (match["part"] or match["part4"] or "").casefold()
    half = half or {"morning": "a", "": ""}.get(part, "p")
    if match["past"]:
        minute = 30 if match["past"].casefold() == "half" else 15
        if match["to"].casefold() == "to":
            hour, minute = hour - 1, 60 - minute
    if hour > 23:
        return ()
    if half:
        return ((hour % 12 + 12 * (half == "p")) * 60 + minute,)
    plain = hour * 60 + minute
    return (plain, plain + 720) if 0 < hour < 12 and not match["h2"] else (plain,)
