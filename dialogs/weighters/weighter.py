"""Base class of every weighter, what it returns, and the weighters by name.

To add a weighter, write one file with a class derived from `Weighter`: give it a `name` and a
`judge` that yields one `Weighed` for each constraint, in order. Then

- built in: add one line to `BUILT_IN` below;
- in another package: name the class as an entry point in the group `concede.weighters`,
  under the weighter's name.

Either way `tests/contract/test_every_weighter.py` runs it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.registry import Registry
from ..transcripts.transcript import Message, Span, Transcript

MAX_CONSTRAINTS = 100
"""More than anybody puts into one request; pairwise work grows with the square."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """One constraint's weight in [0, 1] and the spans that justify it.

    `confidence` in [0, 1] is the calibrated probability that the weight is within
    `NEAR` of the true one. `because` are the ids of the events that moved the weight.
    """

    constraint: Constraint
    weight: float
    confidence: float
    evidence: tuple[Span, ...] = ()
    because: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        record = {
            "constraint": self.constraint.record(),
            "weight": self.weight,
            "confidence": self.confidence,
            "evidence": [span.record() for span in self.evidence],
        }
        return record | ({"because": list(self.because)} if self.because else {})


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
        raise QueryError(f"{excerpt(value)} is no constraint", hint=hint)
    return Constraint.model_validate(value)


Said = Transcript | str | Iterable[Message | Mapping[str, Any]]
Given = Iterable[Constraint | Mapping[str, Any]]


class Weighter(ABC):
    """Derive from it, give it a `name`, and say what each constraint weighs in `judge`."""

    name: str = ""

    def weigh(self, transcript: Said, constraints: Given) -> Weighing:
        """Return how much each constraint matters to the person, in the constraints' order.

        `transcript` is a `Transcript`, a text that the person wrote, or messages
        `{role, content}`; constraints may be records `{column, op, value}`. Raises
        `QueryError` for what is neither.
        """
        checked = constraints_of(constraints)
        return Weighing(self.name, tuple(self.judge(Transcript.of(transcript), checked)))

    @abstractmethod
    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterable[Weighed]:
        """Yield one `Weighed` for each constraint, in order."""


ENTRY_POINTS = "concede.weighters"
DEFAULT_WEIGHTER = "learned"

BUILT_IN = {
    "learned": ("learned", "LearnedWeighter"),
    "lexical": ("lexical", "LexicalWeighter"),
    "ensemble": ("learned", "EnsembleWeighter"),
    "uniform": ("given", "UniformWeighter"),
    "oracle": ("given", "OracleWeighter"),
    "scripted": ("given", "ScriptedWeighter"),
    "evidence": ("evidence.weighter", "EvidenceWeighter"),
    "behaviour": ("factors", "BehaviourWeighter"),
    "local": ("llm", "LocalWeighter"),
    "global": ("llm", "GlobalWeighter"),
    "pairwise": ("llm", "PairwiseWeighter"),
}

_weighters: Registry[Weighter] = Registry(
    "weighter", ENTRY_POINTS, Weighter, __name__.rpartition(".")[0], BUILT_IN
)


def weighter_names() -> tuple[str, ...]:
    """Return the names of all weighters, built-in ones first; nobody else can take those."""
    return _weighters.names()


def get_weighter(name: str) -> Weighter:
    """Return a weighter by name; raise `QueryError` for one that does not exist or load."""
    return _weighters.get(name)
