"""One minimal conflict inside a set that no row meets, found by deletion over the row masks.

Rows that meet what is known to be in the conflict get fewer with every member found, so the whole
costs a few passes over the distinct masks instead of one for each constraint.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..catalogs.deadline import NEVER, Deadline
from .histogram import MaskHistogram
from .masks import Masks, mask_of, positions_of

PIECE = 1 << 18
"""Masks looked through between two looks at the clock."""


def shrunk(histogram: MaskHistogram, conflict: int, until: Deadline = NEVER) -> int:
    """Return a MUS inside a mask that no row meets: what is left when one constraint after
    another, the first position first, is left out where the rest is still infeasible.

    The histogram has to be complete. Raises `ValueError` for a mask that some row meets, and
    `DeadlinePassed`.
    """
    if histogram.feasible(conflict):
        raise ValueError(f"some row meets {conflict:#x}: it holds no conflict")
    if "subset_counts" in histogram.__dict__:
        return _by_look_ups(histogram, conflict)
    members, rows = 0, histogram.masks
    candidates = sorted(positions_of(conflict), reverse=True)
    while len(rows):
        decisive = _decisive(rows, candidates, until)
        members |= 1 << candidates[decisive]
        rows = _meeting(rows, candidates[decisive], until)
        candidates = candidates[:decisive]
    return members


def _by_look_ups(histogram: MaskHistogram, conflict: int) -> int:
    for position in sorted(positions_of(conflict)):
        smaller = conflict & ~mask_of([position])
        if not histogram.feasible(smaller):
            conflict = smaller
    return conflict


def _decisive(rows: Masks, candidates: Sequence[int], until: Deadline) -> int:
    """Return the index of the candidate up to which no row meets all; it cannot be left out."""
    for index, position in enumerate(candidates):
        rows = _meeting(rows, position, until)
        if not len(rows):
            return index
    raise ValueError("some row meets every candidate")


def _meeting(rows: Masks, position: int, until: Deadline) -> Masks:
    bit = np.uint64(1 << position)
    parts = [rows[:0]]
    for start, stop in until.pieces(len(rows), PIECE):
        part = rows[start:stop]
        parts.append(part[(part & bit) != 0])
    return np.concatenate(parts)
