"""Times of day in a text: `7 pm`, `half past six`, `not before 10`, `from 6 till 8`, `noon`.

One pass of a pattern over the text. Where morning or evening is not said, both are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ...catalogs.query.constraint import Scalar, Value
from ..language.numbers import ONES

_HOURS = {word: value for word, value in ONES.items() if 1 <= value <= 12}
_MINUTES = {
    "quarter": 15, "half": 30, "five": 5, "ten": 10, "fifteen": 15, "twenty": 20,
    "twenty five": 25, "thirty": 30, "forty five": 45,
}  # fmt: skip
_NAMED = {"noon": 720, "midday": 720, "midnight": 0, "lunchtime": 720}
_PARTS = {
    "early morning": (300, 540), "late morning": (600, 720), "early afternoon": (720, 900),
    "late afternoon": (960, 1080), "early evening": (1020, 1140), "late evening": (1260, 1439),
    "morning": (360, 720), "afternoon": (720, 1080), "evening": (1080, 1439),
    "daytime": (360, 1020), "day time": (360, 1020),
    "crack of dawn": (240, 390), "dawn": (240, 390),
}  # fmt: skip
DAYTIMES = frozenset(
    "morning mornings afternoon afternoons evening evenings daytime daytimes".split()
)
"""Words for parts of the day."""

_HOUR = rf"(?:\d{{1,2}}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_FEW = "|".join(sorted(_MINUTES, key=len, reverse=True)).replace(" ", r"[\s-]")
_HALF = (
    r"(?:\s*(?:(?P<half{0}>[ap])\.?\s?m\b\.?"
    r"|(?:in\s+the|at)\s+(?P<part{0}>morning|afternoon|evening|night)))"
)
_CLOCK = re.compile(
    rf"\b(?:(?P<part3>morning|afternoon|evening|night)\s+(?!one\b(?!\s*(?:o\b|[ap]\.?\s?m|thirty|fifteen)))(?P<h7>{_HOUR})(?::(?P<m7>[0-5]\d))?\b"
    rf"|(?P<h1>{_HOUR})(?:[:.h](?P<m1>[0-5]\d)|[\s-](?P<w1>fifteen|thirty|forty[\s-]five))?"
    rf"(?:\s*o['’\"]?\s?clock)?{_HALF.format(1)}"
    r"|(?P<h2>[01]?\d|2[0-3])(?::(?P<m2>[0-5]\d)(?::00)?|h(?P<m3>[0-5]\d)?)\b"
    rf"|(?:a\s+)?(?P<w2>{_FEW})\s+(?:minutes\s+)?(?P<to>past|to)\s+(?P<h3>{_HOUR}){_HALF.format(2)}?"
    rf"|half\s+(?P<h4>{_HOUR})\b(?!\s*o['’\"]?\s?clock)|(?P<h5>{_HOUR})\s*o['’\"]?\s?clock"
    r"|(?:\A|(?<=[a-z,;:=]\s)|(?<=[=(])|(?<=\s\d[-–])|(?<=\s\d\d[-–])|(?<=\d\s[-–]\s))"
    rf"(?P<h6>{_HOUR})(?:[.\s](?P<m6>[0-5]\d)|[\s-](?P<w6>fifteen|thirty|forty[\s-]five))?"
    r"(?![.,:]?[\d/%]|\s*(?!(?:or|and|to|at|if|is|on|but|so|as|pls|plz)\b)[a-z$€£%°]{1,3}\b)\b"
    rf"|(?P<named>{'|'.join(_NAMED)})|(?:the\s+)?(?P<part>{'|'.join(_PARTS)})s?\b)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s+\Z", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|–|to|till?|until|and)\s*", re.IGNORECASE)
_OR = re.compile(r",?\s*(?:or|/)\s*(?:(?:in|during|perhaps|maybe|even)\s+)?", re.IGNORECASE)


DAY, NOON, EVENING = 1_440, 720, 1_080
"""Minutes of a day, and after midnight."""

LATEST_NIGHT, REST = 360, 360
"""The latest minute after midnight that ends an evening, and the minutes until anything follows."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Characters `start` to `end` that mean a time, in minutes after midnight, likeliest first.

    Each is a first and a last minute, the same but for parts of the day and ranges. `bare` is a
    number that nothing says is a time.
    """

    start: int
    end: int
    minutes: tuple[tuple[int, int], ...]
    bare: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether it is surely one time of day."""
        return not self.bare and all(first == last for first, last in self.minutes)


