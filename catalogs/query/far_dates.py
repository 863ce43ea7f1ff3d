"""Days and moments outside the years 1 to 9999, which Python's own have no room for.

DuckDB gives them as text, `0044-03-15 (BC)` and `20000-01-01 12:30:00.5`, and reads the same text.
The calendar repeats every 400 years, so they are Python's days some cycles away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time

CYCLE_YEARS = 400
CYCLE_DAYS = 146_097
"""What a cycle of the Gregorian calendar has of each."""

FIRST = date(2000, 1, 1)
"""The first day of the cycle that others are compared with."""

EPOCH = date(1970, 1, 1)
_FORM = re.compile(r"(\d{4,7})-(\d\d-\d\d)( \(BC\))?(?:[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?))?", re.A)


@dataclass(frozen=True, order=True, slots=True)
class FarMoment:
    """A day, or a moment in UTC, by its microseconds since 1970, and as DuckDB writes it."""

    microseconds: int
    text: str

    @property
    def seconds(self) -> float:
        """The moment in seconds since 1970, as dates are on the scale of numbers."""
        return self.microseconds / 1e6

    @property
    def literal(self) -> str:
        """The moment as a SQL literal."""
        return f"{'TIMESTAMP' if ':' in self.text else 'DATE'} '{self.text}'"


def far_moment(text: str) -> FarMoment | None:
    """Return the day or moment that DuckDB writes so.

    None for one that Python's types hold, and for one that there is not.
    """
    match = _FORM.fullmatch(text)
    if match is None or (len(match[1]) == len("9999") and not match[3]):
        return None
    year = 1 - int(match[1]) if match[3] else int(match[1])
    cycles, rest = divmod(year - FIRST.year, CYCLE_YEARS)
    try:
        day = date.fromisoformat(f"{FIRST.year + rest}-{match[2]}")
        clock = time.fromisoformat(match[4] or "00:00:00")
    except ValueError:
        return None
    days = (day - EPOCH).days + cycles * CYCLE_DAYS
    seconds = (days * 24 + clock.hour) * 3_600 + clock.minute * 60 + clock.second
    return FarMoment(seconds * 1_000_000 + clock.microsecond, text.replace("T", " "))


def day_text(days: int) -> str:
    """Return a day, counted from 1970, as DuckDB writes it."""
    cycles, rest = divmod(days - (FIRST - EPOCH).days, CYCLE_DAYS)
    day = date.fromordinal(FIRST.toordinal() + rest)
    year = day.year + cycles * CYCLE_YEARS
    return f"{year:04}{day:-%m-%d}" if year > 0 else f"{1 - year:04}{day:-%m-%d} (BC)"
