"""Months and days of the year that a rule of opening hours is for: `Apr-Sep`, `Dec 24-26`."""

from __future__ import annotations

import re
from datetime import date

Season = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last day, each a month and a day; it may go past the end of the year."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(\d{1,2})(?![\d:])"
_ENGLISH = re.compile(
    rf"\s*{_MONTH}(?:\s*{_DAY})?(?:\s*[-\u2013]\s*(?:{_MONTH})?(?:\s*{_DAY})?)?\s*:?(?=\s|$|[a-z])",
    re.IGNORECASE | re.ASCII,
)
_CHINESE = re.compile(
    r"\s*(\d{1,2})月(?:(\d{1,2})日)?(?:\s*[-\u2013~\uff5e至到]\s*(?:(\d{1,2})月)?(?:(\d{1,2})日)?)?"
    r"\s*[:\uff1a]?",
    re.ASCII,
)


def season_of(rule: str) -> tuple[Season | None, str]:
    """Return the season that a rule begins with, None without one, and what follows.

    Raises `ValueError` for a day that no year has.
    """
    match = _ENGLISH.match(rule) or _CHINESE.match(rule)
    if match is None:
        return None, rule
    month, day, last_month, last_day = (match[group] for group in range(1, 5))
    first = _month(month), int(day) if day else 1
    if last_month is None and last_day is None:
        last = first if day else (first[0], 31)
    else:
        last = _month(last_month or month), int(last_day) if last_day else 31
    for number, each in (first, last):
        if not 1 <= each <= 31 or (each < 31 and number == 2 and each > 29):
            raise ValueError(f"no day {each} of month {number}")
    return (first, last), rule[match.end() :]


def _month(name: str) -> int:
    number = int(name) if name.isdigit() else _MONTHS.index(name.casefold()[:3]) + 1
    if not 1 <= number <= 12:
        raise ValueError(f"no month {number}")
    return number


def is_in(season: Season | None, day: date) -> bool:
    """Return whether a day is in a season; every day is in none."""
    if season is None:
        return True
    (first, last), at = season, (day.month, day.day)
    return first <= at <= last if first <= last else at >= first or at <= last
