"""`lexical`: the strengths of the cues about each constraint, blended; no model."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from ..transcripts.transcript import Span, Transcript
from .attribution import How, Reading, read_transcript
from .comparisons import apply_comparisons
from .cues import blended
from .weighter import Weighed, Weighter

SHARE: dict[How, float] = {"own": 1.0, "continued": 0.9, "inherited": 0.8, "rest": 0.7}
"""How far a clause speaks for a constraint, by how it came to be about it."""

COMPARED = 0.3
"""By how much, in [-1, 1], what is put above another constraint scores higher, at least."""

CONFIDENCE = (0.3, 0.3, 0.75, 0.7)
"""Probability of being near the truth with no evidence, only a mention, one cue, several.

Measured on held-out wording of the corpus of `weighters/training` (0.36, 0.29, 0.88, 0.85), and
less where there are cues: people's words vary more than a corpus.
"""

MAX_SPANS = 12


class LexicalWeighter(Weighter):
    """Cues of importance and flexibility, negations, hedges, comparatives, by constraint."""

    name = "lexical"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the weights with the clauses that carry the cues."""
        reading = read_transcript(transcript, constraints)
        scores = [score(reading, number) for number in range(len(constraints))]
        scores = apply_comparisons(scores, reading.ranked, COMPARED)
        for number, constraint in enumerate(constraints):
            weight = NEUTRAL_WEIGHT + max(-1.0, min(1.0, scores[number])) / 2
            yield Weighed(constraint, weight, _confidence(reading, number), spans(reading, number))


def score(reading: Reading, number: int) -> float:
    """Return what the cues say of a constraint, in [-1, 1]."""
    strengths = [cue.strength * SHARE[statement.how] for cue, statement in reading.cues(number)]
    return blended(strengths)


def spans(reading: Reading, number: int) -> tuple[Span, ...]:
    """Return the clauses with cues about a constraint, or else those that name it."""
    evidence = reading.evidence[number]
    telling = [statement for statement in evidence if statement.clause.cues] or evidence
    return tuple(dict.fromkeys(statement.clause.span for statement in telling))[:MAX_SPANS]


def _confidence(reading: Reading, number: int) -> float:
    cues = len(reading.cues(number))
    return CONFIDENCE[1 + min(cues, 2)] if reading.evidence[number] else CONFIDENCE[0]
