"""Times of day after so long: `back at 16:45`, of a departure and a duration."""

from __future__ import annotations

import math

from ...catalogs.json_values import Row
from ..language.units import UNITS, spelling
from ..language.wording import Wording

DAY = 1_440
"""Minutes of a day."""


def minutes_of(wording: Wording, row: Row, column: str) -> float | None:
    """Return the minutes of a time of day after midnight, or of a duration; None for neither."""
    held = row.get(column)
    if isinstance(held, str):
        hours, _, minutes = held.partition(":")
        return 60.0 * int(hours) + int(minutes[:2]) if (hours + minutes[:2]).isdecimal() else None
    kind, size = UNITS.get(spelling(wording.unit(column)), ("", 0.0))
    number = finite(held)
    return None if number is None or kind != "time" else number * size


def finite(held: object) -> float | None:
    """Return a number; None for anything else."""
    if isinstance(held, bool) or not isinstance(held, int | float):
        return None
    number = float(held)
    return number if math.isfinite(number) else None


def clock(minutes: float) -> str:
    """Return minutes after midnight as a time of day: `01:30 the next day`."""
    days, at = divmod(round(minutes), DAY)
    later = "" if not days else " the next day" if days == 1 else f" {days} days later"
    return f"{at // 60:02}:{at % 60:02}{later}"
