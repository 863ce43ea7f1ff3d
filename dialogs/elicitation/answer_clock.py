"""Times of the clock as parts of the day: `0600`, `9:30 pm`, `14h`, `10 o'clock`.

For entries whose choices name parts of the day. One pass over the text; times in different parts
are vague, and so is what says no more than a number (`2000`, `2:30`).
"""

from __future__ import annotations

import re

from .schema import Entry

_TIME = re.compile(
    r"\b(?:(?P<military>0\d(?=\d\d\b)|[12]\d(?=\d\d\s?h))[0-5]\d(?:\s?(?:h|hrs|hours))?"
    r"|(?P<hour>[01]?\d|2[0-4])(?:[:.][0-5]\d)?\s?(?P<half>a\.?m|p\.?m|o['’]clock|h\b|hrs\b)"
    r"|(?P<written>0\d|[6-9]|1\d|2[0-3]):[0-5]\d)(?!\w)",
    re.IGNORECASE,
)
_PARTS = {"morning": (4, 12), "afternoon": (12, 18), "red-eye": (20, 28)}
"""Hours of the day; those behind midnight count on from 24."""


def time_of_day(entry: Entry, text: str) -> tuple[str, int, int] | None:
    """Return the choice, and the characters of the first time that lies in it; None if several."""
    parts = {part: hours for part, hours in _PARTS.items() if part in entry.choices}
    found: dict[str, tuple[str, int, int]] = {}
    for said in _TIME.finditer(text) if len(parts) > 1 else ():
        hour = _hour(said)
        for part, (low, high) in parts.items():
            if low <= hour < high or low <= hour + 24 < high:
                found.setdefault(part, (part, said.start(), said.end()))
    return next(iter(found.values())) if len(found) == 1 else None


def _hour(said: re.Match[str]) -> int:
    """Return the hour from 0 to 23; a bare `2 o'clock` is one of the day."""
    hour = int(said["military"] or said["hour"] or said["written"]) % 24
    half = (said["half"] or "").casefold()[:1]
    if half == "p" and hour < 12:
        return hour + 12
    if half == "a" and hour == 12:
        return 0
    return hour + 12 if half in ("o", "’", "'") and 0 < hour < 6 else hour
