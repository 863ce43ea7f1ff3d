"""Rows whose columns could not be read in time: found by the constraints they meet, not measured.

Offers nothing that has a distance or a score. Rows go by their numbers in the catalog, since the
base slice, too, may not have been read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...catalogs.vectors.array_types import Floats, Words
from ...solvers.histogram import MaskHistogram
from ...solvers.limits import Budget
from ...solvers.masks import mask_of
from ..bound_query import BoundQuery
from .interface import (
    Closest,
    Counted,
    Places,
    ProbeResult,
    Ranked,
    RowProbe,
    RowRanker,
    Shift,
)

NO_ROWS = np.zeros(0, dtype=np.intp)


class UnmeasuredRows(RowRanker):
    """Finds a row for each probe, by the row sets or among the rows that the solver read."""

    def __init__(self, bound: BoundQuery, budget: Budget, histogram: MaskHistogram) -> None:
        super().__init__(bound, budget)
        self._histogram = histogram
        self.stopped_by = "deadline"

    @property
    def movable(self) -> tuple[int, ...]:
        """None: moving a bound takes the values of its column."""
        return ()

    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """Return a row for each probe as long as time lasts, for the first one in any case."""
        results: list[ProbeResult] = []
        for probe in probes:
            late = bool(results) and self.budget.expired
            results.append(ProbeResult(None if late else self._row(mask_of(probe.changed)), None))
        return results

    def _row(self, dropped: int) -> int | None:
        if not self.bound.problem.is_read:
            return self._histogram.witness(self.bound.full & ~dropped)
        place = super().first_without(dropped)
        return None if place is None else int(self.bound.base.row_ids(np.array([place]))[0])

    def first_without(self, dropped: int) -> int | None:
        """Return the number of a row that meets all but what is dropped; None for none."""
        return self._row(dropped)

    def row_ids(self, places: Places) -> list[int]:
        """Return the numbers as they are."""
        return places.tolist()

    def distances(self, places: Places) -> Floats:
        """Return zeros: no row is said to miss anything."""
        return np.zeros((self.bound.width, len(places)))

    def closest(self, top: int) -> Closest:
        """Return nothing."""
        return Closest(NO_ROWS, np.zeros(0), complete=False)

    def front(self, movable: Sequence[int], top: int) -> Places:
        """Return nothing."""
        return NO_ROWS

    def rank(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """Return no rows, and how many there are."""
        none, terms = np.zeros(0), np.zeros((0, 0))
        return Ranked(count, NO_ROWS, none, terms, np.zeros(0, np.bool_), complete=False)

    def rank_near(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """Return no rows, and how many there are."""
        return self.rank(dropped, count, top)

    def cheapest_row(self, limit: float) -> int | None:
        """Return nothing."""
        return None

    def within(self, words: Words) -> UnmeasuredRows:
        """Return the same."""
        return self

    def count_without(self, dropped: int) -> Counted:
        """Return how many rows read meet all but what is dropped."""
        count = self._histogram.count_mask(self.bound.full & ~dropped)
        return Counted(count, self._histogram.complete)

    def count_shifted(self, shifts: Sequence[Shift]) -> list[Counted]:
        """Return that nothing was counted."""
        return [Counted(0, exact=False) for _ in shifts]
