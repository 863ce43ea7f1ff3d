"""Ranks candidates by how near they are to the bounds that gave way, by kernels.

A sample of the candidates says how far the nearest lie at most; only rows inside bounds widened by
that much are measured, and of those just so far only the ones scored that may be among the best.
Whatever dominates a row shown lies in ranges of its own, some dozen rows in most questions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy

import numpy as np

from ...catalogs.vectors.array_types import Floats, Ids, Records, Words
from ...solvers.cheapest_repairs import PRICE_UNITS, price_units
from ...solvers.masks import mask_of
from . import near_kernels, score_kernels
from .interface import SAME_SCORE, Ranked
from .kernel_ranking import EXPECTED, MANY, KernelRanker
from .record_types import UNIT

HALF_STEP = 0.5 / PRICE_UNITS
"""Half of what two violations differ by at least."""


class NearRanker(KernelRanker):
    """A `KernelRanker` that also ranks near."""

    def rank_near(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `RowRanker.rank_near`."""
        keep, terms = self.bound.full & ~mask_of(dropped), self._arguments.terms
        find = self._nearest_rows if count > MANY else self._all_rows
        rows, violations = find(dropped, keep, count, top)
        places, scores = rows.astype(np.intp), self._scores(rows, keep)
        order = self.nearest_first(places, violations, scores, top)
        best = places[order]
        satisfaction = np.empty((len(terms), len(best)))
        score_kernels.write_satisfaction(best, self._stack, terms, satisfaction)
        pareto = np.empty(len(best), dtype=np.bool_)
        if len(rows) == count:
            # Whatever dominates a row scores no less than it.
            floor = scores[order].min(initial=math.inf) - SAME_SCORE
            score_kernels.mark_undominated(
                places, scores, floor, self._stack, terms, satisfaction, pareto
            )
        else:
            own = satisfaction.T.copy()
            pareto[:] = [not self._is_dominated(own[number], keep) for number in range(len(best))]
        return Ranked(count, best, scores[order], satisfaction, pareto)

    def within(self, words: Words) -> NearRanker:
        """See `RowRanker.within`."""
        ranker = copy(self)
        ranker._base = words
        vars(ranker).pop("_sample_rows", None)
        return ranker

    def cheapest_row(self, limit: float) -> int | None:
        """See `RowRanker.cheapest_row`."""
        units, bounds = self._units(), self._arguments.bounds
        sample = self._sampled(self.bound.hard_mask)
        sampled, cost = near_kernels.cheapest_row(sample, self._stack, bounds, units)
        radius = min(limit, cost / PRICE_UNITS) if sampled >= 0 else limit
        # Each summand is rounded to a step.
        radius += len(units) / PRICE_UNITS
        must, ranges = self.bound.hard_mask, list[tuple[int, ...]]()
        for unit, price in zip(self.bound.units, self.bound.unit_prices, strict=True):
            if price <= radius:
                continue
            if unit[0] not in self.bound.movable:
                must |= mask_of(unit)
            elif unit[0] in self._arguments.ranges:
                ranges.append(self._arguments.ranges[unit[0]].widened(radius / price))
        rows = self._rows_in_ranges(must, ranges, EXPECTED)
        row, _ = near_kernels.cheapest_row(rows, self._stack, bounds, units)
        return row if row >= 0 else None

    def _units(self) -> Records:
        """Return what gives way together, UNIT[u]."""
        prices = price_units(self.bound.unit_prices, len(self.bound.units))
        movable = set(self.bound.movable)
        return np.array(
            [
                (mask_of(unit), -1 if price is None else price, unit[0] in movable, unit[0])
                for unit, price in zip(self.bound.units, prices, strict=True)
            ],
            dtype=UNIT,
        )

    def _all_rows(
        self, dropped: frozenset[int], keep: int, count: int, top: int
    ) -> tuple[Ids, Floats]:
        """Return all candidates with their violations."""
        rows = self._rows_in_ranges(keep, [], count)
        return rows, self._violations(rows, dropped)

    def _nearest_rows(
        self, dropped: frozenset[int], keep: int, count: int, top: int
    ) -> tuple[Ids, Floats]:
        """Return at least the `top` nearest candidates, with their violations."""
        sample = self._sampled(keep)
        known = self._violations(sample, dropped)
        last = self._last(known, top)
        rows = self._within_radius(dropped, last - HALF_STEP, [], EXPECTED)
        violations = self._violations(rows, dropped)
        nearer = violations < last
        rows, violations = rows[nearer], violations[nearer]
        if len(rows) >= min(top, count):
            near = violations <= self._last(violations, top)
            return rows[near], violations[near]
        # Of those just as far as the last only the best are wanted.
        best = self._ranges_of_best(sample[known == last], keep, top - len(rows))
        tied = self._within_radius(dropped, last + HALF_STEP, best, EXPECTED)
        tied = tied[self._violations(tied, dropped) == last]
        violations = np.concatenate([violations, np.full(len(tied), last)])
        return np.concatenate([rows, tied]), violations

    def _within_radius(
        self,
        dropped: frozenset[int],
        radius: float,
        ranges: Sequence[tuple[int, ...]],
        expected: int,
    ) -> Ids:
        """Return at least all candidates in some ranges whose violation is within the radius."""
        must, ranges = self.bound.full & ~mask_of(dropped), [*ranges]
        for position in dropped:
            weight = self.bound.weights[position]
            if weight <= radius:
                continue
            if self.bound.bounds[position] is None:
                must |= 1 << position
            elif position in self._arguments.ranges:
                distance = max(radius, 0.0) / weight
                ranges.append(self._arguments.ranges[position].widened(distance))
        return self._rows_in_ranges(must, ranges, expected)

    def _sampled(self, keep: int) -> Ids:
        """Return the candidates among the sample of the base slice."""
        rows = self._sample_rows
        return rows[self._scores(rows, keep) > -math.inf]

    def _ranges_of_best(self, rows: Ids, keep: int, top: int) -> list[tuple[int, ...]]:
        """Return ranges that hold all rows that score no less than the `top` best of these."""
        if len(rows) < top:
            return []
        least = float(np.partition(self._scores(rows, keep), -top)[-top])
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
