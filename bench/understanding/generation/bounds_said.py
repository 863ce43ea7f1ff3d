"""Bounds, ranges and approximations on numbers, years, dates and times, in words."""

from __future__ import annotations

from datetime import date

from ..labelled import Plain
from .amounts import digits, number_words, say_amount, say_date, say_money, say_number, say_time
from .days_said import months_later, say_day, say_range, span_words, spans
from .draft import Pieces
from .made_catalogs import TODAY, MadeColumn, nice_between
from .speaker import Meant, Speaker
from .vocabulary import Cue

OPS = {"upper": "<=", "upper_strict": "<", "lower": ">=", "lower_strict": ">", "exact": "=="}
FLAGGED = {"<=": "upper", ">=": "lower", "<": "upper_strict", ">": "lower_strict"}
SOFT = 0.1
"""`around` reaches so much of the number to both sides."""

SLIP = 0.06
"""How often a number is taken back at once for another."""

CHOSEN = ("count", "gigabytes", "inches", "months", "year")
"""Kinds of numbers that people choose from a few."""

ORDERED_TEXT = ("date", "time")

PARTS = {
    "morning": ("06:00", "12:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("18:00", "23:59"),
}
"""The parts of a day, from when to when."""


def section_of(column: MadeColumn) -> str:
    """Return which words for bounds fit a column."""
    return column.kind if column.kind in ("year", *ORDERED_TEXT) else "number"


def drawn_side(speaker: Speaker, column: MadeColumn) -> str:
    """Return what kind of bound is put: mostly on the side that people care about."""
    sides = ("upper", "upper_strict", "lower", "lower_strict", "exact", "range", "about")
    if column.kind == "time" or column.kind == "date":
        weights = (3, 3, 3, 3, 3, 3, 0)
    elif column.notion.better == "low":
        weights = (6, 2, 3, 1.5, 1, 3, 2)
    elif column.notion.better == "high":
        weights = (3, 1.5, 6, 2, 1, 3, 1)
    else:
        weights = (4, 2, 4, 2, 5, 3, 2)
    return speaker.random.choices(sides, weights)[0]


def said_number(speaker: Speaker, column: MadeColumn, number: float) -> str:
    """Return a number of a column as people say it, with its unit where it has one."""
    kind, voice = column.kind, speaker.voice
    if kind == "money":
        said = say_money(number, speaker.random, voice=voice)
        if any(sign in said for sign in "£$€") or said[-1].isalpha():
            speaker.shows("money")
        return said
    if kind == "year":
        return digits(number)
    if kind in ("count", "score"):
        said = say_number(number, speaker.random, voice=voice)
    else:
        said = say_amount(number, kind, column.notion.units, speaker.random, voice=voice)
    if said[0].isalpha():
        speaker.shows("number words")
    if not said[-1].isdigit() and said[0].isdigit():
        speaker.shows("units")
    return said


def bare_number(column: MadeColumn, number: float) -> str:
    """Return a number without its unit, as the first of two is said."""
    return digits(number) if column.kind != "money" else f"{number:.10g}"


def drawn_value(
    speaker: Speaker, column: MadeColumn, low: float = 0.15, high: float = 0.85
) -> Plain:
    """Return a value to bound a column with: a number as the column holds it, a date, a time."""
    if column.kind in ORDERED_TEXT:
        at = round(speaker.random.uniform(low, high) * (len(column.values) - 1))
        return column.values[at]
    number = nice_between(column, speaker.random, low, high)
    return int(number) if number == int(number) else round(number, 3)


def said_value(speaker: Speaker, column: MadeColumn, value: Plain) -> str:
    """Return a number, date or time as people say it."""
    if column.kind == "date":
        return say_date(date.fromisoformat(str(value)), TODAY, speaker.random, voice=speaker.voice)
    if column.kind == "time":
        return _said_time(speaker, column, str(value))
    return said_number(speaker, column, float(value))


def _said_time(speaker: Speaker, column: MadeColumn, clock: str) -> str:
    """Return a time in words, by its hour alone where the column leaves no doubt."""
    hour, minute = int(clock[:2]), int(clock[3:])
    other = f"{(hour + 12) % 24:02}:00"
    is_plain = not str(column.values[0]) <= other <= str(column.values[-1])
    if is_plain and not minute and hour % 12 and speaker.chance(0.35):
        short = hour % 12
        return number_words(short) if speaker.voice or speaker.chance(0.3) else str(short)
    if is_plain and minute == 30 and hour % 12 and speaker.chance(0.2):
        return f"half {speaker.one_of(('past ', ''))}{number_words(hour % 12)}"
    return say_time(clock, speaker.random, voice=speaker.voice)


def bound(speaker: Speaker, column: MadeColumn, side: str = "") -> Pieces:
    """Return a bound in words, and keep what it means."""
    if not side and speaker.chance(0.06):
        either = either_number(speaker, column)
        if either is not None:
            return either
    side = side or drawn_side(speaker, column)
    section = f"bounds.{section_of(column)}.{side}"
    speaker.shows(_phenomenon(column, side))
    if side == "range":
        return _range(speaker, column, section)
    value = drawn_value(speaker, column)
    if column.kind == "date" and side == "exact" and speaker.chance(0.6):
        when, said = _meant_day(speaker, column, side, value)
        return [(when, 0), *said]
    if column.kind == "time" and side == "exact" and speaker.chance(0.2):
        return _part_of_day(speaker, column, str(value))
    return speaker.words(section, v=_meant(speaker, column, side, value))


def _phenomenon(column: MadeColumn, side: str) -> str:
    if column.kind in ORDERED_TEXT:
        return f"{column.kind}s"
    return {"range": "ranges", "about": "approximations", "exact": "exact numbers"}.get(
        side, "bounds"
    )


def _meant(speaker: Speaker, column: MadeColumn, side: str, value: Plain) -> Pieces:
    """Return a value in words under a mark; now and then after another that is taken back."""
    if column.kind == "date":
        return _meant_day(speaker, column, side, value, bare=True)[1]
    if column.is_number and not speaker.slipped and speaker.chance(SLIP):
        return _slipped(speaker, column, side, value)
    mark = speaker.mark()
    if side == "about":
        number = float(value)
        reach = 1.0 if column.kind == "year" else abs(number) * SOFT
        ends: list[Plain] = [round(number - reach, 6), round(number + reach, 6)]
        speaker.means(Meant("constraint", mark, column.name, "between", ends))
    else:
        speaker.means(Meant("constraint", mark, column.name, OPS[side], value))
    return [(said_value(speaker, column, value), mark)]


def _meant_day(
    speaker: Speaker, column: MadeColumn, side: str, value: Plain, *, bare: bool = False
) -> tuple[str, Pieces]:
    """Return a bound's day and the word before it in `we arrive on`; keep what it means."""
    mark = speaker.mark()
    day = date.fromisoformat(str(value))
    said = say_day(day, TODAY, speaker.random, voice=speaker.voice, bare=bare)
    op = OPS[side]
    if op == "==" and said.first != said.last:
        ends: list[Plain] = [said.first.isoformat(), said.last.isoformat()]
        speaker.means(Meant("constraint", mark, column.name, "between", ends))
    else:
        speaker.means(Meant("constraint", mark, column.name, op, said.bound(op).isoformat()))
    return said.when, [(said.words, mark)]


def _meant_span(speaker: Speaker, column: MadeColumn, side: str) -> Pieces:
    """Return an amount of time from today as a bound on a date: `six months` left."""
    mark = speaker.mark()
    values = [date.fromisoformat(str(value)) for value in column.values]
    months = speaker.one_of([*spans(TODAY, values[0], values[-1])] or [3, 6])
    then = months_later(TODAY, months).isoformat()
    speaker.means(Meant("constraint", mark, column.name, OPS[side], then))
    return [(span_words(months, speaker.random), mark)]


def _slipped(speaker: Speaker, column: MadeColumn, side: str, value: Plain) -> Pieces:
    """Return a number said and taken back for another: `128 GB, actually no, 256`."""
    speaker.slipped = True
    speaker.shows("correction")
    speaker.does("correct")
    mark = speaker.mark()
    speaker.means(Meant("corrected", mark, column.name))
    wrong: Pieces = [(said_value(speaker, column, drawn_value(speaker, column)), mark)]
    right = _meant(speaker, column, side, value)
    return speaker.words("tendencies.correct.breath", x=wrong, y=right)


def either_number(speaker: Speaker, column: MadeColumn) -> Pieces | None:
    """Return two numbers of which either will do: `128 or 256 GB`; None for other columns."""
    if column.kind not in CHOSEN or len(column.values) < 2:
        return None
    low, high = sorted(float(v) for v in speaker.random.sample(column.values, 2))
    mark = speaker.mark()
    values: list[Plain] = [int(n) if n == int(n) else n for n in (low, high)]
    speaker.means(Meant("constraint", mark, column.name, "in", values))
    speaker.shows("alternatives", "numbers to choose from")
    first, second = bare_number(column, low), said_number(speaker, column, high)
    return speaker.words("values.either.two", x=[(first, mark)], y=[(second, mark)])


def flagged(speaker: Speaker, column: MadeColumn, cue: Cue, **slots: str | Pieces) -> Pieces:
    """Return a phrase that says by itself which side its value bounds."""
    speaker.shows("bounds")
    side = FLAGGED[cue.flag]
    if "{d}" in cue.template:
        return speaker.fill(cue, d=_meant_span(speaker, column, side), **slots)
    value = drawn_value(speaker, column)
    if "{w}" in cue.template:
        when, said = _meant_day(speaker, column, side, value)
        return speaker.fill(cue, w=[(when, 0), *said], **slots)
    return speaker.fill(cue, v=_meant(speaker, column, side, value), **slots)


def _range(speaker: Speaker, column: MadeColumn, section: str) -> Pieces:
    speaker.slipped = True
    low, high = drawn_value(speaker, column, 0.05, 0.5), drawn_value(speaker, column, 0.55, 0.95)
    if not _less(low, high):
        return speaker.words(
            section.replace("range", "lower"), v=_meant(speaker, column, "lower", low)
        )
    cue = speaker.cue(section)
    if cue.flag == "><":
        return speaker.fill(
            cue,
            lo=_meant(speaker, column, "lower_strict", low),
            hi=_meant(speaker, column, "upper_strict", high),
        )
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "between", [low, high]))
    if column.kind == "date" and speaker.chance(0.6):
        first_day, last_day = (date.fromisoformat(str(value)) for value in (low, high))
        short = say_range(first_day, last_day, speaker.random)
        if short:
            return speaker.fill(cue, lo=[(short[0], mark)], hi=[(short[1], mark)])
    first = said_value(speaker, column, low)
    if column.is_number and speaker.chance(0.7):
        first = bare_number(column, float(low))
    return speaker.fill(cue, lo=[(first, mark)], hi=[(said_value(speaker, column, high), mark)])


