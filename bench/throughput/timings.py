"""Timing of a call by repeated runs: median, p99 and fastest, bounded in number and seconds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Pace:
    """How often a call is repeated: `repeats` times, but no longer than `seconds` in all.

    After at least `least` runs the clock decides, unless the first alone took longer.
    """

    repeats: int
    seconds: float
    least: int = 3


@dataclass(frozen=True)
class Timing:
    """The seconds that each of some runs took, and those of this thread's processor time."""

    seconds: tuple[float, ...]
    processor: tuple[float, ...] = ()

    @property
    def median(self) -> float:
        """Half of the runs took no longer."""
        return float(np.percentile(self.seconds, 50))

    @property
    def p99(self) -> float:
        """All but one in a hundred took no longer; of fewer runs, close to the slowest."""
        return float(np.percentile(self.seconds, 99))

    @property
    def processor_median(self) -> float:
        """Half of the runs took no more of this thread's processor time."""
        return float(np.percentile(self.processor, 50))

    @property
    def fastest(self) -> float:
        """What the least disturbed run took."""
        return min(self.seconds)


def once(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of one call, and what it returned."""
    started = time.perf_counter()
    returned = call()
    return time.perf_counter() - started, returned


def timed(call: Callable[[], Any], pace: Pace, before: Callable[[], None] | None = None) -> Timing:
    """Return the seconds of repeated calls; `before` runs before each, untimed.

    Python's garbage is collected once before the first run, and as it likes during them:
    whoever waits for an answer waits for that too.
    """
    gc.collect()
    durations: list[float] = []
    processor: list[float] = []
    while len(durations) < pace.repeats:
        if before is not None:
            before()
        worked = time.thread_time()
        seconds, _ = once(call)
        processor.append(time.thread_time() - worked)
        durations.append(seconds)
        if sum(durations) > pace.seconds and (
            len(durations) >= pace.least or seconds > pace.seconds
        ):
            break
    return Timing(tuple(durations), tuple(processor))
