"""What a fitted decision sees of a mention and its options: numbers and hashed words around it.

Nothing names a column or a value, so what was learned on some catalogs holds on others. Costs
some ten microseconds an option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...catalogs.query.schema import ColumnProfile, name_words
from ..language.column_phrases import column_topics, stem
from ..language.units import unit_kinds
from .column_amounts import in_range, is_calendar_year
from .dates import DATE_KINDS
from .denials import DENIALS
from .grade_mentions import topics_of
from .mention import Mention, Option
from .reading import Naming, Reading

_KINDS = "value number date name grade open answer offer".split()
_HOWS = (
    *"whole part initials phrase together fuzzy clock placeholder number range date flag".split(),
    *("name", "grade", "open", "answer", "offered", "all offered"),
)
_FORMS = "plain more most ish".split()
_BEGINS = frozenset(map(stem, "open start begin from depart leave available pickup since".split()))
_ENDS = frozenset(
    map(
        stem, "close end until till to expiry expire arrive return deadline due finish last".split()
    )
)
"""Words of a column's name that say it holds when something begins, or when it ends."""

GRADED_BEFORE, GRADED_BEHIND = 3, 2
"""Words from a mention within which words for much or little are looked for."""

OR_BEHIND = 4
"""Words from a number within which `or older` is about it: its unit stands between."""

NO_LIKENESS = (0.0, 0.0, 0.0)
"""Of a column whose likeness to words is not looked at."""

_FAMILIES = "numeric categorical text boolean date".split()


def dense(reading: Reading, mention: Mention) -> NDArray[np.float32]:
    """Return one row of features an option, all about in [-1, 1]."""
    shared = _of_mention(reading, mention)
    near = [_nearness(reading, mention, option.column) for option in mention.options]
    closeness = [max(row[:3]) for row in near]
    rows: list[list[float]] = []
    alike = _alike(reading, mention)
    for at, option in enumerate(mention.options):
        rival = max((c for other, c in enumerate(closeness) if other != at), default=0.0)
        asked = reading.asked_about.get(option.column, 0.0)
        row = [*shared, *near[at], closeness[at] - rival, float(closeness[at] > rival)]
        row += [asked, float(asked > 0) * shared[0], *_of_option(reading, mention, option)]
        rows.append([*row, *alike.get(option.column, NO_LIKENESS)])
    return np.array(rows, dtype=np.float32)


def _of_mention(reading: Reading, mention: Mention) -> list[float]:
    first, last = mention.first, mention.last
    words = range(first, last + 1)
    rarities = reading.rarities[first : last + 1] or [0.0]
    quantity, count = mention.quantity, len(words)
    return [
        count / max(1, len(reading.words)),
        *(float(mention.kind == kind) for kind in _KINDS),
        min(count, 5) / 5,
        max(rarities),
        min(rarities),
        float(any(map(reading.is_name, words))),
        float(reading.has_capitals),
        float(all(reading.folded[at].isdigit() for at in words)),
        min(1.0, len(mention.options) / 8),
        min(1.0, sum(map(len, reading.folded[first : last + 1])) / 20),
        float(bool(reading.asked_about)),
        float(mention.inside),
        *(float(mention.day is not None and mention.day.kind == kind) for kind in DATE_KINDS),
        float(quantity is not None and quantity.spelled),
        float(quantity is not None and quantity.scaled),
        float(quantity is not None and quantity.currency),
        float(quantity is not None and quantity.unit is not None),
        float(quantity is not None and quantity.year_like),
        float(quantity is not None and quantity.ordinal),
        float(quantity is not None and quantity.value <= 1),
    ]


def _nearness(reading: Reading, mention: Mention, column: str) -> list[float]:
    """Return how near a column is named before, behind and over a mention, how undisturbed."""
    before = behind = over = clause = message = taken = 0.0
    here = reading.clause_of[mention.first] if reading.words else 0
    for naming in reading.namings.get(column, ()):
        message = max(message, naming.strength)
        if reading.clause_of[naming.first] == here:
            clause = max(clause, naming.strength)
        if naming.last < mention.first:
            near = naming.strength / (1 + 0.3 * (mention.first - naming.last - 1))
            if near > before:
                before, taken = near, _taken(reading, mention, naming)
        elif naming.first > mention.last:
            near = naming.strength / (1 + 0.5 * (naming.first - mention.last - 1))
            if near > behind:
                behind = near
                taken = taken if before > near else _taken(reading, mention, naming)
        else:
            over = max(over, naming.strength)
    return [before, behind, over, clause, message, taken]


