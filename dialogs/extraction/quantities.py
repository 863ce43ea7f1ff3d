"""Numbers in a text: magnitude, unit, currency, the ranges they form, which side is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, cast

from ..language.numbers import MAGNITUDES, ONES, TENS
from .english import (
    AFTER,
    BACK_REFERENCES,
    BEFORE,
    BEFORE_OPERATORS,
    COMPARATIVES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    NOT_BEFORE,
    UNITS,
)
from .reading import Reading

MAX_DIGITS = 15
"""More than any bound people say, and few enough for exact arithmetic."""

_DIGITS = re.compile(r"(\d[\d,]*(?:\.\d+)?)([a-z]*)")
_RANGE_DASH = re.compile(r"\s?[-–—]\s?[$€£]?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number said by words `first` to `last` (included), ending at character `end`.

    `high` is the other end of a range. `year_like` is a plain whole number of four digits.
    """

    first: int
    last: int
    start: int
    end: int
    value: float
    high: float | None = None
    currency: bool = False
    scaled: bool = False
    unit: str | None = None
    spelled: bool = False
    year_like: bool = False


def find_quantities(reading: Reading) -> list[Quantity]:
    """Return the numbers that are no part of a value, ranges as one, in order."""
    quantities: list[Quantity] = []
    for quantity in _numbers(reading):
        if quantities and (joined := _as_range(reading, quantities[-1], quantity)):
            quantities[-1] = joined
        else:
            quantities.append(quantity)
    return quantities


def _numbers(reading: Reading) -> Iterator[Quantity]:
    place = 0
    while place < len(reading.words):
        quantity = None if place in reading.taken else _number_at(reading, place)
        if quantity is not None:
            yield quantity
        place = quantity.last + 1 if quantity else place + 1


def _number_at(reading: Reading, place: int) -> Quantity | None:
    folded = reading.words[place].folded
    matched = _DIGITS.fullmatch(folded)
    if matched:
        return _written(reading, place, matched[1], matched[2])
    if place and reading.words[place - 1].folded in BACK_REFERENCES:
        return None
    return _spelled(reading, place) if folded in ONES or folded in TENS else None


def _written(reading: Reading, place: int, digits: str, suffix: str) -> Quantity | None:
    plain = digits.replace(",", "")
    if len(plain) > MAX_DIGITS or suffix in ("st", "nd", "rd", "th", "s"):
        return None
    year_like = "," not in digits and not suffix and len(plain) == 4 and plain.isdigit()
    scale, unit = 1.0, None
    if suffix:
        scale, unit = float(MAGNITUDES.get(suffix, 1)), None if suffix in MAGNITUDES else suffix
    value = float(plain) * scale
    last = place
    if scale == 1.0 and unit is None:
        value, last = _with_magnitude(reading, place, value)
    word = reading.words[place]
    quantity = Quantity(place, last, word.start, reading.words[last].end, value, unit=unit)
    quantity = replace(
        quantity, scaled=scale > 1 or last > place, year_like=year_like and last == place
    )
    return _with_currency(reading, _with_unit(reading, quantity))


def _with_magnitude(reading: Reading, place: int, value: float) -> tuple[float, int]:
    after = place + 1
    if after < len(reading.words) and len(reading.gap(after)) <= 1:
        word = reading.words[after].folded
        if word in MAGNITUDES and word not in ("m", "hundred"):
            return value * MAGNITUDES[word], after
    return value, place


def _with_unit(reading: Reading, quantity: Quantity) -> Quantity:
    """Add the unit that follows: `16 GB`, `14"`; `square metres` is two words."""
    if quantity.unit is not None:
        return quantity
    if reading.text[quantity.end : quantity.end + 1] in ('"', "″", "”"):
        return replace(quantity, unit="inch")
    after = quantity.last + 1
    if after >= len(reading.words) or len(reading.gap(after)) > 2:
        return quantity
    word = reading.stems[after]
    if word in ("square", "sq") and after + 1 < len(reading.words):
        return replace(
            quantity, unit="sqft" if reading.stems[after + 1] in ("feet", "ft") else "sqm"
        )
    return replace(quantity, unit=word) if word in UNITS else quantity


