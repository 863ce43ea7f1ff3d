"""Ranks candidates by how near they are to the bounds that gave way, by kernels.

A sample of the candidates says how far the nearest lie at most; only rows inside bounds widened by
that much are measured, and of those just so far only the ones scored that may be among the best.
Whatever dominates a row shown lies in ranges of its own, some dozen rows in most questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ...catalogs.vectors.array_types import Floats, Ids, Records, Words
from ...solvers.cheapest_repairs import PRICE_UNITS, price_units
from ...solvers.masks import mask_of
from . import near_kernels, score_kernels
from .front_ranking import FrontRanker
from .interface import SAME_SCORE, Ranked
from .joined_pieces import as_bitmaps, joined
from .kernel_ranking import MANY
from .pieces import PIECE_WORDS
from .record_types import UNIT

Piece = tuple[Ids, Floats, Floats]
Measured = tuple[list[Piece], bool]
"""Candidates with violations and scores, float64[n] each, in pieces; and whether all were read."""

HALF_STEP = 0.5 / PRICE_UNITS
"""Half of what two violations differ by at least."""


class NearRanker(FrontRanker):
    """A `FrontRanker` that also ranks near."""

    def rank_near(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank_near`."""
        keep, few = self.bound.full & ~mask_of(dropped), count <= MANY
        pieces, complete = (
            self._all_pieces(dropped, keep, first)
            if few
            else self._nearest_pieces(dropped, keep, min(top, count), top, first)
        )
        places = joined([rows for rows, _, _ in pieces], np.uint32).astype(np.intp)
        violations = joined([violations for _, violations, _ in pieces], np.float64)
        scores = joined([scores for _, _, scores in pieces], np.float64)
        order = self.nearest_first(places, violations, scores, top)[skip:]
        best = places[order]
        satisfaction = np.empty((len(self._arguments.terms), len(best)))
        score_kernels.write_satisfaction(best, self._stack, self._arguments.terms, satisfaction)
        # Whatever dominates a row may be among those that were not read.
        pareto = np.zeros(len(best), dtype=np.bool_)
        if complete and few and len(best):
            pareto = self._undominated([(places, scores)], float(scores[order].min()), satisfaction)
        elif complete:
            pareto = self._judged(satisfaction.T.copy(), keep)
        return Ranked(count, best, scores[order], satisfaction, pareto, complete)

    def _judged(self, best: Floats, keep: int) -> NDArray[np.bool_]:
        """Return for each of the best rows whether none dominates it; False for all if late."""
        pareto = np.zeros(len(best), dtype=np.bool_)
        for number, own in enumerate(best):
            if self.budget.expired:
                self.stopped_by = "deadline"
                return np.zeros(len(best), dtype=np.bool_)
            pareto[number] = not self._is_dominated(own, keep)
        return pareto

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
        bitmaps = as_bitmaps(ranges)

        def read(start: int, stop: int) -> int:
            rows = self._rows_between(start, stop, must, bitmaps)
            return near_kernels.cheapest_row(rows, self._stack, bounds, units)[0]

        found, _ = self._read(self._words, read)
        rows = np.array([row for row in found if row >= 0], dtype=np.uint32)
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

    def _all_pieces(self, dropped: frozenset[int], keep: int, first: int) -> Measured:
        """Return all candidates."""
        return self._read_from(first, self._reading((keep, []), dropped, keep))

    def _nearest_pieces(
        self, dropped: frozenset[int], keep: int, wanted: int, top: int, first: int
    ) -> Measured:
        """Return at least the `wanted` nearest candidates, up to `top`."""
        sample = self._sampled(keep)
        known = self._violations(sample, dropped)
        last = self._last(known, top)
        ranges = self._within_radius(dropped, last - HALF_STEP, [])

        def nearest(violations: Floats) -> NDArray[np.bool_]:
            nearer = violations < last
            return nearer & (violations <= self._last(violations[nearer], top))

        pieces, complete = self._read_from(first, self._reading(ranges, dropped, keep, nearest))
        nearer = sum(len(rows) for rows, _, _ in pieces)
        if complete and nearer < wanted:
            # Of those just as far as the last only the best are wanted.
            best = self._ranges_of_best(sample[known == last], keep, top - nearer)
            ranges = self._within_radius(dropped, last + HALF_STEP, best)
            read = self._reading(
                ranges, dropped, keep, lambda violations: violations == last, top - nearer
            )
            tied, complete = self._read_from(first, read)
            pieces = [*pieces, *tied]
        if not complete and not any(len(rows) for rows, _, _ in pieces):
            # None so near yet: then whatever matches first.
            read = self._reading((keep, []), dropped, keep)
            pieces = [read(first >> 6, min(self._words, (first >> 6) + PIECE_WORDS))]
        return pieces, complete

    def _read_from(self, first: int, read: Callable[[int, int], Piece]) -> Measured:
        """Return what is read of the rows from the one at place `first` on, some in any case."""
        skipped = first >> 6
        return self._read(
            self._words - skipped,
            lambda start, stop: read(skipped + start, skipped + stop),
            at_least=1,
        )

    def _reading(
        self,
        ranges: tuple[int, Sequence[tuple[int, ...]]],
        dropped: frozenset[int],
        keep: int,
        choose: Callable[[Floats], NDArray[np.bool_]] | None = None,
        most: int | None = None,
    ) -> Callable[[int, int], Piece]:
        """Return what reads those candidates of some words whose violations are chosen, or all.

        No more than `most`, the best of them: where all are equally near.
        """
        must, bitmaps = ranges[0], as_bitmaps(ranges[1])

        def read(start: int, stop: int) -> Piece:
            rows = self._rows_between(start, stop, must, bitmaps)
            violations = self._violations(rows, dropped)
            if choose is not None:
                chosen = choose(violations)
                rows, violations = rows[chosen], violations[chosen]
            scores = self._scores(rows, keep)
            if most is None or len(rows) <= most:
                return rows, violations, scores
            best = self.lowest(rows.astype(np.intp), -scores, most)
            return rows[best], violations[best], scores[best]

        return read

    def _within_radius(
        self, dropped: frozenset[int], radius: float, ranges: Sequence[tuple[int, ...]]
    ) -> tuple[int, list[tuple[int, ...]]]:
        """Return a mask and ranges that all candidates within a radius meet, some ranges more."""
        must, within, radius = self.bound.full & ~mask_of(dropped), [*ranges], max(radius, 0.0)
        for position in dropped:
            weight = self.bound.weights[position]
            if weight <= radius:
                continue
            if self.bound.bounds[position] is None:
                must |= 1 << position
            elif position in self._arguments.ranges:
                within.append(self._arguments.ranges[position].widened(radius / weight))
        return must, within

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
        bitmaps = as_bitmaps(self._arguments.ranges_of_shares(shares))

        def read(start: int, stop: int) -> bool:
            rows = self._rows_between(start, stop, keep, bitmaps)
            return near_kernels.is_dominated(rows, self._stack, self._arguments.terms, own)

        dominated, complete = self._read(self._words, read)
        return any(dominated) or not complete