def find_clocks(text: str) -> Iterator[Clock]:
    """Yield ranges of two times, then each time of a text; without the half of the day, both.

    Parts of the day that meet and of which either will do are one.
    """
    found = [
        (is_range, _hour_range(match) if is_range else _one_or_clock(text, match))
        for match in _CLOCK.finditer(text)
        for is_range in [_is_hour_range(text, match)]
    ]
    singles = [clock for is_range, clock in found if clock.minutes and not is_range]
    either = set[Clock]()
    for low, high in pairwise(singles):
        if high.start - low.end < 8 and _TO.fullmatch(text, low.end, high.start):
            starts = {m % 720 + half for m, _ in low.minutes for half in (0, 720)}
            starts = starts if low.bare else {m for m, _ in low.minutes}
            spans = [
                (max(before), m)
                for m, _ in high.minutes
                if (before := [start for start in starts if start < m])
            ]
            if spans:
                yield Clock(low.start, high.end, tuple(spans), low.bare and high.bare)
        elif _OR.fullmatch(text, low.end, high.start) and (both := _joined(low, high)):
            yield Clock(low.start, high.end, (both,))
            either |= {low, high}
    yield from (clock for _, clock in found if clock.minutes and clock not in either)


def _joined(one: Clock, other: Clock) -> tuple[int, int] | None:
    """Return two parts of the day of which either will do as one; None unless they meet."""
    (first, last), (begins, ends) = one.minutes[0], other.minutes[0]
    meet = first < last and begins < ends and begins <= last and first <= ends
    return (min(first, begins), max(last, ends)) if meet else None


def part_of_day(word: str, start: int, end: int) -> Clock:
    """Return what characters mean that are a word for a part of the day."""
    return Clock(start, end, (_PARTS[word.removesuffix("s")],))


def _is_hour_range(text: str, match: re.Match[str]) -> bool:
    """Return whether `from five to eight` names two hours, and no time before eight."""
    is_hour = match["to"] == "to" and (match["w2"] or "").casefold() in _HOURS
    return is_hour and _FROM.search(text[max(0, match.start() - 9) : match.start()]) is not None


def _hour_range(match: re.Match[str]) -> Clock:
    """Return the hours from the one before `to` to the one behind it, in the same half of a day."""
    hour = _HOURS[match["w2"].casefold()]
    # `_clock` reads five minutes before eight.
    ends = [minute + hour for minute, _ in _clock(match).minutes]
    ranges = [(end - (end - 60 * hour) % 720, end) for end in ends]
    in_a_day = tuple((start, end) for start, end in ranges if start >= 0)
    return Clock(match.start(), match.end(), in_a_day, bare=True)


_TIMED = re.compile(
    r"\b(?:at|by|from|until|till?|before|after|past|to|between|and|or|around|about|half|quarter)"
    r"\s+\Z",
    re.IGNORECASE,
)
"""Words right before an hour."""


def _one_or_clock(text: str, match: re.Match[str]) -> Clock:
    """Return a time, of `one in the evening` the part of the day unless words say it is an hour."""
    part = (match["part1"] or "").casefold()
    is_one = (match["h1"] or "").casefold() == "one" and not (match["m1"] or match["w1"])
    told = match.start() == 0 or _TIMED.search(text, 0, match.start())
    if not is_one or part not in _PARTS or "clock" in match[0].casefold() or told:
        return _clock(match)
    return part_of_day(part, match.start("part1"), match.end("part1"))