def _with_currency(reading: Reading, quantity: Quantity) -> Quantity:
    before = reading.text[max(0, quantity.start - 2) : quantity.start].strip()[-1:]
    after = quantity.last + 1
    follows = reading.text[quantity.end : quantity.end + 2].strip()[:1]
    word = reading.words[after].folded if after < len(reading.words) else ""
    named = word in CURRENCY_WORDS and len(reading.gap(after)) <= 1
    is_money = (before and before in CURRENCY_SIGNS) or (follows and follows in CURRENCY_SIGNS)
    return replace(quantity, currency=bool(is_money) or named)


def _spelled(reading: Reading, place: int) -> Quantity | None:
    """Read `twenty-five`, `two thousand five hundred`."""
    total, current, last = 0.0, 0.0, place
    for after in range(place, min(place + 8, len(reading.words))):
        word = reading.words[after].folded
        if after in reading.taken or (after > place and len(reading.gap(after)) > 1):
            break
        if word in ONES or word in TENS:
            if after > place and word in ONES and current % 10 and current < 100:
                break
            current += ONES.get(word, 0) + TENS.get(word, 0)
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in MAGNITUDES and len(word) > 2:
            total, current = total + max(current, 1) * MAGNITUDES[word], 0.0
        else:
            break
        last = after
    start, end = reading.words[place].start, reading.words[last].end
    quantity = Quantity(place, last, start, end, total + current, scaled=total > 0, spelled=True)
    return _with_currency(reading, _with_unit(reading, quantity))


def _as_range(reading: Reading, low: Quantity, high: Quantity) -> Quantity | None:
    """Return two numbers as one range: `20-30k`, `between 20 and 30k`, `from 2015 to 2018`."""
    if low.high is not None or not _links(reading, low, high):
        return None
    value = low.value
    if high.scaled and not low.scaled and value < 1000:
        scaled = value * _scale_of(reading, high)
        value = scaled if value < high.value and scaled <= high.value else value
    if value >= high.value:
        return None
    return Quantity(
        low.first,
        high.last,
        low.start,
        high.end,
        value,
        high=high.value,
        currency=low.currency or high.currency,
        scaled=high.scaled,
        unit=high.unit or low.unit,
        spelled=low.spelled and high.spelled,
        year_like=low.year_like and high.year_like,
    )


def _scale_of(reading: Reading, quantity: Quantity) -> float:
    last = reading.words[quantity.last].folded
    suffix = re.sub(r"[\d.,]", "", last)
    return float(MAGNITUDES.get(suffix, 1))


def _links(reading: Reading, low: Quantity, high: Quantity) -> bool:
    gap = reading.text[low.end : high.start]
    if len(gap) > 24:
        return False
    if _RANGE_DASH.fullmatch(gap) or re.fullmatch(
        r'["\s$€£]*(?:to|through|till)[\s$€£]*', gap, re.I
    ):
        return True
    opened = reading.text[max(0, low.start - 14) : low.start].casefold()
    if "between" in opened:
        return bool(re.search(r"\band\b", gap))
    if re.search(r"\bfrom\b", opened):
        return bool(re.search(r"\b(?:to|until|through|up to)\b", gap))
    return bool(re.fullmatch(r"\s?[a-z$€£]{1,8}\s?(?:[-–]|to)\s?[$€£]?", gap, re.I)) and (
        low.unit is not None or low.currency
    )


Side = Literal["<", "<=", ">", ">=", "==", "~", "!="]

LOOK_BACK = 64
"""Characters before a number in which its comparison may stand."""

MOST_BETWEEN = 4
"""Words between a comparison and its number: `at most an MSRP of 20,000`."""

_OPPOSITE: dict[Side, Side] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}
_LOOSE: dict[Side, Side] = {">=": "<=", "<=": ">="}
"""`under 20` and `not over 20` both take 20 in: nobody minds the round figure itself."""

