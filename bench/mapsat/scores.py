"""The figures of one dialogue: ECR, IISR, AR, TS, IFS, Eff, SES, CEI. Pure functions.

Source: MapSatisfyBench, 3.3; CEI is of the published records only. All but CEI lie between 0 and 1.
Each costs one pass over what it is given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from ...catalogs.errors import QueryError, excerpt

FactorType = Literal["hard", "soft"]

CREDITS: Mapping[str, tuple[float, ...]] = {
    "hard": (0.0, 1.0),
    "soft": (0.0, 0.25, 0.5, 0.75, 1.0),
}
"""What a judge may give a factor of each type (3.3)."""

METRICS = ("ECR", "IISR", "AR", "TS", "IFS", "Eff", "SES", "CEI")

TOKENS = 1_000_000
"""CEI is SES per so many tokens."""


@dataclass(frozen=True, slots=True)
class WeighedFactor:
    """What of an implicit decision factor its score needs. Raises `QueryError`.

    `weight` is finite and not negative; evidence may add up to more than 1.
    """

    weight: float
    type: FactorType = "soft"

    def __post_init__(self) -> None:
        if not math.isfinite(self.weight) or self.weight < 0:
            hint = "a weight is a finite number from 0"
            raise QueryError(f"weight {excerpt(self.weight)}", hint=hint)
        if self.type not in CREDITS:
            hint = f"write {' or '.join(CREDITS)}"
            raise QueryError(f"type of factor {excerpt(self.type)}", hint=hint)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of a final reply, in the order of the task.

    `explicit`: each stated factor is met; `credits`: how far each implicit one is; `facts`: each
    factual requirement is kept.
    """

    explicit: tuple[bool, ...]
    credits: tuple[float, ...]
    facts: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class JudgedDialogue:
    """One dialogue as the metrics see it.

    `valid_tools`: the tools called that exist, with parameters as the rules have them; `turns`: the
    agent's turns; `budget`: S_ref, the turns it is allowed; `tokens`: None where nobody counted.
    """

    verdict: Verdict
    factors: tuple[WeighedFactor, ...]
    expected_tools: frozenset[str]
    valid_tools: frozenset[str]
    turns: int
    budget: int
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """One dialogue's figures, or the means of several."""

    ecr: float
    iisr: float
    ar: float
    ts: float
    ifs: float
    eff: float
    ses: float
    cei: float | None = None

    def record(self) -> dict[str, float | None]:
        """Return the figures under the names they are printed with."""
        values = (self.ecr, self.iisr, self.ar, self.ts, self.ifs, self.eff, self.ses, self.cei)
        return dict(zip(METRICS, values, strict=True))


def scores_of(dialogue: JudgedDialogue) -> Scores:
    """Return the figures of a dialogue; raise `QueryError` for a verdict that does not fit it."""
    verdict = dialogue.verdict
    ecr = share(verdict.explicit)
    iisr = implicit_satisfaction(dialogue.factors, verdict.credits)
    eff = efficiency(dialogue.turns, dialogue.budget)
    ses = ecr * iisr * eff
    return Scores(
        ecr=ecr,
        iisr=iisr,
        ar=ecr * iisr,
        ts=tool_selection(dialogue.expected_tools, dialogue.valid_tools),
        ifs=share(verdict.facts),
        eff=eff,
        ses=ses,
        cei=cost_efficiency(ses, dialogue.tokens),
    )


def share(met: Sequence[bool]) -> float:
    """Return the mean of yes and no, which is ECR or IFS; 1 where nothing was asked."""
    return sum(met) / len(met) if met else 1.0


def implicit_satisfaction(factors: Sequence[WeighedFactor], credits: Sequence[float]) -> float:
    """Return IISR: the mean of credits by weight; 1 where no factor has a weight.

    Raises `QueryError` for a credit that a factor of its type cannot have.
    """
    if len(factors) != len(credits):
        raise QueryError(f"{len(credits)} credits for {len(factors)} factors")
    for factor, credit in zip(factors, credits, strict=True):
        if credit not in CREDITS[factor.type]:
            known = ", ".join(f"{value:g}" for value in CREDITS[factor.type])
            hint = f"a {factor.type} factor has {known}"
            raise QueryError(f"credit {excerpt(credit)}", hint=hint)
    total = math.fsum(factor.weight for factor in factors)
    if total == 0:
        return 1.0
    met = math.fsum(f.weight * credit for f, credit in zip(factors, credits, strict=True))
    return met / total


def tool_selection(expected: Collection[str], valid: Collection[str]) -> float:
    """Return TS: tools in both sets over tools in either (Jaccard); 1 where both are empty."""
    wanted, called = set(expected), set(valid)
    either = wanted | called
    return len(wanted & called) / len(either) if either else 1.0


def efficiency(turns: float, budget: float) -> float:
    """Return Eff = 1 / (1 + turns / budget): 0.5 at the budget.

    A budget under one turn counts as one, since an agent speaks at least once. Raises `QueryError`
    for a negative number.
    """
    for name, value in (("turns", turns), ("turns allowed", budget)):
        if not math.isfinite(value) or value < 0:
            raise QueryError(f"{name} {excerpt(value)}", hint="give a number from 0")
    return 1 / (1 + turns / max(1, budget))


def implied_turns(eff: float, budget: float) -> int:
    """Return the turns that an Eff stands for, rounded to a whole number: S_ref · (1 / Eff - 1)."""
    if not 0 < eff <= 1:
        raise QueryError(f"Eff {excerpt(eff)}", hint="Eff is more than 0, and at most 1")
    return round(max(1, budget) * (1 / eff - 1))


def cost_efficiency(ses: float, tokens: int | None) -> float | None:
    """Return CEI: SES for a million tokens; None where no token was counted."""
    return TOKENS * ses / tokens if tokens else None


def mean_scores(scores: Sequence[Scores]) -> Scores | None:
    """Return the mean of each figure over dialogues (3.3); None where there is none.

    CEI is the mean over the dialogues whose tokens were counted.
    """
    if not scores:
        return None
    records = [one.record() for one in scores]
    means: dict[str, Any] = {}
    for name in METRICS:
        values = [value for record in records if (value := record[name]) is not None]
        means[name.lower()] = fmean(values) if values else None
    return Scores(**means)
