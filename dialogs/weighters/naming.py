"""Find where a text names a constraint: by its value, or by a phrase for its column."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...catalogs.query.constraint import Constraint, Value
from ..language.column_phrases import mentions, stem
from ..language.numbers import ONES
from ..language.tokens import Token, tokens

BY_VALUE, BY_PART = 1.2, 0.6
"""Strength of a whole value, and of one telling word of it; a column's words reach 1."""

ASIDE = 1.0
"""How strongly an answer must name another wish than the one asked about, to speak of it."""

SMALL_NUMBER = 12
"""Numbers up to this stand for many things; alone they name nothing."""

NEARBY = 12
"""Characters between a small number and the word that says what it counts, about."""

MAX_SHARED = 8
"""A word that names more constraints than this names none of them."""

MAX_LIST = 20
"""Of the values of one `in`, how many are looked for."""

VAGUE = frozenset(
    "stay away within takes long longer short light close closer near time drive score people"
    " power fast faster pay paying money spend walk recent date friends lasts charge stick shift"
    " body good light quick adults space far takes latest shape".split()
)
"""Words that can name a column and mostly do not."""

_WITHOUT = re.compile("-free\\b", re.IGNORECASE)
"""`hassle-free` is without hassle, and no price."""

_APART = re.compile(r"[^\w\s]|\b(?:and|or|than|but|over|to|is|more)\b", re.IGNORECASE)
_SCALES = {"k": 1_000.0, "m": 1_000_000.0}
_NUMBER = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?)([^\W\d_]*)$")
_COUNTS = {word: float(value) for word, value in ONES.items() if 2 <= value <= 10}
_DULL = frozenset("the and with for not any one new type class size level unit".split())


@dataclass(frozen=True, slots=True)
class Naming:
    """Characters `start` to `end` (excluded) that name constraint number `constraint`."""

    start: int
    end: int
    constraint: int
    strength: float


def namings(text: str, constraints: Sequence[Constraint]) -> tuple[Naming, ...]:
    """Return where a text names the constraints, in order; of overlapping ones the strongest.

    Constraints that a span names equally well are all returned.
    """
    words = tokens(text)
    stems = [stem(word.folded) for word in words]
    candidates: list[Naming] = []
    for number, constraint in enumerate(constraints):
        candidates.extend(_by_column(text, number, constraint))
        candidates.extend(_by_value(words, stems, number, constraint))
    return tuple(_unattached(text, list(_strongest(_without_lonely_numbers(candidates)))))


def answering(named: tuple[Naming, ...], asked: frozenset[int] = frozenset()) -> tuple[Naming, ...]:
    """Return what an answer about the constraints `asked` names; all of it where none is asked.

    Words that may as well be the answer's own name no other constraint.
    """
    if not asked:
        return named
    own = [naming for naming in named if naming.constraint in asked]
    return tuple(
        naming
        for naming in named
        if naming.constraint in asked
        or (
            naming.strength >= ASIDE
            and not any(naming.start < mine.end and mine.start < naming.end for mine in own)
        )
    )


def _by_column(text: str, number: int, constraint: Constraint) -> Iterator[Naming]:
    values = _values(constraint.value)
    numeric = bool(values) and all(_is_number(value) for value in values)
    # A number may stand in a column of text, but words never stand in a numeric one.
    family = "numeric" if numeric and constraint.op not in ("==", "in", "!=") else None
    for mention in mentions(text, constraint.column or "", family):
        if mention.strength < 0.9 and text[mention.start : mention.end].casefold() in VAGUE:
            continue
        if _WITHOUT.match(text, mention.start - 1):
            continue
        yield Naming(mention.start, mention.end, number, mention.strength)


def _by_value(
    words: Sequence[Token], stems: list[str], number: int, constraint: Constraint
) -> Iterator[Naming]:
    if constraint.op in ("sql", "is null", "is not null"):
        return
    for value in _values(constraint.value):
        if isinstance(value, bool):
            continue
        if isinstance(value, int | float):
            yield from _by_number(words, number, float(value))
        else:
            yield from _by_text(words, stems, number, str(value))


