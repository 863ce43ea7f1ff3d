"""Times of day, and days, after so long: `back at 16:45`, of a departure and a duration."""

from __future__ import annotations

import math
from datetime import date, datetime

from ...catalogs.json_values import Row
from ...catalogs.query.schema import name_words
from ..language.calendar_days import week_day
from ..language.units import UNITS, spelling
from ..language.wording import Wording

DAY = 1_440
"""Minutes of a day."""

LAST_DAY = date.max.toordinal()
FIRST_DAY = date(1000, 1, 1).toordinal()
"""Days from which on a number is no time after midnight."""


def minutes_of(wording: Wording, row: Row, column: str) -> float | None:
    """Return the minutes of a time of day after midnight, or of a duration; None for neither.

    Of a day those since the calendar's first.
    """
    held = row.get(column)
    if isinstance(held, date):
        at = held.hour * 60 + held.minute if isinstance(held, datetime) else 0
        return float(DAY * held.toordinal() + at)
    if isinstance(held, str):
        hours, _, minutes = held.partition(":")
        return 60.0 * int(hours) + int(minutes[:2]) if (hours + minutes[:2]).isdecimal() else None
    named = (wording.unit(column), *reversed(name_words(column)))
    found = (UNITS.get(spelling(word), ("", 0.0)) for word in named)
    kind, size = next((each for each in found if each[0] == "time"), ("", 0.0))
    number = finite(held)
    return None if number is None or kind != "time" else number * size


def finite(held: object) -> float | None:
    """Return a number; None for anything else."""
    if isinstance(held, bool) or not isinstance(held, int | float):
        return None
    number = float(held)
    return number if math.isfinite(number) else None


def moment(minutes: float) -> str:
    """Return minutes after midnight as a time of day, or as a day: `01:30 the next day`."""
    if FIRST_DAY * DAY <= minutes <= LAST_DAY * DAY:
        day, at = date.fromordinal(int(minutes // DAY)), round(minutes % DAY)
        clock = f" {at // 60:02}:{at % 60:02}" if at else ""
        return f"{day.isoformat()}{clock} ({week_day(day)})"
    days, at = divmod(round(minutes), DAY)
    named = {0: "", 1: " the next day", -1: " the day before"}
    later = named.get(days, f" {abs(days)} days {'later' if days > 0 else 'earlier'}")
    return f"{at // 60:02}:{at % 60:02}{later}"
