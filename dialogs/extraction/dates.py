"""Days in a text, relative ones too: `3-9 May`, `a week on Tuesday`, `end of next month`, `Q3`.

One pass of a pattern over the text; what begins at a match is read by the pattern that reaches
furthest, and computed from today. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, timedelta
from itertools import pairwise
from pathlib import Path

from ..language.calendar_days import Ends, easter, later, months, once, part, upcoming

_STEPS = {"next": 1, "following": 1, "last": -1, "past": -1, "previous": -1}
_TABLES: dict[str, dict[str, float]] = {}
"""Words and their numbers by the names of the file's tables: months, feasts, counts …"""


def _patterns() -> Iterator[tuple[str, str]]:
    """Yield kinds and their patterns; words in capitals stand for rows before."""
    path, parts = Path(__file__).parents[1] / "language" / "dates.tsv", dict[str, str]()
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        name, _, row = line.partition("\t")
        if name.endswith("S") and name.isupper():
            numbers = (pair.rpartition("=") for pair in row.split(", "))
            _TABLES[name] = {word: float(number) for word, _, number in numbers}
            row = "|".join(sorted(_TABLES[name], key=len, reverse=True))
            row = row.replace("'", "['’]?").replace(" ", r"\s+").replace("-", r"[\s-]")
        else:
            names = "|".join(sorted(parts, key=len, reverse=True))
            row = re.sub(names, lambda match: parts[match[0]], row)
        if name.isupper():
            parts[name] = row
        else:
            yield name, row


_EACH = {
    kind: re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE) for kind, pattern in _patterns()
}
_ALL = (re.sub(r"\?P<\w+>", "?:", pattern.pattern) for pattern in _EACH.values())
_BEGUN = re.compile("|".join(_ALL), re.IGNORECASE)
DATE_KINDS = tuple(dict.fromkeys(kind.split()[0] for kind in _EACH))
"""Kinds of patterns."""
DAYS_OF_WEEKS = frozenset(
    f"{day}{ending}"
    for day in ("weekday", "weekend", *_TABLES["WEEKDAYS"])
    for ending in ("", "s")
    if day.endswith(("day", "end"))
)
"""Words that tell something of a catalog with dates, even where no day of it is meant."""


@dataclass(frozen=True, slots=True)
class Day:
    """Characters `start` to `end` that mean some day from `first` to `last`; `kind` of pattern.

    `point` is the day that bounds are counted from, where that is neither end: the end of May is
    its last third, and before it is before the 31st. Without a year said, it may be another year.
    `ago` is as long before today as the day is ahead, where neither is said: six months.
    """

    start: int
    end: int
    first: date
    last: date
    kind: str
    point: date | None = None
    yearless: bool = False
    ago: date | None = None

    def moved(self, years: int) -> Day:
        """Return it so many years later."""
        ends = (later(day, years, "year") for day in (self.first, self.last))
        moved = replace(self, **dict(zip(("first", "last"), ends, strict=True)))
        return replace(moved, point=self.point and later(self.point, years, "year"))

    def near(self, low: date, high: date) -> Day:
        """Return it in another year, or ago, where that lies in a range, or nearer to one."""
        if self.ago and self.last > high:
            today = self.ago + (self.last - self.ago) / 2
            if low <= self.ago or high <= today:
                return replace(self, first=self.ago, last=self.ago)
        if not self.yearless or low <= self.first <= high:
            return self

        def distance(shift: int) -> tuple[timedelta, int]:
            day = later(self.first, shift, "year")
            return max(low - day, day - high, timedelta()), abs(shift)

        closest = min(max(self.first.year, low.year), high.year)
        years = range(max(MINYEAR, closest - 1), min(MAXYEAR, closest + 1) + 1)
        shifts = [0, *(year - self.first.year for year in years)]
        return self.moved(min(shifts, key=distance))


Told = dict[str, str]


def find_days(text: str, today: date) -> Iterator[Day]:
    """Yield the dates of a text, then ranges of two; without a year, the next one from today on."""
    singles = _in_their_months(text, list(_singles(text, today)))
    yield from singles
    for low, high in pairwise(singles):
        between = text[low.end : high.start][:20]
        last = high.last
        if low.yearless and (low.first > high.first or not high.yearless):
            years = high.first.year - low.first.year
            low = low.moved(years - (later(low.first, years, "year") > high.first))
        if low.kind == high.kind == "weekday" and last < low.first:
            last += timedelta(7)
        joined = _BETWEEN.fullmatch(between) or (
            low.kind == high.kind == "my"
            and low.last + timedelta(1) == high.first
            and _EITHER.fullmatch(between)
        )
        if joined and low.first < last:
            yearless = low.yearless and high.yearless
            yield Day(low.start, high.end, low.first, last, "range", None, yearless)
        elif high.kind == "ahead" and _STAYING.fullmatch(between):
            yield Day(low.start, high.end, low.first, low.first + (high.first - today), "range")


