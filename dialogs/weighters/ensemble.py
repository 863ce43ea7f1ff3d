"""Ensemble: the average of its members' logits by squared confidence; each member does its work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ..transcripts.transcript import Transcript
from .learned import LearnedWeighter, sigmoid
from .lexical import LexicalWeighter
from .weighter import Weighter
from .weighting import Weighed

EDGE = 0.01
"""Weights are kept this far from 0 and 1 before their logits are averaged."""


class EnsembleWeighter(Weighter):
    """The average logit of its members' weights, each counting by its squared confidence.

    Its confidence is the members' average, counted in the same way, less half of how far
    apart their weights are. Members are `learned` and `lexical` unless others are given.
    """

    name = "ensemble"

    def __init__(self, members: Sequence[Weighter] = ()) -> None:
        self.members = tuple(members) or (LearnedWeighter(), LexicalWeighter())
        if any(isinstance(member, EnsembleWeighter) for member in self.members):
            raise QueryError("an ensemble within an ensemble", hint="name its members instead")

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the combined weights with everybody's evidence."""
        judged = [tuple(member.judge(transcript, constraints)) for member in self.members]
        for votes in zip(*judged, strict=True):
            yield combined(votes)


def combined(votes: Sequence[Weighed]) -> Weighed:
    """Return one constraint's weights from several weighters as one."""
    counts = [max(vote.confidence, EDGE) ** 2 for vote in votes]
    total = sum(counts)
    counted = tuple(zip(counts, votes, strict=True))
    mean = sum(count * _logit(vote.weight) for count, vote in counted) / total
    sure = sum(count * vote.confidence for count, vote in counted) / total
    apart = max(vote.weight for vote in votes) - min(vote.weight for vote in votes)
    evidence = tuple(dict.fromkeys(span for vote in votes for span in vote.evidence))
    return Weighed(votes[0].constraint, sigmoid(mean), max(0.0, sure - apart / 2), evidence)


def _logit(weight: float) -> float:
    inside = min(max(weight, EDGE), 1 - EDGE)
    return log(inside / (1 - inside))
