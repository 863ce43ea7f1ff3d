"""The cheapest minimal repairs under given prices, exact without listing all repairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..catalogs.vectors.kernel_use import kernels_are_loaded
from .histogram import MaskHistogram
from .limits import Budget, StoppedBy
from .masks import Masks, mirrored, positions_of

PRICE_UNITS = 10**12
"""Prices count as whole multiples of 10⁻¹², so that 0.1 + 0.2 equals 0.3."""


FEW_STEPS = 2_000_000
"""Up to so many steps the kernel, used for large catalogs, needs no look at the clock."""


@dataclass(frozen=True)
class PricedRepair:
    """Positions to drop and what that costs: the sum of their prices, in multiples of 10⁻¹²."""

    dropped: frozenset[int]
    cost: float


@dataclass(frozen=True)
class PricedRepairs:
    """Minimal repairs, cheapest first; with `stopped_by` cheaper or further ones may exist."""

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
    ends with the last one asked for, and none cheaper can exist. The first is found even
    after the deadline.
    """
    units = price_units(prices, histogram.width)
    failed = _affordable(histogram, units)
    small = len(failed) * top <= FEW_STEPS and sum(unit or 0 for unit in units) < 2**62
    if small and histogram.by_kernels and kernels_are_loaded():
        taken, stopped_by = _by_kernel(failed, units, top), None
        if budget.expired and len(taken) > 1:
            taken, stopped_by = taken[:1], "deadline"
    else:
        taken, stopped_by = _by_sorting(failed, units, top, budget)
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


def _by_sorting(
    failed: Masks, units: Sequence[int | None], top: int, budget: Budget
) -> tuple[list[int], StoppedBy | None]:
    remaining = failed[_by_price(failed, units)]
    taken: list[int] = []
    while len(remaining) and len(taken) < top:
        if budget.expired and taken:
            return taken, "deadline"
        first = remaining[0]
        taken.append(int(first))
        remaining = remaining[(remaining & first) != first]
    return taken, None


def _affordable(histogram: MaskHistogram, units: Sequence[int | None]) -> Masks:
    """Return what each distinct mask fails, leaving out those that fail what must stay."""
    must_stay = sum(1 << position for position, price in enumerate(units) if price is None)
    failed = ~histogram.masks & np.uint64(histogram.full)
    return failed[(failed & np.uint64(must_stay)) == 0]


def _by_price(failed: Masks, units: Sequence[int | None]) -> NDArray[np.intp]:
    """Return the order of masks by total price, number of bits, then lowest positions first."""
    prices = [unit or 0 for unit in units]
    places = np.arange(len(units), dtype=np.uint64)
    fails = (failed[:, None] >> places & np.uint64(1)).astype(np.int64)
    # Prices beyond a million need Python's integers.
    totals = fails @ np.array(prices) if sum(prices) < 2**63 else _ranks(fails, prices)
    return np.lexsort((~mirrored(failed, len(units)), fails.sum(axis=1), totals))


def _ranks(fails: NDArray[np.int64], prices: Sequence[int]) -> NDArray[np.intp]:
    totals = fails.astype(object) @ np.array(prices, dtype=object)
    return np.unique(totals, return_inverse=True)[1]
