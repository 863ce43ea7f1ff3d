"""Record arrays that kernels over rows take: one record for each constraint, term or question.

One argument instead of one for each field, and the fields of a record lie in one cache line.
Columns are given by the address of their description (`PackedNumbers.description`), which
`KernelArguments` keeps alive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.deadline import Deadline
from ...catalogs.vectors.array_types import Floats, Longs, Octets, Records
from ...catalogs.vectors.bitmap_index import IndexedColumn
from ...catalogs.vectors.packed_numbers import PackedNumbers
from ...catalogs.vectors.quantized_column import BUCKETS
from ...catalogs.vectors.recycled_memory import RECYCLED
from ...solvers.problem import Problem
from ..scoring_terms import Bound, Term
from .distance_kernels import least_by_bucket, measure_rows, violations_of
from .record_types import BOUND, TERM

FEW_CELLS = 1 << 20
"""Small slices of so few rows times constraints are measured at once, all of them: to gather the
buckets of 80,000 rows takes 7 ms over 10⁷ rows, to measure them 0.3."""

ROUNDING = 1e-9
"""Widened bounds are this much wider, relative to their scale; rows are measured exactly after."""


INDEXING = 3e-7
"""Seconds a row that leave ample time to make a column's index or buckets, which take a quarter."""


class WideRange(NamedTuple):
    """A bound to be widened over a column's index: the rows inside and some more, whole steps."""

    bounds: IndexedColumn
    low: float
    high: float
    span: float
    slack: float

    def widened(self, distance: float) -> tuple[int, ...]:
        """Return a range (`_range`) that all rows within a distance lie in."""
        wider = distance * self.span + self.slack
        return _range(self.bounds, self.low - wider, self.high + wider)

    def nearer(self, place: int) -> tuple[int, ...]:
        """Return a range that all rows nearer to the bound than the one at a place lie in."""
        value = float(self.bounds.column.at(np.array([place]))[0])
        wider = max(self.low - value, value - self.high) + self.slack
        low = np.nextafter(value, math.inf) if value < self.low else self.low - wider
        high = np.nextafter(value, -math.inf) if value > self.high else self.high + wider
        return _range(self.bounds, low, high)


def _range(bounds: IndexedColumn, low: float, high: float) -> tuple[int, ...]:
    """Return values from `low` to `high` as `rows_in_ranges` takes them: addresses.

    `bounds` keeps alive what lies there.
    """
    index = bounds.index
    first, last = index.outer(low, high)
    address, row, words = index.place
    unsure = bounds.unsure.ctypes.data if len(bounds.touched) else 0
    return address + first * row, address + last * row, unsure, words


