"""Human scores of dialogues, the five metrics of APEC-Travel's A.4, and how they correlate.

A CSV sheet, a line an annotator and dialogue: `dialogue`, `annotator`, and whole scores from 1
to 5 for `planning`, `prioritization`, `proactive`, `clarification`, `helpfulness`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...catalogs.errors import UnreadableFile, excerpt
from ..text_files import naming

METRICS = ("planning", "prioritization", "proactive", "clarification", "helpfulness")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one person gives one dialogue: a score from 1 to 5 for each metric."""

    dialogue: str
    annotator: str
    scores: Mapping[str, int]


def read_annotations(path: str | Path) -> list[Annotation]:
    """Return the lines of a sheet. Raises `UnreadableFile` naming the line of what is wrong."""
    with naming(path), Path(path).open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    missing = [
        name for name in ("dialogue", "annotator", *METRICS) if lines and name not in lines[0]
    ]
    if missing or not lines:
        reason = f"no column {missing[0]}" if missing else "it is empty"
        raise UnreadableFile(str(path), reason, hint=f"columns: {', '.join(METRICS)}")
    return [_annotation(path, number, line) for number, line in enumerate(lines, 2)]


def _annotation(path: str | Path, number: int, line: Mapping[str, str | None]) -> Annotation:
    scores: dict[str, int] = {}
    for metric in METRICS:
        text = (line[metric] or "").strip()
        if text not in ("1", "2", "3", "4", "5"):
            reason = f"line {number}: {metric} is {excerpt(text)}"
            raise UnreadableFile(str(path), reason, hint="give a whole score from 1 to 5")
        scores[metric] = int(text)
    return Annotation(line["dialogue"] or "", line["annotator"] or "", scores)


def correlations(annotations: Sequence[Annotation]) -> dict[str, dict[str, float | None]]:
    """Return Pearson's r of each pair of metrics over mean scores of dialogues (Figure 3).

    None where a metric never varies.
    """
    by_dialogue: dict[str, list[Annotation]] = {}
    for annotation in annotations:
        by_dialogue.setdefault(annotation.dialogue, []).append(annotation)
    means = np.array(
        [
            [np.mean([one.scores[metric] for one in group]) for metric in METRICS]
            for group in by_dialogue.values()
        ]
    )
    spread = means.std(axis=0)
    return {
        a: {b: _r(means, n, m) if spread[n] and spread[m] else None for m, b in enumerate(METRICS)}
        for n, a in enumerate(METRICS)
    }


def _r(means: np.ndarray[Any, Any], a: int, b: int) -> float:
    return round(float(np.corrcoef(means[:, a], means[:, b])[0, 1]), 4)
