"""Judges beside each other and beside people: majority of several verdicts, and agreement.

Source: MapSatisfyBench, 4.2 (three verdicts, majority) and B.2 (accuracy within a tolerance, MAE).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median_low
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from ...catalogs.errors import QueryError
from ..json_lines import read_records
from ..understanding.wilson import share
from .scores import Verdict

Given = TypeVar("Given", bool, float)

TOLERANCES = (0.05, 0.02)

SLACK = 1e-9
"""0.95 is within 0.05 of 1, though binary numbers say otherwise."""


def majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return what most verdicts say of each factor; where all differ, the middle one.

    Raises `QueryError` for none, or for verdicts on different factors.
    """
    if not verdicts:
        raise QueryError("no verdict", hint="judge at least once")
    sizes = {(len(one.explicit), len(one.credits), len(one.facts)) for one in verdicts}
    if len(sizes) > 1:
        raise QueryError("verdicts on different factors", hint="judge the same dialogue")
    return Verdict(
        tuple(map(_most, zip(*(one.explicit for one in verdicts), strict=True))),
        tuple(map(_most, zip(*(one.credits for one in verdicts), strict=True))),
        tuple(map(_most, zip(*(one.facts for one in verdicts), strict=True))),
    )


def _most(given: Sequence[Given]) -> Given:
    """Return the commonest value; of several as common, the middle one of all, the lower."""
    counts = Counter(given).most_common(2)
    if len(counts) == 1 or counts[0][1] > counts[1][1]:
        return counts[0][0]
    return median_low(given)


def agreement(pairs: Iterable[tuple[float, float]]) -> dict[str, Any]:
    """Return how near a judge's scores are to people's: accuracy within tolerances, and MAE.

    `pairs`: the reference and the judge's score of each case. Accuracies have Wilson intervals.
    """
    apart = [abs(reference - judged) for reference, judged in pairs]
    found: dict[str, Any] = {"cases": len(apart), "MAE": fmean(apart) if apart else None}
    for tolerance in TOLERANCES:
        near = share(sum(gap <= tolerance + SLACK for gap in apart), len(apart))
        interval = None if near.interval is None else list(near.interval)
        found[f"within_{tolerance:g}"] = {"share": near.share, "interval": interval}
    return found


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    id: str = Field(min_length=1, max_length=1_000)
    model: str = Field(default="", max_length=1_000)
    scores: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = Field(max_length=100)


Dialogue = tuple[str, str]
"""A task's id, and the model that was scored on it, empty where there is one only."""

HumanScores = Mapping[Dialogue, Mapping[str, float]]


def read_human_scores(path: str | Path) -> HumanScores:
    """Return people's scores: JSON lines of a task's `id`, the `model`, and `scores` by figure.

    Raises `UnreadableFile` for a line that is torn, or holds no finite scores.
    """
    lines = read_records(path, _Line.model_validate)
    return {(line.id, line.model): line.scores for line in lines}


def judged_like_people(
    people: HumanScores, judged: Mapping[Dialogue, Mapping[str, float | None]]
) -> dict[str, dict[str, Any]]:
    """Return the agreement on each figure over the dialogues that people scored (Table B2).

    Raises `QueryError` where people scored none of those judged.
    """
    if people.keys().isdisjoint(judged):
        raise QueryError("people scored none of these dialogues", hint="name them by id and model")
    names = sorted({name for scores in people.values() for name in scores})
    return {name: agreement(_pairs(people, judged, name)) for name in names}


def _pairs(
    people: HumanScores, judged: Mapping[Dialogue, Mapping[str, float | None]], name: str
) -> list[tuple[float, float]]:
    return [
        (scores[name], value)
        for key, scores in people.items()
        if name in scores and (value := judged.get(key, {}).get(name)) is not None
    ]
