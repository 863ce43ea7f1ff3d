"""Dates in a text, as the first and last day they may mean."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from .english import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(
    r"\b(?:(?P<iso>\d{4}-\d{2}-\d{2})"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH})\b\.?,?\s+(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_MONTH})\b\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}})"
    rf"|(?P<m3>{_MONTH})\b\.?,?\s+(?P<y3>\d{{4}})"
    r"|(?P<y4>(?:19|20)\d{2}))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Day:
    """Characters `start` to `end` that mean some day from `first` to `last`."""

    start: int
    end: int
    first: date
    last: date
    bare_year: bool = False


def find_days(text: str) -> Iterator[Day]:
    """Yield the dates of a text: `2026-03-01`, `1 March 2026`, `March 2026`, `2026`."""
    for match in _DATE.finditer(text):
        days = _days(match)
        if days is not None:
            yield Day(match.start(), match.end(), *days, bare_year=match["y4"] is not None)


def _days(match: re.Match[str]) -> tuple[date, date] | None:
    try:
        if match["iso"]:
            day = date.fromisoformat(match["iso"])
            return day, day
        for number in "12":
            if match[f"m{number}"]:
                month = MONTHS[match[f"m{number}"].casefold()]
                day = date(int(match[f"y{number}"]), month, int(match[f"d{number}"]))
                return day, day
        if match["m3"]:
            year, month = int(match["y3"]), MONTHS[match["m3"].casefold()]
            return date(year, month, 1), date(year, month, monthrange(year, month)[1])
        year = int(match["y4"])
        return date(year, 1, 1), date(year, 12, 31)
    except ValueError:
        return None
