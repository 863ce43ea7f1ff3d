"""Days in a text, relative ones too: `3-9 May`, `a week on Tuesday`, `end of next month`, `Q3`.

One pass of a pattern over the text; what begins at a match is read by the pattern that reaches
furthest, and computed from today. Linear in the text.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

from ..language.numbers import ONES, ORDINALS, TENS


def _numbered(names: str, start: int) -> dict[str, int]:
    groups = enumerate(names.split("|"), start=start)
    return {name: number for number, group in groups for name in group.split()}


_MONTHS = _numbered(
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug"
    "|september sep sept|october oct|november nov|december dec",
    1,
)
_DAYS = _numbered(
    "monday mon|tuesday tue tues|wednesday wed|thursday thu thur thurs|friday fri|saturday sat"
    "|sunday sun",
    0,
)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_FEASTS = {
    "christmas eve": 1224, "xmas eve": 1224, "christmas": 1225, "xmas": 1225, "boxing day": 1226,
    "new year's eve": 1231, "new year's day": 101, "new year's": 101, "new year": 101,
    "valentine's day": 214, "halloween": 1031, "easter": 0,
}  # fmt: skip
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty".split()
_ORDINALS = {word: int(value) for word, value in ORDINALS.items()}
_ORDINALS |= {f"{word.removesuffix('y')}{'ie' * word.endswith('y')}th": n for n, word in enumerate(
    _TEENS, 13)} | {"thirtieth": 30}  # fmt: skip
_ORDINALS |= {f"twenty-{word}": 20 + _ORDINALS[word] for word in list(ORDINALS)[:9]}
_ORDINALS["thirty-first"] = 31
_COUNTS = {"a": 1.0, "an": 1.0, "half a": 0.5, "a couple of": 2.0, "couple of": 2.0, "a few": 3.0}
_COUNTS |= {**ONES, **TENS, "another": 1.0}
_LENGTHS = {"day": 1, "week": 7, "fortnight": 14}
_STEPS = {"next": 1, "following": 1, "last": -1, "past": -1, "previous": -1}
_NAMED = {"day after tomorrow": 2, "tomorrow": 1, "yesterday": -1, "day before yesterday": -2}


def _any(words: Iterable[str]) -> str:
    joined = "|".join(sorted(words, key=len, reverse=True))
    return joined.replace("'", "['’]?").replace(" ", r"\s+").replace("-", r"[\s-]")


_WORDS = {
    "ORDINALS": _any(_ORDINALS), "COUNTS": _any(_COUNTS), "WEEKDAYS": _any(_DAYS),
    "MONTHS": _any(_MONTHS), "SEASONS": _any(_SEASONS), "NAMES": _any(_NAMED),
    "FEASTS": _any(_FEASTS),
}  # fmt: skip
"""What a word in capitals in a pattern stands for; the file's own come to it."""


def _patterns() -> Iterator[tuple[str, str]]:
    path = Path(__file__).parents[1] / "language" / "dates.tsv"
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        name, pattern = line.split("\t")
        parts = sorted(_WORDS, key=len, reverse=True)
        pattern = re.sub("|".join(parts), lambda match: _WORDS[match[0]], pattern)
        if name.isupper():
            _WORDS[name] = pattern
        else:
            yield name, pattern


_PATTERNS = dict(_patterns())
_EACH = {
    kind: re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE)
    for kind, pattern in _PATTERNS.items()
}
_ALL = (re.sub(r"\?P<\w+>", "?:", pattern.pattern) for pattern in _EACH.values())
_BEGUN = re.compile("|".join(_ALL), re.IGNORECASE)
DATE_KINDS = tuple(dict.fromkeys(kind.split()[0] for kind in _PATTERNS))
"""Kinds of patterns."""


@dataclass(frozen=True, slots=True)
class Day:
    """Characters `start` to `end` that mean some day from `first` to `last`; `kind` of pattern.

    `point` is the day that bounds are counted from, where that is neither end: the end of May is
    its last third, and before it is before the 31st. Without a year said, it may be another year.
    """

    start: int
    end: int
    first: date
    last: date
    kind: str
    point: date | None = None
    yearless: bool = False

    def near(self, low: date, high: date) -> Day:
        """Return it a year earlier or later where that lies in a range and it does not."""
        if self.yearless and not low <= self.first <= high:
            for years in (-12, 12):
                if low <= _later(self.first, years, "month") <= high:
                    ends = (_later(day, years, "month") for day in (self.first, self.last))
                    moved = replace(self, **dict(zip(("first", "last"), ends, strict=True)))
                    return replace(moved, point=self.point and _later(self.point, years, "month"))
        return self


Ends = tuple[date, date]
Found = re.Match[str]


