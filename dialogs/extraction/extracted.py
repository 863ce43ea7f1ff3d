"""Findings, and what they are merged to: constraints and unresolved statements, with evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from math import inf
from typing import Any, Literal, Protocol, cast

from ...catalogs.query.constraint import Constraint, Scalar
from ...catalogs.versions.reader import CatalogReader
from ..transcripts.transcript import Message, Span, Transcript

Said = Transcript | str | Sequence[Message | Mapping[str, Any]]


def _recorded(part: Extracted | Unresolved | ExtractedObjective | Leaning) -> dict[str, Any]:
    """Return the fields of a part as JSON values."""
    return {field.name: _plain(getattr(part, field.name)) for field in fields(part)}


def _plain(value: Any) -> Any:
    if isinstance(value, Constraint):
        return value.model_dump(mode="json", include={"column", "op", "value"})
    if isinstance(value, Span):
        return value.record()
    if isinstance(value, tuple):
        pairs = cast("tuple[tuple[Scalar, float], ...]", value)
        return [{"value": other, "score": round(score, 3)} for other, score in pairs]
    return round(value, 3) if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class Extracted:
    """One constraint, how surely it was meant (0 to 1), and what else could have been meant.

    `said` is the value as the person put it; `approximate` marks a bound they only
    approached ("around 1,000"); `constraint.hard` one they said must not give way. Where a
    runner-up is close the constraint is `ambiguous` and `question` asks about it. `implied`: no
    words of its own say it, but an answer to a question that named it ("the first one", "no").
    `also`: it is said to do as well as what else is wished.
    """

    constraint: Constraint
    score: float
    evidence: Span
    said: str
    alternatives: tuple[tuple[Scalar, float], ...] = ()
    ambiguous: bool = False
    approximate: bool = False
    question: str | None = None
    implied: bool = False
    also: bool = False

    def record(self) -> dict[str, Any]:
        """Return the constraint as a JSON object."""
        told = _recorded(self)
        del told["implied"], told["also"]
        return told.pop("constraint") | {"hard": self.constraint.hard} | told


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Something said that no constraint stands for, why, and the nearest values if any."""

    evidence: Span
    reason: str
    column: str | None = None
    nearest: tuple[tuple[Scalar, float], ...] = ()

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return _recorded(self)


@dataclass(frozen=True, slots=True)
class ExtractedObjective:
    """A column wished as low or as high as possible: "cheapest", "as many seats as there are".

    Rows cannot be ranked by times of day, which are texts; in a query a soft bound (`constraint`)
    stands for the earliest or the latest.
    """

    column: str
    direction: Literal["min", "max"]
    score: float
    evidence: Span
    said: str
    constraint: Constraint | None = None

    def record(self) -> dict[str, Any]:
        """Return the objective as a JSON object."""
        told = _recorded(self)
        if self.constraint is None:
            del told["constraint"]
        return told


@dataclass(frozen=True, slots=True)
class Leaning:
    """A vague wish: "cheap", "newish", "not too far".

    It became a soft bound at a quantile of what is looked for (`constraint`), or, where there
    is none, an objective: lower or higher is better.
    """

    column: str
    direction: Literal["min", "max"]
    constraint: Constraint | None
    score: float
    evidence: Span
    said: str

    def record(self) -> dict[str, Any]:
        """Return the leaning as a JSON object."""
        return _recorded(self)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was understood, in the order of what was said, and what was left over.

    `waived` names the columns that the person has no wish about, and says so; `unresolved`,
    values no constraint stands for; `not_understood`, words that no reading accounts for. The
    bounds of `leanings` and `objectives` are not repeated among the constraints. `named` is what a
    remark or a question names and nobody wishes for: no constraint, and for the most part not
    understood; `nearness`, at most 0, tells how near it was to be taken for a wish, in log-odds.
    """

    constraints: tuple[Extracted, ...]
    unresolved: tuple[Unresolved, ...] = ()
    waived: tuple[str, ...] = ()
    objectives: tuple[ExtractedObjective, ...] = ()
    leanings: tuple[Leaning, ...] = ()
    not_understood: tuple[Unresolved, ...] = ()
    named: tuple[Extracted, ...] = ()
    nearness: float = -inf

    def placed(self, before: int) -> Extraction:
        """Return it as of a conversation in which so many messages came first."""

        def placed(parts: Sequence[Any]) -> tuple[Any, ...]:
            spans = (replace(p.evidence, message=p.evidence.message + before) for p in parts)
            return tuple(replace(p, evidence=at) for p, at in zip(parts, spans, strict=True))

        return replace(
            self,
            constraints=placed(self.constraints),
            unresolved=placed(self.unresolved),
            objectives=placed(self.objectives),
            leanings=placed(self.leanings),
            not_understood=placed(self.not_understood),
            named=placed(self.named),
        )

    @property
    def chance(self) -> float:
        """The chance that all of it is right, that of its least sure part.

        0 where something was left over or could be meant otherwise.
        """
        if self.not_understood or self.unresolved:
            return 0.0
        if any(part.ambiguous for part in self.constraints):
            return 0.0
        parts = (*self.constraints, *self.objectives, *self.leanings)
        return min((part.score for part in parts), default=1.0)

    def record(self) -> dict[str, Any]:
        """Return everything as a JSON object."""
        return {
            "constraints": [constraint.record() for constraint in self.constraints],
            "objectives": [objective.record() for objective in self.objectives],
            "leanings": [leaning.record() for leaning in self.leanings],
            "not_understood": [words.record() for words in self.not_understood],
            "unresolved": [statement.record() for statement in self.unresolved],
            "waived": list(self.waived),
        }


class Extractor(Protocol):
    """Whoever turns what was said into constraints on a catalog."""

    def extract(
        self,
        said: Said,
        catalog: CatalogReader,
        *,
        slot: str | None = None,
        today: date | None = None,
    ) -> Extraction:
        """Return what the user's messages state.

        `slot` names the column that the first user message answers, where one was asked about;
        relative dates count from `today`, by default the present day.
        """
        ...
