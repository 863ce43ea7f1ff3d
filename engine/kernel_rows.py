"""Rows of a large catalog, by kernels that read no more columns than they must.

Rows are first bounded, then looked at: a sample gives a violation that enough rows stay
under, each bound is widened by as much as that allows, and only rows inside all widened
bounds are measured. Which rows lie inside is read from one byte a row (`BaseSlice.buckets`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..solvers import row_kernels as kernels
from ..solvers.histogram import mask_of
from .plan import Floats, Plan
from .rows import (
    SAME_SCORE,
    Closest,
    Look,
    Places,
    Range,
    Ranked,
    Rows,
    Seen,
    pareto_among,
    undominated,
    weighted,
)

SAMPLE = 4_096
"""Violations kept from the rows looked at, and rows drawn when those are too few."""

FOUND = 16_384
"""Rows a first reading makes room for."""

ROUNDING = 1e-9
"""Widened bounds are this much wider, relative to their scale; rows are measured exactly after."""


class KernelRows(Rows):
    """Answers by kernels over the plan's words, columns and buckets."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._base = plan.base.words
        self._stack = plan.stack
        self._columns = plan.columns
        self._sample = np.zeros(0)
        self._alone: dict[int, float] = {}
        self._nearest: tuple[float, Places, Floats] | None = None

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
            positions, places = np.array(alone, dtype=np.intp).T
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
        reach = self._first_reach(top)
        while True:
            places, far = self._near(reach)
            violations = weighted(far, self.plan, self.plan.soft)
            # Every row within reach is here, so the best are too once there are enough.
            if math.isinf(reach) or np.count_nonzero(violations <= reach) >= top:
                order = self.lowest(places, violations, top)
                return Closest(places[order], violations[order])
            reach = self._farther(reach)

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `Rows.front`."""
        inside = list(movable)
        reach = self._first_reach(top)
        places, far = self._near(reach)
        places, far = self._on_front(places, far, inside)
        costs = weighted(far, self.plan, inside)
        within = costs <= reach
        found = undominated(far[inside][:, within], costs[within], places[within], top)
        if len(found) == top or math.isinf(reach):
            return places[within][found]
        # No point of the front lies beyond the nearest row of a bound moved alone.
        limits = {position: self._alone[position] for position in inside if position in self._alone}
        places = self._within(limits, self.plan.full & ~mask_of(inside))
        places, far = self._on_front(places, self.far(places), inside)
        return places[undominated(far[inside], weighted(far, self.plan, inside), places, top)]

    def _on_front(
        self, places: Places, far: Floats, inside: Sequence[int]
    ) -> tuple[Places, Floats]:
        """Leave out rows that fail something else, or have no value to move a bound to."""
        others = [position for position in range(self.plan.width) if position not in inside]
        allowed = (far[others] == 0).all(axis=0)
        for position in inside:
            bound = self.plan.bounds[position]
            # What has no finite value is at distance 1.
            farthest = np.flatnonzero(far[position] == 1)
            if bound is not None and len(farthest):
                values = self.plan.base.numbers(bound.column.name)[places[farthest]]
                allowed[farthest[~np.isfinite(values)]] = False
        return places[allowed], far[:, allowed]

    def _first_reach(self, top: int) -> float:
        """Return a violation that `top` rows are known to stay under; infinite for none."""
        sample = self._sample
        if len(sample) < top:
            sample = np.concatenate([sample, self._drawn])
        return float(np.partition(sample, top - 1)[top - 1]) if len(sample) >= top else math.inf

    @cached_property
    def _drawn(self) -> Floats:
        """The violations of rows at even steps through the slice that meet everything hard."""
        size = self.plan.base.size
        places = np.arange(0, size, max(1, size // SAMPLE))
        inside = _bits(self._base, places)
        for position in sorted(self.plan.hard):
            inside &= _bits(self._stack[position], places)
        return weighted(self.far(places[inside]), self.plan, self.plan.soft)

    def _farther(self, reach: float) -> float:
        total = math.fsum(self.plan.weights[position] for position in self.plan.soft)
        return math.inf if reach * 8 >= total else max(reach * 8, ROUNDING)

    def _near(self, reach: float) -> tuple[Places, Floats]:
        """Return at least all rows that meet everything hard with a violation within reach."""
        if self._nearest is None or self._nearest[0] != reach:
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
            self._nearest = reach, places, self.far(places)
        return self._nearest[1], self._nearest[2]

    def _within(self, limits: dict[int, float], must: int) -> Places:
        """Return at least all rows that meet `must` and lie no farther than the limits."""
        width = self.plan.width
        buckets = np.zeros(width, dtype=np.int64)
        starts, ends = np.zeros(width, dtype=np.uint8), np.zeros(width, dtype=np.uint8)
        for position, limit in limits.items():
            bound = self.plan.bounds[position]
            if (
                bound is None
                or limit >= 1
                or self.plan.query.constraints[position].nulls == "match"
            ):
                continue
            edges, column = self.plan.base.buckets(bound.column.name)
            size = bound.span + abs(bound.low if math.isfinite(bound.low) else bound.high)
            wider = limit * bound.span + ROUNDING * size
            buckets[position] = column.ctypes.data
            starts[position] = bisect_right(edges, bound.low - wider)
            ends[position] = bisect_right(edges, bound.high + wider)
        found = np.empty(FOUND, dtype=np.uint32)
        while True:
            count = kernels.rows_near(
                self._base, self._stack, np.uint64(must), buckets, starts, ends,
                self.plan.base.size, found,
            )  # fmt: skip
            if count <= len(found):
                return found[:count].astype(np.intp)
            found = np.empty(count, dtype=np.uint32)

    def rank(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `Rows.rank`."""
        ids, scores = np.empty(count, dtype=np.uint32), np.empty(count)
        columns = self._columns
        keep = np.uint64(self.plan.full & ~mask_of(dropped))
        kernels.score_rows(
            self._base, self._stack, keep, columns.directions, columns.term_addresses,
            columns.term_lows, columns.term_highs, columns.term_weights, ids, scores,
        )  # fmt: skip
        places = ids.astype(np.intp)
        order = self.lowest(places, -scores, top)
        if not len(order):
            nothing = np.zeros((len(self.plan.terms), 0))
            return Ranked(0, places, scores, nothing, np.zeros(0, dtype=np.bool_))
        # Whatever dominates a row scores no less than it.
        pool = np.flatnonzero(scores >= scores[order[-1]] - SAME_SCORE)
        satisfaction = self._satisfaction(places[pool])
        best = np.searchsorted(pool, order)
        pareto = pareto_among(satisfaction, best)
        return Ranked(count, places[order], scores[order], satisfaction[:, best], pareto)

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
        out = np.empty((self.plan.width, len(places)))
        kernels.distances(places, self._stack, *self._bounds, out)
        return out

    def count_within(self, changed: frozenset[int], ranges: Sequence[Range]) -> int:
        """See `Rows.count_within`."""
        held = [self.plan.base.numbers(one.column) for one in ranges]
        return kernels.count_within(
            self._base,
            self._stack,
            np.uint64(self.plan.full & ~mask_of(changed)),
            np.array([one.ctypes.data for one in held], dtype=np.int64),
            np.array([one.low for one in ranges], dtype=np.float64),
            np.array([one.high for one in ranges], dtype=np.float64),
            np.array([one.nulls_match for one in ranges], dtype=np.bool_),
        )


def _bits(words: NDArray[np.uint64], places: Places) -> NDArray[np.bool_]:
    octets = words.view(np.uint8)
    return (octets[places >> 3] >> (places & 7).astype(np.uint8) & 1).view(np.bool_)
