"""When questions arrive, and which: an open loop, which does not wait for answers."""

from __future__ import annotations

from typing import Literal

import numpy as np

Arrivals = Literal["poisson", "fixed"]
Popularity = Literal["zipf", "uniform"]


def schedule(rate: float, seconds: float, kind: Arrivals, seed: int) -> list[float]:
    """Return seconds from the start, ascending: `rate` a second on average, until `seconds`.

    Latency counted from these times holds what a question waits before it is sent, so that a
    server that stands still is not asked less meanwhile (coordinated omission).
    """
    if kind == "fixed":
        return [place / rate for place in range(int(rate * seconds))]
    dice = np.random.default_rng(seed)
    times = np.cumsum(dice.exponential(1 / rate, int(rate * seconds * 1.5) + 100))
    return times[times < seconds].tolist()


def asked(count: int, distinct: int, popularity: Popularity, seed: int) -> list[int]:
    """Return which of `distinct` questions each of `count` arrivals asks.

    `zipf`: the n-th most popular is asked 1/n as often as the first, as words and searches are
    (Zipf 1949); `uniform`: each as likely as any other.
    """
    dice = np.random.default_rng(seed)
    if popularity == "uniform":
        return dice.integers(0, distinct, count).tolist()
    shares = 1 / np.arange(1, distinct + 1)
    return dice.choice(dice.permutation(distinct), count, p=shares / shares.sum()).tolist()
