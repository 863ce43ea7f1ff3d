"""The symbolic figures of a dialogue: accuracy, efficiency, reward. Pure functions.

Source: APEC-Travel, 3.1 (accuracy, efficiency, reward) and 4.1. The document prints no weights
for its "weighed distance" of R_c; here a critical entry counts 4 and any other 1, so with 10
critical of 54 entries R_c = (4·critical right + others right) / 84.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...dialogs.elicitation.schema import Schema, Value

ALPHA = 0.1
"""Share of accuracy in the reward (Table 2)."""

CRITICAL_WEIGHT = 4
"""What a critical entry counts in R_c beside 1 for any other."""

MOST_AGENTIC = 15
"""Three axes of at most 5."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One dialogue. `overall` and `critical`: shares of entries right, from 0 to 1.

    `filled`: entries with a value; `right`: those of them that are right. `r_c` from 0 to 1,
    `r_a` from 0 to 15.
    """

    overall: float
    critical: float
    filled: int
    right: int
    rounds: int
    r_c: float
    r_a: float

    @property
    def reward(self) -> float:
        """The reward as printed, with ALPHA."""
        return reward(self)

    @property
    def reward_scaled(self) -> float:
        """The same with R_a from 0 to 1, where accuracy can be seen."""
        return ALPHA * self.r_c + (1 - ALPHA) * self.r_a / MOST_AGENTIC

    @property
    def efficiency(self) -> float:
        """Overall accuracy gained per round; without a round, the accuracy itself."""
        return self.overall / max(1, self.rounds)

    @property
    def critical_efficiency(self) -> float:
        """Critical accuracy gained per round."""
        return self.critical / max(1, self.rounds)


def reward(scores: Scores, alpha: float = ALPHA) -> float:
    """Return alpha · R_c + (1 - alpha) · R_a (equation 1), from 0 to 15."""
    return alpha * scores.r_c + (1 - alpha) * scores.r_a


def scored(
    schema: Schema,
    truth: Mapping[str, Value],
    critical: Collection[str],
    found: Mapping[str, Value],
    rounds: int,
    r_a: float = 0.0,
) -> Scores:
    """Return the scores of what a dialogue found against what the traveller wants.

    An entry that was not found is not right; one of which the truth is unknown cannot be.
    """
    names = [entry.name for entry in schema.entries]
    right = {name for name in names if name in found and found[name] == truth.get(name)}
    weights = {name: CRITICAL_WEIGHT if name in critical else 1 for name in names}
    among = right.intersection(critical)
    return Scores(
        overall=len(right) / len(names),
        critical=len(among) / len(critical) if critical else 0.0,
        filled=len(found),
        right=len(right),
        rounds=rounds,
        r_c=sum(weights[name] for name in right) / sum(weights.values()),
        r_a=r_a,
    )


def summary(scores: Sequence[Scores]) -> dict[str, Any]:
    """Return the means over dialogues; efficiency is the mean of ratios (4.1), not their ratio."""
    if not scores:
        return {"dialogues": 0}

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values)

    filled = sum(one.filled for one in scores)
    return {
        "dialogues": len(scores),
        "rounds": mean([one.rounds for one in scores]),
        "overall": mean([one.overall for one in scores]),
        "critical": mean([one.critical for one in scores]),
        "efficiency": mean([one.efficiency for one in scores]),
        "critical_efficiency": mean([one.critical_efficiency for one in scores]),
        "filled_right": sum(one.right for one in scores) / filled if filled else None,
        "r_c": mean([one.r_c for one in scores]),
        "r_a": mean([one.r_a for one in scores]),
        "reward": mean([one.reward for one in scores]),
        "reward_scaled": mean([one.reward_scaled for one in scores]),
    }


def accumulated(
    profiles: Sequence[Mapping[str, Value]], truth: Mapping[str, Value], critical: Collection[str]
) -> list[float]:
    """Return critical accuracy after the request and after each round (Figure 7)."""
    if not critical:
        return [0.0] * len(profiles)
    return [
        sum(name in found and found[name] == truth.get(name) for name in critical) / len(critical)
        for found in profiles
    ]
