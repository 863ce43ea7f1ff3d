"""One minimal conflict inside a set that no row meets, found by deletion over the row masks.

Rows that meet what is known to be in the conflict get fewer with every member found, so the whole
costs a few passes over the distinct masks instead of one for each constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..catalogs.deadline import NEVER, Deadline
from ..catalogs.vectors.kernel_use import kernels_are_loaded
from .histogram import MaskHistogram
from .limits import Verdict
from .masks import Masks, positions_of
from .rows_read import RowsRead

PIECE = 1 << 18
"""Masks looked through between two looks at the clock."""

PASSED_WORDS = 1 << 23
"""Words passed over in some 4 ms."""


def first_conflict(histogram: MaskHistogram, until: Deadline = NEVER) -> int | None:
    """Return one MUS where no row meets everything, before all are listed; see `shrunk`.

    None where some row does, and where neither the masks nor the words of all rows are known.
    Raises `DeadlinePassed`.
    """
    if histogram.verdict is not Verdict.UNSAT:
        return None
    if histogram.complete:
        return shrunk(histogram.deciding, histogram.full, until)
    return shrunk_over_words(histogram.rows_read, histogram.full, until)


def shrunk_over_words(rows: RowsRead | None, conflict: int, until: Deadline = NEVER) -> int | None:
    """Return what `shrunk` does, from the words of all rows.

    None where these are known of too few constraints. Costs a pass over the words of the
    candidates for every member; up to `PASSED_WORDS` of them are passed over whatever the time.
    """
    if rows is None or rows.whole is None:
        return None
    candidates = sorted(positions_of(conflict).intersection(rows.known), reverse=True)
    if len(candidates) ** 2 * len(rows.whole) <= 2 * PASSED_WORDS:
        until = NEVER
    members, met = 0, rows.whole.copy()
    while met.any():
        decisive = _decisive_over_words(met, [rows.known[each] for each in candidates], until)
        if decisive == len(candidates):
            return None
        members |= 1 << candidates[decisive]
        met &= rows.known[candidates[decisive]][: len(met)]
        candidates = candidates[:decisive]
    return members


def _decisive_over_words(met: Masks, known: Sequence[Masks], until: Deadline) -> int:
    """Return what `_decisive` does; the number of candidates where some row meets all."""
    if kernels_are_loaded():
        from .conflict_kernels import most_met

        until.check()
        addresses = np.array([words.ctypes.data for words in known], dtype=np.int64)
        return most_met(addresses, met)
    both = met.copy()
    for index, words in enumerate(known):
        until.check()
        both &= words[: len(both)]
        if not both.any():
            return index
    return len(known)


def shrunk(histogram: MaskHistogram, conflict: int, until: Deadline = NEVER) -> int:
    """Return a MUS inside a mask that no row meets: what is left when one constraint after
    another, the first position first, is left out where the rest is still infeasible.

    The histogram has to be complete. Raises `ValueError` for a mask that some row meets, and
    `DeadlinePassed`.
    """
    if histogram.feasible(conflict):
        raise ValueError(f"some row meets {conflict:#x}: it holds no conflict")
    if "subset_counts" in histogram.__dict__:
        return shrunk_by_look_ups(histogram.is_feasible, conflict)
    members, rows = 0, histogram.masks
    candidates = sorted(positions_of(conflict), reverse=True)
    while len(rows):
        decisive = _decisive(rows, candidates, until)
        members |= 1 << candidates[decisive]
        rows = _meeting(rows, candidates[decisive], until)
        candidates = candidates[:decisive]
    return members


def shrunk_by_look_ups(feasible: Callable[[int], bool | int], conflict: int) -> int:
    """Return what `shrunk` does of a mask that no row meets, by what tells which are feasible."""
    left = conflict
    while left:
        lowest = left & -left
        left ^= lowest
        if not feasible(conflict ^ lowest):
            conflict ^= lowest
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
