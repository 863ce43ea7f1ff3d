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
    for found in _DATE.finditer(text):
        days = _days(found)
        if days is not None:
            yield Day(found.start(), found.end(), *days, bare_year=found["y4"] is not None)


def _days(found: re.Match[str]) -> tuple[date, date] | None:
    try:
        if found["iso"]:
            one = date.fromisoformat(found["iso"])
            return one, one
        for number in "12":
            if found[f"m{number}"]:
                month = MONTHS[found[f"m{number}"].casefold()]
                one = date(int(found[f"y{number}"]), month, int(found[f"d{number}"]))
                return one, one
        if found["m3"]:
            year, month = int(found["y3"]), MONTHS[found["m3"].casefold()]
            return date(year, month, 1), date(year, month, monthrange(year, month)[1])
        year = int(found["y4"])
        return date(year, 1, 1), date(year, 12, 31)
    except ValueError:
        return None
