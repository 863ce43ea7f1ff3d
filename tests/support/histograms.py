"""Histograms made by hand, without a catalog."""

from __future__ import annotations

import numpy as np

from concede.solvers.histogram import MaskHistogram, tally
from concede.solvers.limits import StoppedBy
from twins import Twin


def histogram_of(
    masks: list[int], width: int, stopped_by: StoppedBy | None = None
) -> MaskHistogram:
    """The histogram of rows with these masks."""
    return tally(
        width, np.array(masks, dtype=np.uint64), np.ones(len(masks), dtype=np.int64), stopped_by
    )


def histogram_of_twin(twin: Twin, stopped_by: StoppedBy | None = None) -> MaskHistogram:
    """The histogram that a twin describes."""
    masks = [mask for mask, count in twin.masks().items() for _ in range(count)]
    return histogram_of(masks, twin.width, stopped_by)


def random_masks(seed: int, rows: int, width: int, met: float) -> list[int]:
    """Masks of rows that meet each of the constraints with the same probability."""
    random = np.random.default_rng(seed)
    table = random.random((rows, width)) < met
    return [sum(1 << int(j) for j in np.flatnonzero(row)) for row in table]