def _taken(reading: Reading, mention: Mention, naming: Naming) -> float:
    """Return how many numbers stand between a mention and a naming, up to 2, halved."""
    ends = (
        (naming.last, mention.first)
        if naming.last < mention.first
        else (mention.last, naming.first)
    )
    between = reading.symbols[ends[0] + 1 : ends[1]]
    return min(2, between.count("#")) / 2


def _of_option(reading: Reading, mention: Mention, option: Option) -> list[float]:
    profile = reading.index.profiles[option.column]
    texts = reading.index.columns.get(option.column)
    family = "categorical" if texts and profile.kind != "text" else profile.kind
    written = (
        reading.text[reading.words[mention.first].start : reading.words[mention.last].end]
        if mention.has_words
        else ""
    )
    value = str(option.values[0]) if option.values else ""
    return [
        *(float(("part" if option.leads else option.how) == how) for how in _HOWS),
        *(float(option.form == form) for form in _FORMS),
        *(float(family == other) for other in _FAMILIES),
        option.fit,
        float(option.ends),
        min(1.0, 0.0 if option.leads else option.rivals / 6),
        float(written == value),
        float(written.casefold() == value.casefold()),
        float(written.islower() and value[:1].isupper()),
        float(texts is not None and bool(texts.parts)),
        min(1.0, np.log1p(texts.names) / 12) if texts else 0.0,
        profile.nulls / max(1, profile.rows),
        float(profile.desirable == "low"),
        float(profile.desirable == "high"),
        float(option.column == reading.index.cost),
        float(
            bool(option.values) and option.values[0] in reading.index.numbers.get(option.column, ())
        ),
        *_of_number(mention, option, profile),
        *_of_day(reading, mention, option),
        *_graded(reading, mention, option.column),
        *_compared(reading, mention, option.column),
        *_denied(reading, mention, option),
    ]


def _alike(reading: Reading, mention: Mention) -> Mapping[str, list[float]]:
    """Return how like the words around a number or a superlative are to each ordered column."""
    if mention.kind not in ("number", "grade"):
        return {}
    here = reading.likeness_in_clauses[reading.clause_of[mention.first]]
    return dict(zip(reading.ordered, here, strict=True))


def _graded(reading: Reading, mention: Mention, column: str) -> list[float]:
    """Return whether words for much or little of the column stand right before and behind."""
    topics, signs = topics_of(reading, column), [0.0] * 6
    for graded in reading.grades:
        before, behind = mention.first - graded.last, graded.first - mention.last
        if not (0 < before <= GRADED_BEFORE or 0 < behind <= GRADED_BEHIND):
            continue
        for grade in graded.meanings:
            if not grade.topic or grade.topic in topics:
                signs[(0 if before > 0 else 2) + (grade.direction == "min")] = 1.0
                signs[4 if before > 0 else 5] = max(signs[4], float(bool(grade.topic)))
    return signs


def _compared(reading: Reading, mention: Mention, column: str) -> list[float]:
    """Return whether a number is one to go beyond: up, down; `or older` behind, `older than`."""
    signs = [0.0] * 4
    if mention.quantity is None:
        return signs
    words, last, first = reading.folded, mention.last, mention.first
    for graded in reading.grades:
        behind = words[last + 1 : graded.first]
        if last < graded.first <= last + OR_BEHIND and behind[-1:] in (["or"], ["and"], ["nor"]):
            place = 0
        elif graded.last == first - 2 and words[first - 1] == "than":
            place = 2
        else:
            continue
        topics = topics_of(reading, column)
        for grade in graded.meanings:
            if grade.form == "more" and (not grade.topic or grade.topic in topics):
                signs[place + (grade.direction == "min")] = 1.0
    return signs


def _denied(reading: Reading, mention: Mention, option: Option) -> list[float]:
    """Return whether the column's name denies what words name, or they deny it themselves."""
    if mention.kind != "name" or option.contrary:
        return [0.0, 0.0]
    said = DENIALS.isdisjoint(reading.folded[mention.first : mention.last + 1])
    named = DENIALS.isdisjoint(name_words(option.column))
    return [float(named and not said), float(said and not named)]


def _of_day(reading: Reading, mention: Mention, option: Option) -> list[float]:
    """Return whether the column holds a beginning or an end, has a fellow, and the days fit."""
    if mention.kind != "date":
        return [0.0] * 6
    index = reading.index
    fellows = index.clocks if option.how == "clock" else index.dates
    begins, ends = role_of(option.column)
    roles = [role_of(other) for other in fellows if other != option.column]
    paired = any((begins and other[1]) or (ends and other[0]) for other in roles)
    is_span = option.values[0] != option.values[1]
    return [*map(float, (begins, ends, paired, is_span, len(option.values) > 2, len(roles) > 0))]


