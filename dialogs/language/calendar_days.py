"""Days of the calendar: so many months later, the next such day, a part of a stretch, Easter.

And what the days of the week are called.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

Ends = tuple[date, date]
"""The first and the last day of a stretch."""

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_LENGTHS = {"day": 1, "week": 7, "fortnight": 14}


def week_day(day: date) -> str:
    """Return what the day of the week is called that a day is."""
    return DAYS[day.weekday()]


def once(day: date) -> Ends:
    """Return a stretch of one day."""
    return day, day


def part(first: date, last: date, part: str) -> tuple[Ends, date | None]:
    """Return the third of a period that `early`, `middle of` or `end of` means, and its point."""
    third, word = (last - first) / 3, part.split()[0] if part else ""
    if word in ("early", "beginning", "start"):
        return (first, first + third), None if word == "early" else first
    if word in ("late", "end"):
        return (last - third, last), None if word == "late" else last
    middle = first + timedelta(max(0, (last - first).days - 1) // 2)
    return ((first + third, last - third), middle) if word else ((first, last), None)


def later(day: date, count: float, unit: str) -> date:
    """Return the day so many units later; in a shorter month its last."""
    if unit in _LENGTHS:
        return day + timedelta(round(count * _LENGTHS[unit]))
    total = day.year * 12 + day.month - 1 + round(count * (12 if unit == "year" else 1))
    year, month = divmod(total, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def months(first: date, count: int = 1) -> Ends:
    """Return so many whole months from their first day on."""
    return first, later(first, count, "month") - timedelta(1)


def upcoming(month: int, day: int, year: int | None, today: date) -> date:
    """Return a day of the year said, or the next such day from today on."""
    found = date(year or today.year, month, day)
    return found if year or found >= today else date(today.year + 1, month, day)


def easter(year: int) -> date:
    """Return Easter Sunday, from 1900 to 2099, by Gauss."""
    moon = (19 * (year % 19) + 24) % 30
    moon -= moon == 29 or (moon == 28 and year % 19 > 10)
    ahead = moon + (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7
    return date(year, 3, 22) + timedelta(ahead)
