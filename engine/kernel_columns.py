"""A plan's bounds and terms as arrays, for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .plan import Plan

Floats = NDArray[np.float64]


class KernelColumns:
    """Bounds and terms by position, columns by address; keeps the columns alive."""

    def __init__(self, plan: Plan) -> None:
        width = plan.width
        self.held: list[Floats] = []
        self.addresses = np.zeros(width, dtype=np.int64)
        self.lows, self.highs, self.spans = np.zeros(width), np.zeros(width), np.ones(width)
        self.weights = np.zeros(width)
        self.weights[list(plan.soft)] = [plan.weights[position] for position in plan.soft]
        for position, bound in enumerate(plan.bounds):
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

    def hold(self, values: Floats) -> int:
        """Return the address of a column, and keep it from being freed."""
        self.held.append(values)
        return values.ctypes.data
