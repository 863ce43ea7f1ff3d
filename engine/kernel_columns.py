"""A plan's bounds and terms as arrays, for kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..catalogs.bound_index import Bounds
from ..catalogs.buckets import BUCKETS
from ..catalogs.lazy import lazy

if TYPE_CHECKING:
    from .plan import Bound, Plan

Floats = NDArray[np.float64]


ROUNDING = 1e-9
"""Widened bounds are this much wider, relative to their scale; rows are measured exactly after."""


class WideRange(NamedTuple):
    """A bound to be widened over a column's index: the rows inside and some more, whole steps."""

    bounds: Bounds
    low: float
    high: float
    span: float
    slack: float

    def widened(self, limit: float) -> tuple[int, ...]:
        """Return a range (`_range`) that all rows within a distance lie in."""
        wider = limit * self.span + self.slack
        return _range(self.bounds, self.low - wider, self.high + wider)


def _range(bounds: Bounds, low: float, high: float) -> tuple[int, ...]:
    """Return a range of values as `rows_common` takes it: addresses, which `bounds` keeps alive."""
    index = bounds.index
    first, last = index.outer(low, high)
    address, row = index.below.ctypes.data, index.below.strides[0]
    unsure = bounds.unsure.ctypes.data if len(bounds.touched) else 0
    return address + first * row, address + last * row, unsure, index.below.shape[1]


class KernelColumns:
    """Bounds and terms by position, columns by address; keeps the columns alive."""

    def __init__(self, plan: Plan) -> None:
        # Not the plan itself, which holds this: a circle would keep megabytes of row sets until
        # the garbage collector comes.
        self._problem, self._bounds, self._terms = plan.problem, plan.bounds, plan.terms
        self._hard = plan.hard_mask
        width = plan.width
        self._held: dict[str, tuple[Floats, int]] = {}
        self._octets: list[NDArray[np.uint8]] = []
        self.addresses = np.zeros(width, dtype=np.int64)
        self.lows, self.highs, self.spans = np.zeros(width), np.zeros(width), np.ones(width)
        self.weights = np.zeros(width)
        self.weights[list(plan.soft)] = [plan.weights[position] for position in plan.soft]
        for position, bound in enumerate(self._bounds):
            if bound is not None:
                self.addresses[position] = self._address(bound.column.name)
                self.lows[position], self.highs[position] = bound.low, bound.high
                self.spans[position] = bound.span
        terms = self._terms
        self.directions = np.array([one.direction for one in terms], dtype=np.int64)
        self.term_addresses = np.array(
            [self._address(one.column) if one.direction else 0 for one in terms],
            dtype=np.int64,
        )
        self.term_lows = np.array([one.low for one in terms], dtype=np.float64)
        self.term_highs = np.array([one.high for one in terms], dtype=np.float64)
        self.term_weights = np.array([one.weight for one in terms], dtype=np.float64)

        cost = plan.catalog.cost_column
        self.cost_address = self._address(cost) if cost else 0

    @lazy
    def _widening(self) -> list[tuple[int, Bound, float]]:
        """The bounds that rows within a distance of them can be found for: positions and slack."""
        return [
            (position, bound, _slack(bound))
            for position, bound in enumerate(self._bounds)
            if bound is not None and self._problem.constraints[position].nulls != "match"
        ]

    @lazy
    def ranges(self) -> dict[int, WideRange]:
        """The bounds that can be widened by an index, by position."""
        found: dict[int, WideRange] = {}
        for position, bound, slack in self._widening:
            known = self._problem.slice.bounds(bound.column.name)
            if known is not None:
                found[position] = WideRange(known, bound.low, bound.high, bound.span, slack)
        return found

    def ranges_of_scores(self, least: float) -> list[tuple[int, ...]]:
        """Return ranges that hold all rows that score at least so much."""
        weights = np.maximum(self.term_weights, 0.0)
        most = float(weights.sum())
        found: list[tuple[int, ...]] = []
        for term, weight in zip(self._terms, weights.tolist(), strict=True):
            known = self._problem.slice.bounds(term.column) if term.direction and weight else None
            if known is None or term.low == term.high:
                continue
            share = (least - (most - weight)) / weight - ROUNDING
            if share > 0:
                wide = (1 - share) * (term.high - term.low)
                if term.direction > 0:
                    found.append(_range(known, term.high - wide, math.inf))
                else:
                    found.append(_range(known, -math.inf, term.low + wide))
        return found

    @lazy
    def least(self) -> tuple[NDArray[np.int64], Floats]:
        """Columns of buckets, int64[m] addresses, and the least a row in a bucket adds to a
        violation, float64[m, 256]: weight × distance of the bucket's nearer edge. The
        heaviest first."""
        from ..solvers import row_kernels as kernels

        ranges = sorted(self._widening, key=lambda one: -self.weights[one[0]])
        addresses = np.empty(len(ranges), dtype=np.int64)
        edges, scales = np.empty((len(ranges), BUCKETS)), np.empty((len(ranges), 5))
        for place, (position, bound, slack) in enumerate(ranges):
            edges[place], octets = self._problem.slice.buckets(bound.column.name)
            addresses[place] = octets.ctypes.data
            self._octets.append(octets)
            scales[place] = bound.low, bound.high, bound.span, slack, self.weights[position]
        table = np.empty((len(ranges), 256))
        kernels.least_by_bucket(edges, scales, table)
        return addresses, table

    @lazy
    def drawn(self) -> tuple[Floats, float]:
        """The violations of some rows of the slice, ascending, and how large a part they are.

        Rows that do not meet everything hard are left out.
        """
        from ..solvers import row_kernels as kernels

        base = self._problem.slice
        rows, step = base.sample
        held = [
            None if one is None else base.sample_numbers(one.column.name) for one in self._bounds
        ]
        addresses = np.array([0 if one is None else one.ctypes.data for one in held], np.int64)
        violations = np.empty(len(rows))
        count = kernels.violations_of(
            rows, self._problem.stack, np.uint64(self._hard), addresses, self.lows, self.highs,
            self.spans, self.weights, violations,
        )  # fmt: skip
        return np.sort(violations[:count]), 1 / step

    def _address(self, column: str) -> int:
        """Return the address of a column's numbers, and keep them from being freed."""
        if column not in self._held:
            values = self._problem.slice.numbers(column)
            self._held[column] = values, values.ctypes.data
        return self._held[column][1]


def _slack(bound: Bound) -> float:
    reach = abs(bound.low if math.isfinite(bound.low) else bound.high)
    return ROUNDING * (bound.span + reach)
