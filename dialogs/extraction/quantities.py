"""Numbers in a text: magnitude, unit, currency, and the ranges they form.

`25k`, `two thousand five hundred`, `a dozen`, `third`, `20-30 kg`, `between 20 and 30`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ..language.grades import grades
from ..language.numbers import (
    COUNTS,
    DECADES,
    MAGNITUDES,
    NOTES,
    NOUGHTS,
    ONES,
    ORDINALS,
    PARTS,
    SAID,
    TENS,
    THIRDS,
    in_words,
)
from ..language.units import CURRENCY_SIGNS, CURRENCY_WORDS, HUNDREDTHS, UNITS, spelling
from .group_sizes import group_words, with_parties
from .number_lists import with_lists
from .quantity import Quantity, scale_of
from .reading import Reading

MAX_DIGITS = 15
"""More than any bound people say, and few enough for exact arithmetic."""

_DIGITS = re.compile(r"(\d[\d,]*(?:\.\d+)?)([a-z]*)")
_WORDS = {**ONES, **TENS, **dict.fromkeys(NOUGHTS, 0)}
_BIG = ("hundred", "thousand", "thou", "grand", "million")
_STARTS = frozenset(
    ("a", "an", "hundred", "thousand", *_WORDS, *ORDINALS, *PARTS, *COUNTS, *NOTES)
) | {word.split()[0] for word in (*SAID, *DECADES, *THIRDS)}
"""Words that a number said in words begins with."""

SHORT_ANSWER = 6
"""Words of an answer whose number is in the unit that the question named."""

LONGEST_NUMBER = 10
"""Words of a number."""

_PART = re.compile(
    rf"(?:(?:a|one) )?({'|'.join(sorted(PARTS, key=len, reverse=True))})(?: of)?(?: an?)? (\w\w+)"
)
_AND_PART = re.compile(rf"and (?:an? )?({'|'.join(sorted(PARTS, key=len, reverse=True))})\b")
_SEVERAL = re.compile(r"(?:a )?(couple|few)(?: of)? (hundred|thousand|grand|million|dozen)\b")
_BETWEEN = re.compile(
    r"[\s\"″”]*[$€£]?\s?(?:[a-z$€£]{1,12}\s?)?(?:[-–—]|to|and|through|thru|till|until|up\s+to)"
    r"\s?(?:the\s|about\s|around\s|maybe\s)?[$€£]?",
    re.IGNORECASE,
)


def find_quantities(reading: Reading) -> list[Quantity]:
    """Return the numbers of a message in order, then the ranges that pairs of them may form."""
    singles = list(_numbers(reading))
    if len(singles) == 1 and len(reading.words) <= SHORT_ANSWER and reading.question:
        # `Are two years enough?` - `No, three.`
        asked = (quantity.unit for quantity in _numbers(reading.asking) if quantity.unit)
        bare = singles[0].unit is None and not (singles[0].currency or singles[0].ordinal)
        bare = bare and not group_words(reading, singles[0])
        if bare and (unit := next(asked, None)):
            singles = [replace(singles[0], unit=unit)]
    singles = with_lists(reading, with_parties(reading, singles))
    joined = (_as_range(reading, *pair) for pair in pairwise(singles))
    return [*singles, *(quantity for quantity in joined if quantity)]


def _numbers(reading: Reading) -> Iterator[Quantity]:
    place, behind = 0, -1
    while place < len(reading.words):
        quantity = _number_at(reading, place)
        if quantity is not None and _is_rate(reading, quantity, behind):
            quantity = None
        if quantity is not None:
            if _is_below_zero(reading, place):
                quantity = replace(quantity, value=-quantity.value)
            quantity = _with_currency(reading, _with_unit(reading, quantity))
            quantity = _with_smaller(reading, _with_hundredths(reading, quantity))
            yield quantity
            behind = _word_behind(reading, quantity)
        place = quantity.last + 1 if quantity else place + 1


def _word_behind(reading: Reading, quantity: Quantity) -> int:
    """Return the word behind an amount and its currency."""
    behind = quantity.last + 1
    money = "".join(reading.folded[behind : behind + 1]) in CURRENCY_WORDS
    return behind + 1 if money else behind


def _is_rate(reading: Reading, quantity: Quantity, behind: int) -> bool:
    """Return whether `an hour` says what the number right before it is of: `forty an hour`."""
    alone = quantity.first == quantity.last and reading.folded[quantity.first] in ("a", "an")
    return alone and quantity.first == behind and len(reading.gap(behind)) == 1


def _is_below_zero(reading: Reading, place: int) -> bool:
    gap = reading.gap(place)
    signed = gap[-1:] in ("-", "−") and ((len(gap) == 1 and not place) or gap[-2:-1].isspace())
    return signed or reading.folded[place - 1 : place] == ["minus"]


def _number_at(reading: Reading, place: int) -> Quantity | None:
    if _is_thing(reading, place):
        return None
    if matched := _DIGITS.fullmatch(reading.folded[place]):
        return _written(reading, place, matched[1], matched[2])
    if _bare(reading.folded[place]) not in _STARTS:
        return None
    words = _run(reading, place)
    found = _decade(words) or _counted(words) or _spelled(words)
    return found and replace(found, first=place, last=place + found.last, value=float(found.value))


_OF_THESE = re.compile(r"\b(?:those|these|of\sthe|(?:show|see)\s(?:me\s)?the)\s$", re.IGNORECASE)
_COUNTS_NOTHING = re.compile(
    r"\s?(?:$|[.,;!?](?!\d)|\s(?:please|is|are|has|have|with|without|that|which|would|do|does|then|fit)\b)",
    re.IGNORECASE,
)
_SMALL = frozenset(word for n in range(2, 11) for word in (str(n), in_words(n)))
_THINGS = frozenset("this that which another other either".split())


def _is_thing(reading: Reading, place: int) -> bool:
    """Return whether a number is of things shown: `the cheapest one`, `which of those 4`."""
    start = reading.words[place].start
    if reading.folded[place] in _SMALL and _OF_THESE.search(
        reading.text[max(0, start - 12) : start]
    ):
        return _COUNTS_NOTHING.match(reading.text, reading.words[place].end) is not None
    if reading.folded[place] != "one" or not place or reading.gap(place) != " ":
        return False
    before = reading.folded[place - 1]
    compared = (grade.form in ("more", "most") for grade in grades().get((before,), ()))
    bounds = reading.folded[place - 2 : place - 1] == ["at"]  # `at least one`
    counts = place + 1 in reading.naming_words  # `the cheapest one bedroom flat`
    return before in _THINGS or (any(compared) and not bounds and not counts)


def _run(reading: Reading, place: int) -> list[str]:
    """Return words from one on that nothing but a blank or a hyphen parts."""
    end = place + 1
    while end < min(place + LONGEST_NUMBER, len(reading.words)) and reading.gap(end) in " -":
        end += 1
    return [_bare(word) for word in reading.folded[place:end]]


def _bare(word: str) -> str:
    """Return a word of a number without the `is` of `four's enough`."""
    bare = word.removesuffix("'s")
    return bare if bare in _WORDS or bare in MAGNITUDES else word


def _decade(words: list[str]) -> Quantity | None:
    """Read `nineties`, `late 80s`, `this year`: years."""
    first, last = THIRDS.get(words[0], (0, 9))
    at = int(words[0] in THIRDS)
    said = "".join(words[at : at + 1])
    start = DECADES.get(said)
    if start is None and re.fullmatch(r"(?:19|20)?\d0s", said):
        start = int(said[:-1]) + (0 if len(said) > 3 else 1900 if said > "20s" else 2000)
    if start is None:
        return None
    return Quantity(0, at, start + first, start + last, spelled=True, year_like=True, only="years")


def _counted(words: list[str]) -> Quantity | None:
    """Read what is no plain number: `a pair`, `half a dozen`, `a quarter of a kilo`, `a tenner`."""
    said, word, noun = " ".join(words), words[0], "".join(words[1:2])
    if matched := _PART.match(said):
        last, count = matched[0].count(" "), COUNTS.get(matched[2], 1)
        if count > 1 or (spelling(matched[2]) in UNITS and matched[2] != "in"):
            value = PARTS[matched[1]] * count
            return Quantity(0, last - (count == 1), value, spelled=True, scaled=count > 99)
    if matched := _SEVERAL.match(said):
        value = float(COUNTS[matched[1]] * COUNTS[matched[2]])
        return Quantity(0, matched[0].count(" "), value, spelled=True, scaled=True)
    for length in range(min(4, len(words)), 0, -1):
        if told := SAID.get(" ".join(words[:length])):
            return Quantity(0, length - 1, told[0], unit=told[1], spelled=True, only=told[2])
    if word in ORDINALS:
        return Quantity(0, 0, ORDINALS[word], spelled=True, ordinal=True)
    article = int(word in ("a", "an"))
    if (note := NOTES.get(words[article] if article < len(words) else "")) is not None:
        return Quantity(0, article, note, currency=True, spelled=True)
    if not article or not noun:
        return None
    if noun in COUNTS and noun not in MAGNITUDES and noun != "few":
        return Quantity(0, 1, COUNTS[noun], spelled=True, scaled=True)
    whole = int(noun in ("whole", "full", "single") and len(words) > 2)
    noun = words[1 + whole]
    unit = _unit_word(noun) in UNITS or noun in CURRENCY_WORDS
    long = len(noun) > 2 or noun in ("km", "kg")
    return Quantity(0, whole, 1.0, spelled=True) if unit and long else None


def _unit_word(word: str) -> str:
    """Return a word as units are compared: `month` of `a month's notice`."""
    return spelling(word.removesuffix("'s"))


def _written(reading: Reading, place: int, digits: str, suffix: str) -> Quantity | None:
    plain = digits.replace(",", "")
    if len(plain) > MAX_DIGITS:
        return None
    if suffix == "s":
        found = _decade([digits + suffix])
        return found and replace(found, first=place, last=place)
    year_like = "," not in digits and not suffix and len(plain) == 4 and plain.isdigit()
    scale = float(MAGNITUDES.get(suffix, 1))
    if suffix in HUNDREDTHS and len(plain) < 3:
        return Quantity(place, place, float(plain) / 100, currency=True)
    unit = suffix if suffix in UNITS and scale == 1 else None
    ordinal = suffix in ("st", "nd", "rd", "th")
    last, after, short = place, place + 1, suffix
    if not suffix and after < len(reading.words) and len(reading.gap(after)) <= 1:
        word = reading.folded[after]
        if word in MAGNITUDES and word != "m":
            scale, last, short = float(MAGNITUDES[word]), after, word
    value = float(plain)
    if last == place and (more := _and_part(reading.folded[after : after + 4])):
        value, last = value + more[0], place + more[1]
    elif not suffix and reading.folded[after : after + 1] == ["point"] and plain.isdigit():
        tenths = "".join(reading.folded[after + 1 : after + 2])
        if tenths.isdigit() and len(tenths) < 4:
            value, last = float(f"{plain}.{tenths}"), after + 1
    value *= scale
    whole_year = year_like and last == place
    return Quantity(
        place,
        last,
        value,
        scaled=scale > 1,
        unit=unit,
        year_like=whole_year,
        ordinal=ordinal,
        suffix=short if short in ("k", "m", "mil") else "",
    )


def _spelled(words: list[str]) -> Quantity | None:
    """Read `twenty-five`, `two thousand five hundred`, `a hundred and twenty`, `two fifty`."""
    at = int(words[0] in ("a", "an") and "".join(words[1:2]) in _BIG)
    if words[at] not in (_WORDS if not at else _BIG) and words[at] not in ("hundred", "thousand"):
        return None
    total, current, last, before, suffix = 0.0, 0.0, at, "", ""
    for place, word in enumerate(words[at:], at):
        number, following = _WORDS.get(word), words[place + 1 : place + 3]
        if number is not None:
            if before in _WORDS and not (before in TENS and 0 < number < 10):
                if total or before in NOUGHTS or number < 10 or not 0 < current < 100:
                    break
                if current in (19, 20):
                    return _year(words, place, current)
                if before in TENS:
                    break
                current *= 100
            current += number
        elif word == "hundred" and current < 100:
            current = max(current, 1) * 100
        elif word == "and" and (more := _and_part(words[place:])):
            behind = place + more[1]
            scale = MAGNITUDES.get("".join(words[behind : behind + 1]), 1)
            value = (total + current + more[0]) * scale
            return Quantity(0, behind - (scale == 1), value, scaled=scale > 1, spelled=True)
        elif word == "and" and (current >= 100 or total) and _goes_on(words, place + 1, total):
            before = word
            continue
        elif word == "point" and following and following[0] in ONES:
            return _decimal(words, place, total + current)
        elif word in MAGNITUDES and word not in ("m", "hundred"):
            total, current = total + max(current, 1) * MAGNITUDES[word], 0.0
            suffix = word if word in ("k", "mil") else ""
        else:
            break
        last, before = place, word
    return Quantity(0, last, total + current, scaled=total > 0, spelled=True, suffix=suffix)


def _and_part(words: list[str]) -> tuple[float, int] | None:
    """Return how much `and a half` or `and three quarters` is, and of how many words."""
    matched = _AND_PART.match(" ".join(words))
    return (PARTS[matched[1]], matched[0].count(" ") + 1) if matched else None


def _year(words: list[str], place: int, century: float) -> Quantity:
    """Read `twenty eighteen`, `nineteen ninety five`."""
    after = "".join(words[place + 1 : place + 2])
    ones = ONES.get(after, 0) * (words[place] in TENS) % 10
    value = century * 100 + _WORDS[words[place]] + ones
    return Quantity(0, place + (ones > 0), value, spelled=True, year_like=True)


def _goes_on(words: list[str], place: int, total: float) -> bool:
    """Return whether what follows `and` belongs to the number before: less than a hundred does."""
    if "".join(words[place : place + 1]) not in _WORDS:
        return False
    more = _spelled(words[place:])
    # `two hundred and fifty thousand` is one number, `five hundred and eight hundred` are two.
    return more is not None and (more.value < 100 or (more.value >= 10_000 and not total))


def _decimal(words: list[str], point: int, whole: float) -> Quantity:
    """Read the `point two five` of a number in words."""
    digits, last = "", point
    while last + 1 < len(words) and words[last + 1] in ONES and len(digits) < 6:
        last += 1
        digits += str(ONES[words[last]])
    return Quantity(0, last, float(f"{whole:.0f}.{digits or 0}"), spelled=True)


def _with_unit(reading: Reading, quantity: Quantity) -> Quantity:
    """Add the unit that follows: `16 GB`, `14"`; `square metres` is two words."""
    after = quantity.last + 1
    if quantity.unit is not None:
        return quantity
    if quantity.spelled and reading.folded[after : after + 1] == ["of"]:
        after += 1
    if reading.gap(after)[:1] in ('"', "″") and reading.gap(quantity.first)[-1:] != '"':
        return replace(quantity, unit="inch")
    if after >= len(reading.words) or len(reading.gap(after)) > 2:
        return quantity
    word = _unit_word(reading.folded[after])
    if word in ("square", "sq") and after + 1 < len(reading.words):
        feet = reading.stems[after + 1] in ("feet", "foot", "ft")
        return replace(quantity, unit="sqft" if feet else "sqm")
    if word not in UNITS or word == "in":
        return quantity
    if more := _and_part(reading.folded[after + 1 : after + 5]):
        last, value = after + more[1], quantity.value + more[0]
        return replace(quantity, unit=word, last=last, value=value)
    return replace(quantity, unit=word)


def _with_currency(reading: Reading, quantity: Quantity) -> Quantity:
    before, after = reading.gap(quantity.first).strip()[-1:], reading.gap(quantity.last + 1)
    following = "".join(reading.folded[quantity.last + 1 : quantity.last + 2])
    if following in HUNDREDTHS and len(after) <= 1 and not quantity.currency:
        return replace(quantity, value=quantity.value / 100, currency=True, unit=None)
    leading = "".join(reading.folded[max(0, quantity.first - 1) : quantity.first])
    named = (following in CURRENCY_WORDS and len(after) <= 1) or (
        leading in CURRENCY_WORDS and reading.gap(quantity.first) == " " and leading != "quid"
    )
    beside = before + after.strip()[:1]
    signed = any(sign in CURRENCY_SIGNS for sign in beside)
    return replace(quantity, currency=quantity.currency or named or signed)


def _with_hundredths(reading: Reading, quantity: Quantity) -> Quantity:
    """Add hundredths said behind what they are of: `fifteen pounds fifty`, `two metres eighty`."""
    at = quantity.last + 2
    is_money = quantity.unit == "pound" or (
        quantity.currency and "".join(reading.folded[at - 1 : at]) in CURRENCY_WORDS
    )
    if (
        (is_money or quantity.unit == "meter")
        and at < len(reading.words)
        and reading.gap(at) == " "
    ):
        more = _number_at(reading, at)
        if more and more.value in range(10, 100) and not (more.high or more.scaled or more.unit):
            following = "".join(reading.folded[more.last + 1 : more.last + 2])
            counts = _with_unit(reading, more).unit or following in CURRENCY_WORDS
            # `5 metres, 20 sockets`.
            counts = counts or (not is_money and spelling(following) != following)
            if not counts and quantity.value.is_integer():
                value = quantity.value + more.value / 100
                unit = None if is_money else quantity.unit
                return replace(quantity, last=more.last, value=value, unit=unit, currency=is_money)
    return quantity


def _with_smaller(reading: Reading, quantity: Quantity) -> Quantity:
    """Add what is said in a smaller unit behind: `2 hours 15 minutes`, `six foot two inches`."""
    at = quantity.last + 1
    at += _unit_word("".join(reading.folded[at : at + 1])) == quantity.unit
    at += reading.folded[at : at + 1] == ["and"]
    if quantity.unit is None or at >= len(reading.words) or len(reading.gap(at)) > 1:
        return quantity
    more = _number_at(reading, at)
    more = more and _with_unit(reading, more)
    if more is None or more.unit is None or more.high:
        return quantity
    (kind, size), (own, smaller) = UNITS[quantity.unit], UNITS[more.unit]
    rest = more.value * smaller / size
    if kind != own or not 0 < rest < 1 or smaller * 10 > size or not quantity.value.is_integer():
        return quantity
    return replace(quantity, last=more.last, value=quantity.value + rest)


def _as_range(reading: Reading, low: Quantity, high: Quantity) -> Quantity | None:
    """Return two numbers as one range: `20-30k`, `between 20 and 30k`, `forty fifty pounds`."""
    start, end = reading.words[low.last].end, reading.words[high.first].start
    if end - start > 24 or low.only or high.only:
        return _with_tolerance(reading, low, high, start, end)
    value = low.value * scale_of(low, high, high.value)
    beside = reading.text[start:end] == " " and low.spelled and high.spelled
    beside = beside and high.value <= 2 * value and not (low.ordinal or low.unit)
    if value >= high.value or not (beside or _BETWEEN.fullmatch(reading.text, start, end)):
        return _with_tolerance(reading, low, high, start, end)
    return replace(
        high,
        first=low.first,
        value=value,
        high=high.value,
        follows=None,
        currency=low.currency or high.currency,
        unit=high.unit or low.unit,
        spelled=low.spelled and high.spelled,
        year_like=low.year_like and high.year_like,
    )


_TOLERANCE = re.compile(
    r"[^\d.;!?]{0,20}?(?:give\s+or\s+take|plus\s+or\s+minus|plus\s+minus|\+/-|±)\s*[$€£]?",
    re.IGNORECASE,
)


def _with_tolerance(
    reading: Reading, middle: Quantity, most: Quantity, start: int, end: int
) -> Quantity | None:
    """Return a number and how far from it is near enough as a range: `35, give or take 3`."""
    exact, far = not (middle.high or most.high or middle.only or most.only), abs(most.value)
    if not (exact and far < middle.value and _TOLERANCE.fullmatch(reading.text, start, end)):
        return None
    if reading.gap(most.last + 1).lstrip()[:1] == "%":
        far *= middle.value / 100
    ends = middle.value - far, middle.value + far
    unit = middle.unit or most.unit
    return replace(middle, last=most.last, value=ends[0], high=ends[1], unit=unit)
