"""Ranks candidates by how near they are to the bounds that gave way, by kernels.

A sample of the candidates says how far the nearest lie at most; only rows inside bounds widened by
that much are measured, and of equally near ones only those scored that may be among the best.
Whatever dominates a row shown lies in ranges of its own, some dozen rows in most questions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...catalogs.vectors.array_types import Floats, Ids
from ...solvers.masks import mask_of
from . import near_kernels, score_kernels
from .interface import SAME_SCORE, Ranked
from .kernel_ranking import EXPECTED, MANY, KernelRanker

WIDER = 1e-9
"""Bounds are widened by so much more, relative to the violation: sums are rounded."""


class NearRanker(KernelRanker):
    """A `KernelRanker` that also ranks near."""

    def rank_near(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `RowRanker.rank_near`."""
        if self._is_alike(dropped):
            return self.rank(dropped, count, top)
        rows, violations, scores = self._nearest_rows(dropped, count, top)
        places = rows.astype(np.intp)
        order = self.nearest_first(places, violations, scores, top)
        best = places[order]
        terms = self._arguments.terms
        satisfaction = np.empty((len(terms), len(best)))
        score_kernels.write_satisfaction(best, self._stack, terms, satisfaction)
        keep = self.bound.full & ~mask_of(dropped)
        dominated = [self._is_dominated(own, keep) for own in satisfaction.T.copy()]
        pareto = ~np.array(dominated, dtype=np.bool_)
        return Ranked(count, best, scores[order], satisfaction, pareto)

    def _is_alike(self, dropped: frozenset[int]) -> bool:
        """Return whether all candidates are known to be equally far from what is dropped."""
        gone = mask_of(dropped)
        return all(
            self.bound.bounds[position] is None and not self.count_without(gone & ~(1 << position))
            for position in dropped
            if self.bound.weights[position]
        )

    def _nearest_rows(
        self, dropped: frozenset[int], count: int, top: int
    ) -> tuple[Ids, Floats, Floats]:
        """Return at least the `top` nearest candidates, with their violations and scores."""
        keep = self.bound.full & ~mask_of(dropped)
        must, ranges = self._reach(dropped, keep, top if count > MANY else count)
        rows = self._rows_in_ranges(must, ranges, EXPECTED if ranges else count)
        violations = self._violations(rows, dropped)
        last = self._last(violations, top)
        if len(rows) > MANY and np.count_nonzero(violations <= last) > MANY:
            # Most are equally far: of these only the best are wanted.
            nearer = violations < last
            more = self._best_of_equals(dropped, last, top - np.count_nonzero(nearer))
            tied = self._rows_in_ranges(must, [*ranges, *more], EXPECTED if more else len(rows))
            tied = tied[self._violations(tied, dropped) == last]
            rows = np.concatenate([rows[nearer], tied])
            violations = np.concatenate([violations[nearer], np.full(len(tied), last)])
        else:
            near = violations <= last
            rows, violations = rows[near], violations[near]
        return rows, violations, self._scores(rows, keep)

    def _reach(
        self, dropped: frozenset[int], keep: int, top: int
    ) -> tuple[int, list[tuple[int, ...]]]:
        """Return what the `top` nearest candidates meet, a mask, and ranges they lie in."""
        rows = self._sampled(keep)
        radius = self._last(self._violations(rows, dropped), top) * (1 + WIDER) + WIDER
        ranges: list[tuple[int, ...]] = []
        for position in dropped:
            weight = self.bound.weights[position]
            if weight <= radius:
                continue
            if self.bound.bounds[position] is None:
                keep |= 1 << position
            elif position in self._arguments.ranges:
                ranges.append(self._arguments.ranges[position].widened(radius / weight))
        return keep, ranges

    def _sampled(self, keep: int) -> Ids:
        """Return the candidates among the sample of the base slice."""
        rows, _ = self.bound.base.sample
        return rows[self._scores(rows, keep) > -math.inf]

    def _best_of_equals(
        self, dropped: frozenset[int], violation: float, top: int
    ) -> list[tuple[int, ...]]:
        """Return ranges that hold the `top` best candidates of just this violation."""
        keep = self.bound.full & ~mask_of(dropped)
        rows = self._sampled(keep)
        equal = rows[self._violations(rows, dropped) == violation]
        if len(equal) < top:
            return []
        least = float(np.partition(self._scores(equal, keep), -top)[-top])
        return self._arguments.ranges_of_scores(least - SAME_SCORE)

    def _violations(self, rows: Ids, dropped: frozenset[int]) -> Floats:
        violations = np.empty(len(rows))
        near_kernels.write_violations(
            rows, self._stack, self._arguments.bounds, np.uint64(mask_of(dropped)), violations
        )
        return violations

    def _last(self, violations: Floats, top: int) -> float:
        """Return the `top`-th least violation; infinite where there are fewer."""
        if len(violations) < top:
            return math.inf
        order = np.empty(top, dtype=np.intp)
        places = np.arange(len(violations))
        score_kernels.lowest_keys(places, violations, 0, order, np.empty(top))
        return float(violations[order[-1]])

    def _is_dominated(self, own: Floats, keep: int) -> bool:
        """Return whether a candidate satisfies each term as well as this, and one better."""
        shares: Sequence[float] = own.tolist()
        for term, share in zip(self.bound.terms, shares, strict=True):
            if term.position is not None and not term.direction and share:
                keep |= 1 << term.position
        rows = self._rows_in_ranges(keep, self._arguments.ranges_of_shares(shares), EXPECTED)
        return near_kernels.is_dominated(rows, self._stack, self._arguments.terms, own)
