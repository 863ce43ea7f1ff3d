"""Ranks the rows of a large catalog by kernels that read no more columns than they must.

Rows are first bounded, then measured: a sample gives a violation that enough rows stay under
(the search radius), each bound is widened by as much as that allows, and only rows inside all
widened bounds are measured. Which rows lie inside is known of the steps of an index
(`BitmapIndex`). Of a small base slice every row is measured, once.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.vectors.array_types import Floats, Ids, Longs, Records
from ...solvers.limits import Budget
from ...solvers.masks import mask_of
from ..bound_query import BoundQuery
from . import distance_kernels, kernels, score_kernels
from .interface import (
    SAME_SCORE,
    Closest,
    Counted,
    Places,
    ProbeResult,
    Ranked,
    RowProbe,
    RowRanker,
    Shift,
)
from .joined_pieces import NearRows, as_bitmaps, first_and_nearest, joined
from .kernel_arguments import ROUNDING, KernelArguments
from .pieces import PIECE_WORDS
from .record_types import PROBE, SHIFT
from .search_radius import search_radii

SAMPLED = 1_024
"""Violations kept from the rows that probes find."""

LOOKED_AT = 128
"""Words that are probed first: how near some rows are tells where the nearest must lie."""

NEARLY = 0.9
"""A radius this part of the least weight still narrows every bound."""

MANY = 8_192
"""Of more candidates only those are scored that may be among the best."""


class KernelRanker(RowRanker):
    """Answers by kernels over the bound query's words, columns and buckets; all but the fronts."""

    def __init__(self, bound: BoundQuery, budget: Budget | None = None) -> None:
        super().__init__(bound, budget)
        self._stack = bound.stack
        weights = [0.0 if i in bound.hard else bound.weights[i] for i in range(bound.width)]
        self._arguments = KernelArguments(
            bound.problem, bound.bounds, bound.terms, weights, bound.hard_mask, self.budget
        )
        self._sample = np.zeros(0)
        self._radii: tuple[int, list[float]] | None = None
        self._alone: dict[int, int] = {}
        self._nearest: NearRows | None = None

    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """See `RowRanker.probe`; also keeps a sample of violations for `closest` and `front`."""
        found = self._probed(probes)
        nearests: list[int] = found["nearest"].tolist()
        alone = [
            (probe.inside[0], nearest)
            for probe, nearest in zip(probes, nearests, strict=True)
            if nearest >= 0 and len(probe.changed) == len(probe.inside) == 1
        ]
        self._alone |= dict(alone)
        return [
            ProbeResult(first if first >= 0 else None, nearest if nearest >= 0 else None)
            for first, nearest in zip(found["first"].tolist(), nearests, strict=True)
        ]

    def _probed(self, probes: Sequence[RowProbe]) -> Records:
        """Return what probes find, PROBE[m]: some rows first, then those that may be nearer."""
        records = np.zeros(len(probes), dtype=PROBE)
        records["keep"] = [self.bound.full & ~mask_of(probe.changed) for probe in probes]
        records["inside"] = [mask_of(probe.inside) for probe in probes]
        records["first"] = records["nearest"] = -1
        if self._words <= 2 * LOOKED_AT or self._are_few(probes) or not self._arguments.ranges:
            found = self._probe_words(self._words, records, as_bitmaps([]))
            return records if found is None else found
        looked = self._probe_words(LOOKED_AT, records, as_bitmaps([]))
        if looked is None:
            return records
        ranges = self._nearer(records, probes, looked)
        found = self._probe_words(self._words, records, ranges)
        if found is None:
            return looked
        # Of the rows inside ranges the first may come later.
        known = looked["first"] >= 0
        found["first"][known] = looked["first"][known]
        return found

    def _are_few(self, probes: Sequence[RowProbe]) -> bool:
        """Return whether probes let in so few rows that none is likely to be looked at first."""
        known = [probe.rows for probe in probes if probe.rows is not None]
        return len(known) == len(probes) and sum(known) * LOOKED_AT < self._words

    def _nearer(self, records: Records, probes: Sequence[RowProbe], looked: Records) -> Longs:
        """Return the ranges that each probe's nearest row lies in, and say where they are.

        No bound of it is farther than all its distance to a row known.
        """
        ranges, ends = list[tuple[int, ...]](), [0]
        costs: list[float] = looked["cost"].tolist()
        for probe, cost in zip(probes, costs, strict=True):
            if probe.inside and cost < math.inf:
                ranges += self._ranges_within(probe.inside, cost * (1 + ROUNDING))
            ends.append(len(ranges))
        records["ranges"], records["end"] = ends[:-1], ends[1:]
        return as_bitmaps(ranges)

    def _probe_words(self, words: int, records: Records, ranges: Longs) -> Records | None:
        """Return what probes find in the first words; each piece of rows adds to the sample.

        None where there was no time to read one.
        """

        def read(start: int, stop: int) -> tuple[Records, Floats]:
            found = records.copy()
            sample = np.empty(-(-SAMPLED * (stop - start) // words))
            taken = distance_kernels.probe_rows(
                self._base, self._stack, start, stop, self._arguments.bounds, ranges, found, sample
            )
            return found, sample[:taken]

        pieces, _ = self._read(words, read)
        if not pieces:
            return None
        self._sample = joined([sample for _, sample in pieces], np.float64)
        return first_and_nearest([found for found, _ in pieces])

    def closest(self, top: int) -> Closest:
        """See `RowRanker.closest`."""
        if self.budget.expired and self._nearest is None:
            # Where nothing will be read, no radius to read within is looked for: 2 to 5 ms.
            self.stopped_by = "deadline"
            return Closest(np.zeros(0, np.intp), np.zeros(0), complete=False)
        for radius in self._search_radii(top):
            near = self._near(radius)
            # Every row within the radius is here, so the best are too once there are enough.
            if math.isinf(radius) or len(near.places) >= top or not near.complete:
                order = self._lowest(near.places, near.violations, top)
                return Closest(near.places[order], near.violations[order], near.complete)
        raise AssertionError("the last radius is infinite")

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

    def _near(self, radius: float) -> NearRows:
        """Return all rows that meet everything hard and whose violation is within the radius.

        And maybe rows found before, farther away.
        """
        known = self._nearest
        if known is None or known.radius < radius or not (known.complete or self.budget.expired):
            found = self._read_near(radius)
            if known is None or found.complete or len(found.places) >= len(known.places):
                known = found
            else:
                # What the clock stopped is less than what was found before it.
                known = NearRows(known.radius, known.pieces, False)
            self._nearest = known
        return known

    def _read_near(self, radius: float) -> NearRows:
        if self._arguments.measured is not None and self._base is self.bound.base.words:
            return self._measured_near(radius, *self._arguments.measured)
        must, limits = self.bound.hard_mask, dict[int, float]()
        for position in self.bound.soft:
            weight = self.bound.weights[position]
            if weight <= radius:
                continue
            if self.bound.bounds[position] is None:
                must |= 1 << position
            else:
                limits[position] = radius / weight
        bitmaps, least = as_bitmaps(self._widened(limits)), self._arguments.least

        def read(start: int, stop: int) -> tuple[Places, Floats, Floats]:
            near = self._rows_between(start, stop, must, bitmaps).astype(np.intp)
            distances, violations = np.empty((self.bound.width, len(near))), np.empty(len(near))
            count = distance_kernels.keep_near(
                near, self._stack, self._arguments.bounds, *least,
                radius, distances, violations,
            )  # fmt: skip
            return near[:count], distances[:, :count].copy(), violations[:count]

        return self._near_rows(radius, read)

    def _measured_near(self, radius: float, distances: Floats, violations: Floats) -> NearRows:
        """Return what `_read_near` does, from the distances of all rows."""
        # Those that miss something hard are farther than any.
        within = min(radius, sys.float_info.max)

        def read(start: int, stop: int) -> tuple[Places, Floats, Floats]:
            near = 64 * start + np.flatnonzero(violations[64 * start : 64 * stop] <= within)
            return near, distances.take(near, axis=1), violations[near]

        return self._near_rows(radius, read)

    def _near_rows(
        self, radius: float, read: Callable[[int, int], tuple[Places, Floats, Floats]]
    ) -> NearRows:
        pieces, complete = self._read(self._words, read)
        nothing = np.zeros(0, np.intp), np.zeros((self.bound.width, 0)), np.zeros(0)
        return NearRows(radius, pieces or [nothing], complete)

    def _widened(self, limits: dict[int, float]) -> list[tuple[int, ...]]:
        """Return the ranges of bounds widened by some distances, where an index tells them."""
        ranges = self._arguments.ranges
        return [
            ranges[position].widened(limit)
            for position, limit in limits.items()
            if position in ranges
        ]

    def _ranges_within(self, positions: Sequence[int], radius: float) -> list[tuple[int, ...]]:
        """Return the ranges of bounds that may move, widened as far as a violation allows."""
        weights = self.bound.weights
        reached = [position for position in positions if weights[position] > radius]
        return self._widened({position: radius / weights[position] for position in reached})

    def _rows_between(self, start: int, stop: int, must: int, bitmaps: Longs) -> Ids:
        """Return the rows of some words that meet `must` and may lie in all ranges."""
        rows = np.empty(64 * (stop - start), dtype=np.uint32)
        count = kernels.rows_in_ranges(
            self._base, self._stack, start, stop, np.uint64(must), bitmaps, rows
        )
        return rows[:count]

    def rank(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank`."""
        keep, terms = self.bound.full & ~mask_of(dropped), self._arguments.terms
        skipped = first >> 6
        bitmaps = as_bitmaps(self._promising(keep, top) if count > MANY else [])

        def read(start: int, stop: int) -> tuple[Places, Floats, Places]:
            rows = self._rows_between(skipped + start, skipped + stop, keep, bitmaps)
            scores, places = self._scores(rows, keep), rows.astype(np.intp)
            return places, scores, self._lowest(places, -scores, top)

        pieces, complete = self._read(self._words - skipped, read, at_least=1)
        if not complete and not any(len(order) for _, _, order in pieces):
            # None of the promising rows yet: then whatever matches first.
            bitmaps = as_bitmaps([])
            pieces = [read(0, min(PIECE_WORDS, self._words - skipped))]
        best = joined([places[order] for places, _, order in pieces], np.intp)
        scores = joined([scores[order] for _, scores, order in pieces], np.float64)
        order = self._lowest(best, -scores, top)[skip:]
        best, scores = best[order], scores[order]
        satisfaction = np.empty((len(terms), len(best)))
        score_kernels.write_satisfaction(best, self._stack, terms, satisfaction)
        # Whatever dominates a row may be among those that were not read.
        pareto = np.zeros(len(best), dtype=np.bool_)
        if complete and len(best):
            rows = [(places, scores) for places, scores, _ in pieces]
            pareto = self._undominated(rows, float(scores[-1]), satisfaction)
        return Ranked(count, best, scores, satisfaction, pareto, complete)

    def _undominated(
        self, rows: Sequence[tuple[Places, Floats]], least: float, satisfaction: Floats
    ) -> NDArray[np.bool_]:
        """Return for each of the best rows, scored `least` at least, whether none dominates it."""
        pareto = np.ones(satisfaction.shape[1], dtype=np.bool_)
        own = np.empty(len(pareto), dtype=np.bool_)
        for places, scores in rows:
            if self.budget.expired:
                self.stopped_by = "deadline"
                return np.zeros(len(pareto), dtype=np.bool_)
            # Whatever dominates a row scores no less than it.
            score_kernels.mark_undominated(
                places, scores, least - SAME_SCORE, self._stack, self._arguments.terms,
                satisfaction, own,
            )  # fmt: skip
            pareto &= own
        return pareto

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

    def count_without(self, dropped: int) -> Counted:
        """See `RowRanker.count_without`."""
        shift = np.array([(self.bound.full & ~dropped, 0, 0, 0)], dtype=SHIFT)
        return self._counted(shift, as_bitmaps([]))

    def count_shifted(self, shifts: Sequence[Shift]) -> list[Counted]:
        """See `RowRanker.count_shifted`."""
        measured = [self._is_measured(shift) for shift in shifts]
        near = [shift for shift, yes in zip(shifts, measured, strict=True) if yes]
        counts = iter(self._count_near(near))
        return [
            Counted(next(counts)) if yes else self._count(shift)
            for shift, yes in zip(shifts, measured, strict=True)
        ]

    def _is_measured(self, shift: Shift) -> bool:
        """Return whether all rows that a shift lets in are among those measured already.

        Whatever moved bounds let in violates them no more than the witness does.
        """
        near = self._nearest
        if near is None or not near.complete or shift.dropped:
            return False
        return shift.cost * (1 + ROUNDING) <= near.radius < math.inf

    def _count_near(self, shifts: Sequence[Shift]) -> list[int]:
        """Count among the rows measured already, for all shifts in one go."""
        near = self._nearest
        if near is None or not shifts:
            return []
        records = self._records(shifts)
        kernels.count_near(
            near.places, near.distances, self._stack, self._arguments.bounds, records
        )
        return records["count"].tolist()

    def _records(self, shifts: Sequence[Shift]) -> Records:
        """Return shifts as kernels take them, SHIFT[m]."""
        records, full = np.zeros(len(shifts), dtype=SHIFT), self.bound.full
        records["keep"] = [full & ~shift.changed_mask for shift in shifts]
        records["moved"] = [shift.moved_mask for shift in shifts]
        records["witness"] = [shift.witness for shift in shifts]
        return records

    def _count(self, shift: Shift) -> Counted:
        """Count the rows that a shift lets in, among those inside the bounds that it moves."""
        # A distance of 1 says that the witness may be any farther.
        near = {position: distance for position, distance in shift.moved if distance < 1}
        return self._counted(self._records([shift]), as_bitmaps(self._widened(near)))

    def _counted(self, shift: Records, ranges: Longs) -> Counted:
        """Count the rows inside ranges that a shift lets in, SHIFT[1]."""
        counts, complete = self._read(
            self._words,
            lambda start, stop: kernels.count_let_in(
                self._base, self._stack, start, stop, self._arguments.bounds, shift, ranges
            ),
        )
        return Counted(sum(counts), complete)
