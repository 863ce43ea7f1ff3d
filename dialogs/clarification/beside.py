"""The columns that words right beside a value or a number name: `4 berths`, `rating over 4`.

What nouns on both sides name: `walk up to 10 minutes`. Else a noun on the right before one on the
left, unless another number or value follows it; one on the left where it stands right there or no
other one has it on its own right. Linear in the words near.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .look import Look

REACH = {1: 3, -1: 5}
"""Words on the right and on the left among which the noun stands."""

BREAKS = frozenset("and or but with without plus also nor if so then that which".split())

NEARLY = 0.85
"""Columns that a noun names nearly as surely as it does another are named by it as well."""

Named = Mapping[str, float]


def named_beside(look: Look, first: int, last: int) -> Named:
    """Return the columns that the noun beside some words names, with their strengths."""
    right, left = _nearest(look, first, last, 1), _nearest(look, first, last, -1)
    is_left = left.near == first - 1 or not _is_taken(look, left.far - 1)
    both = surest(right.named) & surest(left.named) if is_left else set[str]()
    if both:
        return {column: right.named[column] for column in right.named if column in both}
    if right.named and not _is_taken(look, right.far + 1):
        return right.named
    if left.named and is_left:
        return left.named
    return {} if look.value_words & {first, last} else right.named


def surest(named: Named) -> set[str]:
    """Return the columns that are named about as surely as the surest."""
    best = max(named.values(), default=0.0)
    return {column for column, strength in named.items() if strength >= NEARLY * best}


@dataclass(frozen=True)
class _Noun:
    """The columns that a noun names, and its first and last word on the way to it."""

    named: Named
    near: int = -1
    far: int = -1


def _nearest(look: Look, first: int, last: int, way: int) -> _Noun:
    """Return the nearest noun on one side; commas, joining words and numbers end the search."""
    reading = look.reading
    at = last + 1 if way > 0 else first - 1
    for _ in range(REACH[way]):
        if not 0 <= at < len(reading.words) or _parted(look, at, way):
            break
        found, far = _naming_at(look, at, way)
        if found:
            return _Noun(found, at, far)
        if at in look.number_words or reading.folded[at] in BREAKS:
            break
        at += way
    return _Noun({})


def _naming_at(look: Look, at: int, way: int) -> tuple[Named, int]:
    """Return the columns named by words that begin (or end, on the left) at a place."""
    found: dict[str, float] = {}
    far = at
    for column, namings in look.reading.namings.items():
        for naming in namings:
            near, end = (naming.first, naming.last)[::way]
            if near == at:
                found[column] = max(naming.strength, found.get(column, 0.0))
                far = max(far, end, key=lambda place: way * place)
    return found, far


def _is_taken(look: Look, at: int) -> bool:
    """Return whether a number or a value stands right behind a noun, which so is its own."""
    inside = 0 <= at < len(look.reading.words)
    return inside and (at in look.number_words or at in look.value_words)


def _parted(look: Look, at: int, way: int) -> bool:
    """Return whether a mark stands between a word and the one before it on the way."""
    gap = look.reading.gap(at if way > 0 else at + 1)
    return any(mark in gap for mark in ",;.!?()\n")


def strength_of(named: Named, columns: Iterable[str]) -> float:
    """Return how surely one of some columns is named."""
    return max((named.get(column, 0.0) for column in columns), default=0.0)
