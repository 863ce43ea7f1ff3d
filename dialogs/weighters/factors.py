"""Evidence-supported weights of MapSatisfyBench (appendix A.2): strength, recency, momentum, need.

    w = userpref · CurrentNeed,   userpref = S · R · M

S is the share of supporting behaviour, or the profile's ratio, or 1.0 and 0.3 for a basic profile
of strong and weak relevance. The tables A1 (M where there are profile and behaviour) and A2
(CurrentNeed) are only captions in the document's text. `MOMENTA` and `NEEDS` are tables of our
own, chosen to give the published weights: 38 of 94, recently more than before, 0.4851; a profile's
0.852 of a routine that the session goes on with, 0.8179; Δ = 0.155 → 1.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from ...catalogs.validation_fault import first_fault
from ..transcripts.transcript import Transcript
from .given import UNINFORMED
from .weighter import Weighed, Weighter

MOST = 1.44
"""The largest weight: all behaviour supports it, ever more of it, and so does the session."""

RELEVANCE = {"strong": 1.0, "weak": 0.3}
ROUTINE = 0.8

NEEDS = {"strong": 1.2, "neutral": 1.0, "weak": 0.8, "conflicting": 0.5}
"""CurrentNeed: the session asks for it; is no hindrance; hardly bears on it; speaks against it."""

MOMENTA = ((0.3, 1.2), (0.1, 1.1), (-0.1, 1.0), (-0.5, 0.8))
"""The least Δ, and M from there on; below the last M is `FADED`."""

FADED = 0.6

Count = Annotated[int, Field(ge=0)]
Ratio = Annotated[float, Field(ge=0, le=1)]


class Factor(BaseModel):
    """What is known for one decision factor before the question: history, profile, session."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    id: str | int | None = None
    supporting: Count | None = None
    total: Annotated[int, Field(ge=1)] | None = None
    recent: Count | None = None
    early: Count | None = None
    profile: Ratio | None = None
    relevance: Literal["strong", "weak"] | None = None
    routine: bool = False
    current_need: Annotated[float, Field(ge=0, le=1.2)] | None = None

    @field_validator("current_need", mode="before")
    @classmethod
    def _level(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("no number")
        return NEEDS.get(value, value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _fits(self) -> Factor:
        for one, other in (("supporting", "total"), ("recent", "early")):
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                raise ValueError(f"{one} and {other} go together")
        if self.supporting is not None and self.total is not None:
            if self.supporting > self.total:
                raise ValueError(f"supporting {self.supporting} of {self.total}")
        elif self.recent is not None:
            raise ValueError("recent and early without supporting and total")
        if not self.has_history and self.current_need is None:
            raise ValueError("nothing speaks for it: give counts, a profile or current_need")
        return self

    @property
    def has_history(self) -> bool:
        """Whether anything is known from before the session."""
        return not self.total is self.profile is self.relevance is None

    @property
    def strength(self) -> float:
        """S: of recent behaviour where there is some, else of the profile."""
        if self.supporting is not None and self.total is not None:
            return self.supporting / self.total
        return self.profile if self.profile is not None else RELEVANCE[self.relevance or "weak"]

    @property
    def momentum(self) -> float:
        """M: how behaviour changed, against the profile where there is one; 1 where nobody says."""
        if self.total is None:
            return 1.0
        if self.profile is not None:
            change = (self.strength - self.profile) / max(self.profile, 0.1)
            return next((momentum for least, momentum in MOMENTA if change >= least), FADED)
        if self.recent is None or self.early is None:
            return 1.0
        if self.recent > self.early:
            return 1.2
        if self.recent == self.early > 0:
            return 1.0
        return 0.8 if 0 < self.recent < self.early else FADED

    @property
    def weight(self) -> float:
        """w, up to `MOST`; a side of the product about which nothing is known counts 1."""
        preference = 1.0
        if self.has_history:
            preference = self.strength * (ROUTINE if self.routine else 1.0) * self.momentum
        return preference * (1.0 if self.current_need is None else self.current_need)


def factor_of(record: object) -> Factor:
    """Return a JSON object as a factor; raise `QueryError` with one line."""
    if not isinstance(record, Mapping):
        raise QueryError(f"{excerpt(record)} is no JSON object")
    try:
        return Factor.model_validate(record)
    except ValidationError as error:
        problem = first_fault(error, 1).line()
    raise QueryError(problem)


class BehaviourWeighter(Weighter):
    """The published weight of what history, profile and session say, by column, within 0 and 1.

    It is a score, which nothing calibrates: its confidence is that of a guess.
    """

    name = "behaviour"

    def __init__(self, factors: Mapping[str, Factor | Mapping[str, Any]] | None = None) -> None:
        self.factors = {
            column.casefold(): factor if isinstance(factor, Factor) else factor_of(factor)
            for column, factor in (factors or {}).items()
        }

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield w / 1.44 of each constraint's column, the neutral weight where nothing is known."""
        for constraint in constraints:
            factor = self.factors.get((constraint.column or "").casefold())
            weight = NEUTRAL_WEIGHT if factor is None else min(1.0, factor.weight / MOST)
            yield Weighed(constraint, weight, UNINFORMED)
