"""Numbers in a text: magnitude, unit, currency, and the ranges they form.

`25k`, `two thousand five hundred`, `a dozen`, `third`, `20-30 kg`, `between 20 and 30`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ..language.numbers import MAGNITUDES, ONES, ORDINALS, TENS
from ..language.units import CURRENCY_SIGNS, CURRENCY_WORDS, UNITS
from .reading import Reading

MAX_DIGITS = 15
"""More than any bound people say, and few enough for exact arithmetic."""

_DIGITS = re.compile(r"(\d[\d,]*(?:\.\d+)?)([a-z]*)")
_COUNTS = {"couple": 2.0, "dozen": 12.0, "hundred": 100.0, "thousand": 1e3, "million": 1e6}
_BETWEEN = re.compile(
    r"[\s\"″”]*[$€£]?\s?(?:[a-z$€£]{1,12}\s?)?(?:[-–—]|to|and|through|thru|till|until|up\s+to)"
    r"\s?(?:the\s)?[$€£]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number said by words `first` to `last` (included), and where its characters end.

    `high` is the other end of a range. `year_like` is a plain whole number of four digits.
    """

    first: int
    last: int
    value: float
    high: float | None = None
    currency: bool = False
    scaled: bool = False
    unit: str | None = None
    spelled: bool = False
    year_like: bool = False
    ordinal: bool = False


def find_quantities(reading: Reading) -> list[Quantity]:
    """Return the numbers of a message in order, then the ranges that pairs of them may form."""
    singles = list(_numbers(reading))
    joined = (_as_range(reading, *pair) for pair in pairwise(singles))
    return [*singles, *(quantity for quantity in joined if quantity)]


def _numbers(reading: Reading) -> Iterator[Quantity]:
    place = 0
    while place < len(reading.words):
        quantity = _number_at(reading, place)
        if quantity is not None:
            if _is_below_zero(reading, place):
                quantity = replace(quantity, value=-quantity.value)
            yield _with_currency(reading, _with_unit(reading, quantity))
        place = quantity.last + 1 if quantity else place + 1


def _is_below_zero(reading: Reading, place: int) -> bool:
    gap = reading.gap(place)
    signed = gap[-1:] in ("-", "−") and ((len(gap) == 1 and not place) or gap[-2:-1].isspace())
    return signed or reading.folded[place - 1 : place] == ["minus"]


def _number_at(reading: Reading, place: int) -> Quantity | None:
    word = reading.folded[place]
    if matched := _DIGITS.fullmatch(word):
        return _written(reading, place, matched[1], matched[2])
    if word in ORDINALS:
        return Quantity(place, place, ORDINALS[word], spelled=True, ordinal=True)
    following = reading.folded[place + 1] if place + 1 < len(reading.words) else ""
    if word in ("a", "an") and following in _COUNTS:
        return Quantity(place, place + 1, _COUNTS[following], spelled=True, scaled=True)
    if word in ("a", "an") and len(following) > 2 and reading.stems[place + 1] in UNITS:
        return Quantity(place, place, 1.0, spelled=True)
    if word == "half" and following in ("a", "an"):
        scale = MAGNITUDES.get("".join(reading.folded[place + 2 : place + 3]), 1)
        last = place + 1 + (scale > 1)
        return Quantity(place, last, 0.5 * scale, spelled=True, scaled=scale > 1)
    return _spelled(reading, place) if word in ONES or word in TENS else None


def _written(reading: Reading, place: int, digits: str, suffix: str) -> Quantity | None:
    plain = digits.replace(",", "")
    if len(plain) > MAX_DIGITS or suffix == "s":
        return None
    year_like = "," not in digits and not suffix and len(plain) == 4 and plain.isdigit()
    scale = float(MAGNITUDES.get(suffix, 1))
    unit = suffix if suffix in UNITS and scale == 1 else None
    ordinal = suffix in ("st", "nd", "rd", "th")
    last, after = place, place + 1
    if not suffix and after < len(reading.words) and len(reading.gap(after)) <= 1:
        word = reading.folded[after]
        if word in MAGNITUDES and word not in ("m", "hundred"):
            scale, last = float(MAGNITUDES[word]), after
    value = float(plain) * scale
    whole_year = year_like and last == place
    return Quantity(
        place, last, value, scaled=scale > 1, unit=unit, year_like=whole_year, ordinal=ordinal
    )


