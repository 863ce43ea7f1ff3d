"""Opening hours: a text to the times at which a place is open.

Reads the weekly part of OSM's opening_hours (`Mo-Fr 08:00-12:00,14:00-18:00; Su off`, `24/7`), the
same with English day names, and the Chinese of map services (`周一至周五09:30-22:00；周六休息`,
`24小时营业`), each rule for months or days of the year where it says so (`Apr-Sep`, `Dec 25 off`).
Later rules replace earlier ones on their days; rules for holidays are passed over. A text with
anything else (sunrise, weeks, years, comments, open ends) is unknown: never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from .opening_seasons import Season, is_in, season_of

DAY, WEEK = 1_440, 10_080
STEP = 15
"""Minutes: a moment at which a place is closed moves by quarters of an hour."""

MAX_TEXT = 1_000
"""Characters; a longer text is unknown."""

MAX_PARSED = 1 << 16
"""Texts whose hours are kept."""

Spans = tuple[tuple[int, int], ...]
"""Start and end of each time open, in minutes; an end may lie past the day, or the week."""


class Rule(NamedTuple):
    """Times open on some weekdays, Monday 0, of a season; nothing for closed."""

    season: Season | None
    days: tuple[int, ...]
    spans: Spans


_NAMES = ("mo", "tu", "we", "th", "fr", "sa", "su")
_ENGLISH = (
    "(?:"
    + "|".join(
        (
            "mo(?:n(?:day)?)?",
            "tu(?:e(?:s(?:day)?)?)?",
            "we(?:d(?:nesday)?)?",
            "th(?:u(?:r(?:s(?:day)?)?)?)?",
            "fr(?:i(?:day)?)?",
            "sa(?:t(?:urday)?)?",
            "su(?:n(?:day)?)?",
        )
    )
    + ")"
)
_CHINESE = "一二三四五六日"
_RANGE = re.compile(r"(\d{1,2}):(\d{2})-(?:次日)?(\d{1,2}):(\d{2})", re.ASCII)
_DAYS = re.compile(rf"({_ENGLISH})(?:-({_ENGLISH}))?(?=[\d,:]|off|closed|休|不)")
_BESIDE = re.compile(
    r"(?<=[a-z]),(?:ph|sh)(?=[\d,:]|off|closed|$)|^(?:(?:ph|sh),)+(?=[a-z])"
    r"|(?<=\d),(?:ph|sh)(?:off|closed|[\d:,-]+)$"
)
_ALWAYS = frozenset(("24/7", "24小时营业", "24小时", "全日", "全日营业", "24hours", "open24hours"))
_CLOSED = ("off", "closed", "休息", "不营业")
_SAME = str.maketrans(
    "\uff1a\uff1b\uff0c\u3001\uff5e\u2014\u2013\uff0d\u301c至到天", ":;,,-------日"
)
_WORDS = (
    ("星期", "周"),
    ("礼拜", "周"),
    ("每日", "mo-su"),
    ("工作日", "mo-fr"),
    ("周末", "sa-su"),
)


@lru_cache(maxsize=MAX_PARSED)
def parse_hours(text: str) -> tuple[Rule, ...] | None:
    """Return the rules for when a place is open, the last of a day counts; None for unknown."""
    if len(text) > MAX_TEXT:
        return None
    rules: list[Rule] = []
    told = False
    for said in re.split("[;\uff1b]", text):
        try:
            season, rest = season_of(said)
        except ValueError:
            return None
        plain = _plain(rest)
        # A holiday beside days is left out; a rule for holidays alone says nothing of the week.
        rule = _BESIDE.sub("", plain)
        if re.fullmatch(r"(ph|sh|ph,sh|sh,ph)(off|closed|[\d:,-]+)", rule):
            continue
        if not rule:
            if season is not None:
                return None
            continue
        parts = _parts(rule)
        if parts is None:
            return None
        told = True
        rules += [Rule(season, tuple(days), tuple(spans)) for days, spans in parts]
    return tuple(rules) if told else None


@lru_cache(maxsize=MAX_PARSED)
def week_of(text: str) -> Spans | None:
    """Return the minutes of any week, from Monday 00:00, at which a place is open.

    None for unknown, and for a text whose weeks differ.
    """
    rules = parse_hours(text)
    if rules is None or any(rule.season for rule in rules):
        return None
    days: list[Spans] = [()] * 7
    for rule in rules:
        for day in rule.days:
            days[day] = rule.spans
    return _merged(days)


def _around(rules: Sequence[Rule], moment: datetime) -> Spans:
    """Return the times open in the week before a day and the week after, in minutes of the day."""
    opened: list[tuple[int, int]] = []
    for offset in range(-8, 9):
        day = moment.date() + timedelta(days=offset)
        spans: Spans = ()
        for rule in rules:
            if day.weekday() in rule.days and is_in(rule.season, day):
                spans = rule.spans
        opened += [(DAY * offset + start, DAY * offset + end) for start, end in spans]
    return tuple(sorted(opened))


def _plain(text: str) -> str:
    """Return a text in one spelling: lower case, no spaces, English day names, plain signs."""
    plain = re.sub(r"\s+", "", text).casefold().translate(_SAME)
    if plain in _ALWAYS:
        return "mo-su00:00-24:00"
    for word, same in _WORDS:
        plain = plain.replace(word, same)
    plain = re.sub("周([一二三四五六日])", lambda m: _NAMES[_CHINESE.index(m[1])], plain)
    # 周一至五, 周一、三、五
    while match := re.search("(?<=[a-z][-,])[一二三四五六日]", plain):
        name = _NAMES[_CHINESE.index(match[0])]
        plain = plain[: match.start()] + name + plain[match.end() :]
    plain = re.sub(r"(\d{1,2})(?::(\d{2}))?([ap])\.?m\.?", _by_noon, plain, flags=re.ASCII)
    plain = re.sub("(?<=[a-z0-9])to(?=[a-z0-9])", "-", plain)
    return re.sub("(?:24小时|全日)(?:营业)?|24/7|24h(?:ours)?", "00:00-24:00", plain)


def _by_noon(match: re.Match[str]) -> str:
    """Return a time of twelve hours as one of 24: `5pm` as `17:00`; one that is none as it is."""
    hour = int(match[1])
    if not 1 <= hour <= 12:
        return match[0]
    return f"{hour % 12 + 12 * (match[3] == 'p'):02}:{match[2] or '00'}"


def _parts(rule: str) -> list[tuple[list[int], list[tuple[int, int]]]] | None:
    """Return a rule's days with their times, in minutes of the day; None where it is unclear.

    `mo-fr08:00-18:00,sa09:00-14:00` has two such parts.
    """
    found: list[tuple[list[int], list[tuple[int, int]]]] = []
    rest = rule
    while rest:
        named, rest = _named_days(rest)
        spans, left = _spans(rest)
        if spans is None or (found and not named):
            return None
        found.append((named or list(range(7)), spans))
        rest = left.removeprefix(",")
        if rest and left == rest and not _DAYS.match(rest):
            return None
    return found


def _named_days(text: str) -> tuple[list[int], str]:
    """Return the days that a text begins with, Monday 0, and what follows."""
    days: list[int] = []
    while match := _DAYS.match(text):
        first, last = (_NAMES.index(name[:2]) for name in (match[1], match[2] or match[1]))
        days += [day % 7 for day in range(first, (last if last >= first else last + 7) + 1)]
        text = text[match.end() :]
        if not (text.startswith(",") and _DAYS.match(text[1:])):
            return days, text.removeprefix(":") if days else text
        text = text[1:]
    return days, text


def _spans(text: str) -> tuple[list[tuple[int, int]] | None, str]:
    """Return the times that a text begins with, and what follows; None where there are none."""
    for word in _CLOSED:
        if text.startswith(word):
            return [], text[len(word) :]
    spans: list[tuple[int, int]] = []
    while match := _RANGE.match(text):
        span = _span(*map(int, match.groups()))
        if span is None:
            return None, text
        spans.append(span)
        text = text[match.end() :]
        # Some write one time right after another.
        if text.startswith(",") and _RANGE.match(text[1:]):
            text = text[1:]
    return spans or None, text


def _span(hour: int, minute: int, end_hour: int, end_minute: int) -> tuple[int, int] | None:
    start, end = 60 * hour + minute, 60 * end_hour + end_minute
    if minute > 59 or end_minute > 59 or start >= DAY or end > 2 * DAY:
        return None
    # Past midnight: 18:00-02:00, or 18:00-26:00.
    return start, end if end > start else end + DAY


def _merged(days: Sequence[Spans]) -> Spans:
    """Return the times of seven days as minutes of the week, those that touch put together."""
    every = sorted(
        (DAY * day + start, DAY * day + end)
        for day, spans in enumerate(days)
        for start, end in spans
    )
    merged: list[tuple[int, int]] = []
    for start, end in every:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def week_minute(moment: datetime) -> int:
    """Return the minute of the week, from Monday 00:00."""
    return DAY * moment.weekday() + 60 * moment.hour + moment.minute


def is_open(text: str, moment: datetime) -> bool | None:
    """Return whether a place is open in a minute, its end not included; None for unknown."""
    rules, week = parse_hours(text), week_of(text)
    if rules is None:
        return None
    if week is None:
        minute = 60 * moment.hour + moment.minute
        return any(start <= minute < end for start, end in _around(rules, moment))
    minute = week_minute(moment)
    return any((minute - start) % WEEK < end - start for start, end in week)


def steps_to_open(text: str, moment: datetime) -> int | None:
    """Return how many quarters of an hour away the nearest moment is at which a place is open.

    Below 0 for earlier, which of two as near is the one; None for never, and for unknown.
    """
    rules, week = parse_hours(text), week_of(text)
    if week is None:
        minute = 60 * moment.hour + moment.minute
        spans = _around(rules, moment) if rules else ()
        found = [step for start, end in spans for step in _straight_steps(minute, start, end)]
    else:
        minute = week_minute(moment)
        found = [step for start, end in week for step in _steps(minute, start, end)]
    return min(found, key=lambda step: (abs(step), step), default=None)


def _steps(minute: int, start: int, end: int) -> Iterator[int]:
    """Yield the fewest steps forward, and back, to a time open."""
    length = end - start
    if (minute - start) % WEEK < length:
        yield 0
        return
    later = -(-((start - minute) % WEEK) // STEP)
    if (minute + STEP * later - start) % WEEK < length:
        yield later
    earlier = -(-((minute - (end - 1)) % WEEK) // STEP)
    if (minute - STEP * earlier - start) % WEEK < length:
        yield -earlier


def _straight_steps(minute: int, start: int, end: int) -> Iterator[int]:
    """Yield the fewest steps to a time open, forward or back; within a week."""
    if start <= minute < end:
        yield 0
        return
    steps = -(-(start - minute) // STEP) if start > minute else -(-(minute - (end - 1)) // STEP)
    at = minute + STEP * steps if start > minute else minute - STEP * steps
    if start <= at < end and STEP * steps <= WEEK:
        yield steps if start > minute else -steps


def moved_moment(text: str, moment: datetime) -> datetime | None:
    """Return the nearest moment, by quarters of an hour, at which a place is open."""
    steps = steps_to_open(text, moment)
    return None if steps is None else moment + timedelta(minutes=STEP * steps)
