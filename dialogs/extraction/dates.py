"""Dates and times in a text, relative ones too: `1 March`, `next Friday`, `in two weeks`, `5 pm`.

One pass of a pattern over the text; each match is computed from today. The patterns are in
`language/dates.tsv`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from ..language.numbers import ONES, ORDINALS

_MONTHS = (
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug"
    "|september sep sept|october oct|november nov|december dec"
)
_DAYS = (
    "monday mon|tuesday tue tues|wednesday wed|thursday thu thurs|friday fri|saturday sat"
    "|sunday sun"
)
MONTHS, DAYS = (
    {name: at for at, group in enumerate(names.split("|"), start=start) for name in group.split()}
    for names, start in ((_MONTHS, 1), (_DAYS, 0))
)
_FEASTS = {"christmas eve": 1224, "christmas": 1225, "new year's eve": 1231, "new year": 101}


def _any(*words: str) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_WORDS = {
    "MONTH": _any(*MONTHS),
    "DAY": _any(*DAYS),
    "NTH": rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{_any(*ORDINALS)})",
    "COUNT": rf"(?:\d{{1,3}}|an?|{_any(*ONES)})",
    "FEAST": _any(*_FEASTS),
}


def _patterns() -> Iterator[tuple[str, str]]:
    path = Path(__file__).parents[1] / "language" / "dates.tsv"
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        kind, pattern = line.split("\t")
        yield kind, re.sub("[A-Z]{3,}", lambda match: _WORDS[match[0]], pattern)


_KINDS = dict(_patterns())
DATE_KINDS = tuple(_KINDS)
_EACH = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}
_ALL = (f"(?P<{kind}>{re.sub('P<[a-z]+>', ':', pattern)})" for kind, pattern in _KINDS.items())
_DATE = re.compile(rf"\b(?:{'|'.join(_ALL)})\b", re.IGNORECASE)
_PARTS = "morning|afternoon|evening|night"
_CLOCK = re.compile(
    rf"\b(?:(?P<h>[01]?\d|2[0-3]|{_any(*ONES)})(?:[:.](?P<m>[0-5]\d))?\s*(?P<half>[ap])\.?\s?m\b\.?"
    rf"|(?P<h2>[01]?\d|2[0-3])(?::|h)(?P<m2>[0-5]\d)?\b(?:\s+in\s+the\s+(?P<part2>{_PARTS}))?"
    rf"|(?P<part6>{_PARTS})\s+(?P<h6>[01]?\d|2[0-3])(?::(?P<m6>[0-5]\d))?\b"
    rf"|(?P<past>half|quarter)\s+(?P<to>past|to)\s+(?P<h3>\d{{1,2}}|{_any(*ONES)})"
    rf"(?:\s*(?:(?P<half3>[ap])\.?\s?m\b|in\s+the\s+(?P<part>{_PARTS})))?"
    rf"|(?P<h4>\d{{1,2}}|{_any(*ONES)})\s*(?:o['’\"]?\s?clock)?\s*(?:in\s+the|at)\s+"
    rf"(?P<part4>{_PARTS})"
    rf"|(?P<h5>\d{{1,2}}|{_any(*ONES)})\s*o['’\"]?\s?clock"
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


def find_days(text: str, today: date) -> Iterator[Day]:
    """Yield the dates of a text; without a year, the next one from today on."""
    for match in _DATE.finditer(text):
        kind = next(kind for kind in _KINDS if match[kind])
        exact = _EACH[kind].match(text, match.start(), match.end())
        try:
            first, last = _span(kind, exact.groupdict() if exact else {}, today)
        except (ValueError, OverflowError):
            continue
        yield Day(match.start(), match.end(), first, last, kind)


def _span(kind: str, said: dict[str, str | None], today: date) -> tuple[date, date]:
    """Return the first and last day that a pattern's parts mean; raise `ValueError` for none."""
    told = {name: part.casefold() for name, part in said.items() if part}
    if kind in ("my", "period", "year"):
        return _part(*_stretch(kind, told, today), told.get("part", ""))
    if kind == "named":
        day = today + timedelta({"far": 2, "near": 1, "past": -1}.get(next(iter(told), ""), 0))
    elif kind == "weekday":
        ahead = DAYS[told["day"]] - today.weekday()
        if "week" in told:
            day = today + timedelta(ahead + 7 * (told["week"] == "next"))
        else:
            day = today + timedelta(ahead % 7 or 7 * (told.get("which") == "next"))
    elif kind == "ahead":
        count = int(told["count"]) if told["count"].isdigit() else ONES.get(told["count"], 1)
        day = _later(today, count, told["unit"])
    elif kind == "nth":
        number = _ordinal(told.get("d") or told["bare"])
        later = told["which"] == "next" if "which" in told else number < today.day
        day = _month(today.year, today.month + later)[0].replace(day=number)
    elif kind == "feast":
        day = _next(*divmod(_FEASTS[told["feast"]], 100), today)
    else:
        month, number = MONTHS.get(told["m"]) or int(told["m"]), _ordinal(told["d"])
        month, number = (number, month) if month > 12 else (month, number)
        day = date(int(told["y"]), month, number) if "y" in told else _next(month, number, today)
    return day, day


