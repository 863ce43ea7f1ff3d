"""Shares with Wilson score intervals, which hold for few cases and for shares near 0 and 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..bootstrap import Interval

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """`right` of `of` cases; the share and its 95 % interval are None where there is no case."""

    right: int
    of: int
    share: float | None
    interval: Interval | None


def share(right: int, of: int) -> Share:
    """Return a share with its 95 % Wilson interval (Wilson 1927)."""
    if not of:
        return Share(right, of, None, None)
    rate, slack = right / of, Z_95**2 / of
    middle = rate + slack / 2
    spread = Z_95 * math.sqrt(rate * (1 - rate) / of + slack / of / 4)
    low, high = ((middle + side * spread) / (1 + slack) for side in (-1, 1))
    return Share(right, of, rate, (max(0.0, low), min(1.0, high)))
