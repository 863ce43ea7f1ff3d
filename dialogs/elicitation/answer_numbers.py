"""Numbers of an answer, in figures and in words: `$5,400`, `5.4k`, `fifty-four hundred`, `4+`.

One pass over the words; a number ends where a word goes on that counts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..language.numbers import MAGNITUDES, ONES, TENS
from .answer_words import Word

_FIGURE = re.compile(
    r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(k|g|grand|ish|star|usd|m|h|hr|d|st|nd|rd|th)?$"
)
_PLURALS = {"hundred": 100.0, "thousand": 1_000.0, "grand": 1_000.0, "k": 1_000.0}
MOST_FIGURES = 12


@dataclass(frozen=True, slots=True)
class Number:
    """Words `first` to `last` (included) that say a number. `counted`: by `k` or `thousand`."""

    first: int
    last: int
    value: float
    counted: bool = False


def numbers(words: Sequence[Word]) -> list[Number]:
    """Return the numbers among words, in order."""
    found: list[Number] = []
    place = 0
    while place < len(words):
        number = _number_at(words, place)
        if number:
            found.append(number)
        place = number.last + 1 if number else place + 1
    return [_carried(found, at) for at in range(len(found))]


def _carried(found: Sequence[Number], at: int) -> Number:
    """Return a number with the thousands of the next one: `4 to 5 thousand`."""
    number = found[at]
    after = found[at + 1] if at + 1 < len(found) else None
    if after is None or number.counted or not after.counted or after.first - number.last > 2:
        return number
    if number.value < 100 <= after.value:
        return Number(number.first, number.last, number.value * 1000, counted=True)
    return number


def _number_at(words: Sequence[Word], place: int) -> Number | None:
    """Read one number: figures or words, a fraction, what multiplies them, and the rest."""
    small, at = _small(words, place)
    if small is None:
        return None
    total, part, counted = 0.0, small, False
    while at < len(words) and not words[at].pause:
        times = MAGNITUDES.get(words[at].text, 0)
        if _is_and_a_half(words, at):
            part, at = part + 0.5, at + 3
        elif 0 < times <= 1000:
            counted, at = True, at + 1
            if times == 100:
                part *= 100
            else:
                total, part = total + part * times, 0.0
            if _is_and_a_half(words, at):
                total, at = total + times / 2, at + 3
        else:
            skip = 1 if words[at].text == "and" and counted else 0
            more, after = _small(words, at + skip)
            if not counted or more is None or not _fits(total, part, more):
                break
            part, at = part + more, after
    return Number(place, at - 1, total + part, counted)


def _is_and_a_half(words: Sequence[Word], at: int) -> bool:
    return [word.text for word in words[at : at + 3]] == ["and", "a", "half"]


def _fits(total: float, part: float, more: float) -> bool:
    """Return whether a smaller number goes on with a larger one: `five thousand four hundred`."""
    return more < 100 and part % 100 == 0 if part else 0 < more < 1000 and total > 0


def _small(words: Sequence[Word], at: int) -> tuple[float | None, int]:
    """Return a number in figures, or below a hundred in words, and where it ends."""
    if at >= len(words):
        return None, at
    text = words[at].text
    figure = _FIGURE.match(text) if len(text) <= MOST_FIGURES else None
    if figure:
        return _figures(figure, words, at)
    if text in TENS:
        unit = ONES.get(words[at + 1].text, 0) if at + 1 < len(words) else 0
        joined = 0 < unit < 10 and not words[at + 1].pause
        return TENS[text] + (unit if joined else 0.0), at + 1 + joined
    if text == "one" and _is_a_pronoun(words, at):
        return None, at
    if text in ONES:
        return float(ONES[text]), at + 1
    following = words[at + 1].text if at + 1 < len(words) else ""
    if text in ("a", "one") and following in _PLURALS:
        return 1.0, at + 1
    if text == "couple":
        skip = 2 if following == "of" else 1
        if at + skip < len(words) and words[at + skip].text in _PLURALS:
            return 2.0, at + skip
    return None, at


_LEADING = frozenset(
    "a the any that this which every each good nice decent better best cheap no other right bad "
    "clean proper big small fine great".split()
)


def _is_a_pronoun(words: Sequence[Word], at: int) -> bool:
    """Return whether `one` stands for a thing: `good ones`, `a nice one`."""
    if words[at].end - words[at].start == 4:
        return True
    return at > 0 and not words[at].pause and words[at - 1].text in _LEADING


def _figures(figure: re.Match[str], words: Sequence[Word], at: int) -> tuple[float | None, int]:
    value = float(figure[1].replace(",", "") + "." + (figure[2] or "0"))
    if figure[3] in ("k", "g", "grand"):
        return value * 1000, at + 1
    if figure[3] in ("st", "nd", "rd", "th", "m", "h", "hr", "d"):
        return None, at + 1
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None or value >= 100 or figure[2] or after.start - words[at].end != 1:
        return value, at + 1
    if re.fullmatch(r"\d{3}", after.text) and not after.pause:  # `5 400`
        return value * 1000 + float(after.text), at + 2
    return value, at + 1