def _stretch(kind: str, told: dict[str, str], today: date) -> tuple[date, date]:
    if kind == "my":
        month = MONTHS[told["m"]]
        return _month(int(told.get("y") or today.year + (month < today.month)), month)
    if kind == "year":
        return date(int(told["y"]), 1, 1), date(int(told["y"]), 12, 31)
    step, monday = told["which"] == "next", today - timedelta(today.weekday())
    if told["unit"] in ("week", "weekend"):
        first = monday + timedelta(7 * step + (5 if told["unit"] == "weekend" else 0))
        return first, monday + timedelta(7 * step + 6)
    if told["unit"] == "month":
        return _month(today.year, today.month + step)
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31)


def _later(today: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return today + timedelta(count * (7 if unit == "week" else 1))
    last = _month(today.year, today.month + count * (12 if unit == "year" else 1))[1]
    return last.replace(day=min(today.day, last.day))


def _next(month: int, day: int, today: date) -> date:
    """Return the next such day from today on."""
    found = date(today.year, month, day)
    return found if found >= today else date(today.year + 1, month, day)


def _ordinal(word: str) -> int:
    return int(ORDINALS[word]) if word in ORDINALS else int(re.sub(r"\D", "", word))


def _month(year: int, month: int) -> tuple[date, date]:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _part(first: date, last: date, part: str) -> tuple[date, date]:
    """Return the third of a period that `early`, `middle of` or `end of` means."""
    third, word = (last - first) / 3, part.split()[0] if part else ""
    if word in ("early", "beginning", "start"):
        return first, first + third
    if word in ("late", "end"):
        return last - third, last
    return (first + third, last - third) if word else (first, last)


def find_clocks(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the times of a text: where they stand, and minutes after midnight.

    Where morning or evening is not said, both are there.
    """
    for match in _CLOCK.finditer(text):
        if match["noon"]:
            yield *match.span(), (0 if match["noon"].casefold() == "midnight" else 720,)
        elif minutes := _minutes(match):
            yield *match.span(), minutes


def _minutes(match: re.Match[str]) -> tuple[int, ...]:
    said = next(
        match[name] for name in ("h", "h2", "h3", "h4", "h5", "h6") if match[name]
    ).casefold()
    hour = int(said) if said.isdigit() else ONES[said]
    minute = int(match["m"] or match["m2"] or match["m6"] or 0)
    part = match["part"] or match["part2"] or match["part4"] or match["part6"] or ""
    part = part.casefold()
    half = (match["half"] or match["half3"] or {"morning": "a", "": ""}.get(part, "p")).casefold()
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
