"""Masks of what rows fail with their prices: the cheapest, and those that do not contain it.

By kernels, 1 to 2 ns a mask and step, or by NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .masks import Masks, mirrored


@dataclass(frozen=True)
class PricedMasks:
    """failed: uint64[n]; totals: what each costs, int64[n], or object[n] for large prices."""

    failed: Masks
    totals: NDArray[Any]
    by_kernels: bool

    @classmethod
    def of(cls, failed: Masks, tables: NDArray[Any], *, by_kernels: bool) -> PricedMasks:
        """Return masks with their prices; see `price_tables`."""
        by_kernels = by_kernels and tables.dtype == np.int64
        if by_kernels:
            from .kernels import price_masks

            totals = np.empty(len(failed), dtype=np.int64)
            price_masks(failed, tables, totals)
            return cls(failed, totals, by_kernels)
        octets = failed.astype("<u8").view(np.uint8).reshape(-1, 8)
        totals = tables[0][octets[:, 0]]
        for octet, table in enumerate(tables[1:], start=1):
            totals = totals + table[octets[:, octet]]
        return cls(failed, totals, by_kernels)

    def cheapest(self, width: int) -> tuple[int, int, int, int]:
        """Return the first mask by price, number of bits, then lowest positions.

        These three come before it, such that those of several pieces compare.
        """
        tied = self.failed[self.totals == self.totals.min()]
        sizes = np.bitwise_count(tied)
        tied = tied[sizes == sizes.min()]
        turned = mirrored(tied, width)
        place = np.argmax(turned)
        return int(self.totals.min()), int(sizes.min()), -int(turned[place]), int(tied[place])

    def without(self, contained: np.uint64) -> PricedMasks:
        """Return the masks that do not contain one."""
        if self.by_kernels:
            from .kernels import drop_containing

            failed, totals = np.empty_like(self.failed), np.empty_like(self.totals)
            count: int = drop_containing(self.failed, self.totals, contained, failed, totals)
            return PricedMasks(failed[:count], totals[:count], by_kernels=True)
        others = (self.failed & contained) != contained
        return PricedMasks(self.failed[others], self.totals[others], by_kernels=False)


def price_tables(prices: Sequence[int]) -> NDArray[Any]:
    """Return what the bits of each byte of a mask cost together, [bytes, 256].

    Sums beyond an int64 need Python's integers.
    """
    large = sum(prices) >= 2**62
    tables = np.zeros((8, 256), dtype=object if large else np.int64)
    for position, price in enumerate(prices):
        octet, bit = divmod(position, 8)
        tables[octet, np.arange(256) >> bit & 1 == 1] += price
    return tables[: max(1, -(-len(prices) // 8))]
