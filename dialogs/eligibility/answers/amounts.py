"""Read amounts with their unit or period, and convert them to what a number key counts in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...language.numbers import MAGNITUDES, ONES, TENS
from ...language.units import CURRENCY_WORDS
from ..keys import Key
from .english import ADVERBS, INEXACT, PERIODS, TIME_WORDS
from .words import Word, words_of

LONGEST = 10
"""Words of one number."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in words `first` to `last` (included).

    `unit`: the time it counts (`34 years`). `per`: the time it is for (`a month`). `inexact`:
    only a bound or one end of a range was said.
    """

    first: int
    last: int
    value: float
    unit: str = ""
    per: str = ""
    money: bool = False
    inexact: bool = False


def amounts(words: Sequence[Word]) -> list[Amount]:
    """Return the numbers in some words, in order; a range is one that is inexact."""
    numbers: list[Amount] = []
    place = 0
    while place < len(words):
        amount = _amount_at(words, place)
        if amount is None:
            place += 1
            continue
        if numbers and _is_range(words, numbers[-1], amount):
            numbers[-1] = replace(numbers[-1], last=amount.last, inexact=True)
        else:
            numbers.append(amount)
        place = amount.last + 1
    return numbers


def _is_range(words: Sequence[Word], low: Amount, high: Amount) -> bool:
    between = [word.low for word in words[low.last + 1 : high.first]]
    before = [word.low for word in words[max(0, low.first - 2) : low.first]]
    if between in (["to"], ["-"], ["–"], ["or"]):
        return low.value < high.value
    return between == ["and"] and "between" in before


def _amount_at(words: Sequence[Word], place: int) -> Amount | None:
    if words[place].value is not None:
        amount = _written(words, place)
    elif words[place].low in ONES or words[place].low in TENS or _is_a_hundred(words, place):
        amount = _spelled(words, place)
    else:
        amount = _one_time(words, place)
    if amount is None:
        return None
    return _with_bound(words, _with_units(words, _with_half(words, amount)))


def _one_time(words: Sequence[Word], place: int) -> Amount | None:
    """Read `a year`, `half a year`; not the period in `3,000 a month`, `40 hours a week`."""
    lows = [word.low for word in words[max(0, place - 1) : place + 3]]
    before = lows.pop(0) if place else ""
    if lows[:2] == ["half", "a"] and len(lows) > 2 and lows[2] in TIME_WORDS:
        return Amount(place, place + 1, 0.5)
    is_one = lows[:1] in (["a"], ["an"]) and len(lows) > 1 and lows[1] in TIME_WORDS
    counted = before in TIME_WORDS or before in CURRENCY_WORDS or before in _BEFORE_PERIOD
    if not is_one or counted or (place and words[place - 1].value is not None):
        return None
    return (
        None
        if before in ONES or before in TENS or before in MAGNITUDES
        else Amount(place, place, 1.0)
    )


_BEFORE_PERIOD = frozenset("times once twice thrice earn earns make makes much many".split())


def _is_a_hundred(words: Sequence[Word], place: int) -> bool:
    after = words[place + 1].low if place + 1 < len(words) else ""
    return words[place].low == "a" and after in ("hundred", "thousand", "million", "grand")


def _written(words: Sequence[Word], place: int) -> Amount | None:
    value = words[place].value or 0.0
    after = words[place + 1].low if place + 1 < len(words) else ""
    if after in ("st", "nd", "rd", "th"):
        return None
    if after in MAGNITUDES:
        return Amount(place, place + 1, value * MAGNITUDES[after], money=words[place].money)
    return Amount(place, place, value, money=words[place].money)


def _spelled(words: Sequence[Word], place: int) -> Amount | None:
    if words[place].low == "one" and not _counts(words, place):
        return None
    total, current, last = 0.0, 0.0, place
    for at in range(place, min(place + LONGEST, len(words))):
        low = words[at].low
        if low in ONES or low in TENS:
            if at > place and not _continues(low, current, words[at - 1].low):
                break
            current += ONES.get(low, 0) + TENS.get(low, 0)
        elif low == "hundred":
            current = max(current, 1) * 100
        elif low in MAGNITUDES and len(low) > 2:
            total, current = total + max(current, 1) * MAGNITUDES[low], 0.0
        elif not (low == "a" and at == place) and not _joins(words, at):
            break
        else:
            continue
        last = at
    return Amount(place, last, total + current)


def _counts(words: Sequence[Word], place: int) -> bool:
    """Return whether `one` is a number, not a pronoun: `no one`, `the only one`, `one of us`."""
    before = words[place - 1].low if place else ""
    after = words[place + 1].low if place + 1 < len(words) else ""
    return before not in (
        "no", "only", "the", "every", "any", "some", "this", "that", "each", "which", "other",
    ) and after not in ("of", "is", "who", "has", "does")  # fmt: skip


def _continues(low: str, current: float, before: str) -> bool:
    """Return whether a number word goes on: `twenty five`, `hundred five`, not `four seven`."""
    if before in ("hundred", "thousand", "million", "grand", "and"):
        return True
    return low in ONES and ONES[low] < 10 and current >= 20 and current % 10 == 0


def _joins(words: Sequence[Word], at: int) -> bool:
    """Return whether an `and` stands inside a number: `two hundred and five`."""
    before = words[at - 1].low
    after = words[at + 1].low if at + 1 < len(words) else ""
    is_big = before in ("hundred", "thousand", "million")
    return words[at].low == "and" and is_big and (after in ONES or after in TENS)


def _with_half(words: Sequence[Word], amount: Amount) -> Amount:
    after = [word.low for word in words[amount.last + 1 : amount.last + 5]]
    if after[:3] == ["and", "a", "half"]:
        return replace(amount, value=amount.value + 0.5, last=amount.last + 3)
    if after[1:4] == ["and", "a", "half"] and after[0] in TIME_WORDS:
        return replace(amount, value=amount.value + 0.5)
    return amount


def _with_units(words: Sequence[Word], amount: Amount) -> Amount:
    """Add what follows: `years old`, `months`, `dollars a month`, `hours per week`, `monthly`."""
    at = amount.last + 1
    after = [word.low for word in words[at : at + 6]]
    unit, money = "", amount.money
    if after and after[0] in TIME_WORDS and not money:
        unit, after = TIME_WORDS[after[0]], after[1:]
    elif after and after[0] in CURRENCY_WORDS:
        money, after = True, after[1:]
    return replace(amount, unit=unit, money=money, per=_period(after))


def _period(after: Sequence[str]) -> str:
    """Return the time that a number is for, from the words after it."""
    for place, word in enumerate(after[:4]):
        if word in ADVERBS:
            return ADVERBS[word]
        follows = after[place + 1] if place + 1 < len(after) else ""
        if word in ("a", "an", "per", "each", "every", "/") and follows in TIME_WORDS:
            return TIME_WORDS[follows]
        if word in (",", ".", ";", "and", "but"):
            break
    return ""


def _with_bound(words: Sequence[Word], amount: Amount) -> Amount:
    before = [word.low for word in words[max(0, amount.first - 3) : amount.first]]
    after = [word.low for word in words[amount.last + 1 : amount.last + 4]]
    bound = bool(INEXACT & set(before)) or before[-2:] == ["up", "to"]
    either = after[:2] in (["or", "more"], ["or", "less"], ["or", "so"], ["or", "under"])
    return replace(amount, inexact=bound or (either and after[1] != "so"))


LAST = ("last", "this", "past")


def unit_of(key: Key) -> str:
    """Return the time that a key counts: `months_pregnant` → month; empty for none."""
    if per_of(key) and not _named(key.name, "hour"):
        return ""
    for text in (key.name.replace("_", " "), key.description):
        for word in words_of(text):
            if word.low in TIME_WORDS and (word.low.endswith("s") or word.low == "hour"):
                return TIME_WORDS[word.low]
    return "year" if is_age(key) else ""


def per_of(key: Key) -> str:
    """Return the time that a key's number is for: `monthly rent` → month; empty for none."""
    for text in (key.name.replace("_", " "), key.description, key.ask):
        lows = [word.low for word in words_of(text)]
        for at, low in enumerate(lows):
            if low in ADVERBS:
                return ADVERBS[low]
            before = lows[at - 1] if at else ""
            if low in TIME_WORDS and before in ("per", "a", "each", "every", "/", *LAST):
                return TIME_WORDS[low]
    return ""


def is_age(key: Key) -> bool:
    """Return whether a key is how old somebody is, for which no number is never 0."""
    return _named(key.name, "age") or _named(key.description, "age")


def _named(text: str, word: str) -> bool:
    return any(part.low in (word, f"{word}s") for part in words_of(text.replace("_", " ")))


def convert(amount: Amount, key: Key) -> float | None:
    """Return an amount in a key's own time; None where they do not fit.

    30,000 a year is 2,500 a month; two years are 24 months; 18 months of age are 1 year.
    """
    if amount.inexact:
        return None
    value = amount.value
    own_per, own_unit = per_of(key), unit_of(key)
    if amount.per and amount.per != own_per:
        if amount.per not in PERIODS or own_per not in PERIODS:
            return None
        value *= PERIODS[amount.per] / PERIODS[own_per]
    if amount.unit and own_unit and amount.unit != own_unit:
        if amount.unit not in PERIODS or own_unit not in PERIODS:
            return None
        value *= PERIODS[own_unit] / PERIODS[amount.unit]
    elif amount.unit and not own_unit and not own_per and amount.unit in PERIODS:
        # Times do not count what is not time.
        return None
    if key.kind == "float":
        return value
    return math.floor(value + 1e-9) if is_age(key) else float(round(value))