@lru_cache(maxsize=4_096)
def role_of(column: str) -> tuple[bool, bool]:
    """Return whether a column's name says that it holds when something begins, or ends."""
    words = {stem(word) for word in name_words(column)}
    ends = bool(words & _ENDS)
    return bool(words & _BEGINS) and not ends, ends


def _of_number(mention: Mention, option: Option, profile: ColumnProfile) -> list[float]:
    quantity = mention.quantity
    year = is_calendar_year(profile)
    if quantity is None:
        asked = option.values[0] if option.how == "grade" else ""
        wanted = {"min": "low", "max": "high"}.get(str(asked))
        agrees = float(wanted is not None and wanted == profile.desirable)
        return [agrees, float(year), *[0.0] * 8]
    value = float(option.values[-1])  # type: ignore[arg-type]
    kinds = unit_kinds(profile.name, profile.unit)
    low, high = float(profile.minimum or 0), float(profile.maximum or 0)  # type: ignore[arg-type]
    return [
        0.0,
        float(year),
        float(year and quantity.year_like),
        float(year and not quantity.year_like),
        in_range(value, profile),
        min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.0,
        # Nobody bounds by what leaves no row out: `up to 144 months` of at most 144 is at least.
        float(high > low and value == high),
        float(high > low and value == low),
        float("money" in kinds),
        float("people" in column_topics(profile.name)),
    ]


_GROUPS = {"number": "n", "date": "n", "value": "v", "open": "v", "name": "f", "grade": "g"}


def context(reading: Reading, mention: Mention) -> list[int]:
    """Return the hashes of the words around a mention, and of runs of them, by their places."""
    group = _GROUPS.get(mention.kind, "a")
    return [crc32(f"{group}{gram}".encode()) for gram in _grams(reading, mention)]


def _grams(reading: Reading, mention: Mention) -> Iterator[str]:
    left, right = _around(reading, mention.first, mention.last)
    l1, l2, l3 = left[0], left[1], left[2]
    r1, r2, r3 = right[0], right[1], right[2]
    yield from (f"a{l1}", f"b{l2}", f"c{l3}", f"A{r1}", f"B{r2}", f"C{r3}")
    yield from (f"d{l2} {l1}", f"e{l3} {l2}", f"f{l3} {l2} {l1}", f"g{l1} {r1}")
    yield from (f"D{r1} {r2}", f"E{r2} {r3}", f"F{r1} {r2} {r3}", f"h{left[3]} {l3} {l2} {l1}")
    start = _sentence_start(reading, mention.first)
    yield from (f"s{' '.join(start[:length])}" for length in (1, 2, 3))
    yield from (f"i{word}" for word in left[1:])
    yield from (f"I{word}" for word in right[1:])
    head = [word for word in left if word not in LISTED][:2]
    tail = [word for word in right if word not in LISTED][:2]
    yield from (f"x{' '.join(head)}", f"y{head[:1]}", f"X{' '.join(tail)}", f"Y{tail[:1]}")
    for at in range(max(0, mention.first - 3), min(mention.last + 4, len(reading.words))):
        if reading.symbols[at] != reading.folded[at]:
            side = mention.first - at if at < mention.first else mention.last - at
            yield f"z{side} {reading.folded[at]}"
    if reading.question:
        asked = reading.asking.symbols[-ASKED:]
        yield from (f"q{word}" for word in asked)
        if not mention.has_words:
            yield from (f"Q{word} {answer}" for word in asked for answer in right[:2])
    yield from _cue_grams(reading, mention)
    yield from (f"j{two} {one}" for one, two in pairwise(left[2:]))
    yield from (f"J{one} {two}" for one, two in pairwise(right[2:]))
    if mention.kind in ("grade", "name", "date") or (mention.quantity and mention.quantity.spelled):
        inner = [reading.folded[at] for at in mention.places]
        if all(reading.rarities[at] < 1 for at in mention.places):
            yield f"k{' '.join(inner)}"
            yield from (f"l{l1} {inner[0]}", f"L{inner[-1]} {r1}")