def _in_their_months(text: str, days: Sequence[Day]) -> list[Day]:
    """Return days of the month alone as those of the month said before: `in May, from the 3rd`.

    Else they are those of the month said right behind them.
    """
    months_said = [day for day in days if day.kind in _OF_MONTHS and _is_in_one_month(day)]
    read: list[Day] = []
    for day in days:
        before = [month for month in months_said if month.end <= day.start]
        behind = [m for m in months_said if 0 <= m.start - day.end < _NEXT]
        alone = day.kind == "nth" and _AT_DAY.search(text, 0, day.start) is not None
        alone &= not text[day.start : day.end].casefold().endswith("month")
        if alone and (of := [*before[-1:], *behind[:1]][:1]):
            try:
                moved = of[0].first.replace(day=day.first.day)
            except ValueError:
                continue  # There is no such day in that month.
            day = replace(day, first=moved, last=moved, kind="dm", yearless=of[0].yearless)
        read.append(day)
    return read


def _is_in_one_month(day: Day) -> bool:
    return (day.first.year, day.first.month) == (day.last.year, day.last.month)


_AT_DAY = re.compile(
    r"\b(?:on|from|by|after|before|until|till?|since|starting|between|and|to|than)\s+\Z",
    re.IGNORECASE,
)
"""Words right before a day of the month: no `the second one`."""

_OF_MONTHS = ("my", "dm", "md")
_NEXT = 6
"""Characters between a day and the month said behind it: `by the 9th, in May`."""

_BETWEEN = re.compile(r"\s*(?:-|–|to|till?|until|through|and)\s*(?:the\s*)?", re.IGNORECASE)
_EITHER = re.compile(r",?\s*(?:or|/)\s*(?:in\s+)?", re.IGNORECASE)
"""Between two months of which either will do: any day of both."""
_STAYING = re.compile(r",?\s+(?:(?:and|we|to|will|stay|staying|are|is)\s+){0,4}", re.IGNORECASE)
_DATED = re.compile(
    r"\b(?:in|by|until|till|before|after|from|since|of|during|for|to|than|and|or)\s+$"
)
_YEARLESS = frozenset("range dm md my feast season numeric".split())


def _singles(text: str, today: date) -> Iterator[Day]:
    place = 0
    while begun := _BEGUN.search(text, place):
        start = place = begun.start()
        tried = [(kind, match) for kind in _EACH if (match := _EACH[kind].match(text, start))]
        for name, match in sorted(tried, key=lambda pair: -pair[1].end()):
            kind = name.split()[0]
            told = {key: _plain(said) for key, said in match.groupdict().items() if said}
            if match[0] == "may" and not _DATED.search(text[max(0, start - 12) : start]):
                continue
            try:
                ends = _READERS.get(kind, _of_month)(told, today)
            except (ValueError, OverflowError):
                continue
            stretch, point = part(*ends, told.get("part", ""))
            yearless = kind in _YEARLESS and not told.keys() & {"y", "rel", "which"}
            yield Day(start, match.end(), *stretch, kind, point, yearless, _ago(kind, told, today))
            place = match.end() - 1
            break
        place += 1


def _ago(kind: str, told: Told, today: date) -> date | None:
    """Return the day that a bare `six months` means of what has been."""
    if kind != "ahead" or told.keys() & {"next", "tail"} or told.get("how") in ("in", "within"):
        return None
    return later(today, -_number(told["n"], "COUNTS"), told["unit"])


def _plain(said: str) -> str:
    return re.sub(r"\s+", " ", said.casefold().replace("’", "'"))


def _number(word: str, table: str = "ORDINALS") -> float:
    """Return the number of a word of a table, or of digits with an ending."""
    known = _TABLES[table].get(word, _TABLES[table].get(word.replace(" ", "-")))
    return float(re.sub(r"\D", "", word)) if known is None else known


def _month_number(told: Told) -> int:
    return int(_TABLES["MONTHS"][told["m"]])


def _year(told: Told, today: date) -> int | None:
    """Return the year said, if any."""
    if "y" in told:
        return int(told["y"])
    return today.year + _STEPS.get(told["rel"], 0) if "rel" in told else None


def _numeric(told: Told, today: date) -> Ends:
    day, month = int(told["d"]), int(next(told[key] for key in ("m", "ma", "mb") if key in told))
    day, month = (month, day) if month > 12 else (day, month)
    year = next((told[key] for key in ("y", "ya", "yb") if key in told), "")
    full = int(year) + 2000 * (len(year) == 2) if year else None
    return once(upcoming(month, day, full, today))


def _iso(told: Told, today: date) -> Ends:
    return once(date(int(told["y"]), int(told["m"]), int(told["d"])))


def _of_month(told: Told, today: date) -> Ends:
    """Read `3 May`, `May 3rd` and `3 to 9 May`; `week of 3 May` is seven days from then on."""
    last = upcoming(_month_number(told), int(_number(told["d"])), _year(told, today), today)
    if "span" in told:
        return last, last + timedelta(6)
    return (last.replace(day=int(_number(told["first"]))) if "first" in told else last), last


