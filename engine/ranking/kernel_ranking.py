"""Ranks the rows of a large catalog by kernels that read no more columns than they must.

Rows are first bounded, then measured: a sample gives a violation that enough rows stay under
(the search radius), each bound is widened by as much as that allows, and only rows inside all
widened bounds are measured. Which rows lie inside is known of the steps of an index
(`BitmapIndex`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.vectors.array_types import Floats, Ids
from ...solvers.masks import mask_of
from ..bound_query import BoundQuery
from . import distance_kernels, kernels, score_kernels
from .interface import SAME_SCORE, Closest, Places, ProbeResult, Ranked, RowProbe, RowRanker, Shift
from .kernel_arguments import ROUNDING, KernelArguments
from .record_types import PROBE, SAMPLE, SHIFT
from .search_radius import search_radii

SAMPLED = 1_024
"""Violations kept from the rows that probes find."""

EXPECTED = 16_384
"""Rows a first reading makes room for."""

FEW_LEFT = 65_536
"""At or below this many candidates, compute all distances instead of shrinking the radius."""

NEARLY = 0.9
"""A radius this part of the least weight still narrows every bound."""

MANY = 8_192
"""Of more candidates only those are scored that may be among the best."""


class KernelRanker(RowRanker):
    """Answers by kernels over the bound query's words, columns and buckets."""

    def __init__(self, bound: BoundQuery) -> None:
        super().__init__(bound)
        self._base = bound.base.words
        self._stack = bound.stack
        weights = [0.0 if i in bound.hard else bound.weights[i] for i in range(bound.width)]
        self._arguments = KernelArguments(
            bound.problem, bound.bounds, bound.terms, weights, bound.hard_mask
        )
        self._sample = np.zeros(0)
        self._radii: tuple[int, list[float]] | None = None
        self._alone: dict[int, float] = {}
        self._nearest: tuple[float, Places, Floats, Floats] | None = None

    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """See `RowRanker.probe`; also keeps a sample of violations for `closest` and `front`."""
        records = np.zeros(len(probes), dtype=PROBE)
        records["keep"] = [self.bound.full & ~mask_of(probe.changed) for probe in probes]
        records["inside"] = [mask_of(probe.inside) for probe in probes]
        sample = np.empty(SAMPLED, dtype=SAMPLE)
        taken = distance_kernels.probe_rows(
            self._base, self._stack, self._arguments.bounds, records, sample
        )
        _, once = np.unique(sample["row"][:taken], return_index=True)
        self._sample = sample["violation"][once]
        firsts: list[int] = records["first"].tolist()
        nearests: list[int] = records["nearest"].tolist()
        alone = [
            (probe.inside[0], nearest)
            for probe, nearest in zip(probes, nearests, strict=True)
            if nearest >= 0 and len(probe.changed) == len(probe.inside) == 1
        ]
        if alone:
            # One layout everywhere, or the kernel is compiled for each.
            positions, places = np.array(alone, dtype=np.intp).T.copy()
            distances = self.distances(places)[positions, np.arange(len(places))]
            self._alone = dict(zip(positions.tolist(), distances.tolist(), strict=True))
        return [
            ProbeResult(first if first >= 0 else None, nearest if nearest >= 0 else None)
            for first, nearest in zip(firsts, nearests, strict=True)
        ]

    def closest(self, top: int) -> Closest:
        """See `RowRanker.closest`."""
        for radius in self._search_radii(top):
            places, _, violations = self._near(radius)
            # Every row within the radius is here, so the best are too once there are enough.
            if math.isinf(radius) or len(places) >= top:
                order = self._lowest(places, violations, top)
                return Closest(places[order], violations[order])
        raise AssertionError("the last radius is infinite")

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `RowRanker.front`."""
        # No point of the front lies beyond the nearest row of a bound moved alone.
        limits = {
            position: self._alone[position] for position in movable if position in self._alone
        }
        left: Ids | None = None
        for radius in self._search_radii(top):
            if radius > self._narrow:
                if left is None:
                    left = self._within(limits, self.bound.full & ~mask_of(movable))
                if len(left) <= FEW_LEFT or math.isinf(radius):
                    places = left.astype(np.intp)
                    return self._front(places, self.distances(places), movable, math.inf, top)
            places, distances, _ = self._near(radius)
            points = self._front(places, distances, movable, radius, top)
            if len(points) == top or math.isinf(radius):
                return points
        raise AssertionError("the last radius is infinite")

    def _front(
        self, places: Places, distances: Floats, movable: Sequence[int], radius: float, top: int
    ) -> Places:
        inside, points = np.uint64(mask_of(movable)), np.empty(top, dtype=np.intp)
        count = distance_kernels.pareto_front(
            places, distances, inside, self._arguments.bounds, radius, points
        )
        return points[:count]

    @cached_attribute
    def _narrow(self) -> float:
        """The radius below which every bound of any weight is narrowed."""
        weights = [self.bound.weights[position] for position in self._arguments.ranges]
        return min((weight for weight in weights if weight > 0), default=math.inf)

    def _search_radii(self, top: int) -> list[float]:
        if self._radii is None or self._radii[0] != top:
            sample, share = self._arguments.sample
            radii = search_radii(np.sort(self._sample), sample, share, top)
            if self._narrow < radii[0]:
                # A shorter one reads few rows, and the guess is seldom too short.
                radii.insert(0, NEARLY * self._narrow)
            self._radii = top, radii
        return self._radii[1]

    def _near(self, radius: float) -> tuple[Places, Floats, Floats]:
        """Return all rows that meet everything hard and whose violation is within the radius.

        With their distances and violations; and maybe rows found before, farther away.
        """
        if self._nearest is None or self._nearest[0] < radius:
            must, limits = self.bound.hard_mask, dict[int, float]()
            for position in self.bound.soft:
                weight = self.bound.weights[position]
                if weight <= radius:
                    continue
                if self.bound.bounds[position] is None:
                    must |= 1 << position
                else:
                    limits[position] = radius / weight
            near = self._within(limits, must).astype(np.intp)
            distances, violations = np.empty((self.bound.width, len(near))), np.empty(len(near))
            count = distance_kernels.keep_near(
                near, self._stack, self._arguments.bounds, *self._arguments.least,
                radius, distances, violations,
            )  # fmt: skip
            self._nearest = radius, near[:count], distances[:, :count].copy(), violations[:count]
        return self._nearest[1:]

    def _within(self, limits: dict[int, float], must: int) -> Ids:
        """Return at least all rows that meet `must` and lie no farther than the limits."""
        ranges = self._arguments.ranges
        wide = [
            ranges[position].widened(limit)
            for position, limit in limits.items()
            if position in ranges
        ]
        return self._rows_in_ranges(must, wide, EXPECTED)

    def _rows_in_ranges(self, must: int, ranges: Sequence[tuple[int, ...]], expected: int) -> Ids:
        """Return the rows that meet `must` and may lie in all ranges (`rows_in_ranges`)."""
        bitmaps = np.array(ranges, dtype=np.int64).reshape(-1, 4)
        rows = np.empty(expected, dtype=np.uint32)
        while True:
            count = kernels.rows_in_ranges(self._base, self._stack, np.uint64(must), bitmaps, rows)
            if count <= len(rows):
                return rows[:count]
            rows = np.empty(count, dtype=np.uint32)

    def rank(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `RowRanker.rank`."""
        keep, terms = self.bound.full & ~mask_of(dropped), self._arguments.terms
        ranges = self._promising(keep, top) if count > MANY else []
        ids = self._rows_in_ranges(keep, ranges, EXPECTED if ranges else count)
        scores, places = self._scores(ids, keep), ids.astype(np.intp)
        order = self._lowest(places, -scores, top)
        best = places[order]
        satisfaction = np.empty((len(terms), len(best)))
        score_kernels.write_satisfaction(best, self._stack, terms, satisfaction)
        pareto = np.empty(len(order), dtype=np.bool_)
        if len(order):
            # Whatever dominates a row scores no less than it.
            floor = float(scores[order[-1]]) - SAME_SCORE
            score_kernels.mark_undominated(
                places, scores, floor, self._stack, terms, satisfaction, pareto
            )
        return Ranked(count, best, scores[order], satisfaction, pareto)

    def _promising(self, keep: int, top: int) -> list[tuple[int, ...]]:
        """Return ranges that the `top` best rows lie in, and whatever dominates one of them.

        The scores of some rows say what the best reach at least; a term that is low by more
        than the others can make up for keeps a row below that.
        """
        rows = self._sample_rows
        if self.bound.base.is_compact or len(rows) < top:
            # Small slices have no index to read ranges from.
            return []
        least = float(np.partition(self._scores(rows, keep), -top)[-top])
        return [] if math.isinf(least) else self._arguments.ranges_of_scores(least - SAME_SCORE)

    @cached_attribute
    def _sample_rows(self) -> Ids:
        """The sample of the base slice, as far as it is ranked."""
        rows, _ = self.bound.base.sample
        if self._base is self.bound.base.words:
            return rows
        words, bits = rows >> np.uint32(6), (rows & np.uint32(63)).astype(np.uint64)
        return rows[(self._base[words] >> bits & np.uint64(1)) != 0]

    def _scores(self, rows: Ids, keep: int) -> Floats:
        """Return the scores of rows, float64[n]; −∞ for those that do not meet `keep`."""
        scores = np.empty(len(rows))
        score_kernels.write_scores(
            rows, self._stack, np.uint64(keep), self._arguments.terms, scores
        )
        return scores

    def _lowest(self, places: Places, keys: Floats, top: int) -> Places:
        """Return where the `top` lowest keys stand: as `lowest`, by a kernel."""
        order, cost = np.empty(top, dtype=np.intp), self._arguments.cost_address
        return order[: score_kernels.lowest_keys(places, keys, cost, order, np.empty(top))]

    def distances(self, places: Places) -> Floats:
        """See `RowRanker.distances`."""
        distances = np.empty((self.bound.width, len(places)))
        distance_kernels.write_distances(
            places, self._stack, self._arguments.bounds, distances, np.empty(len(places))
        )
        return distances

    def count_without(self, dropped: int) -> int:
        """See `RowRanker.count_without`."""
        return self._count(self.bound.full & ~dropped, 0, 0)

    def count_shifted(self, shifts: Sequence[Shift]) -> list[int]:
        """See `RowRanker.count_shifted`."""
        measured = [self._is_measured(shift) for shift in shifts]
        near = [shift for shift, yes in zip(shifts, measured, strict=True) if yes]
        counts = iter(self._count_near(near))
        return [
            next(counts) if yes else self._count(self._kept(shift), shift.moved_mask, shift.witness)
            for shift, yes in zip(shifts, measured, strict=True)
        ]

    def _is_measured(self, shift: Shift) -> bool:
        """Return whether all rows that a shift lets in are among those measured already.

        Whatever moved bounds let in violates them no more than the witness does.
        """
        if self._nearest is None or shift.dropped:
            return False
        return shift.cost * (1 + ROUNDING) <= self._nearest[0] < math.inf

    def _count_near(self, shifts: Sequence[Shift]) -> list[int]:
        """Count among the rows measured already, for all shifts in one go."""
        if self._nearest is None or not shifts:
            return []
        _, places, distances, _ = self._nearest
        records = np.array(
            [(self._kept(shift), shift.moved_mask, shift.witness, 0) for shift in shifts],
            dtype=SHIFT,
        )
        kernels.count_near(places, distances, self._stack, self._arguments.bounds, records)
        return records["count"].tolist()

    def _kept(self, shift: Shift) -> int:
        return self.bound.full & ~shift.changed_mask

    def _count(self, keep: int, moved: int, witness: int) -> int:
        return kernels.count_let_in(
            self._base, self._stack, self._arguments.bounds,
            np.uint64(keep), np.uint64(moved), witness,
        )  # fmt: skip
