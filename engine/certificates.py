"""Certificates: that nothing less than a repair would do, and the conflicts that show it.

Read off the maximal row masks where all of them are known, else off all row masks, until the
time is up.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..catalogs.deadline import DeadlinePassed
from ..solvers.histogram import MaskHistogram
from ..solvers.masks import ascending
from ..solvers.one_conflict import shrunk, shrunk_by_look_ups
from .diagnosis import Diagnosis
from .repair_context import RepairContext


class Certificates:
    """Judges relaxations of one question, as long as its time lasts."""

    def __init__(self, context: RepairContext, diagnosis: Diagnosis) -> None:
        self._bound, self._budget = context.bound, context.budget
        self._histogram = histogram = _deciding(context.histogram.deciding, diagnosis)
        self._is_complete, self._feasible = histogram.complete, histogram.is_feasible

    def is_minimal(self, dropped: int) -> bool:
        """Return whether it is proven that nothing less would do: each unit of a mask is needed.

        False where time is up.
        """
        if not self._is_complete or self._budget.expired:
            return False
        kept, feasible = self._bound.full & ~dropped, self._feasible
        for unit in self._bound.unit_masks:
            if unit & dropped == unit and feasible(kept | unit):
                return False
        return True

    def private_conflicts(self, dropped: int) -> tuple[tuple[int, ...], ...]:
        """Return, for each unit dropped, a MUS that nothing else dropped hits; none if late.

        The mask has to be proven minimal.
        """
        kept = self._bound.full & ~dropped
        infeasible = [kept | unit for unit in self._bound.unit_masks if unit & dropped == unit]
        if "subset_counts" in self._histogram.__dict__:
            conflicts = [shrunk_by_look_ups(self._feasible, mask) for mask in infeasible]
        else:
            try:
                conflicts = [shrunk(self._histogram, mask, self._budget) for mask in infeasible]
            except DeadlinePassed:
                return ()
        return tuple([tuple(ascending(conflict)) for conflict in conflicts])


def _deciding(histogram: MaskHistogram, diagnosis: Diagnosis) -> MaskHistogram:
    """Return a histogram in which the same sets are feasible: of fewer masks where it can be."""
    everything = diagnosis.everything
    if "subset_counts" in histogram.__dict__ or not everything.complete:
        return histogram
    masks = ~everything.repair_masks & np.uint64(histogram.full)
    return replace(histogram, masks=masks, counts=np.ones(len(masks), dtype=np.int64))
