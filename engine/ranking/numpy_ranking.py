"""Ranks rows by NumPy, with nothing to compile: small catalogs, and large ones meanwhile.

Reads 65,536 rows at a time, so that memory stays bounded and the clock is looked at; costs k
operations for every row of the base slice, whatever is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...catalogs.vectors.array_types import Floats, Words
from ...solvers.cheapest_repairs import PRICE_UNITS, price_units
from ...solvers.limits import Budget
from ...solvers.masks import positions_of
from ..bound_query import BoundQuery
from ..scoring_terms import JUST_OUTSIDE, Term
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
    in_steps,
    pareto_among,
    points_and_rest,
    undominated,
)

Truth = NDArray[np.bool_]

BLOCK_WORDS = 1_024
"""Words whose bits are unpacked together: 65,536 rows, a byte for each and each constraint."""


class Block(NamedTuple):
    """Some rows from the place `start` on: in the slice bool[n], constraints met bool[k, n]."""

    start: int
    in_base: Truth
    met: Truth

    def places_without(self, changed: frozenset[int]) -> Places:
        """Return the rows that meet all but what is changed, by place of the slice."""
        kept = [position for position in range(len(self.met)) if position not in changed]
        return self.start + np.flatnonzero(self.in_base & self.met[kept].all(axis=0))


class Front(NamedTuple):
    """Rows that may be on a front: places intp[n], distances float64[d, n], costs float64[n]."""

    places: Places
    distances: Floats
    costs: Floats

    @classmethod
    def joined(cls, parts: Sequence[Front]) -> Front:
        """Return the rows of several fronts together."""
        if not parts:
            return cls(np.zeros(0, np.intp), np.zeros((1, 0)), np.zeros(0))
        places, distances, costs = zip(*parts, strict=True)
        return cls(np.concatenate(places), np.concatenate(distances, axis=1), np.concatenate(costs))

    def points(self, top: int) -> Places:
        """Return the `top` cheapest points that no other dominates."""
        return self.places[undominated(self.distances, self.costs, self.places, top)]

    def thinned(self, top: int) -> Front:
        """Return the front without what its cheapest points dominate, which is on no front."""
        points, stays = points_and_rest(self.distances, self.costs, self.places, top)
        stays[points] = True
        return Front(self.places[stays], self.distances[:, stays], self.costs[stays])


class NumpyRanker(RowRanker):
    """Measures the rows that each question is about, a block of rows at a time."""

    piece_words = BLOCK_WORDS

    def __init__(self, bound: BoundQuery, budget: Budget | None = None) -> None:
        super().__init__(bound, budget)
        self._whole: Block | None = None

    def _block(self, start: int, stop: int) -> Block:
        """Return the rows of some words; kept where these are all."""
        if self._whole is not None:
            return self._whole
        rows = min(64 * stop, self.bound.base.size) - 64 * start
        block = Block(
            64 * start,
            _unpacked(self._base[start:stop], rows),
            _unpacked(np.ascontiguousarray(self.bound.stack[:, start:stop]), rows),
        )
        if stop - start == self._words:
            self._whole = block
        return block

    def _values(self, position: int, places: Places) -> Floats:
        """Return the values that some rows have where a bound looks."""
        return self.bound.base.packed(self.bound.bound_at(position).column.name).at(places)

    def _is_met(self, position: int, places: Places) -> Truth:
        words = self.bound.stack[position, places >> 6]
        return (words >> (places & 63).astype(np.uint64) & np.uint64(1)).astype(np.bool_)

    def _distance(self, position: int, places: Places) -> Floats:
        """Return how far some rows are from one constraint, float64[n]."""
        met, bound = self._is_met(position, places), self.bound.bounds[position]
        if bound is None:
            return np.where(met, 0.0, 1.0)
        values = self._values(position, places)
        # An infinite value less the infinite end of a bound is NaN; such a row meets the bound.
        # What lies further off than any number is infinitely far: a distance of 1.
        with np.errstate(invalid="ignore", over="ignore"):
            gap = np.maximum(np.maximum(bound.low - values, values - bound.high), 0.0)
        far = np.where(np.isnan(values), 1.0, np.clip(gap / bound.span, JUST_OUTSIDE, 1.0))
        return np.where(met, 0.0, far)

    def distances(self, places: Places) -> Floats:
        """See `RowRanker.distances`."""
        distances = np.empty((self.bound.width, len(places)))
        for position in range(self.bound.width):
            distances[position] = self._distance(position, places)
        return distances

    def _reachable(self, places: Places, inside: Sequence[int]) -> Places:
        """Return the rows that meet each bound inside or have a finite value to move it to."""
        for position in inside:
            finite = np.isfinite(self._values(position, places))
            places = places[finite | self._is_met(position, places)]
        return places

    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """See `RowRanker.probe`."""

        def read(start: int, stop: int) -> list[tuple[Places, Front]]:
            block = self._block(start, stop)
            found = [block.places_without(probe.changed) for probe in probes]
            return [
                (places[:1], self._front_among(places, probe.inside, 1))
                for probe, places in zip(probes, found, strict=True)
            ]

        blocks, _ = self._read(self._words, read)
        return [
            _first_and_nearest([block[number] for block in blocks]) for number in range(len(probes))
        ]

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `RowRanker.front`."""
        changed = frozenset(movable)
        blocks, _ = self._read(
            self._words,
            lambda start, stop: self._front_among(
                self._block(start, stop).places_without(changed), movable, top
            ),
        )
        return Front.joined(blocks).points(top)

    def _front_among(self, places: Places, movable: Sequence[int], top: int) -> Front:
        """Return what may be on the front among some rows."""
        known = self._reachable(places, movable)
        distances, costs = np.zeros((len(movable), len(known))), np.zeros(len(known))
        for row, position in enumerate(movable):
            distances[row] = self._distance(position, known)
            costs += self.bound.weights[position] * distances[row]
        return Front(known, distances, costs).thinned(top)

    def closest(self, top: int) -> Closest:
        """See `RowRanker.closest`."""
        soft = frozenset(self.bound.soft)

        def read(start: int, stop: int) -> tuple[Places, Floats]:
            places = self._block(start, stop).places_without(soft)
            violations = np.zeros(len(places))
            for position in self.bound.soft:
                violations += self.bound.weights[position] * self._distance(position, places)
            best = self.lowest(places, violations, top)
            return places[best], violations[best]

        blocks, complete = self._read(self._words, read)
        places = _joined([places for places, _ in blocks], np.intp)
        violations = _joined([violations for _, violations in blocks], np.float64)
        order = self.lowest(places, violations, top)
        return Closest(places[order], violations[order], complete)

    def rank(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank`."""
        skipped = first >> 6 if self._words > BLOCK_WORDS else 0

        def read(start: int, stop: int) -> tuple[Places, Floats, Floats]:
            places = self._block(skipped + start, skipped + stop).places_without(dropped)
            satisfaction, scores = self._scored(places)
            # Whatever dominates one of the best rows scores no less than it.
            best = self.lowest(places, -scores, top)
            least = scores[best[-1]] if len(best) == top else -np.inf
            good = np.flatnonzero(scores >= least - SAME_SCORE)
            return places[good], scores[good], satisfaction[:, good]

        blocks, complete = self._read(self._words - skipped, read, at_least=1)
        places = _joined([places for places, _, _ in blocks], np.intp)
        scores = _joined([scores for _, scores, _ in blocks], np.float64)
        none = np.zeros((len(self.bound.terms), 0))
        satisfaction = np.concatenate([none, *[shares for _, _, shares in blocks]], axis=1)
        order = self.lowest(places, -scores, top)[skip:]
        # Whatever dominates a row may be among those that were not read.
        pareto = pareto_among(satisfaction, order) & complete
        return Ranked(count, places[order], scores[order], satisfaction[:, order], pareto, complete)

    def rank_near(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank_near`."""
        skipped, gone = first >> 6 if self._words > BLOCK_WORDS else 0, sorted(dropped)

        def read(start: int, stop: int) -> tuple[Places, Floats, Floats]:
            places = self._block(skipped + start, skipped + stop).places_without(dropped)
            violations, (_, scores) = self._violations(places, gone), self._scored(places)
            best = self.nearest_first(places, violations, scores, top)
            return places[best], violations[best], scores[best]

        blocks, complete = self._read(self._words - skipped, read, at_least=1)
        places = _joined([places for places, _, _ in blocks], np.intp)
        violations = _joined([violations for _, violations, _ in blocks], np.float64)
        scores = _joined([scores for _, _, scores in blocks], np.float64)
        order = self.nearest_first(places, violations, scores, top)[skip:]
        satisfaction, scores = self._scored(places[order])
        pareto = self._undominated(dropped, places[order], satisfaction) & complete
        return Ranked(count, places[order], scores, satisfaction, pareto, complete)

    def _violations(self, places: Places, gone: Sequence[int]) -> Floats:
        """Return weight × distance added up over some constraints, float64[n]."""
        violations = np.zeros(len(places))
        for position in gone:
            violations += self.bound.weights[position] * self._distance(position, places)
        return in_steps(violations)

    def _undominated(self, dropped: frozenset[int], places: Places, best: Floats) -> Truth:
        """Return for rows of known satisfaction whether no row dominates them, bool[n]."""

        own = np.arange(best.shape[1], dtype=np.intp)

        def read(start: int, stop: int) -> Truth:
            others, _ = self._scored(self._block(start, stop).places_without(dropped))
            every: Floats = np.concatenate([best, others], axis=1)
            return pareto_among(every, own)

        blocks, complete = self._read(self._words, read)
        judged = np.ones(len(own), dtype=np.bool_)
        for block in blocks:
            judged &= block
        return judged & complete

    def cheapest_row(self, limit: float) -> int | None:
        """See `RowRanker.cheapest_row`."""
        soft = frozenset(self.bound.soft)
        blocks, _ = self._read(
            self._words,
            lambda start, stop: self._cheapest(self._block(start, stop).places_without(soft)),
        )
        cheapest = self._cheapest(_joined(blocks, np.intp))
        return int(cheapest[0]) if len(cheapest) else None

    def _cheapest(self, places: Places) -> Places:
        """Return the cheapest row of some, ascending; none of none."""
        prices, movable = self.bound.unit_prices, set(self.bound.movable)
        steps = price_units(prices, len(prices))
        missed = np.zeros((len(prices), len(places)), dtype=np.int64)
        stuck, costs = missed.copy(), missed.copy()
        for number, unit in enumerate(self.bound.units):
            met = [self._is_met(position, places) for position in unit]
            missed[number] = stuck[number] = ~np.array(met).all(axis=0)
            costs[number] = missed[number] * (steps[number] or 0)
            if unit[0] in movable:
                values = self._values(unit[0], places)
                moves = (missed[number] > 0) & np.isfinite(values)
                distances = self._distance(unit[0], places[moves])
                costs[number, moves] = np.rint(prices[number] * distances * PRICE_UNITS)
                stuck[number, moves] = 0
        # The last key counts most: cost, then units missed, then their positions.
        first = 1 - missed[::-1]
        keys = (places, stuck.sum(axis=0), *first, missed.sum(axis=0), costs.sum(axis=0))
        return places[np.lexsort(keys)[:1]]

    def within(self, words: Words) -> NumpyRanker:
        """See `RowRanker.within`."""
        ranker = copy(self)
        ranker._base, ranker._whole = words, None
        return ranker

    def _scored(self, places: Places) -> tuple[Floats, Floats]:
        """Return the satisfaction of each term by some rows, float64[terms, n], and the scores."""
        satisfaction = np.zeros((len(self.bound.terms), len(places)))
        scores = np.zeros(len(places))
        for row, term in enumerate(self.bound.terms):
            satisfaction[row] = self._satisfaction(term, places)
            scores += term.weight * satisfaction[row]
        return satisfaction, scores

    def _satisfaction(self, term: Term, places: Places) -> Floats:
        if term.position is not None and term.direction == 0:
            return self._is_met(term.position, places).astype(np.float64)
        values = self.bound.base.packed(term.column).at(places)
        share = np.where(np.isnan(values), np.nan, 1.0)
        if term.low != term.high:
            with np.errstate(over="ignore"):
                share = np.clip((values - term.low) / (term.high - term.low), 0.0, 1.0)
        return np.nan_to_num(share if term.direction > 0 else 1.0 - share, nan=0.0)

    def count_without(self, dropped: int) -> Counted:
        """See `RowRanker.count_without`."""
        changed = positions_of(dropped)
        counts, complete = self._read(
            self._words,
            lambda start, stop: len(self._block(start, stop).places_without(changed)),
        )
        return Counted(sum(counts), complete)

    def count_shifted(self, shifts: Sequence[Shift]) -> list[Counted]:
        """See `RowRanker.count_shifted`."""
        blocks, complete = self._read(
            self._words,
            lambda start, stop: [
                self._count_shifted(self._block(start, stop), shift) for shift in shifts
            ],
        )
        return [
            Counted(sum(block[number] for block in blocks), complete)
            for number in range(len(shifts))
        ]

    def _count_shifted(self, block: Block, shift: Shift) -> int:
        places = block.places_without(positions_of(shift.changed_mask))
        for position, _ in shift.moved:
            bound = self.bound.bound_at(position)
            values, witness = self._values(position, places), np.array([shift.witness])
            (reached,) = self._values(position, witness).tolist()
            inside = (values >= min(bound.low, reached)) & (values <= max(bound.high, reached))
            places = places[inside | self._is_met(position, places)]
        return len(places)


def _first_and_nearest(found: Sequence[tuple[Places, Front]]) -> ProbeResult:
    """Return what a probe finds in several blocks taken together."""
    first = next((int(places[0]) for places, _ in found if len(places)), None)
    nearest = Front.joined([front for _, front in found]).points(1)
    return ProbeResult(first, int(nearest[0]) if len(nearest) else None)


def _joined(parts: Sequence[NDArray[Any]], dtype: type[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype=dtype), *parts])


def _unpacked(words: NDArray[np.uint64], rows: int) -> Truth:
    """Return bits as bool[..., rows]."""
    return np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little", count=rows).view(
        np.bool_
    )
