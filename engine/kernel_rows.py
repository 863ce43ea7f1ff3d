"""Rows of a large catalog, by kernels that read no more columns than they must.

Rows are first bounded, then looked at: a sample gives a violation that enough rows stay
under, each bound is widened by as much as that allows, and only rows inside all widened
bounds are measured. Which rows lie inside is known of the steps of an index (`BoundIndex`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..catalogs.lazy import lazy
from ..catalogs.row_set import Ids
from ..solvers import row_kernels as kernels
from ..solvers.histogram import mask_of
from .kernel_columns import ROUNDING
from .plan import Floats, Plan
from .reach import reaches
from .rows import (
    SAME_SCORE,
    Closest,
    Look,
    Places,
    Ranked,
    Rows,
    Seen,
    Shift,
)

SAMPLE = 1_024
"""Violations kept from the rows looked at."""

FOUND = 16_384
"""Rows a first reading makes room for."""

FEW_LEFT = 65_536
"""So few rows are measured at once where a reach would let in rows that violate a whole bound."""

NEARLY = 0.9
"""A reach this part of the least weight still narrows every bound."""

MANY = 8_192
"""Of more candidates only those are scored that may be among the best."""


class KernelRows(Rows):
    """Answers by kernels over the plan's words, columns and buckets."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._base = plan.base.words
        self._stack = plan.stack
        self._columns = plan.columns
        self._sample = np.zeros(0)
        self._tried: tuple[int, list[float]] | None = None
        self._alone: dict[int, float] = {}
        self._nearest: tuple[float, Places, Floats, Floats] | None = None

    def look(self, looks: Sequence[Look]) -> list[Seen]:
        """See `Rows.look`; also keeps a sample of violations for `closest` and `front`."""
        count = len(looks)
        keeps = np.array([self.plan.full & ~mask_of(one.changed) for one in looks], dtype=np.uint64)
        insides = np.array([mask_of(one.inside) for one in looks], dtype=np.uint64)
        first, best = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        sample, rows = np.empty(SAMPLE), np.empty(SAMPLE, dtype=np.int64)
        taken = kernels.survey(
            self._base, self._stack, keeps, insides, *self._bounds, self._columns.weights,
            first, best, np.empty(count), sample, rows,
        )  # fmt: skip
        _, once = np.unique(rows[:taken], return_index=True)
        self._sample = sample[once]
        alone = [
            (one.inside[0], near)
            for one, near in zip(looks, best.tolist(), strict=True)
            if near >= 0 and len(one.changed) == len(one.inside) == 1
        ]
        if alone:
            # One layout everywhere, or the kernel is compiled for each.
            positions, places = np.array(alone, dtype=np.intp).T.copy()
            reached = self.far(places)[positions, np.arange(len(places))]
            self._alone = dict(zip(positions.tolist(), reached.tolist(), strict=True))
        pairs = zip(first.tolist(), best.tolist(), strict=True)
        return [Seen(one if one >= 0 else None, near if near >= 0 else None) for one, near in pairs]

    @property
    def _bounds(self) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
        columns = self._columns
        return columns.addresses, columns.lows, columns.highs, columns.spans

    def closest(self, top: int) -> Closest:
        """See `Rows.closest`."""
        for reach in self._reaches(top):
            places, _, violations = self._near(reach)
            # Every row within reach is here, so the best are too once there are enough.
            if math.isinf(reach) or len(places) >= top:
                order = self._lowest(places, violations, top)
                return Closest(places[order], violations[order])
        raise AssertionError("the last reach is infinite")

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `Rows.front`."""
        # No point of the front lies beyond the nearest row of a bound moved alone.
        limits = {one: self._alone[one] for one in movable if one in self._alone}
        left: Ids | None = None
        for reach in self._reaches(top):
            if reach > self._narrow:
                if left is None:
                    left = self._within(limits, self.plan.full & ~mask_of(movable))
                if len(left) <= FEW_LEFT or math.isinf(reach):
                    places = left.astype(np.intp)
                    return self._front(places, self._measured(places)[0], movable, math.inf, top)
            places, far, _ = self._near(reach)
            found = self._front(places, far, movable, reach, top)
            if len(found) == top or math.isinf(reach):
                return found
        raise AssertionError("the last reach is infinite")

    def _front(
        self, places: Places, far: Floats, movable: Sequence[int], reach: float, top: int
    ) -> Places:
        columns, found = self._columns, np.empty(top, dtype=np.intp)
        inside = np.uint64(mask_of(movable))
        count = kernels.front(places, far, inside, columns.addresses, columns.weights, reach, found)
        return found[:count]

    @lazy
    def _narrow(self) -> float:
        """The reach below which every bound of any weight is narrowed."""
        weights = [self.plan.weights[one] for one in self._columns.ranges]
        return min((one for one in weights if one > 0), default=math.inf)

    def _reaches(self, top: int) -> list[float]:
        if self._tried is None or self._tried[0] != top:
            drawn, share = self._columns.drawn
            tried = reaches(np.sort(self._sample), drawn, share, top)
            if self._narrow < tried[0]:
                # A shorter one reads few rows, and the guess is seldom too short.
                tried.insert(0, NEARLY * self._narrow)
            self._tried = top, tried
        return self._tried[1]

    def _near(self, reach: float) -> tuple[Places, Floats, Floats]:
        """Return all rows that meet everything hard and whose violation is within reach.

        With their distances and violations; and maybe rows found before, farther away.
        """
        if self._nearest is None or self._nearest[0] < reach:
            must, limits = self.plan.hard_mask, dict[int, float]()
            for position in self.plan.soft:
                weight = self.plan.weights[position]
                if weight <= reach:
                    continue
                if self.plan.bounds[position] is None:
                    must |= 1 << position
                else:
                    limits[position] = reach / weight
            places = self._within(limits, must)
            near, violations = np.empty(len(places), dtype=np.intp), np.empty(len(places))
            far = np.empty((self.plan.width, len(places)))
            count = kernels.measure_near(
                places, self._stack, *self._bounds, self._columns.weights,
                *self._columns.least, reach, near, far, violations,
            )  # fmt: skip
            self._nearest = reach, near[:count], far[:, :count].copy(), violations[:count]
        return self._nearest[1:]

    def _within(self, limits: dict[int, float], must: int) -> Ids:
        """Return at least all rows that meet `must` and lie no farther than the limits."""
        ranges = self._columns.ranges
        wide = [ranges[one].widened(limit) for one, limit in limits.items() if one in ranges]
        return self._common(must, wide, FOUND)

    def _common(self, must: int, ranges: Sequence[tuple[int, ...]], expected: int) -> Ids:
        """Return the rows that meet `must` and may lie in all ranges (`rows_common`)."""
        bitmaps = np.array(ranges, dtype=np.int64).reshape(-1, 4)
        found = np.empty(expected, dtype=np.uint32)
        while True:
            count = kernels.rows_common(self._base, self._stack, np.uint64(must), bitmaps, found)
            if count <= len(found):
                return found[:count]
            found = np.empty(count, dtype=np.uint32)

    def rank(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `Rows.rank`."""
        columns, keep = self._columns, self.plan.full & ~mask_of(dropped)
        ranges = self._promising(keep, top) if count > MANY else []
        ids = self._common(keep, ranges, FOUND if ranges else count)
        scores, places = self._scores(ids, keep), ids.astype(np.intp)
        order = self._lowest(places, -scores, top)
        best = places[order]
        satisfaction = self._satisfaction(best)
        pareto = np.empty(len(order), dtype=np.bool_)
        if len(order):
            # Whatever dominates a row scores no less than it.
            floor = float(scores[order[-1]]) - SAME_SCORE
            kernels.undominated(
                places, scores, floor, self._stack, columns.directions, columns.term_addresses,
                columns.term_lows, columns.term_highs, satisfaction, pareto,
            )  # fmt: skip
        return Ranked(count, best, scores[order], satisfaction, pareto)

    def _promising(self, keep: int, top: int) -> list[tuple[int, ...]]:
        """Return ranges that the `top` best rows lie in, and whatever dominates one of them.

        The scores of some rows say what the best reach at least; a term that is low by more
        than the others can make up for keeps a row below that.
        """
        rows, _ = self.plan.base.sample
        if self.plan.base.is_compact or len(rows) < top:
            # Small slices have no index to read ranges from.
            return []
        least = float(np.partition(self._scores(rows, keep), -top)[-top])
        return [] if math.isinf(least) else self._columns.ranges_of_scores(least - SAME_SCORE)

    def _scores(self, rows: Ids, keep: int) -> Floats:
        """Return the scores of rows, float64[n]; −∞ for those that do not meet `keep`."""
        columns, scores = self._columns, np.empty(len(rows))
        kernels.scores_of(
            rows, self._stack, np.uint64(keep), columns.directions, columns.term_addresses,
            columns.term_lows, columns.term_highs, columns.term_weights, scores,
        )  # fmt: skip
        return scores

    def _lowest(self, places: Places, keys: Floats, top: int) -> Places:
        """Return where the `top` lowest keys stand: as `lowest`, by a kernel."""
        found = np.empty(top, dtype=np.intp)
        cost = self._columns.cost_address
        return found[: kernels.lowest(places, keys, cost, found, np.empty(top))]

    def _satisfaction(self, places: Places) -> Floats:
        columns = self._columns
        out = np.empty((len(columns.directions), len(places)))
        kernels.satisfactions(
            places, self._stack, columns.directions, columns.term_addresses,
            columns.term_lows, columns.term_highs, out,
        )  # fmt: skip
        return out

    def far(self, places: Places) -> Floats:
        """See `Rows.far`."""
        return self._measured(places)[0]

    def _measured(self, places: Places) -> tuple[Floats, Floats]:
        """Return the distances of rows, float64[k, n], and their violations, float64[n]."""
        far, violations = np.empty((self.plan.width, len(places))), np.empty(len(places))
        weights = self._columns.weights
        kernels.distances(places, self._stack, *self._bounds, weights, far, violations)
        return far, violations

    def count_without(self, dropped: int) -> int:
        """See `Rows.count_without`."""
        return self._count(self.plan.full & ~dropped, 0, 0)

    def count_shifted(self, shifts: Sequence[Shift]) -> list[int]:
        """See `Rows.count_shifted`."""
        measured = [self._is_measured(one) for one in shifts]
        near = [one for one, yes in zip(shifts, measured, strict=True) if yes]
        counts = iter(self._count_near(near))
        return [
            next(counts) if yes else self._count(self._kept(one), one.moved_mask, one.witness)
            for one, yes in zip(shifts, measured, strict=True)
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
        _, places, far, _ = self._nearest
        columns, counts = self._columns, np.empty(len(shifts), dtype=np.int64)
        kernels.count_near(
            places, far, self._stack,
            np.array([self._kept(one) for one in shifts], dtype=np.uint64),
            np.array([one.moved_mask for one in shifts], dtype=np.uint64),
            np.array([one.witness for one in shifts], dtype=np.int64),
            columns.addresses, columns.lows, columns.highs, counts,
        )  # fmt: skip
        return counts.tolist()

    def _kept(self, shift: Shift) -> int:
        return self.plan.full & ~shift.changed_mask

    def _count(self, keep: int, moved: int, witness: int) -> int:
        columns = self._columns
        return kernels.count_let_in(
            self._base, self._stack, np.uint64(keep), np.uint64(moved), witness,
            columns.addresses, columns.lows, columns.highs,
        )  # fmt: skip