def _less(low: Plain, high: Plain) -> bool:
    return str(low) < str(high) if isinstance(low, str) else float(low) < float(high)


def _part_of_day(speaker: Speaker, column: MadeColumn, clock: str) -> Pieces:
    """Return `in the evening`: from its first to its last minute."""
    name, ends = next(part for part in PARTS.items() if clock < part[1][1] or part[0] == "evening")
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "between", [*ends]))
    how = speaker.one_of(("in the ", "sometime in the ", "during the ", "in the "))
    return [(how, 0), (name, mark)]


def compared(speaker: Speaker, column: MadeColumn) -> Pieces | None:
    """Return a comparison with a number: `cheaper than 300`, `no older than 2015`."""
    sides = {name: column.notion.adjectives[name] for name in ("lower", "higher")}
    sides = {name: words for name, words in sides.items() if words}
    if not sides or not speaker.alone_of_kind(column) or not column.is_number:
        return None
    name = speaker.one_of(list(sides))
    word, value = speaker.one_of(sides[name]), drawn_value(speaker, column)
    speaker.shows("bounds", "comparatives")
    if word.endswith(" than") and speaker.chance(0.35):
        # `6 inches or bigger` takes the figure in.
        side = "upper" if name == "lower" else "lower"
        return [*_meant(speaker, column, side, value), (f" or {word.removesuffix(' than')}", 0)]
    if speaker.chance(0.4):
        side = "lower" if name == "lower" else "upper"
        how = speaker.one_of(("no ", "not ", "nothing ", "not any "))
    else:
        side = "upper_strict" if name == "lower" else "lower_strict"
        how = ""
    return [(f"{how}{word} ", 0), *_meant(speaker, column, side, value)]


def bare_side(column: MadeColumn) -> str:
    """Return how a bare number of a column is meant: the side that people care about."""
    if column.kind == "year" or not column.notion.better:
        return "exact"
    return "upper" if column.notion.better == "low" else "lower"


def bare(speaker: Speaker, column: MadeColumn) -> Pieces:
    """Return a bare value, as an answer or after the column's name."""
    speaker.shows("bare numbers")
    side = bare_side(column)
    return _meant(speaker, column, side, drawn_value(speaker, column))