_NOT_NUMBER = re.compile(r"(?:\bnot|n['’]t(?:\s+\w+)?)\s+(?:a\s+|an\s+|the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bound:
    """A number's side, None where nothing says it; `topic` is what the comparison is about.

    `start` and `end` are the characters of the whole statement.
    """

    side: Side | None
    topic: str
    start: int
    end: int
    weak: bool = False


def bound_of(reading: Reading, quantity: Quantity, floor: int, ceiling: int) -> Bound:
    """Return the side of a number, read between the characters `floor` and `ceiling`.

    They are the ends of what belongs to the numbers before and after it.
    """
    clause = reading.clauses[reading.clause(quantity.first)]
    floor = max(floor, clause.start, quantity.start - LOOK_BACK)
    after = _after(reading, quantity, min(ceiling, clause.end, quantity.end + LOOK_BACK))
    before = _before(reading, quantity, floor)
    if after is not None and (before is None or before.side == "~" or before.weak):
        return after
    return before or after or _bare(reading, quantity, floor)


def _bare(reading: Reading, quantity: Quantity, floor: int) -> Bound:
    negated = bool(_NOT_NUMBER.search(reading.text[floor : quantity.start].rstrip("$€£ ") + " "))
    return Bound("!=" if negated else None, "", quantity.start, quantity.end)


def _before(reading: Reading, quantity: Quantity, floor: int) -> Bound | None:
    text = reading.text[floor : quantity.start]
    last = None
    for match in BEFORE.finditer(text):
        last = match
    if last is None or _is_far(text[last.end() :]):
        return None
    side, topic = _meaning(last)
    start = floor + last.start()
    negation = NOT_BEFORE.search(text[: last.start()])
    if negation and _turns(last, side):
        start = floor + negation.start()
        side = _LOOSE.get(side, side) if _is_loose(last) else _OPPOSITE.get(side, side)
    weak = last[0].casefold() in ("from", "since", "by", "about")
    return Bound(side, topic, start, quantity.end, weak)


def _is_far(between: str) -> bool:
    """Return whether what lies between a comparison and a number parts them."""
    words = re.findall(r"[\w'’]+", between)
    return len(words) > MOST_BETWEEN or bool(re.search(r"[;!?\n]|,\s", between))


def _meaning(match: re.Match[str]) -> tuple[Side, str]:
    if match["than"] is None:
        number = int((match.lastgroup or "o0")[1:])
        return cast("Side", BEFORE_OPERATORS[number]), ""
    words = " ".join(match["than"].casefold().split())
    key = max((phrase for phrase in COMPARATIVES if words.startswith(phrase)), key=len)
    topic, op = COMPARATIVES[key]
    return ("<" if op == "<" else ">"), topic


def _is_loose(match: re.Match[str]) -> bool:
    return match[0].casefold() in ("over", "above", "under", "below")


def _turns(match: re.Match[str], side: Side) -> bool:
    """Return whether a negation turns this comparison round: `not over`, never `not at most`."""
    return side in ("<", ">", "==") or _is_loose(match)


def _leads_on(reading: Reading, end: int, ceiling: int) -> bool:
    """Return whether an `at least` belongs to the number that comes next."""
    follows = reading.text[ceiling : ceiling + 1].isdigit()
    return follows and not reading.text[end:ceiling].strip(" $€£")


def _after(reading: Reading, quantity: Quantity, ceiling: int) -> Bound | None:
    """Read `or more`, `tops` after the number or after up to three words of its unit."""
    place = quantity.end
    for step in range(4):
        match = AFTER.match(reading.text, place, ceiling)
        if match and not _leads_on(reading, match.end(), ceiling):
            if match["near"]:
                return Bound("~", "", quantity.start, match.end())
            return Bound(">=" if match["low"] else "<=", "", quantity.start, match.end())
        following = quantity.last + 1 + step
        if following >= len(reading.words) or reading.words[following].end > ceiling:
            return None
        if re.search(r"[,;.!?\n(]", reading.text[place : reading.words[following].start]):
            return None
        place = reading.words[following].end
    return None
