"""Weighters that read no text: neutral weights, those the constraints carry, or scripted ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint, check_weight
from ..transcripts.transcript import Transcript
from .weighter import Weighed, Weighter

UNINFORMED = 0.3
"""Confidence in a neutral weight nobody spoke for: the share of wishes that are near it."""


class UniformWeighter(Weighter):
    """Everything matters alike: the baseline that has no preferences."""

    name = "uniform"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the neutral weight for each."""
        for constraint in constraints:
            yield Weighed(constraint, NEUTRAL_WEIGHT, UNINFORMED)


class OracleWeighter(Weighter):
    """The weights that the constraints carry; neutral where they carry none."""

    name = "oracle"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield each constraint's own weight, surely."""
        for constraint in constraints:
            sure = UNINFORMED if constraint.weight is None else 1.0
            yield Weighed(constraint, constraint.importance, sure)


class ScriptedWeighter(Weighter):
    """Weights given beforehand, by place or by column; neutral where none is given.

    Raises `BadConstraint` for a weight outside [0, 1] and, when it weighs, `QueryError` for
    another number of constraints than weights by place.
    """

    name = "scripted"

    def __init__(self, weights: Sequence[float] | Mapping[str, float] = ()) -> None:
        self.by_column = dict(weights) if isinstance(weights, Mapping) else {}
        self.by_place = () if isinstance(weights, Mapping) else tuple(weights)
        for weight in (*self.by_column.values(), *self.by_place):
            check_weight(weight)

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the given weights, surely."""
        if self.by_place and len(self.by_place) != len(constraints):
            raise QueryError(
                f"{len(self.by_place)} scripted weights for {len(constraints)} constraints",
                hint="script one for each, or name columns",
            )
        for place, constraint in enumerate(constraints):
            weight = (
                self.by_place[place]
                if self.by_place
                else self.by_column.get(constraint.column or "")
            )
            if weight is None:
                yield Weighed(constraint, NEUTRAL_WEIGHT, UNINFORMED)
            else:
                yield Weighed(constraint, float(weight), 1.0)