class KernelArguments:
    """IndexedColumn (BOUND[k]) and terms (TERM[t]) by position, their columns by address.

    `weights` are those of the constraints, 0 for a hard one; `hard` is the mask of these. Indexes
    and buckets that are not there are made where there is ample time until `until`; without them
    more rows are measured.
    """

    def __init__(
        self,
        problem: Problem,
        bounds: Sequence[Bound | None],
        terms: Sequence[Term],
        weights: Sequence[float],
        hard: int,
        until: Deadline,
    ) -> None:
        self._problem, self._bounds, self._terms, self._hard = problem, bounds, terms, hard
        self._until = until
        self._columns: dict[str, PackedNumbers] = {}
        self._octets: list[Octets] = []
        self.bounds: Records = np.array(
            [
                (0, 0.0, 0.0, 1.0, weight)
                if bound is None
                else (self._address(bound.column.name), bound.low, bound.high, bound.span, weight)
                for bound, weight in zip(bounds, weights, strict=True)
            ],
            dtype=BOUND,
        )
        self.terms: Records = np.array(
            [
                (
                    self._address(term.column) if term.direction else 0,
                    term.direction,
                    term.low,
                    term.high,
                    term.weight,
                )
                for term in terms
            ],
            dtype=TERM,
        )
        cost = problem.catalog.cost_column
        self.cost_address = self._address(cost) if cost else 0

    @cached_attribute
    def _widening(self) -> list[tuple[int, Bound, float]]:
        """The bounds that rows within a distance of them can be found for: positions and slack."""
        return [
            (position, bound, _slack(bound))
            for position, bound in enumerate(self._bounds)
            if bound is not None and self._problem.constraints[position].nulls != "match"
        ]

    @cached_attribute
    def ranges(self) -> dict[int, WideRange]:
        """The bounds that can be widened by an index, by position."""
        ranges: dict[int, WideRange] = {}
        if self._problem.slice.is_compact:
            # A small slice has no index.
            return ranges
        for position, bound, slack in self._widening:
            index = self._index(bound.column.name)
            if index is not None:
                ranges[position] = WideRange(index, bound.low, bound.high, bound.span, slack)
        return ranges

    def ranges_of_scores(self, least: float) -> list[tuple[int, ...]]:
        """Return ranges that hold all rows that score at least so much."""
        weights = np.maximum(self.terms["weight"], 0.0)
        most = float(weights.sum())
        ranges: list[tuple[int, ...]] = []
        for term, weight in zip(self._terms, weights.tolist(), strict=True):
            if term.direction and weight:
                ranges += self._range_of_share(term, (least - (most - weight)) / weight)
        return ranges

    def ranges_of_shares(self, shares: Sequence[float]) -> list[tuple[int, ...]]:
        """Return ranges that hold all rows that satisfy each graded term at least so far.

        shares: a term each.
        """
        graded = [pair for pair in zip(self._terms, shares, strict=True) if pair[0].direction]
        return [wide for term, share in graded for wide in self._range_of_share(term, share)]

    def _range_of_share(self, term: Term, share: float) -> list[tuple[int, ...]]:
        """Return one range, or none where all rows may satisfy a term so far."""
        share -= ROUNDING
        index = self._index(term.column) if share > 0 and term.low != term.high else None
        if index is None:
            return []
        wide = (1 - share) * (term.high - term.low)
        if term.direction > 0:
            return [_range(index, term.high - wide, math.inf)]
        return [_range(index, -math.inf, term.low + wide)]

    @cached_attribute
    def least(self) -> tuple[Longs, Floats]:
        """Columns of buckets, int64[m] addresses, and the least a row in a bucket adds to a
        violation, float64[m, 256]: weight × distance of the bucket's nearer edge. The
        heaviest first."""
        weights: list[float] = self.bounds["weight"].tolist()
        known = [each for each in self._widening if self._has_buckets(each[1].column.name)]
        heaviest = sorted(known, key=lambda each: -weights[each[0]])
        buckets = [self._problem.slice.buckets(bound.column.name) for _, bound, _ in heaviest]
        self._octets += [octets for _, octets in buckets]
        edges = np.array([edges for edges, _ in buckets]).reshape(-1, BUCKETS)
        scales = [
            (bound.low, bound.high, bound.span, slack, weights[position])
            for position, bound, slack in heaviest
        ]
        table = np.empty((len(heaviest), 256))
        least_by_bucket(edges, np.array(scales).reshape(-1, 5), table)
        return np.array([octets.ctypes.data for octets in self._octets], dtype=np.int64), table

    @cached_attribute
    def sample(self) -> tuple[Floats, float]:
        """The violations of some rows of the slice, ascending, and how large a part they are.

        Rows that do not meet everything hard are left out.
        """
        base = self._problem.slice
        if self.measured is not None:
            violations = np.sort(self.measured[1][:: base.sample_step])
            return violations[: violations.searchsorted(np.inf)], 1 / base.sample_step
        rows, step = base.sample
        columns = [
            None if bound is None else base.sample_numbers(bound.column.name)
            for bound in self._bounds
        ]
        bounds = self.bounds.copy()
        bounds["column"] = [0 if column is None else column.address for column in columns]
        violations = np.empty(len(rows))
        hard = np.uint64(self._hard)
        count = violations_of(rows, self._problem.stack, hard, bounds, violations)
        return np.sort(violations[:count]), 1 / step

    @cached_attribute
    def measured(self) -> tuple[Floats, Floats] | None:
        """How far the rows of a slice of few are from meeting each constraint, float64[k, n], and
        their violations, float64[n], infinite for those that miss something hard; None for many."""
        base, stack = self._problem.slice, self._problem.stack
        if not base.is_compact or base.size * len(stack) > FEW_CELLS:
            return None
        distances = RECYCLED.empty((len(stack), base.size), np.float64)
        violations = RECYCLED.empty(base.size, np.float64)
        measure_rows(stack, self.bounds, np.uint64(self._hard), distances, violations)
        return distances, violations

    def _index(self, column: str) -> IndexedColumn | None:
        """Return a column's index; None for a small slice, and where making it takes too long."""
        vectors = self._problem.catalog.vectors
        if vectors.has_index(column) or self._until.remaining >= INDEXING * vectors.universe:
            return self._problem.slice.bounds(column)
        return None

    def _has_buckets(self, column: str) -> bool:
        """Return whether a column has buckets, or there is ample time to make them."""
        vectors = self._problem.catalog.vectors
        known = vectors.number_copy(column).has_buckets
        return known or self._until.remaining >= INDEXING * vectors.universe

    def _address(self, column: str) -> int:
        """Return the address of a column's description, and keep it from being freed."""
        if column not in self._columns:
            self._columns[column] = self._problem.slice.packed(column)
        return self._columns[column].address


def _slack(bound: Bound) -> float:
    scale = abs(bound.low if math.isfinite(bound.low) else bound.high)
    return ROUNDING * (bound.span + scale)
