"""What constraints on places and hours measure of rows: km, minutes of travel, minutes to wait."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..deadline import NEVER, Deadline
from ..query.places import Measure
from ..query.travel_times import KnownMinutes
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
    points = [copy for copy in copies[:2] if isinstance(copy, NumberCopy)]
    numbers = np.empty(count if ids is None else len(ids))
    for start, stop in until.pieces(len(numbers), PIECE):
        places = np.arange(start, stop) if ids is None else ids[start:stop]
        if measure.point is None:
            numbers[start:stop] = np.nan
        else:
            latitudes, longitudes = (copy.at(places) for copy in points)
            numbers[start:stop] = measure.of_points(latitudes, longitudes)
        if measure.known is not None:
            known = _known(measure.known, copies[-1], places)
            numbers[start:stop] = np.where(np.isnan(known), numbers[start:stop], known)
    return numbers


def _known(known: KnownMinutes, copy: Copy, ids: Ids) -> Floats:
    """Return the minutes somebody measured to some items, NaN where nobody did."""
    if isinstance(copy, TextCopy):
        by_code = np.full(copy.null + 1, np.nan)
        texts = copy.values[: copy.null]
        by_code[: len(texts)] = [known.minutes.get(text, np.nan) for text in texts]
        return by_code[copy.codes[ids]]
    if isinstance(copy, NumberCopy):
        names = ["" if np.isnan(item) else str(int(item)) for item in copy.at(ids)]
    else:
        names = [str(item) for item in copy.values[ids].tolist()]
    return np.array([known.minutes.get(name, np.nan) for name in names], dtype=np.float64)


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
