"""Numbers as values: of an entry of numbers, or as the stretch of numbers that a choice names.

A number counts when it lies within the entry's bounds and counts nothing else (`3 nights`, `per
person`, `out of 5`). Two that differ are vague, unless one is set (`at most 6,000`), took back
the other, or both are the ends of a rating asked for as `at least`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .answer_numbers import Number, numbers
from .answer_signals import signals
from .answer_words import Mark, Meaning, Word, is_alone
from .schema import Entry, Value

Found = tuple[Value, int, int]
"""A value, and the first and last word that say it."""

_COUNTED = frozenset(
    "day night week people person adult kid child guest year month trip traveler traveller hour "
    "minute room friend each star's pax bed couple dog cat flight city time pm am".split()
)
_SETS = frozenset(
    "max maximum most top ceiling cap limit exceed tops final total altogether overall max'".split()
)
_BETWEEN = frozenset({"to", "or", "and", "maybe", "star", "dollar", "buck", "even", "possibly"})
SET = 0.5
"""What `at most` adds to the score of a number."""

MOST_NUMBERS = 100
"""Of one answer; a longer list is no answer."""


def amount(entry: Entry, text: str, words: Sequence[Word], marks: Sequence[Mark]) -> Found | None:
    """Return the number that an answer gives an entry; None where none or several do."""
    said = [one for one in numbers(words)[:MOST_NUMBERS] if _counts(entry, text, words, one)]
    if "at least" in entry.question:
        said = _lower_ends(words, said)
    merged = sorted([*_other_marks(marks, said), *map(_mark, said)], key=lambda mark: mark.first)
    heard = signals(words, merged)
    best: dict[float, tuple[float, Mark]] = {}
    for one in heard:
        if one.kind != "value" or one.score < 0:
            continue
        if one.negations and words[one.mark.first - 1].text == "not":
            continue
        number = float(one.value)
        score = one.score + SET * (_is_set(words, one.mark) or is_alone(words, one.mark))
        if number not in best or score > best[number][0]:
            best[number] = score, one.mark
    ranked = sorted(best.items(), key=lambda pair: (-pair[1][0], pair[0]))
    if not ranked or (len(ranked) > 1 and ranked[0][1][0] - ranked[1][1][0] < 0.25):
        return None
    number, (_, mark) = ranked[0]
    return entry.value_of(number), mark.first, mark.last


def _mark(number: Number) -> Mark:
    return Mark(number.first, number.last, Meaning("value", repr(number.value)))


def _other_marks(marks: Sequence[Mark], said: Sequence[Number]) -> Iterator[Mark]:
    """Yield the phrases that no number lies in."""
    taken = {at for number in said for at in range(number.first, number.last + 1)}
    for mark in marks:
        if taken.isdisjoint(range(mark.first, mark.last + 1)):
            yield mark


def _counts(entry: Entry, text: str, words: Sequence[Word], number: Number) -> bool:
    """Return whether a number may be the entry's value."""
    low, high = entry.low, entry.high
    if (low is not None and number.value < low) or (high is not None and number.value > high):
        return False
    before = [word.text for word in words[max(0, number.first - 2) : number.first]]
    if before == ["out", "of"] or before[-1:] == ["day"]:
        return False
    gap = text[words[number.first - 1].end : words[number.first].start] if number.first else ""
    if gap.strip() == "/" and words[number.first - 1].text[0].isdigit():
        return False
    after = [word.text for word in words[number.last + 1 : number.last + 4]]
    if after[:1] == ["per"] or after[1:2] == ["per"] or after[:2] == ["of", "u"]:
        return False
    if after[:1] == ["a"] and after[1:2] and after[1] in _COUNTED:
        return False
    asked = f"{entry.label} {entry.question}".casefold()
    return not (after[:1] and after[0] in _COUNTED and after[0] not in asked)


def _lower_ends(words: Sequence[Word], said: Sequence[Number]) -> list[Number]:
    """Return numbers without the upper end of a stretch: `4 or 5`, `3 to 4 stars`."""
    kept: list[Number] = []
    for number in said:
        before = kept[-1] if kept else None
        between = words[before.last + 1 : number.first] if before else ()
        ends = before is not None and len(between) <= 3 and number.value > before.value
        if not (ends and all(word.text in _BETWEEN for word in between)):
            kept.append(number)
    return kept


def _is_set(words: Sequence[Word], mark: Mark) -> bool:
    near = words[max(0, mark.first - 4) : mark.last + 4]
    return any(word.text in _SETS for word in near)


_BOUND = re.compile(r"\d+(?:\.\d+)?")


def bucket(entry: Entry, words: Sequence[Word]) -> Found | None:
    """Return the choice whose stretch of numbers an answer lies in: `100 minutes`, 1-2 hours."""
    stretches = dict(_stretches(entry))
    if not stretches:
        return None
    found: dict[str, Found] = {}
    for number in numbers(words)[:MOST_NUMBERS]:
        unit = words[number.last + 1].text if number.last + 1 < len(words) else ""
        value = number.value / 60 if unit in ("minute", "min") else number.value
        for choice, (low, high) in stretches.items():
            if low < value < high:
                found[choice] = choice, number.first, number.last
    return next(iter(found.values())) if len(found) == 1 else None


def _stretches(entry: Entry) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the choices that name numbers: `1-2 hours`, `Less than 1 hour`, `More than 3 hours`."""
    for choice in entry.choices:
        bounds = [float(found) for found in _BOUND.findall(choice)]
        if len(bounds) == 2:
            yield choice, (bounds[0], bounds[1])
        elif len(bounds) == 1 and re.match(r"less|under|below|up to|at most", choice.casefold()):
            yield choice, (float("-inf"), bounds[0])
        elif len(bounds) == 1 and re.match(r"more|over|above|at least", choice.casefold()):
            yield choice, (bounds[0], float("inf"))
