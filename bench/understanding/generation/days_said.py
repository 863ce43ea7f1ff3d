"""Days as people say them from today: `in ten days`, `a week on Friday`, `the end of next month`.

What is said may be a stretch of days; then a bound counts from one of its days.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from .amounts import number_words, say_date

ABSOLUTE = 0.45
"""How often a day is said by its date."""


@dataclass(frozen=True, slots=True)
class SaidDay:
    """Words for some day from `first` to `last`; `when` stands before them in `we arrive …`.

    Bounds count from `point` where that is neither end: before the end of May is before the 31st.
    """

    words: str
    when: str
    first: date
    last: date
    point: date | None = None

    def bound(self, op: str) -> date:
        """Return the day that a bound with an operator means."""
        return self.point or (self.last if op in (">", "<=") else self.first)


def say_day(
    day: date, today: date, random: Random, *, voice: bool = False, bare: bool = False
) -> SaidDay:
    """Return words for a day or for one near it; `bare`, such as fit behind `by` or `after`."""
    if random.random() >= ABSOLUTE:
        fitting = [made for made in _WAYS if made is not _feast or random.random() < 0.3]
        for way in random.sample(fitting, len(fitting)):
            found = way(day, today, random)
            if found is not None and not (bare and found.words.startswith(("in ", "within "))):
                return found
    return SaidDay(say_date(day, today, random, voice=voice), "on ", day, day)


def _one(words: str, when: str, day: date) -> SaidDay:
    return SaidDay(words, when, day, day)


def _count(number: int, random: Random) -> str:
    return number_words(number) if random.random() < 0.5 and number < 20 else str(number)


def _near(day: date, today: date, random: Random) -> SaidDay | None:
    ahead = (day - today).days
    names = {-1: ["yesterday"], 0: ["today", "tonight", "now"], 1: ["tomorrow"]}
    names[2] = ["the day after tomorrow"]
    return _one(random.choice(names[ahead]), "", day) if ahead in names else None


def _in_days(day: date, today: date, random: Random) -> SaidDay | None:
    ahead = (day - today).days
    if not 3 <= abs(ahead) <= 21:
        return None
    count = _count(abs(ahead), random)
    if ahead < 0:
        return _one(f"{count} days ago", "", day)
    forms = (f"in {count} days", f"{count} days from now", f"in {count} days' time")
    return _one(random.choice(forms), "", day)


def _in_weeks(day: date, today: date, random: Random) -> SaidDay | None:
    weeks = round((day - today).days / 7)
    if not 1 <= abs(weeks) <= 9:
        return None
    unit = "week" if abs(weeks) == 1 else "weeks"
    many = "a" if abs(weeks) == 1 else _count(abs(weeks), random)
    if abs(weeks) == 2 and random.random() < 0.3:
        many, unit = random.choice((("a", "fortnight"), ("a couple of", "weeks")))
    then = today + timedelta(7 * weeks)
    if weeks < 0 and random.random() < 0.5:
        how = random.choice(("in the last {}", "in the past {}", "within the last {}"))
        return SaidDay(how.format(f"{many} {unit}"), "", then, today)
    if weeks < 0:
        return _one(f"{many} {unit} ago", "", then)
    if random.random() < 0.3:
        how = random.choice(("within the next {}", "in the next {}", "within {}"))
        return SaidDay(how.format(f"{many} {unit}"), "", today, then)
    return _one(random.choice((f"in {many} {unit}", f"{many} {unit} from now")), "", then)


def _in_months(day: date, today: date, random: Random) -> SaidDay | None:
    months = (day.year - today.year) * 12 + day.month - today.month
    if not 1 <= months <= 12:
        return None
    words, then = span_words(months, random), months_later(today, months)
    if random.random() < 0.3:
        return SaidDay(random.choice(("within the next ", "within ")) + words, "", today, then)
    return _one(f"in {words}", "", then)


def span_words(months: int, random: Random) -> str:
    """Return an amount of time in words: `six months`, `half a year`."""
    special = {6: ["half a year"], 12: ["a year", "one year", "12 months"], 24: ["two years"]}
    if months in special and random.random() < 0.6:
        return random.choice(special[months])
    return f"{_count(months, random)} month{'s' * (months > 1)}"


def months_later(day: date, months: int) -> date:
    """Return the same day so many months later, in a shorter month its last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _weekday(day: date, today: date, random: Random) -> SaidDay | None:
    ahead = (day - today).days
    monday = today - timedelta(today.weekday())
    if 1 <= ahead <= 6:
        forms = [(f"{day:%A}", "on "), (f"this {day:%A}", ""), (f"this coming {day:%A}", "")]
        if day >= monday + timedelta(7):
            forms.append((f"next {day:%A}", ""))
        words, when = random.choice(forms[:2] + forms[3:])
        return _one(words, when, day)
    if 7 < ahead <= 13:
        forms = [f"a week on {day:%A}", f"{day:%A} week", f"a week from {day:%A}"]
        if monday + timedelta(7) <= day < monday + timedelta(14):
            forms += [f"next {day:%A}", f"{day:%A} next week", f"{day:%A} of next week"]
        words = random.choice(forms)
        return _one(words, "on " if words.startswith(f"{day:%A}") else "", day)
    return None