def _cue_grams(reading: Reading, mention: Mention) -> Iterator[str]:
    """Yield the classes of the cues of a mention's sentence, by side, clause and distance."""
    # In the order said: a set's order is another in every process, and so would be the sums.
    asked = list(dict.fromkeys(name for _, _, name in reading.asking.cues if reading.question))
    if not mention.has_words:
        said = [name for _, _, name in reading.cues[:4]]
        yield from (f"7{name}" for name in said)
        yield from (f"8{name} {other}" for name in asked for other in said[:2])
        yield f"9{said[:2]}"
        return
    here = reading.clause_of[mention.first]
    start = reading.sentence_first[here]
    left: list[str] = []
    right: list[str] = []
    for first, last, name in reading.cues:
        if first >= mention.first and last <= mention.last:
            yield f"1{name}"
            continue
        if first < start or reading.sentence_first[reading.clause_of[last]] != start:
            continue
        side, apart = (
            ("l", mention.first - last) if last < mention.last else ("r", first - mention.last)
        )
        clause = int(reading.clause_of[first] == here)
        (left if side == "l" else right).append(name)
        yield f"2{side}{clause}{name}"
        yield f"3{side}{min(apart, 4)}{name}"
    yield f"4{left[-1:]}{right[:1]}"
    yield f"5{left[-2:]}"
    yield f"6{right[:2]}"
    yield from (f"8{name} {left[-1:]}" for name in asked)


def _sentence_start(reading: Reading, word: int) -> list[str]:
    """Return how the sentence of a word begins."""
    if not reading.words:
        return []
    first = reading.sentence_first[reading.clause_of[min(word, len(reading.words) - 1)]]
    return reading.symbols[first : first + 3]


LISTED = frozenset("@ ~ ? # , / & or and nor a an the".split())
"""What stands between the members of a list: the words before it are about all of them."""

ASKED = 12
"""Symbols of a question that decide with the first words of the answer what is meant."""

REACH = 10
"""Symbols to either side that a decision sees; training weighs them by their place."""


def _around(reading: Reading, first: int, last: int) -> tuple[list[str], list[str]]:
    """Return the words and marks before (nearest first) and behind some words."""
    left: list[str] = []
    at = first
    while at >= 0 and len(left) < REACH:
        left.extend(_marks(reading, at)[::-1])
        at -= 1
        left.append(reading.symbols[at] if at >= 0 else "<")
    right: list[str] = []
    at = last
    while at < len(reading.words) and len(right) < REACH:
        at += 1
        right.extend(_marks(reading, at))
        right.append(reading.symbols[at] if at < len(reading.words) else ">")
    return _filled(left, "<"), _filled(right, ">")


def _filled(symbols: list[str], mark: str) -> list[str]:
    return (symbols + [mark] * REACH)[:REACH]


def _marks(reading: Reading, word: int) -> list[str]:
    """Return the marks between a word and the one before it."""
    gap = reading.gap(word)
    return [mark for mark in gap if not mark.isspace()][:2] if len(gap) > 1 or gap != " " else []


def link_context(reading: Reading, one: Mention, other: Mention) -> list[int]:
    """Return the hashes of what stands between and around two mentions."""
    return [crc32(f"k{gram}".encode()) for gram in _link_grams(reading, one, other)]


def _link_grams(reading: Reading, one: Mention, other: Mention) -> Iterator[str]:
    left, _ = _around(reading, one.first, one.last)
    _, right = _around(reading, other.first, other.last)
    between: list[str] = []
    for at in range(one.last + 1, min(other.first, one.last + 12) + 1):
        between.extend(_marks(reading, at))
        if at < other.first:
            between.append(reading.symbols[at])
    yield f"w{' '.join(between[:6])}"
    yield from (f"b{word}" for word in between)
    yield from (f"c{a} {b}" for a, b in pairwise(between))
    yield from (f"l{left[0]}", f"m{left[1]} {left[0]}", f"r{right[0]}", f"s{right[0]} {right[1]}")
    yield from (f"n{word}" for word in left[:5])
    yield from (f"o{word}" for word in right[:5])
    yield f"d{min(other.first - one.last, 12)}"
    among = [name for first, last, name in reading.cues if one.last < first and last < other.first]
    yield from (f"q{name}" for name in among)
    if between:
        yield f"e{between[-1]} {right[0]}"


def link_dense(
    reading: Reading,
    pair: tuple[Mention, Mention],
    options: tuple[Option, Option],
    same: Sequence[bool],
) -> NDArray[np.float32]:
    """Return the features of a pair of mentions of one column; `same` polarity, operator."""
    one, other = pair
    profile = reading.index.profiles[options[0].column]
    texts = reading.index.columns.get(options[0].column)
    together = (
        reading.clause_of[one.first] == reading.clause_of[other.first] if reading.words else True
    )
    return np.array(
        [
            float(one.kind in ("number", "date")),
            float(texts is not None and bool(texts.parts)),
            float(together),
            1 / (1 + max(0, other.first - one.last)),
            float(options[0].values == options[1].values),
            float(profile.kind == "boolean"),
            *map(float, same),
        ],
        dtype=np.float32,
    )