def find_days(text: str, today: date) -> Iterator[Day]:
    """Yield the dates of a text, then ranges of two; without a year, the next one from today on."""
    singles = list(_singles(text, today))
    yield from singles
    for low, high in pairwise(singles):
        between = text[low.end : high.start]
        if low.kind == high.kind == "weekday" and high.last < low.first:
            high = replace(high, first=high.first + _WEEK, last=high.last + _WEEK)  # noqa: PLW2901
        if len(between) < 20 and _BETWEEN.fullmatch(between) and low.first < high.last:
            yield Day(low.start, high.end, low.first, high.last, "range")
        elif len(between) < 20 and _STAYING.fullmatch(between) and high.kind == "ahead":
            yield Day(low.start, high.end, low.first, low.first + (high.first - today), "range")


_WEEK = timedelta(7)
_BETWEEN = re.compile(r"\s*(?:-|–|to|till?|until|through|and)\s*(?:the\s*)?", re.IGNORECASE)
_STAYING = re.compile(r",?\s+(?:(?:and|we|to|will|stay|staying|are|is)\s+){0,4}", re.IGNORECASE)


def _singles(text: str, today: date) -> Iterator[Day]:
    place = 0
    while begun := _BEGUN.search(text, place):
        place = begun.start() + 1
        for kind, match in _furthest(text, begun.start()):
            try:
                ends = _READERS.get(kind, _of_month)(match, today)
            except (ValueError, OverflowError):
                continue
            said = match.groupdict()
            is_free = kind in ("range", "range of", "dm", "md", "my", "feast", "season", "numeric")
            yearless = is_free and not (said.get("y") or said.get("rel") or said.get("which"))
            part, point = _part(*ends, said.get("part"))
            yield Day(match.start(), match.end(), *part, kind.split()[0], point, yearless)
            place = match.end()
            break


def _furthest(text: str, place: int) -> list[tuple[str, Found]]:
    """Return what the patterns match at a place, the furthest first."""
    tried = ((kind, pattern.match(text, place)) for kind, pattern in _EACH.items())
    return sorted(((k, m) for k, m in tried if m and m.end() > place), key=lambda p: -p[1].end())


