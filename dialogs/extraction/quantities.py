"""Numbers in a text with their magnitude, unit and currency, and the ranges they form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..language.numbers import MAGNITUDES, ONES, TENS
from .english import BACK_REFERENCES, CURRENCY_SIGNS, CURRENCY_WORDS, UNITS
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
