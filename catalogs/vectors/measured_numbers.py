"""What constraints on places and hours measure of rows: km, minutes of travel, minutes to wait."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..deadline import NEVER, Deadline
from ..query.places import Measure
from .column_vectors import Copy, NumberCopy, TextCopy

Ids = NDArray[np.integer]
Floats = NDArray[np.float64]

PIECE = 1 << 17
"""Rows measured between two looks at the clock."""


def numbers_measured(
    measure: Measure,
    copies: Sequence[Copy],
    count: int,
    ids: Ids | None = None,
    until: Deadline = NEVER,
) -> Floats:
    """Return what is measured of some rows, float64[len(ids)], or of all `count` of them.

    `copies` are those of the measure's columns. NaN for a row of which nothing is known. Raises
    `DeadlinePassed`.
    """
    if measure.kind == "open at":
        return _minutes(measure, copies[0], count, ids)
    points = [copy for copy in copies if isinstance(copy, NumberCopy)]
    numbers = np.empty(count if ids is None else len(ids))
    for start, stop in until.pieces(len(numbers), PIECE):
        places = np.arange(start, stop) if ids is None else ids[start:stop]
        latitudes, longitudes = (copy.at(places) for copy in points)
        numbers[start:stop] = measure.of_points(latitudes, longitudes)
    return numbers


def _minutes(measure: Measure, copy: Copy, count: int, ids: Ids | None) -> Floats:
    """Return how far rows are from being open: each distinct text is read once."""
    if isinstance(copy, TextCopy):
        known = np.full(copy.null + 1, np.nan)
        texts = copy.values[: copy.null]
        known[: len(texts)] = [measure.of_text(text) for text in texts]
        return known[copy.codes if ids is None else copy.codes[ids]]
    if isinstance(copy, NumberCopy):
        return np.full(count if ids is None else len(ids), np.nan)
    values = (copy.values if ids is None else copy.values[ids]).tolist()
    by_text = {text: measure.of_text(text) for text in set(values)}
    return np.array([by_text[text] for text in values], dtype=np.float64)