def _clock(match: re.Match[str]) -> Clock:
    said = {name: word.casefold() for name, word in match.groupdict().items() if word}
    if "part" in said:
        return Clock(match.start(), match.end(), (_PARTS[said["part"]],))
    if "named" in said:
        minute = _NAMED[said["named"]]
        return Clock(match.start(), match.end(), ((minute, minute),))
    minutes = tuple((minute, minute) for minute in _minutes(said))
    return Clock(match.start(), match.end(), minutes, "h6" in said)


def _minutes(said: dict[str, str]) -> tuple[int, ...]:
    word = next(said[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6", "h7") if name in said)
    hour = int(word) if word.isdigit() else ONES[word]
    places = ("m1", "m2", "m3", "m6", "m7", "w1", "w2", "w6")
    past = next((said[name] for name in places if name in said), "0")
    minute = int(past) if past.isdigit() else _MINUTES[re.sub(r"[\s-]+", " ", past)]
    minute = 30 if "h4" in said else minute
    half = next((said[name] for name in ("half1", "half2") if name in said), "")
    part = next((said[name] for name in ("part1", "part2", "part3") if name in said), "")
    half = half or {"": "", "morning": "a"}.get(part, "a" if hour < 4 or hour == 12 else "p")
    if part in ("afternoon", "evening"):
        half = "p"
    if hour > 23 or minute > 59:
        return ()
    total = hour * 60 + (-minute if said.get("to") == "to" else minute)
    if half and hour <= 12:
        return ((total % 720 + 720 * (half == "p")) % 1440,)
    both = 0 < hour <= 12 and not ("h2" in said and len(word) == 2)
    first = total % 1440
    return (first, (first + 720) % 1440) if both else (first,)


def either_time(
    times: Mapping[int, str], one: tuple[Scalar, ...], other: tuple[Scalar, ...]
) -> tuple[Scalar, ...]:
    """Return a column's times that lie between some two ends or between some others."""
    ends = [(str(found[0]), str(found[-1])) for found in (one, other)]
    return tuple(t for t in times.values() if any(low <= t[:5] <= high for low, high in ends))


def by_evening(times: Mapping[int, str]) -> dict[int, str]:
    """Return a column's times in order by their minutes: 00:30 of what closes 22:00 or 00:30 last.

    Times after midnight count from the evening before where nothing follows them for hours.
    """
    ordered = sorted(times)
    breaks = (last for last, first in pairwise(ordered) if first - last >= REST)
    night = next(breaks, DAY) if ordered[-1] >= EVENING else DAY
    night = night if night <= LATEST_NIGHT else -1
    return {m + DAY * (m <= night): times[m] for m in ordered}


def at_night(times: Mapping[int, str], op: str, value: Value) -> tuple[str, Value]:
    """Return a bound on a column's times as those within it, where some count to the day before.

    No operator says that 00:30 is later than 23:00. Where nothing is within it is the time said.
    """
    ends = value if isinstance(value, tuple) else (value, value)
    if max(times) < DAY or op in ("==", "!="):
        return op, value
    low, high = (_since(str(end), min(NOON, *times)) for end in ends)
    low = 0 if op in ("<", "<=") else low + (op == ">")
    high = 2 * DAY if op in (">", ">=") else high - (op == "<")
    held = [times[minute] for minute in sorted(times) if low <= minute <= high]
    return ("in", tuple(held)) if len(held) > 1 else ("==", held[0] if held else ends[0])


def _since(clock: str, first: int) -> int:
    """Return the minutes from midnight to a time, the next day's where it is before another."""
    hours, minutes = map(int, clock.split(":")[:2])
    minute = hours * 60 + minutes
    return minute + DAY * (minute < first)
