"""Days of the week that a cell holds: `Sat`, `Mon, Wed`, `Mon-Fri`, `every day`, `weekends`.

One pass over the words of a cell.
"""

from __future__ import annotations

import re

from ..language.calendar_days import DAYS
from .clocks import DAYTIMES

WEEK = tuple(day.casefold() for day in DAYS)
WEEKDAYS, WEEKEND = frozenset(WEEK[:5]), frozenset(WEEK[5:])

_DAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)(?:s|rs?|s?day|nesday|rsday|urday)?s?")
_WORD = re.compile(r"[^\W_]+|[-–—]")
_SEVERAL = {"weekday": WEEKDAYS, "weekend": WEEKEND, "daily": frozenset(WEEK)}
_BETWEEN = frozenset("- – — to till until through".split())
_BESIDE = _BETWEEN | DAYTIMES | {"and", "or", "on", "only"}


def days_of(cell: str) -> frozenset[str]:
    """Return the days of the week that a cell holds; none where it says anything else."""
    text = re.sub(r"\b(?:every day|all week|(?:7|seven) days)\b", "daily", cell.casefold())
    days, last, spans = set[str](), None, False
    for word in _WORD.findall(text):
        if (match := _DAY.fullmatch(word)) is not None:
            day = next(at for at, name in enumerate(WEEK) if name.startswith(match[1]))
            first = last if spans and last is not None else day
            days |= {WEEK[at % 7] for at in range(first, day + 1 + 7 * (first > day))}
            last = day
        elif word.removesuffix("s") in _SEVERAL:
            days |= _SEVERAL[word.removesuffix("s")]
        elif word not in _BESIDE:
            return frozenset()
        spans = word in _BETWEEN
    return frozenset(days)
