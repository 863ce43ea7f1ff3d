"""The cheapest minimal repairs under given prices, exact without listing all repairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..catalogs.vectors.kernel_use import kernels_are_loaded
from .histogram import MaskHistogram
from .limits import Budget, StoppedBy
from .masks import Masks, positions_of
from .priced_masks import PricedMasks, price_tables

PRICE_UNITS = 10**12
"""Prices count as whole multiples of 10⁻¹², so that 0.1 + 0.2 equals 0.3."""


FEW_MASKS = 4_096
"""Up to so many masks one call of a kernel finds all that is asked for."""

PIECE = 1 << 17
"""Masks priced between two looks at the clock."""


class PricedRepair(NamedTuple):
    """Positions to drop and what that costs: the sum of their prices, in multiples of 10⁻¹²."""

    dropped: frozenset[int]
    cost: float


@dataclass(frozen=True)
class PricedRepairs:
    """Minimal repairs, cheapest first.

    With `stopped_by` cheaper or further ones may exist, and smaller ones inside those listed.
    """

    repairs: tuple[PricedRepair, ...]
    stopped_by: StoppedBy | None = None


def price_units(prices: Sequence[float], width: int) -> list[int | None]:
    """Return prices in whole units, None for an infinite one: that constraint must stay.

    Raises `ValueError` unless there are `width` prices, each of them 0 or more.
    """
    if len(prices) != width:
        raise ValueError(f"{len(prices)} prices for {width} constraints")
    for price in prices:
        if not price >= 0:
            raise ValueError(f"price {price!r}: a price is 0 or more")
    return list(_units(tuple(prices)))


@lru_cache(maxsize=1024)
def _units(prices: tuple[float, ...]) -> tuple[int | None, ...]:
    return tuple(
        None if math.isinf(price) else round(Fraction(price) * PRICE_UNITS) for price in prices
    )


def price_of(dropped: frozenset[int], prices: Sequence[float]) -> float:
    """Return the sum of prices, the same in any order; infinite with one that must stay."""
    units = price_units([prices[position] for position in dropped], len(dropped))
    return math.inf if None in units else sum(unit or 0 for unit in units) / PRICE_UNITS


def cheapest_repairs(
    histogram: MaskHistogram, prices: Sequence[float], top: int, budget: Budget
) -> PricedRepairs:
    """Return the `top` cheapest minimal repairs: by price, then fewest dropped, then position.

    What a row fails is a repair, and every minimal repair is what some row fails. Rows are
    taken in that order, so a repair is minimal if none taken before is inside it; the search
    ends with the last one asked for, and none cheaper can exist. Something is found even after
    the deadline, if only the cheapest of what the first masks fail.
    """
    histogram = histogram.deciding
    units = price_units(prices, histogram.width)
    small = len(histogram.masks) <= FEW_MASKS and sum(unit or 0 for unit in units) < 2**62
    if small and histogram.by_kernels and kernels_are_loaded():
        taken, stopped_by = _by_kernel(_affordable(histogram, units), units, top), None
    else:
        taken, stopped_by = _by_scanning(histogram, units, top, budget)
    repairs: list[PricedRepair] = []
    for mask in taken:
        dropped = positions_of(mask)
        cost = sum([units[position] or 0 for position in dropped]) / PRICE_UNITS
        repairs.append(PricedRepair(dropped, cost))
    return PricedRepairs(tuple(repairs), stopped_by or histogram.stopped_by)


def _by_kernel(failed: Masks, units: Sequence[int | None], top: int) -> list[int]:
    from .kernels import cheapest_failed

    cheapest = np.empty(top, dtype=np.uint64)
    prices = np.array([unit or 0 for unit in units], dtype=np.int64)
    count = cheapest_failed(failed, prices, cheapest)
    return cheapest[:count].tolist()


def _by_scanning(
    histogram: MaskHistogram, units: Sequence[int | None], top: int, budget: Budget
) -> tuple[list[int], StoppedBy | None]:
    pieces, stopped_by = _priced(histogram, units, budget)
    taken: list[int] = []
    while pieces and len(taken) < top:
        if taken and (stopped_by or budget.expired):
            return taken, "deadline"
        first = min(piece.cheapest(histogram.width) for piece in pieces)[-1]
        taken.append(first)
        left: list[PricedMasks] = []
        for piece in pieces if len(taken) < top else ():
            if budget.expired:
                return taken, "deadline"
            others = piece.without(np.uint64(first))
            if len(others.failed):
                left.append(others)
        pieces = left
    return taken, stopped_by


def _priced(
    histogram: MaskHistogram, units: Sequence[int | None], budget: Budget
) -> tuple[list[PricedMasks], StoppedBy | None]:
    """Return what masks fail that may be dropped, and its price.

    Goes on past the deadline until there is something.
    """
    tables = price_tables([unit or 0 for unit in units])
    size = PIECE if tables.dtype == np.int64 else PIECE // 64
    pieces: list[PricedMasks] = []
    for start in range(0, len(histogram.masks), size):
        if pieces and budget.expired:
            return pieces, "deadline"
        part = replace(histogram, masks=histogram.masks[start : start + size])
        failed = _affordable(part, units)
        if len(failed):
            by_kernels = histogram.by_kernels and kernels_are_loaded()
            pieces.append(PricedMasks.of(failed, tables, by_kernels=by_kernels))
    return pieces, None


def _affordable(histogram: MaskHistogram, units: Sequence[int | None]) -> Masks:
    """Return what each distinct mask fails, leaving out those that fail what must stay."""
    must_stay = sum(1 << position for position, price in enumerate(units) if price is None)
    failed = ~histogram.masks & np.uint64(histogram.full)
    return failed[(failed & np.uint64(must_stay)) == 0] if must_stay else failed