def _week(day: date, today: date, random: Random) -> SaidDay | None:
    monday = today - timedelta(today.weekday())
    step = (day - monday).days // 7
    names = {0: "this", 1: "next", -1: "last"}
    if step not in names:
        return None
    first = monday + timedelta(7 * step)
    if random.random() < 0.5:
        weekend = first + timedelta(5)
        name = "the" if step == 0 and random.random() < 0.4 else names[step]
        return SaidDay(f"{name} weekend", "", weekend, weekend + timedelta(1))
    return SaidDay(f"{names[step]} week", "", first, first + timedelta(6))


def _month(day: date, today: date, random: Random) -> SaidDay:
    first = day.replace(day=1)
    months = (day.year - today.year) * 12 + day.month - today.month
    last = first.replace(day=monthrange(first.year, first.month)[1])
    relative = {0: "this month", 1: "next month", -1: "last month"}.get(months)
    name = f"{day:%B}" if random.random() < 0.8 else f"{day:%B %Y}"
    is_near = relative is not None and random.random() < 0.6
    words = relative if is_near and relative else name
    draw = random.random()
    if draw < 0.4 or day.day in range(11, 15):
        return SaidDay(words, "" if is_near else "in ", first, last)
    return _part(day, words, first, last, random)


def _part(day: date, words: str, first: date, last: date, random: Random) -> SaidDay:
    """Return the start, middle or end of a month, whichever a day is nearest to."""
    third = (last - first) / 3
    if day.day <= 10:
        how = random.choice(("the start of", "the beginning of", "early"))
        point = None if how == "early" else first
        return SaidDay(
            f"{how} {words}", "in " if how == "early" else "at ", first, first + third, point
        )
    if day.day >= 21:
        how = random.choice(("the end of", "the end of", "end of", "late"))
        point = None if how == "late" else last
        return SaidDay(
            f"{how} {words}", "in " if how == "late" else "at ", last - third, last, point
        )
    middle = first + timedelta(max(0, (last - first).days - 1) // 2)
    how = random.choice(("mid-", "mid ", "the middle of "))
    return SaidDay(f"{how}{words}", "in ", first + third, last - third, middle)


def _season(day: date, today: date, random: Random) -> SaidDay | None:
    names = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
    start = max(month for month in (0, 3, 6, 9, 12) if month <= day.month)
    first = date(day.year - (start == 0), start or 12, 1)
    last = months_later(first, 3) - timedelta(1)
    if not today < first < months_later(today, 12):
        return None
    how = random.choice(("the ", "the ", "next ", ""))
    return SaidDay(how + names[first.month], "in " if how != "next " else "", first, last)


def _feast(day: date, today: date, random: Random) -> SaidDay | None:
    known = {
        "Christmas": date(2026, 12, 25), "New Year's Eve": date(2026, 12, 31),
        "New Year": date(2027, 1, 1), "Easter": date(2027, 3, 28), "Xmas": date(2026, 12, 25),
        "Valentine's Day": date(2027, 2, 14),
    }  # fmt: skip
    near = [name for name, then in known.items() if abs((then - day).days) <= 14]
    near = [name for name in near if known[name] >= today and today.year == 2026]
    if not near:
        return None
    name = random.choice(near)
    return _one(name, "at ", known[name])


_WAYS: tuple[Callable[[date, date, Random], SaidDay | None], ...] = (
    _near, _in_days, _in_weeks, _in_months, _weekday, _week, _month, _month, _season, _feast,
)  # fmt: skip


def say_range(first: date, last: date, random: Random) -> tuple[str, str] | None:
    """Return two days of one month that name it once: `3` and `9 May`; None where they differ."""
    if (first.year, first.month) != (last.year, last.month):
        return None
    month = f"{last:%B}" if random.random() < 0.7 else f"{last:%b}"
    if random.random() < 0.3:
        return f"the {_ordinal(first)}", f"the {_ordinal(last)} of {month}"
    return str(first.day), f"{last.day} {month}"


def _ordinal(day: date) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return f"{day.day}{'th' if 10 <= day.day <= 20 else ending}"


def spans(today: date, low: date, high: date) -> Iterator[int]:
    """Yield whole months from today that lead between two days."""
    yield from (n for n in range(1, 25) if low <= months_later(today, n) <= high)