def _part(first: date, last: date, part: str | None) -> tuple[Ends, date | None]:
    """Return the third of a period that `early`, `middle of` or `end of` means, and its point."""
    if not part:
        return (first, last), None
    third, word = (last - first) / 3, part.casefold().split()[0]
    if word in ("early", "beginning", "start"):
        return (first, first + third), None if word == "early" else first
    if word in ("late", "end"):
        return (last - third, last), None if word == "late" else last
    middle = first + timedelta(max(0, (last - first).days - 1) // 2)
    return (first + third, last - third), middle


def _later(day: date, count: float, unit: str) -> date:
    """Return the day so many units later; in a shorter month its last."""
    if unit in _LENGTHS:
        return day + timedelta(round(count * _LENGTHS[unit]))
    months = day.year * 12 + day.month - 1 + round(count * (12 if unit == "year" else 1))
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _months(first: date, count: int = 1) -> Ends:
    return first, _later(first, count, "month") - timedelta(1)


def _number(word: str) -> int:
    folded = re.sub(r"[\s-]+", "-", word.casefold())
    return _ORDINALS.get(folded) or int(re.sub(r"\D", "", folded))


def _year(match: Found, today: date) -> int | None:
    """Return the year said, if any."""
    if match["y"]:
        return int(match["y"])
    step = {"this": 0, "next": 1, "last": -1}
    return today.year + step[match["rel"].casefold()] if match["rel"] else None


def _upcoming(month: int, day: int, year: int | None, today: date) -> date:
    """Return a day of the year said, or the next such day from today on."""
    found = date(year or today.year, month, day)
    return found if year or found >= today else date(today.year + 1, month, day)


def _numeric(match: Found, today: date) -> Ends:
    day, month = int(match["d"]), int(match["m"] or match["ma"] or match["mb"])
    day, month = (month, day) if month > 12 else (day, month)
    year = match["y"] or match["ya"] or match["yb"]
    full = int(year) + 2000 * (len(year) == 2) if year else None
    return (_upcoming(month, day, full, today),) * 2


def _iso(match: Found, today: date) -> Ends:
    return (date(int(match["y"]), int(match["m"]), int(match["d"])),) * 2


def _of_month(match: Found, today: date) -> Ends:
    """Read `3 May`, `May 3rd` and `3 to 9 May`."""
    month, year = _MONTHS[match["m"].casefold()], _year(match, today)
    last = _upcoming(month, _number(match["d"]), year, today)
    first = match.groupdict().get("first")
    return (last.replace(day=_number(first)) if first else last), last


def _month(match: Found, today: date) -> Ends:
    word = match["m"]
    bare = match["part"] or match["which"] or match["y"] or match["rel"]
    if word == "may" and not bare and not _DATED.search(match.string[: match.start()][-12:]):
        raise ValueError(word)
    number, year = _MONTHS[word.casefold()], _year(match, today)
    step = -1 if (match["which"] or "").casefold() in ("last", "past") else 0
    gone = number < today.month
    return _months(date(year or today.year + (gone and not step) + step * (not gone), number, 1))


_DATED = re.compile(r"\b(?:in|by|until|till|before|after|from|since|of|during|for|to|than|and|or)\s+$")


def _season(match: Found, today: date) -> Ends:
    which, year = (match["which"] or "").casefold(), _year(match, today)
    month = _SEASONS[match["s"].casefold()]
    if match["s"].casefold() == "fall" and not (which or year):
        raise ValueError(match["s"])
    first = date(year or today.year - 1, month, 1)
    while not year and _months(first, 3)[1] < today:
        first = _later(first, 1, "year")
    step = (first <= today) if which == "next" else -(which in ("last", "past"))
    return _months(_later(first, step, "year"), 3)


def _quarter(match: Found, today: date) -> Ends:
    number = int(match["q"]) if match["q"] else _number(match["w"].replace("last", "fourth"))
    first = date(_year(match, today) or today.year, 3 * number - 2, 1)
    gone = not (match["y"] or match["rel"]) and _months(first, 3)[1] < today
    return _months(_later(first, int(gone), "year"), 3)


def _named(match: Found, today: date) -> Ends:
    words = " ".join(match["named"].casefold().split()).removeprefix("the ")
    return (today + timedelta(_NAMED.get(words, 0)),) * 2


def _weekday(match: Found, today: date) -> Ends:
    """Read `Friday`, the next one; `next Friday`, that of next week; `a week on Friday`."""
    number, which = _DAYS[match["day"].casefold()], (match["which"] or "").casefold()
    ahead = (number - today.weekday()) % 7
    if match["week"] or which == "next":
        step = _STEPS.get((match["week"] or which).casefold(), 0)
        ahead = number - today.weekday() + 7 * step
    elif _STEPS.get(which, 0) < 0:
        ahead = ahead - 7
    weeks = _count(match["n"]) if match["n"] else float(bool(match["tail"]))
    return (today + timedelta(ahead + round(7 * weeks)),) * 2


def _count(word: str) -> float:
    folded = " ".join(word.casefold().split())
    return float(folded) if folded.isdigit() else _COUNTS[folded]


def _period(match: Found, today: date) -> Ends:
    unit = match["unit"].casefold()
    step = _STEPS.get(match["which"].casefold(), 0) + 2 * bool(match["after"])
    monday = today + timedelta(7 * step - today.weekday())
    if unit == "week":
        return monday, monday + timedelta(6)
    if unit == "weekend":
        return monday + timedelta(5), monday + timedelta(6)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = today.replace(day=1, month=(today.month - 1) // size * size + 1)
    return _months(_later(first, step * size, "month"), size)


def _ahead(match: Found, today: date) -> Ends:
    """Read `in two weeks`, one day, and `within two weeks`, all from today to then."""
    count, unit = _count(match["n"]), match["unit"].casefold()
    how, next_ = ((match[name] or "").casefold() for name in ("how", "next"))
    if (match["tail"] or "").casefold().endswith("ago"):
        return (_later(today, -count, unit),) * 2
    if _STEPS.get(next_, 0) < 0:
        return _later(today, -count, unit), today
    then = _later(today, count, unit)
    is_span = how in ("within", "during", "over") or (how in ("in", "") and next_ in _STEPS)
    return (today if is_span else then), then


def _nth(match: Found, today: date) -> Ends:
    day, step = _number(match["d"]), (match["which"] or "").casefold() == "next"
    gone = day < today.day and not match["which"]
    return (_later(today.replace(day=1), step + gone, "month").replace(day=day),) * 2


def _feast(match: Found, today: date) -> Ends:
    folded = re.sub(r"\s+", " ", match["feast"].casefold().replace("’", "'"))
    name = next(n for n in _FEASTS if n.replace("'", "") == folded.replace("'", ""))
    year = _year(match, today)
    if name == "easter":
        found = _easter(year or today.year)
        return (found if year or found >= today else _easter(today.year + 1),) * 2
    return (_upcoming(*divmod(_FEASTS[name], 100), year, today),) * 2


def _easter(year: int) -> date:
    """Return Easter Sunday, from 1900 to 2099, by Gauss."""
    moon = (19 * (year % 19) + 24) % 30
    moon -= moon == 29 or (moon == 28 and year % 19 > 10)
    return date(year, 3, 22) + timedelta(
        moon + (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7
    )


def _whole_year(match: Found, today: date) -> Ends:
    return _months(date(int(match["y"]), 1, 1), 12)


_READERS: dict[str, Callable[[Found, date], Ends]] = {
    "iso": _iso, "numeric": _numeric, "my": _month, "season": _season, "quarter": _quarter,
    "named": _named, "weekday": _weekday, "period": _period, "ahead": _ahead, "nth": _nth,
    "feast": _feast, "year": _whole_year,
}  # fmt: skip
