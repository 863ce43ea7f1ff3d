"""Find constraints on numbers and dates in a message."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import column_topics
from .column_choice import Choice, choices, is_calendar_year
from .english import MONTHS
from .extracted import BoundFinding, Finding, Unresolved
from .quantities import Bound, Quantity, Side, bound_of, find_quantities
from .reading import Reading

MAX_QUANTITIES = 300
"""Numbers of one message that are looked at; nobody states more bounds."""

SOFT = 0.1
"""How far from a number `around` reaches, as a share of it."""


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


def number_findings(
    reading: Reading, catalog: CatalogReader, unresolved: list[Unresolved]
) -> Iterator[Finding]:
    """Yield what is said about numeric and date columns; what no column fits is unresolved."""
    quantities = find_quantities(reading)[:MAX_QUANTITIES]
    used: set[int] = set()
    if reading.index.dates:
        for day in list(find_days(reading.text))[:MAX_QUANTITIES]:
            finding = _date_finding(reading, day)
            if finding is not None:
                used.update(range(day.start, day.end))
                yield finding
    for at, quantity in enumerate(quantities):
        if quantity.start in used:
            continue
        floor = quantities[at - 1].end if at else 0
        ceiling = quantities[at + 1].start if at + 1 < len(quantities) else len(reading.text)
        bound = bound_of(reading, quantity, floor, ceiling)
        finding = _finding(reading, quantity, bound, catalog)
        if finding is not None:
            yield finding
        elif _says_something(quantity, bound):
            span = reading.span_at(bound.start, bound.end)
            unresolved.append(Unresolved(span, "no column fits this number"))


def _says_something(quantity: Quantity, bound: Bound) -> bool:
    return not quantity.spelled and (
        bound.side is not None or quantity.currency or quantity.unit is not None
    )


def _finding(
    reading: Reading, quantity: Quantity, bound: Bound, catalog: CatalogReader
) -> BoundFinding | None:
    ranked = choices(reading, quantity, bound, catalog.cost_column)
    if not ranked or (quantity.spelled and not _is_count(reading, quantity, bound)):
        return None
    best = ranked[0]
    profile = reading.index.numeric[best.column]
    op, value = _statement(reading, quantity, bound, best, profile)
    return BoundFinding(
        best.column,
        op,
        value,
        best.score,
        reading.span_at(bound.start, max(bound.end, quantity.end)),
        reading.text[quantity.start : quantity.end],
        tuple((other.column, other.score) for other in ranked[1:4]),
        bound.side == "~",
    )


def _is_count(reading: Reading, quantity: Quantity, bound: Bound) -> bool:
    """Return whether a number in words counts something, unlike the `one` of `this one`."""
    if bound.side is not None or quantity.unit or quantity.currency or quantity.value >= 20:
        return True
    if any(strength >= 0.5 for strength in reading.asked_about.values()):
        return quantity.value != 1 or len(reading.words) <= 3
    after = [n for n in reading.named_near(quantity.first) if 0 < n.first - quantity.last <= 2]
    return bool(after)


def _statement(
    reading: Reading, quantity: Quantity, bound: Bound, best: Choice, profile: ColumnProfile
) -> tuple[str, int | float | tuple[int | float, int | float]]:
    low = _plain(best.low, profile)
    if best.high is not None:
        return "between", (low, _plain(best.high, profile))
    if bound.side == "~":
        if is_calendar_year(profile):
            return "between", (low - 1, low + 1)
        reach = abs(best.low) * SOFT
        return "between", (_plain(best.low - reach, profile), _plain(best.low + reach, profile))
    return _operator(reading, quantity, bound.side, profile), low


def _operator(
    reading: Reading, quantity: Quantity, side: Side | None, profile: ColumnProfile
) -> str:
    """Return the operator said, else the one that the desirable direction of the column means."""
    if side is not None:
        return side
    topics = column_topics(profile.name)
    if is_calendar_year(profile) and not reading.asked_about.get(profile.name):
        return "=="
    if "people" in topics:
        return ">="
    return {"low": "<=", "high": ">="}.get(profile.desirable or "", "==")


def _plain(value: float, profile: ColumnProfile) -> int | float:
    rounded = round(value, 6)
    return int(rounded) if rounded.is_integer() else rounded


def _date_finding(reading: Reading, day: Day) -> BoundFinding | None:
    word = next((at for at, token in enumerate(reading.words) if token.end > day.start), None)
    last = max((at for at, token in enumerate(reading.words) if token.start < day.end), default=0)
    if word is None:
        return None
    column, strength = _date_column(reading, word, bare=day.bare_year)
    if column is None:
        return None
    quantity = Quantity(word, last, day.start, day.end, 0.0)
    bound = bound_of(reading, quantity, 0, len(reading.text))
    op, value = _day_statement(day, bound.side)
    span = reading.span_at(bound.start, max(bound.end, day.end))
    return BoundFinding(column, op, value, strength, span, reading.text[day.start : day.end])


def _date_column(reading: Reading, word: int, *, bare: bool) -> tuple[str | None, float]:
    scored: dict[str, float] = {}
    for column in reading.index.dates:
        named = [
            naming.strength / (1 + 0.05 * abs(naming.first - word))
            for naming in reading.named_near(word)
            if naming.column == column
        ]
        scored[column] = max([*named, reading.asked_about.get(column, 0.0), 0.0])
    column = max(scored, key=lambda name: scored[name])
    if not bare and len(scored) == 1:
        return column, max(scored[column], 0.7)
    needed = 0.6 if bare else 0.45
    return (column, min(1.0, scored[column])) if scored[column] >= needed else (None, 0.0)


def _day_statement(day: Day, side: Side | None) -> tuple[str, str | tuple[str, str]]:
    first, last = day.first.isoformat(), day.last.isoformat()
    if side in (">", "<="):
        return side, last
    if side in (">=", "<"):
        return side, first
    return ("==", first) if day.first == day.last else ("between", (first, last))


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
