"""Weighing: each constraint's weight and confidence, with the spans that justify them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...catalogs.errors import QueryError, shown
from ...catalogs.query.constraint import Constraint
from ..transcripts.transcript import Span

MAX_CONSTRAINTS = 100
"""More than anybody puts into one request; pairwise work grows with the square."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """One constraint's weight in [0, 1] and the spans that justify it.

    `confidence` in [0, 1] is the calibrated probability that the weight is within
    `NEAR` of the true one.
    """

    constraint: Constraint
    weight: float
    confidence: float
    evidence: tuple[Span, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "constraint": self.constraint.record(),
            "weight": self.weight,
            "confidence": self.confidence,
            "evidence": [span.record() for span in self.evidence],
        }


NEAR = 0.2
"""A weight this close to the true one counts as right: about one band of importance."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weighed constraints, in the order in which they were given."""

    weighter: str
    parts: tuple[Weighed, ...]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Weighed]:
        return iter(self.parts)

    def __getitem__(self, place: int) -> Weighed:
        return self.parts[place]

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights, in the constraints' order."""
        return tuple(part.weight for part in self.parts)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints, each carrying its weight."""
        return tuple(
            Constraint.model_validate(
                part.constraint.model_dump(exclude_unset=True) | {"weight": part.weight}
            )
            for part in self.parts
        )

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {"weighter": self.weighter, "weights": [part.record() for part in self.parts]}


def constraints_of(given: Iterable[Constraint | Mapping[str, Any]]) -> tuple[Constraint, ...]:
    """Return constraints, or their JSON records, as constraints.

    Raises `BadConstraint` for a record that is none and `QueryError` for more than
    `MAX_CONSTRAINTS`.
    """
    constraints: list[Constraint] = []
    for constraint in given:
        constraints.append(
            constraint if isinstance(constraint, Constraint) else _constraint(constraint)
        )
        if len(constraints) > MAX_CONSTRAINTS:
            hint = f"weigh at most {MAX_CONSTRAINTS} at a time"
            raise QueryError(f"more than {MAX_CONSTRAINTS} constraints", hint=hint)
    return tuple(constraints)


def _constraint(value: object) -> Constraint:
    if not isinstance(value, Mapping):
        hint = "write {column, op, value}"
        raise QueryError(f"{shown(value)} is no constraint", hint=hint)
    return Constraint.model_validate(value)
