"""Find the unit and period of a number key, and convert amounts to them."""

from __future__ import annotations

import math

from ..keys import Key
from .amounts import Amount
from .english import ADVERBS, PERIODS, TIME_WORDS
from .words import words_of

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
