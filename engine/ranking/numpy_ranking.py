"""Ranks the rows of a small catalog by NumPy over whole columns, with nothing to compile.

Costs k operations for every row of the base slice, whatever is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.vectors.array_types import Floats, Words
from ...solvers.cheapest_repairs import PRICE_UNITS, price_units
from ...solvers.masks import positions_of
from ..scoring_terms import JUST_OUTSIDE, Term
from .interface import (
    Closest,
    Places,
    ProbeResult,
    Ranked,
    RowProbe,
    RowRanker,
    Shift,
    in_steps,
    pareto_among,
    undominated,
    weighted,
)

Truth = NDArray[np.bool_]


class NumpyRanker(RowRanker):
    """Computes every constraint's distance for every row of the slice, once."""

    @cached_attribute
    def _in_base(self) -> Truth:
        return _unpacked(self.bound.base.words, self.bound.base.size)

    @cached_attribute
    def _met(self) -> Truth:
        return _unpacked(self.bound.stack, self.bound.base.size)

    @cached_attribute
    def _distances(self) -> Floats:
        distances = np.zeros((self.bound.width, self.bound.base.size))
        for position in range(self.bound.width):
            distances[position] = np.where(self._met[position], 0.0, self._outside(position))
        return distances

    def _outside(self, position: int) -> Floats | float:
        bound = self.bound.bounds[position]
        if bound is None:
            return 1.0
        values = self.bound.base.numbers(bound.column.name)
        # An infinite value less the infinite end of a bound is NaN; such a row meets the bound.
        with np.errstate(invalid="ignore"):
            gap = np.maximum(np.maximum(bound.low - values, values - bound.high), 0.0)
        return np.where(np.isnan(values), 1.0, np.clip(gap / bound.span, JUST_OUTSIDE, 1.0))

    @cached_attribute
    def _finite(self) -> Truth:
        """Where a constraint is met or its bound could be moved to the value."""
        finite = self._met.copy()
        for position, bound in enumerate(self.bound.bounds):
            if bound is not None:
                finite[position] |= np.isfinite(self.bound.base.numbers(bound.column.name))
        return finite

    def _places_without(self, changed: frozenset[int]) -> Places:
        kept = [position for position in range(self.bound.width) if position not in changed]
        return np.flatnonzero(self._in_base & self._met[kept].all(axis=0))

    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """See `RowRanker.probe`."""
        return [self._probe(probe) for probe in probes]

    def _probe(self, probe: RowProbe) -> ProbeResult:
        places = self._places_without(probe.changed)
        if not len(places):
            return ProbeResult(None, None)
        nearest = self._front(places, probe.inside, 1)
        return ProbeResult(int(places[0]), int(nearest[0]) if len(nearest) else None)

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `RowRanker.front`."""
        return self._front(self._places_without(frozenset(movable)), movable, top)

    def _front(self, places: Places, movable: Sequence[int], top: int) -> Places:
        inside = list(movable)
        known = places[self._finite[inside][:, places].all(axis=0)]
        distances = self._distances[:, known]
        costs = weighted(distances, self.bound, inside)
        return known[undominated(distances[inside], costs, known, top)]

    def closest(self, top: int) -> Closest:
        """See `RowRanker.closest`."""
        places = self._places_without(frozenset(self.bound.soft))
        violations = weighted(self._distances[:, places], self.bound, self.bound.soft)
        order = self.lowest(places, violations, top)
        return Closest(places[order], violations[order])

    def rank(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `RowRanker.rank`."""
        places = self._places_without(dropped)
        satisfaction, scores = self._scores(places)
        return _best(places, satisfaction, scores, self.lowest(places, -scores, top))

    def rank_near(self, dropped: frozenset[int], count: int, top: int) -> Ranked:
        """See `RowRanker.rank_near`."""
        places = self._places_without(dropped)
        satisfaction, scores = self._scores(places)
        gone = sorted(dropped)
        violations = in_steps(weighted(self._distances[:, places], self.bound, gone))
        order = self.nearest_first(places, violations, scores, top)
        return _best(places, satisfaction, scores, order)

    def cheapest_row(self, limit: float) -> int | None:
        """See `RowRanker.cheapest_row`."""
        prices, movable = self.bound.unit_prices, set(self.bound.movable)
        steps = price_units(prices, len(prices))
        places = self._places_without(frozenset(self.bound.soft))
        missed = np.zeros((len(prices), len(places)), dtype=np.int64)
        stuck, costs = missed.copy(), missed.copy()
        for number, unit in enumerate(self.bound.units):
            missed[number] = ~self._met[list(unit)][:, places].all(axis=0)
            stuck[number] = missed[number]
            costs[number] = missed[number] * (steps[number] or 0)
            if unit[0] in movable:
                moves = (missed[number] > 0) & self._finite[unit[0], places]
                distances = self._distances[unit[0], places[moves]]
                costs[number, moves] = np.rint(prices[number] * distances * PRICE_UNITS)
                stuck[number, moves] = 0
        # The last key counts most: cost, then units missed, then their positions.
        first = 1 - missed[::-1]
        keys = (places, stuck.sum(axis=0), *first, missed.sum(axis=0), costs.sum(axis=0))
        return int(places[np.lexsort(keys)[0]]) if len(places) else None

    def within(self, words: Words) -> NumpyRanker:
        """See `RowRanker.within`."""
        ranker = copy(self)
        vars(ranker)["_in_base"] = _unpacked(words, self.bound.base.size)
        return ranker

    def _scores(self, places: Places) -> tuple[Floats, Floats]:
        """Return satisfaction, float64[terms, n], and scores, float64[n], of some rows."""
        satisfaction = np.zeros((len(self.bound.terms), len(places)))
        scores = np.zeros(len(places))
        for row, term in enumerate(self.bound.terms):
            satisfaction[row] = self._satisfaction(term, places)
            scores += term.weight * satisfaction[row]
        return satisfaction, scores

    def _satisfaction(self, term: Term, places: Places) -> Floats:
        if term.position is not None and term.direction == 0:
            return self._met[term.position, places].astype(np.float64)
        values = self.bound.base.numbers_at(term.column, places)
        share = np.where(np.isnan(values), np.nan, 1.0)
        if term.low != term.high:
            share = np.clip((values - term.low) / (term.high - term.low), 0.0, 1.0)
        return np.nan_to_num(share if term.direction > 0 else 1.0 - share, nan=0.0)

    def distances(self, places: Places) -> Floats:
        """See `RowRanker.distances`."""
        return self._distances[:, places]

    def count_without(self, dropped: int) -> int:
        """See `RowRanker.count_without`."""
        return len(self._places_without(positions_of(dropped)))

    def count_shifted(self, shifts: Sequence[Shift]) -> list[int]:
        """See `RowRanker.count_shifted`."""
        return [self._count_shifted(shift) for shift in shifts]

    def _count_shifted(self, shift: Shift) -> int:
        places = self._places_without(positions_of(shift.changed_mask))
        for position, _ in shift.moved:
            bound = self.bound.bound_at(position)
            values = self.bound.base.numbers(bound.column.name)
            low = min(bound.low, values[shift.witness])
            high = max(bound.high, values[shift.witness])
            inside = (values[places] >= low) & (values[places] <= high)
            places = places[inside | self._met[position, places]]
        return len(places)


def _best(places: Places, satisfaction: Floats, scores: Floats, order: Places) -> Ranked:
    """Return the rows at `order` among all candidates, which stand side by side."""
    pareto = pareto_among(satisfaction, order)
    return Ranked(len(places), places[order], scores[order], satisfaction[:, order], pareto)


def _unpacked(words: NDArray[np.uint64], size: int) -> Truth:
    """Return bits as bool[..., size]."""
    return np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little", count=size).view(
        np.bool_
    )
