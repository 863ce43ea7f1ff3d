"""Repeated trials: the same conversations with other seeds, and the mean figures of the document.

ProADA reports the mean of three trials (section 4). A trial's seed draws the wording of the
offline person and goes along with each of a model's requests, so that a server that honours
seeds gives the same trial again and another one for another seed. Intervals draw households
and trials with replacement, both at once: they hold what another set of households and
another run would change. Cost: resamples times trials times households.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from ...catalogs.errors import QueryError, UnreadableFile
from ...dialogs.models.chat_model import ChatModel, Reply, Request, WrappedModel
from ..bootstrap import RESAMPLES, Interval, draw_counts, percentile_interval
from .published_data import Pair
from .records import Label
from .report import Report
from .scores import count_rows, sampled_figures

FIGURES = ("f1", "precision", "recall", "accuracy", "turns", "turn_weighted_f1")


class SeededModel(WrappedModel):
    """A model whose requests carry a seed unless they have their own."""

    def __init__(self, inner: ChatModel, seed: int) -> None:
        super().__init__(inner)
        self._seed = seed

    def complete(self, request: Request) -> Reply:
        """Return the inner model's reply to the request with the seed."""
        seeded = replace(request, seed=self._seed) if request.seed is None else request
        return self._inner.complete(seeded)


@dataclass(frozen=True)
class Trials:
    """Several runs of the same households. `figures`: their means; None where one has none."""

    reports: Sequence[Report]
    figures: Mapping[str, float | None]
    spread: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]

    def record(self) -> dict[str, Any]:
        """Return means, standard deviations between trials, intervals, and each trial's figures."""
        first = self.reports[0]
        return {
            **first.setting,
            **{name: first.metrics[name] for name in ("n_dialogues", "n_pairs", "n_labelled")},
            "trials": len(self.reports),
            **self.figures,
            "undecided": fmean(report.metrics["undecided"] for report in self.reports),
            "standard_deviation": dict(self.spread),
            "intervals": dict(self.intervals),
            "per_trial": [
                {"seed": report.setting.get("seed"), **report.metrics} for report in self.reports
            ],
        }


def trials_of(reports: Sequence[Report], labels: Mapping[Pair, Label], *, seed: int = 0) -> Trials:
    """Return what several runs of the same households come to.

    Raises `QueryError` for runs of different households.
    """
    households = [[dialogue.household for dialogue in report.dialogues] for report in reports]
    if any(names != households[0] for names in households):
        raise QueryError("trials of different households", hint="give runs of the same ones")
    values = {name: [report.metrics[name] for report in reports] for name in FIGURES}
    whole = {name: own for name, own in values.items() if None not in own}
    return Trials(
        reports,
        {name: fmean(whole[name]) if name in whole else None for name in FIGURES},
        {name: _deviation(whole.get(name, ())) for name in FIGURES},
        _intervals(reports, labels, seed),
    )


def _deviation(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _intervals(
    reports: Sequence[Report], labels: Mapping[Pair, Label], seed: int
) -> dict[str, Interval | None]:
    """Return intervals of the means; nan where a sample of a trial has no figure."""
    units = len(reports[0].dialogues)
    if not units:
        return {}
    households = draw_counts(units, seed, RESAMPLES)
    weights = draw_counts(len(reports), seed + 1, RESAMPLES) / len(reports)
    sampled = [
        sampled_figures(households @ count_rows(report.dialogues, labels), units)
        for report in reports
    ]
    return {
        name: percentile_interval(
            np.asarray((np.column_stack([own[name] for own in sampled]) * weights).sum(axis=1))
        )
        for name in FIGURES
    }


def trial_folders(folder: Path) -> list[Path]:
    """Return the folders of a run's trials, `trial-1` and so on; the folder itself without any.

    Raises `UnreadableFile` for a folder that holds both trials and episodes.
    """
    trials = [path for path in folder.glob("trial-*") if path.is_dir()] if folder.is_dir() else []
    if trials and any(folder.glob("*.jsonl")):
        raise UnreadableFile(str(folder), "it holds episodes beside trials")
    return sorted(trials, key=lambda path: (len(path.name), path.name)) or [folder]
