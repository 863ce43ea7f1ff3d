"""Certificates: that nothing less than a repair would do, and the conflicts that show it.

Read off the maximal row masks where all of them are known, else off all row masks, until the
time is up.
"""

from __future__ import annotations

import numpy as np

from ..solvers.histogram import MaskHistogram
from ..solvers.masks import Masks, positions_of
from .conflict_search import conflict_within
from .diagnosis import Diagnosis
from .repair_context import RepairContext


class Certificates:
    """Judges relaxations of one question, as long as its time lasts."""

    def __init__(self, context: RepairContext, diagnosis: Diagnosis) -> None:
        self._bound, self._budget = context.bound, context.budget
        self._histogram = context.histogram
        self._masks = _deciding(context.histogram, diagnosis)

    def is_minimal(self, dropped: int) -> bool:
        """Return whether it is proven that nothing less would do: each unit of a mask is needed.

        False where time is up.
        """
        if not self._histogram.complete or self._budget.expired:
            return False
        kept, units = self._bound.full & ~dropped, self._units_in(dropped)
        if "subset_counts" in self._histogram.__dict__:
            return not any(self._histogram.feasible(kept | unit) for unit in units)
        masks = self._masks[(self._masks & np.uint64(kept)) == np.uint64(kept)]
        return not any(((masks & np.uint64(unit)) == np.uint64(unit)).any() for unit in units)

    def private_conflicts(self, dropped: int) -> tuple[tuple[int, ...], ...]:
        """Return, for each unit dropped, a MUS that nothing else dropped hits; none if late."""
        kept = self._bound.full & ~dropped
        conflicts: list[tuple[int, ...]] = []
        for unit in self._units_in(dropped):
            if self._budget.expired:
                return ()
            conflict = conflict_within(self._histogram, kept | unit, self._masks)
            conflicts.append(tuple(sorted(positions_of(conflict))))
        return tuple(conflicts)

    def _units_in(self, dropped: int) -> list[int]:
        return [unit for unit in self._bound.unit_masks if unit & dropped == unit]


def _deciding(histogram: MaskHistogram, diagnosis: Diagnosis) -> Masks:
    """Return row masks such that a set is feasible if one of them contains it."""
    everything = diagnosis.everything
    if everything.complete:
        return ~everything.repair_masks & np.uint64(histogram.full)
    return histogram.masks
