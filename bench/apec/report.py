"""What a run comes to: means with intervals, groups, the curve by round, errors by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..bootstrap import RESAMPLES, draw_counts, percentile_interval
from .run import Dialogue
from .scores import accumulated, summary

GROUPS = (
    "persona.age",
    "persona.education",
    "persona.disability",
    "persona.budget",
    "hotel.ratings",
    "persona.travel_with_pets",
)
"""Entries that Figure 9 breaks the critical accuracy down by; service quality is the rating."""

AXES = ("plan_priority", "proactive", "clarification")

LOW_OVERALL, LOW_CRITICAL = 0.15, 0.3
"""Below both, a dialogue is one of low accuracy (Table 5)."""

SECTIONS: Mapping[str, Sequence[str]] = {
    "Accuracy": ("overall", "critical", "filled_right", "answers_read_right", "r_c"),
    "Proactivity": ("proactive",),
    "Efficiency": ("rounds", "efficiency", "critical_efficiency", "plan_priority", "clarification"),
    "Credibility": ("plan_priority", "clarification", "reward", "reward_scaled"),
}
"""Figures by the axes of Table 1."""


def report_of(dialogues: Sequence[Dialogue], setting: Mapping[str, Any], seed: int = 0) -> Any:
    """Return all figures of a run as a JSON object."""
    figures: dict[str, Any] = summary([one.scores for one in dialogues])
    figures["answers_read_right"] = answers_read_right(dialogues)
    for axis in AXES:
        figures[axis] = _mean([getattr(one.agentic, axis) for one in dialogues])
    figures["total"] = _mean([one.agentic.total for one in dialogues])
    return {
        **setting,
        **figures,
        "sections": {
            section: {name: figures.get(name) for name in names}
            for section, names in SECTIONS.items()
        },
        "intervals": _intervals(dialogues, seed),
        "critical_by_round": _curve(dialogues),
        "groups": {name: _group(dialogues, name) for name in GROUPS},
        "errors": dict(Counter(error for one in dialogues for error in errors_of(one))),
        "axis_shares": {axis: _shares(dialogues, axis) for axis in AXES},
        "axis_correlations": _correlations(dialogues),
    }


def answers_read_right(dialogues: Sequence[Dialogue]) -> float | None:
    """Return the share of entries asked about of which the right value was taken down."""
    asked = right = 0
    for one in dialogues:
        for name in {question.entry for question in one.elicitation.asked}:
            asked += 1
            right += one.found.get(name) == one.traveller.profile.get(name)
    return right / asked if asked else None


def errors_of(one: Dialogue) -> list[str]:
    """Return the kinds of error of a dialogue of low accuracy, by rule (Table 5).

    `agent: few rounds`: under 8 questions; `agent: nothing critical asked`; `stenographer:
    wrong value` and `stenographer: nothing taken down` of an answer that was given;
    `traveller: vague twice`.
    """
    if one.scores.overall >= LOW_OVERALL or one.scores.critical >= LOW_CRITICAL:
        return []
    found, truth = one.found, one.traveller.profile
    asked = [question.entry for question in one.elicitation.asked]
    again = {question.entry for question in one.elicitation.asked if question.again}
    errors: list[str] = []
    if len(asked) < 8:
        errors.append("agent: few rounds")
    if not set(asked).intersection(one.traveller.critical):
        errors.append("agent: nothing critical asked")
    if any(name in found and found[name] != truth.get(name) for name in asked):
        errors.append("stenographer: wrong value")
    if any(name not in found and name not in again for name in asked):
        errors.append("stenographer: nothing taken down")
    if any(name not in found for name in again):
        errors.append("traveller: vague twice")
    return errors or ["other"]


def _curve(dialogues: Sequence[Dialogue]) -> list[float]:
    """Return mean critical accuracy after the request and each round; ended ones stay as they
    were."""
    curves = [
        accumulated(
            [{k: v.value for k, v in p.items()} for p in one.elicitation.profiles],
            one.traveller.profile,
            one.traveller.critical,
        )
        for one in dialogues
    ]
    longest = max((len(curve) for curve in curves), default=0)
    filled = [curve + [curve[-1]] * (longest - len(curve)) for curve in curves]
    return [round(_mean(column) or 0.0, 4) for column in zip(*filled, strict=True)]


def _group(dialogues: Sequence[Dialogue], name: str) -> dict[str, Any]:
    groups: dict[str, list[float]] = {}
    for one in dialogues:
        value = one.traveller.profile.get(name)
        if value is not None:
            groups.setdefault(_band(name, value), []).append(one.scores.critical)
    return {
        band: {"dialogues": len(values), "critical": _mean(values)}
        for band, values in sorted(groups.items())
    }


def _band(name: str, value: Any) -> str:
    if name == "persona.age":
        return "18–34" if value < 35 else "35–54" if value < 55 else "55–70"
    if name == "persona.budget":
        return "below 3000" if value < 3000 else "3000–6499" if value < 6500 else "from 6500"
    return str(value)


def _shares(dialogues: Sequence[Dialogue], axis: str) -> dict[str, float]:
    """Return the share of dialogues by score, rounded to whole points (Figure 4)."""
    counts = Counter(round(getattr(one.agentic, axis)) for one in dialogues)
    return {str(score): counts[score] / len(dialogues) for score in sorted(counts)}


def _correlations(dialogues: Sequence[Dialogue]) -> dict[str, float | None]:
    """Return Pearson's r between the axes (Figure 8); None where an axis never varies."""
    values = np.array([[getattr(one.agentic, axis) for axis in AXES] for one in dialogues])
    pairs = [(0, 1), (0, 2), (1, 2)]
    found: dict[str, float | None] = {}
    for a, b in pairs:
        varies = len(values) > 1 and bool(values[:, a].std() and values[:, b].std())
        r = float(np.corrcoef(values[:, a], values[:, b])[0, 1]) if varies else None
        found[f"{AXES[a]} and {AXES[b]}"] = None if r is None else round(r, 4)
    return found


def _intervals(dialogues: Sequence[Dialogue], seed: int) -> dict[str, Any]:
    """Return 95 % intervals of the means, dialogues drawn with replacement."""
    if not dialogues:
        return {}
    counts = draw_counts(len(dialogues), seed, RESAMPLES) / len(dialogues)
    names = ("overall", "critical", "efficiency", "critical_efficiency", "rounds")
    return {
        name: percentile_interval(counts @ [getattr(one.scores, name) for one in dialogues])
        for name in names
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
