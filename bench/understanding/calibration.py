"""Whether a reader is as often right as it says: its confidence beside the share that was meant.

The expected calibration error of Naeini, Cooper and Hauskrecht, "Obtaining well calibrated
probabilities using Bayesian binning" (AAAI 2015), over ten bins of equal width.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...dialogs.extraction.extracted import Extraction
from .request_marks import Marks

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings of like confidence: their mean confidence, and the share that is right."""

    confidence: float
    right: float
    readings: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Bins from the least confidence up; `error` is the mean distance in them, by readings.

    None where nothing was read.
    """

    bins: Sequence[Bin]
    error: float | None

    @classmethod
    def of(cls, readings: Iterable[tuple[float, bool]]) -> Calibration:
        """Return the calibration of readings: a confidence in [0, 1], and whether it was right."""
        pairs = list(readings)
        if not pairs:
            return cls((), None)
        scores = np.array([score for score, _ in pairs])
        right = np.array([was for _, was in pairs], dtype=np.float64)
        places = np.minimum((scores * BINS).astype(int), BINS - 1)
        bins = tuple(
            Bin(float(scores[chosen].mean()), float(right[chosen].mean()), int(chosen.sum()))
            for place in range(BINS)
            if (chosen := places == place).any()
        )
        distances = [abs(each.confidence - each.right) * each.readings for each in bins]
        return cls(bins, sum(distances) / len(pairs))


def judged(read: Extraction, marks: Marks) -> Iterator[tuple[float, bool]]:
    """Yield the confidence of every constraint read of a request, and whether it was meant.

    By column: of a column that has something wrong, all is.
    """
    wrong = {wish.column for wish in marks.extra}
    for part in read.constraints:
        yield part.score, (part.constraint.column or "") not in wrong