def _values(value: Value) -> tuple[object, ...]:
    return value[:MAX_LIST] if isinstance(value, tuple) else (value,)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _by_number(words: Sequence[Token], number: int, value: float) -> Iterator[Naming]:
    for word in words:
        amounts = _number_said(word.folded)
        if amounts is not None and any(
            abs(amount - value) <= 1e-3 * abs(value) for amount in amounts
        ):
            lonely = abs(value) <= SMALL_NUMBER
            yield Naming(word.start, word.end, number, BY_PART - 0.2 if lonely else BY_VALUE)


def _number_said(word: str) -> tuple[float, ...] | None:
    if word in _COUNTS:
        return (_COUNTS[word],)
    read = _NUMBER.match(word)
    if read is None or len(read[1]) > 30:
        return None
    plain = float(read[1].replace(",", ""))
    return (plain, plain * _SCALES.get(read[2][:1], 1.0))


def _by_text(words: Sequence[Token], stems: list[str], number: int, value: str) -> Iterator[Naming]:
    if len(value) == 1:
        # "A" is a grade, "a" an article.
        words = [word for word in words if word.text == value]
        stems = [stem(word.folded) for word in words]
    whole = _stems(value)
    forms = dict.fromkeys([whole, _stems(re.sub(r"\([^)]*\)", " ", value))])
    is_named = False
    for form in forms:
        for start, end in _places(words, stems, form):
            is_named = True
            yield Naming(start, end, number, BY_VALUE)
    if not is_named and len(whole) > 1:
        for part in whole:
            if len(part) > 2 and part not in _DULL:
                for start, end in _places(words, stems, (part,)):
                    yield Naming(start, end, number, BY_PART)


def _stems(value: str) -> tuple[str, ...]:
    return tuple(stem(word.folded) for word in tokens(value[:200]))


def _places(
    words: Sequence[Token], stems: list[str], form: tuple[str, ...]
) -> Iterator[tuple[int, int]]:
    if not form:
        return
    for place, word_stem in enumerate(stems):
        if word_stem == form[0] and tuple(stems[place : place + len(form)]) == form:
            yield words[place].start, words[place + len(form) - 1].end


def _without_lonely_numbers(candidates: list[Naming]) -> list[Naming]:
    """Leave out small numbers with no word of their column nearby."""
    sure = [naming for naming in candidates if naming.strength >= BY_PART - 0.1]
    near = {
        (naming.constraint, naming.start // NEARBY + step) for naming in sure for step in (-1, 0, 1)
    }
    reliable = list(sure)
    reliable.extend(
        naming
        for naming in candidates
        if naming.strength < BY_PART - 0.1 and (naming.constraint, naming.start // NEARBY) in near
    )
    return reliable


def _unattached(text: str, candidates: list[Naming]) -> Iterator[Naming]:
    """Yield the namings without weak words that belong to a stronger neighbour's phrase.

    "The Old Mill area" is about no floor area, "breakfast in the price" about no price.
    """
    sure = [naming for naming in candidates if naming.strength >= 1.0]
    starts = [naming.start for naming in sure]
    for naming in candidates:
        at = bisect_left(starts, naming.start)
        near = sure[max(0, at - 2) : at + 2]
        if naming.strength >= 0.9 or not any(_holds(text, other, naming) for other in near):
            yield naming


def _holds(text: str, sure: Naming, weak: Naming) -> bool:
    if sure.constraint == weak.constraint:
        return False
    start, end = min(sure.end, weak.end), max(sure.start, weak.start)
    return end - start <= 10 and not _APART.search(text[start:end])


def _strongest(candidates: list[Naming]) -> Iterator[Naming]:
    """Yield the namings in order, without those that a stronger one overlaps."""
    ordered = sorted(candidates, key=lambda naming: (naming.start, naming.end, naming.constraint))
    group: list[Naming] = []
    end = 0
    for naming in ordered:
        if naming.start >= end:
            yield from _best(group)
            group = []
        end = max(end, naming.end)
        group.append(naming)
    yield from _best(group)


def _best(group: list[Naming]) -> Iterator[Naming]:
    top = max((naming.strength for naming in group), default=0.0)
    taken = dict.fromkeys(naming for naming in group if naming.strength >= top - 0.05)
    if len(taken) <= MAX_SHARED:
        yield from sorted(taken, key=lambda naming: (naming.start, naming.constraint))
