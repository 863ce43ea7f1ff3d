"""When questions arrive: an open loop, which does not wait for answers."""

from __future__ import annotations

from typing import Literal

import numpy as np

Arrivals = Literal["poisson", "fixed"]


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
