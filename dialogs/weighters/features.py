"""Features of a constraint for the learned weighter: hashed phrases and letters, and cues.

Nothing of a domain gets in: names and values are masked, numbers are all alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log1p
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

WORDS = LETTERS = 1 << 14
"""Hashed features: phrases of words, and runs of letters within a word; the dense ones follow."""

DENSE = 25
SIZE = WORDS + LETTERS + DENSE
SCORE = WORDS + LETTERS + 1
"""The place of the cues' score."""

LIGHT = 0.3
"""What a dense feature counts beside all phrases of a constraint, or all its runs, together 1."""

LONGEST = 3
"""Words of the longest phrase that is a feature of its own."""

RUNS = (3, 4, 5)
"""Letters of a run."""

MAX_WORDS, MAX_LETTERS = 60, 40
"""Of one clause, and of one of its words."""

MAX_CLAUSES = 12
"""Of one constraint."""


def features(reading: Reading, number: int) -> Vector:
    """Return the features of a constraint, float32[SIZE]; zeros where nothing is said."""
    import numpy as np

    vector = np.zeros(SIZE, np.float32)
    evidence = reading.evidence[number][:MAX_CLAUSES]
    if not evidence:
        return vector
    words, letters = vector[:WORDS], vector[WORDS : WORDS + LETTERS]
    for statement in evidence:
        said = masked(statement, number)
        phrases = [_hashed(phrase) % WORDS for phrase in _phrases(said)]
        runs = [place for word in said for place in _runs(word[:MAX_LETTERS])]
        for block, places in ((words, phrases), (letters, runs)):
            block[places] = np.maximum(block[places], SHARE[statement.how])
    for block in (words, letters):
        # Whoever says more does not care more.
        block /= max(float(np.sqrt(block @ block)), 1e-6)
    shape = [1.0, *_dense(reading, number, evidence), *_shape(reading, number, evidence)]
    vector[-DENSE:] = np.multiply(shape, LIGHT)
    return vector


def _phrases(words: Sequence[str]) -> Iterator[str]:
    """Yield the phrases of up to `LONGEST` words."""
    for length in range(1, LONGEST + 1):
        for place in range(len(words) - length + 1):
            yield " ".join(words[place : place + length])


@lru_cache(maxsize=16_384)
def _runs(word: str) -> tuple[int, ...]:
    """Return the places of the runs of letters of a word, which words of one stem share."""
    spaced = f" {word} "
    return tuple(
        _hashed(spaced[place : place + length]) % LETTERS
        for length in RUNS
        for place in range(max(1, len(spaced) - length + 1))
    )


def _hashed(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


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
