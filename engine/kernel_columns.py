"""A plan's bounds and terms as arrays, for kernels."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..catalogs.base_slice import BUCKETS, BaseSlice
from ..catalogs.row_set import Words

if TYPE_CHECKING:
    from .plan import Plan

Floats = NDArray[np.float64]


ROUNDING = 1e-9
"""Widened bounds are this much wider, relative to their scale; rows are measured exactly after."""

STEP = 4
"""Buckets that begin and end a widened bound together."""

DRAWN = 2_048
"""Rows drawn at even steps, whose violations tell how many rows lie within a reach."""


class BucketRange(NamedTuple):
    """A bound over a column of buckets (`BaseSlice.buckets`), the column by its address."""

    base: BaseSlice
    column: str
    edges: list[float]
    address: int
    low: float
    high: float
    span: float
    slack: float

    def widened(self, limit: float) -> Words:
        """Return the words of all rows within a distance, and some more: whole steps of buckets.

        So the ranges of near bounds are the same ones, and held already.
        """
        wider = limit * self.span + self.slack
        start = bisect_right(self.edges, self.low - wider) // STEP * STEP
        end = bisect_right(self.edges, self.high + wider) // STEP * STEP + STEP - 1
        return self.base.bucket_range(self.column, start, min(end, BUCKETS))


class KernelColumns:
    """Bounds and terms by position, columns by address; keeps the columns alive."""

    def __init__(self, plan: Plan) -> None:
        # Not the plan itself, which holds this: a circle would keep megabytes of row sets until
        # the garbage collector comes.
        self._problem, self._bounds, self._hard = plan.problem, plan.bounds, plan.hard
        width = plan.width
        self.held: list[Floats] = []
        self.addresses = np.zeros(width, dtype=np.int64)
        self.lows, self.highs, self.spans = np.zeros(width), np.zeros(width), np.ones(width)
        self.weights = np.zeros(width)
        self.weights[list(plan.soft)] = [plan.weights[position] for position in plan.soft]
        for position, bound in enumerate(self._bounds):
            if bound is not None:
                self.addresses[position] = self.hold(plan.base.numbers(bound.column.name))
                self.lows[position], self.highs[position] = bound.low, bound.high
                self.spans[position] = bound.span
        terms = plan.terms
        self.directions = np.array([one.direction for one in terms], dtype=np.int64)
        self.term_addresses = np.array(
            [self.hold(plan.base.numbers(one.column)) if one.direction else 0 for one in terms],
            dtype=np.int64,
        )
        self.term_lows = np.array([one.low for one in terms], dtype=np.float64)
        self.term_highs = np.array([one.high for one in terms], dtype=np.float64)
        self.term_weights = np.array([one.weight for one in terms], dtype=np.float64)

        cost = plan.catalog.cost_column
        self.cost_address = self.hold(plan.base.numbers(cost)) if cost else 0

    @cached_property
    def ranges(self) -> dict[int, BucketRange]:
        """The bounds that can be widened and read from buckets, by position."""
        base, found = self._problem.slice, dict[int, BucketRange]()
        for position, bound in enumerate(self._bounds):
            if bound is None or self._problem.constraints[position].nulls == "match":
                continue
            edges, buckets = base.buckets(bound.column.name)
            reach = abs(bound.low if math.isfinite(bound.low) else bound.high)
            slack = ROUNDING * (bound.span + reach)
            found[position] = BucketRange(
                base,
                bound.column.name,
                edges,
                buckets.ctypes.data,
                bound.low,
                bound.high,
                bound.span,
                slack,
            )
        return found

    @cached_property
    def least(self) -> tuple[NDArray[np.int64], Floats]:
        """Columns of buckets, int64[m] addresses, and the least a row in a bucket adds to a
        violation, float64[m, 256]: weight × distance of the bucket's nearer edge. The
        heaviest first."""
        ranges = [(self.weights[one], bound) for one, bound in self.ranges.items()]
        ranges.sort(key=itemgetter(0), reverse=True)
        addresses = np.array([bound.address for _, bound in ranges], dtype=np.int64)
        table = np.zeros((len(ranges), 256))
        if ranges:
            weights = np.array([[weight] for weight, _ in ranges])
            far = _least_distances([bound for _, bound in ranges])
            table[:, : far.shape[1]] = weights * far
            table[:, 255] = weights[:, 0]
        return addresses, table

    @cached_property
    def drawn(self) -> tuple[Floats, float]:
        """The violations of rows at even steps through the slice, ascending, and their share.

        Rows that do not meet everything hard are left out.
        """
        from ..solvers import row_kernels as kernels

        base, stack = self._problem.slice, self._problem.stack
        step = max(1, base.size // DRAWN)
        places = np.arange(0, base.size, step)
        inside = _bits(base.words, places)
        for position in sorted(self._hard):
            inside &= _bits(stack[position], places)
        places = places[inside]
        far, violations = np.empty((len(stack), len(places))), np.empty(len(places))
        kernels.distances(
            places, stack, self.addresses, self.lows, self.highs, self.spans,
            self.weights, far, violations,
        )  # fmt: skip
        return np.sort(violations), 1 / step

    def hold(self, values: Floats) -> int:
        """Return the address of a column, and keep it from being freed."""
        self.held.append(values)
        return values.ctypes.data


def _least_distances(bounds: Sequence[BucketRange]) -> Floats:
    """Return how near a bucket's nearer edge is to each bound, float64[m, BUCKETS + 1]."""
    edges = np.array([bound.edges for bound in bounds])
    scales = np.array([(one.low, one.high, one.slack, one.span) for one in bounds])
    low, high, slack, span = scales.T[:, :, None]
    infinite = np.full((len(bounds), 1), np.inf)
    starts, stops = np.hstack([-infinite, edges]), np.hstack([edges, infinite])
    # Between infinite edges nothing is known, and comparing them gives NaN.
    with np.errstate(invalid="ignore"):
        gaps = np.fmax(low - stops, starts - high) - slack
    return np.clip(np.nan_to_num(gaps, nan=0.0, posinf=0.0, neginf=0.0) / span, 0.0, 1.0)


def _bits(words: Words, places: NDArray[np.intp]) -> NDArray[np.bool_]:
    octets = words.view(np.uint8)
    return (octets[places >> 3] >> (places & 7).astype(np.uint8) & 1).view(np.bool_)
