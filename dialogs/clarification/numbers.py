"""Numbers of a request that may be about several columns, or none, with what speaks for it.

Linear in the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p

from ..extraction.column_amounts import in_range, is_calendar_year
from ..extraction.group_sizes import is_room
from ..extraction.judged import Judged, Weighed
from .beside import Named, named_beside, strength_of, surest
from .look import CLOSE, Features, Look, bounded, by_column, in_cue

PLAIN = 0.5
"""How well a number fits a column as it was said, without a thousand left out."""

JOINING = frozenset("or and to".split())

NAMED = 0.5
"""How surely a noun beside a number names its column at least to settle it."""


def numbers(look: Look) -> Iterator[tuple[Weighed, Features]]:
    """Yield the numbers that no longer words have taken and no noun settles, with features."""
    for item in look.weighed:
        mention = item.mention
        if mention.kind != "number" or mention.quantity is None:
            continue
        chosen = next((j for j in look.judged if j.mention == mention), None)
        wins = any(j.mention != mention and _shares(j, item) for j in look.judged)
        beside = named_beside(look, *_with_its_mates(look, mention.first, mention.last))
        aim = chosen.column if chosen else next(iter(by_column(item)))
        settled = beside.get(aim, 0.0) >= NAMED and surest(beside) <= _one_range(look, aim)
        settled |= chosen is not None and is_room(chosen)
        if not wins and not settled and not _is_told(look, item):
            yield item, _features(look, item, chosen, aim, beside)


def _features(
    look: Look, item: Weighed, chosen: Judged | None, aim: str, beside: Named
) -> Features:
    options = by_column(item)
    best, *rest = [*options.values(), -8.0, -8.0]
    columns = list(options)
    quantity = item.mention.quantity
    assert quantity is not None
    unit = quantity.unit is not None or bool(quantity.currency)
    own = _named_near(look, item, columns[:1])
    others = _named_near(look, item, columns[1:])
    plausible = _holding(look, item)
    bare = not unit and not own
    told = others or quantity.spelled or _is_glued(look, item)
    return {
        "gain": bounded(best),
        "margin": bounded(best - rest[0]),
        "close": log1p(sum(best - other < 2.0 for other in rest)),
        "chosen": float(chosen is not None),
        "sure": chosen.chance if chosen else 0.0,
        "unit": float(unit),
        "named": own,
        "named other": others,
        "beside": beside.get(aim, 0.0),
        "beside other": strength_of(beside, (name for name in columns if name != aim)),
        "open": float(bare and not told and len(plausible) > 1 and chosen is not None),
        "bare": float(bare),
        "plausible": log1p(max(0, len(plausible) - 1)),
        "bare plausible": bare * log1p(max(0, len(plausible) - 1)),
        "bare close": bare * log1p(sum(best - other < CLOSE for other in rest)),
        "long": log1p(len(look.reading.words)),
        "columns": log1p(len(options)),
        "past": float(in_cue(look, item.mention.first, "own", "suppose", "ask")),
        "spelled": float(quantity.spelled),
    }


def _with_its_mates(look: Look, first: int, last: int) -> tuple[int, int]:
    """Return the first and last word of a number and those joined to it: `5 or 6 berths`."""
    words, numbers = look.reading.folded, look.number_words
    while first > 1 and words[first - 1] in JOINING and first - 2 in numbers:
        first -= 2
    while last + 2 < len(words) and words[last + 1] in JOINING and last + 2 in numbers:
        last += 2
    return first, last


def _one_range(look: Look, column: str) -> set[str]:
    """Return a column with the other end of its range, if it is one: `min players`."""
    return {column, *look.reading.index.ends.get(column, ())}


def _holding(look: Look, item: Weighed) -> list[str]:
    """Return the columns whose range holds a number as it was said, none if it is a year."""
    numeric, best = look.reading.index.numeric, item.mention.options[item.best]
    if is_calendar_year(numeric[best.column]):
        return []
    return [
        option.column
        for option in item.mention.options
        if option.fit >= PLAIN
        and isinstance(end := option.values[-1], int | float)
        and in_range(end, numeric[option.column]) == 1.0
    ]


def _is_glued(look: Look, item: Weighed) -> bool:
    """Return whether letters stand at a number's end that are no magnitude: `144hz`."""
    words = look.reading.words[item.mention.first : item.mention.last + 1]
    return any(
        any(map(str.isdigit, word.folded)) and word.folded.rstrip("k")[-1:].isalpha()
        for word in words
    )


def _named_near(look: Look, item: Weighed, columns: Sequence[str]) -> float:
    """Return how surely one of some columns is named near a number, no comma between."""
    reading, mention = look.reading, item.mention
    clause = reading.clause_of[mention.first]
    return max(
        (
            naming.strength
            for column in columns
            for naming in reading.namings.get(column, ())
            if reading.clause_of[naming.first] == clause
            and min(abs(naming.first - mention.last), abs(mention.first - naming.last)) < 6
            and _is_beside(look, item, naming.first)
        ),
        default=0.0,
    )


def _is_told(look: Look, item: Weighed) -> bool:
    """Return whether words beside a number name its likeliest column and no other one."""
    reading, mention = look.reading, item.mention
    clause, columns = reading.clause_of[mention.first], list(by_column(item))
    named: dict[int, set[str]] = {}
    for column in columns:
        for naming in reading.namings.get(column, ()):
            beside = min(abs(naming.first - mention.last), abs(mention.first - naming.last)) < 6
            if beside and reading.clause_of[naming.first] == clause:
                for word in range(naming.first, naming.last + 1):
                    named.setdefault(word, set()).add(column)
    between = {word: names for word, names in named.items() if _is_beside(look, item, word)}
    return {columns[0]} in between.values() and all(
        columns[0] in names for names in between.values()
    )


def _is_beside(look: Look, item: Weighed, word: int) -> bool:
    """Return whether no comma stands between a number and a word."""
    low, high = sorted((word, item.mention.first))
    return not any("," in look.reading.gap(at) for at in range(low + 1, high + 1))


def _shares(judged: Judged, item: Weighed) -> bool:
    one, other = judged.mention, item.mention
    return one.first <= other.last and other.first <= one.last