def _spelled(reading: Reading, place: int) -> Quantity:
    """Read `twenty-five`, `two thousand five hundred`."""
    total, current, last = 0.0, 0.0, place
    for after in range(place, min(place + 8, len(reading.words))):
        word = reading.folded[after]
        if after > place and len(reading.gap(after)) > 1:
            break
        if word in ONES or word in TENS:
            if after == place + 1 and current in (19, 20) and (word in TENS or ONES[word] > 9):
                return _year(reading, place, current)
            if after > place and word in ONES and current % 10 and current < 100:
                break
            current += ONES.get(word, 0) + TENS.get(word, 0)
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word == "and" and (current >= 100 or total) and _goes_on(reading, after):
            continue
        elif word == "and" and reading.folded[after + 1 : after + 3] == ["a", "half"]:
            return Quantity(place, after + 2, total + current + 0.5, spelled=True)
        elif word == "point" and _goes_on(reading, after):
            return _decimal(reading, place, after, total + current)
        elif word in MAGNITUDES and len(word) > 2:
            total, current = total + max(current, 1) * MAGNITUDES[word], 0.0
        else:
            break
        last = after
    return Quantity(place, last, total + current, scaled=total > 0, spelled=True)


def _year(reading: Reading, place: int, century: float) -> Quantity:
    """Read `twenty eighteen`, `nineteen ninety five`."""
    words = reading.folded[place + 1 : place + 3]
    ones = ONES.get(words[1], 0) if words[0] in TENS and len(words) > 1 else 0
    value = century * 100 + TENS.get(words[0], ONES.get(words[0], 0)) + ones
    return Quantity(place, place + 1 + (ones > 0), value, spelled=True, year_like=True)


def _goes_on(reading: Reading, place: int) -> bool:
    """Return whether a number in words goes on behind a word."""
    following = reading.folded[place + 1 : place + 2]
    return bool(following) and (following[0] in ONES or following[0] in TENS)


def _decimal(reading: Reading, place: int, point: int, whole: float) -> Quantity:
    """Read the `point two five` of a number in words."""
    digits, last = "", point
    while last + 1 < len(reading.words) and reading.folded[last + 1] in ONES and len(digits) < 6:
        last += 1
        digits += str(ONES[reading.folded[last]])
    return Quantity(place, last, float(f"{whole:.0f}.{digits or 0}"), spelled=True)


def _with_unit(reading: Reading, quantity: Quantity) -> Quantity:
    """Add the unit that follows: `16 GB`, `14"`; `square metres` is two words."""
    after = quantity.last + 1
    if quantity.unit is not None:
        return quantity
    if reading.gap(after)[:1] in ('"', "″") and reading.gap(quantity.first)[-1:] != '"':
        return replace(quantity, unit="inch")
    if after >= len(reading.words) or len(reading.gap(after)) > 2:
        return quantity
    word = reading.stems[after]
    if word in ("square", "sq") and after + 1 < len(reading.words):
        feet = reading.stems[after + 1] in ("feet", "foot", "ft")
        return replace(quantity, unit="sqft" if feet else "sqm")
    return replace(quantity, unit=word) if word in UNITS and word != "in" else quantity


def _with_currency(reading: Reading, quantity: Quantity) -> Quantity:
    before, after = reading.gap(quantity.first).strip()[-1:], reading.gap(quantity.last + 1)
    following = reading.folded[quantity.last + 1 : quantity.last + 2]
    named = bool(following) and following[0] in CURRENCY_WORDS and len(after) <= 1
    beside = before + after.strip()[:1]
    return replace(quantity, currency=named or any(sign in CURRENCY_SIGNS for sign in beside))


def _as_range(reading: Reading, low: Quantity, high: Quantity) -> Quantity | None:
    """Return two numbers as one range: `20-30k`, `between 20 and 30k`, `from 2015 to 2018`."""
    start, end = reading.words[low.last].end, reading.words[high.first].start
    if end - start > 24 or not _BETWEEN.fullmatch(reading.text, start, end):
        return None
    value = low.value
    if high.scaled and not low.scaled and value < 1000:
        scaled = value * _scale(high.value)
        value = scaled if value < high.value and scaled <= high.value else value
    if value >= high.value:
        return None
    return replace(
        high,
        first=low.first,
        value=value,
        high=high.value,
        currency=low.currency or high.currency,
        unit=high.unit or low.unit,
        spelled=low.spelled and high.spelled,
        year_like=low.year_like and high.year_like,
    )


def _scale(value: float) -> float:
    return next((scale for scale in (1e9, 1e6, 1e3) if value >= scale), 1.0)
