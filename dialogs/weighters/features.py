"""Features of a constraint for the learned weighter: hashed phrases of its clauses, and cues.

Nothing of a domain gets in: names and values are masked, numbers are all alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import log1p
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from ..language.tokens import tokens
from .attribution import Evidence, Reading
from .cues import EXTREME, blended, spelled
from .lexical import SHARE, score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

CLASSES = Path(__file__).with_name("word_classes.txt")

BUCKETS = 8_192
"""Hashed features; the dense ones follow."""

DENSE = 24
SIZE = BUCKETS + DENSE
USUAL = 40
"""Hashed features of a sentence or so; of more, each counts less."""

LONGEST = 3
"""Words of the longest phrase that is a feature of its own."""

MAX_WORDS = 60
"""Of one clause."""

MAX_CLAUSES = 12
"""Of one constraint."""


def features(reading: Reading, number: int) -> Vector:
    """Return the features of a constraint, float32[SIZE]; zeros where nothing is said."""
    import numpy as np

    vector = np.zeros(SIZE, np.float32)
    evidence = reading.evidence[number][:MAX_CLAUSES]
    for statement in evidence:
        for name in _names(statement, number):
            place = crc32(name.encode("utf-8", "replace")) % BUCKETS
            vector[place] = max(vector[place], SHARE[statement.how])
    told = np.count_nonzero(vector)
    if told:
        # Whoever says more does not care more.
        vector *= (USUAL / told) ** 0.5
    vector[BUCKETS:] = [*_dense(reading, number, evidence), *_shape(reading, number, evidence)]
    return vector


def _names(evidence: Evidence, number: int) -> Iterator[str]:
    """Yield the names of the phrases and cues in a clause."""
    words = masked(evidence, number)
    alike = [word_classes().get(word, word) for word in words]
    yield from _phrases(words, "")
    yield from (name for name in _phrases(alike, "~"))
    for cue in evidence.clause.cues:
        yield f"cue {cue.phrase} {cue.negated}"
        yield f"graded {round(cue.strength, 1)}"


def _phrases(words: Sequence[str], mark: str) -> Iterator[str]:
    """Yield the phrases of up to `LONGEST` words behind a mark."""
    for length in range(1, LONGEST + 1):
        for place in range(len(words) - length + 1):
            yield mark + " ".join(words[place : place + length])


@cache
def word_classes() -> dict[str, str]:
    """Return the class of each word of `word_classes.txt`."""
    lines = CLASSES.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(": ") for line in lines if not line.startswith("#")]
    return {word: name.upper() for name, listed in pairs for word in listed.split()}


def masked(evidence: Evidence, number: int) -> list[str]:
    """Return a clause's words: own names as `#`, others' as `@`, numbers as `0`."""
    clause = evidence.clause
    words: list[str] = ["<"]
    for word in tokens(clause.text)[:MAX_WORDS]:
        at = clause.start + word.start
        named = [naming for naming in clause.names if naming.start <= at < naming.end]
        if named:
            mark = "#" if any(naming.constraint == number for naming in named) else "@"
            if words[-1] != mark:
                words.append(mark)
        else:
            words.extend(["0"] if word.folded[0].isdigit() else spelled(word.folded))
    return [*words, ">"]


def _dense(reading: Reading, number: int, evidence: list[Evidence]) -> list[float]:
    strengths = [cue.strength * SHARE[statement.how] for cue, statement in reading.cues(number)]
    own = [
        cue.strength
        for cue, statement in reading.cues(number)
        if statement.how in ("own", "continued")
    ]
    above = sum(number in comparison.above for comparison in reading.compared)
    below = sum(number in comparison.below for comparison in reading.compared)
    words = sum(len(statement.clause.words) for statement in evidence)
    return [
        score(reading, number),
        blended(strengths),
        blended(own),
        max(strengths, default=0.0),
        min(strengths, default=0.0),
        sum(strengths[-1:]),
        sum(own[:1]),
        min(above, 3),
        min(below, 3),
        _place(reading, number),
        float(_is_last(reading, number)),
        log1p(words) / 4 if evidence else 0.0,
        float(bool(evidence) and not strengths),
        float(any(statement.how == "rest" for statement in evidence)),
    ]


_MARKS = (
    frozenset({"if", "unless", "assuming", "provided"}),
    frozenset({"would", "could", "might"}),
    frozenset({"please", "pls", "kindly"}),
    frozenset({"because", "since", "as", "so", "cos", "cause", "for"}),
    frozenset({"can", "will", "shall"}),
    frozenset({"not", "no", "never", "nothing", "nobody", "hardly"}),
)
"""Words that shape what is said: condition, supposition, request, reason, ability, denial."""


def _shape(reading: Reading, number: int, evidence: Sequence[Evidence]) -> list[float]:
    """Return how it is said: the strongest cues, what stands behind a "but", telling words."""
    strengths = [cue.strength for cue, _ in reading.cues(number)]
    turned = [cue.strength for cue, statement in reading.cues(number) if statement.clause.turns]
    words = {word for statement in evidence for word in statement.clause.words}
    return [
        float(max(strengths, default=0.0) >= EXTREME),
        float(min(strengths, default=0.0) <= -EXTREME),
        float(any(statement.clause.turns for statement in evidence)),
        blended(turned),
        *(float(bool(words & mark)) for mark in _MARKS),
    ]


def _first_mention(reading: Reading, number: int) -> tuple[int, int] | None:
    places = [
        (statement.clause.message, statement.clause.start)
        for statement in reading.evidence[number]
        if statement.how == "own"
    ]
    return min(places, default=None)


def _place(reading: Reading, number: int) -> float:
    """Return where it is first mentioned among all, from 0.5 (first) to -0.5 (last).

    0 for what was asked about: that order is not the person's.
    """
    if number in reading.asked:
        return 0.0
    mine = _first_mention(reading, number)
    others = [_first_mention(reading, other) for other in range(len(reading.evidence))]
    known = [place for place in others if place is not None]
    if mine is None or len(known) < 2:
        return 0.0
    return 0.5 - sum(place < mine for place in known) / (len(known) - 1)


def _is_last(reading: Reading, number: int) -> bool:
    return _place(reading, number) == -0.5