def _month(told: Told, today: date) -> Ends:
    number, year = _month_number(told), _year(told, today)
    if not year:
        back = told.get("which") in ("last", "past", "previous")
        year = today.year + (number < today.month) - back
    first, last = months(date(year, number, 1))
    if "unit" not in told:
        return first, last
    length = 7 if told["unit"] == "week" else 15
    if "k" in told:
        length *= int(_number(told["k"], "COUNTS"))
    if told["w"] == "last":
        return last - timedelta(length - 1), last
    start = first + timedelta(length * (int(_number(told["w"])) - 1))
    return start, last if length == 15 and start > first else start + timedelta(length - 1)


def _season(told: Told, today: date) -> Ends:
    which, year = told.get("which", ""), _year(told, today)
    if told["s"] == "fall" and not (which or year):
        raise ValueError(told["s"])
    first = date(year or today.year - 1, int(_TABLES["SEASONS"][told["s"]]), 1)
    while not year and months(first, 3)[1] < today:
        first = later(first, 1, "year")
    step = (first <= today) if which == "next" else min(0, _STEPS.get(which, 0))
    return months(later(first, step, "year"), 3)


def _quarter(told: Told, today: date) -> Ends:
    year = _year(told, today)
    if "half" in told:
        begun = 1 if told["w"] in ("first", "1st") else 7
        return months(date(year or today.year, begun, 1), 6)
    number = int(told["q"]) if "q" in told else 4 if told["w"] == "last" else _number(told["w"])
    first = date(year or today.year, 3 * int(number) - 2, 1)
    return months(later(first, int(not year and months(first, 3)[1] < today), "year"), 3)


def _named(told: Told, today: date) -> Ends:
    away = _TABLES["NAMES"].get(told["named"].removeprefix("the "), 0)
    return once(today + timedelta(away))


def _weekday(told: Told, today: date) -> Ends:
    """Read `Friday`, the next one; `next Friday`, that of next week; `a week on Friday`."""
    ahead = int(_TABLES["WEEKDAYS"][told["day"]]) - today.weekday()
    step = _STEPS.get(told.get("week", told.get("which", "")), 0)
    if "week" not in told and step < 1:
        ahead %= 7
    weeks = _number(told["n"], "COUNTS") if "n" in told else "tail" in told
    return once(today + timedelta(ahead + 7 * step + round(7 * weeks)))


def _period(told: Told, today: date) -> Ends:
    unit, step = told["unit"], _STEPS.get(told["which"], 0) + 2 * ("after" in told)
    if unit in ("week", "weekend"):
        monday = today + timedelta(7 * step - today.weekday())
        return monday + timedelta(5 * (unit == "weekend")), monday + timedelta(6)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = today.replace(day=1, month=(today.month - 1) // size * size + 1)
    return months(later(first, step * size, "month"), size)


def _ahead(told: Told, today: date) -> Ends:
    """Read `in two weeks`, one day, and `within two weeks`, all from today to then."""
    count, unit = _number(told.get("n", "one"), "COUNTS"), told["unit"]
    how, step = told.get("how", ""), _STEPS.get(told.get("next", ""), 0)
    if told.get("tail", "").endswith("ago"):
        return once(later(today, -count, unit))
    if step < 0:
        return later(today, -count, unit), today
    then = later(today, count, unit)
    is_span = how in ("within", "during", "over") or step > 0
    return (today if is_span else then), then


def _nth(told: Told, today: date) -> Ends:
    day, which = int(_number(told["d"])), told.get("which", "")
    step = _STEPS.get(which, 0) if which else int(day < today.day)
    return once(later(today.replace(day=1), step, "month").replace(day=day))


def _feast(told: Told, today: date) -> Ends:
    bare, year = told["feast"].replace("'", ""), _year(told, today)
    found = next(n for name, n in _TABLES["FEASTS"].items() if name.replace("'", "") == bare)
    month, day = divmod(int(found), 100)
    if month > 0:
        return once(upcoming(month, day, year, today))
    first = easter(year or today.year) + timedelta(found)
    return once(first if year or first >= today else easter(today.year + 1) + timedelta(found))


def _years(told: Told, today: date) -> Ends:
    """Read `2019` and `the nineties`."""
    if "decade" in told or "tens" in told:
        first = int(told["tens"]) if "tens" in told else int(_TABLES["DECADES"][told["decade"]])
        return months(date(first + 1900 * (first < 100), 1, 1), 120)
    return months(date(int(told["y"]), 1, 1), 12)


_READERS: dict[str, Callable[[Told, date], Ends]] = {
    "iso": _iso, "numeric": _numeric, "my": _month, "season": _season, "quarter": _quarter,
    "named": _named, "weekday": _weekday, "period": _period, "ahead": _ahead, "nth": _nth,
    "feast": _feast, "year": _years,
}  # fmt: skip
