"""What a statement costs at sizes nobody measured: fixed and per-row CPU seconds, fitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np


@dataclass(frozen=True)
class Measured:
    """CPU seconds of one statement on one engine at one size; `hand` is the one by hand."""

    engine: str
    statement: str
    rows: int
    seconds: float
    hand: float | None = None

    @property
    def nanoseconds(self) -> float:
        """CPU nanoseconds a row."""
        return self.seconds / self.rows * 1e9


@dataclass(frozen=True)
class Cost:
    """CPU seconds as `fixed` + `a_row` × rows."""

    fixed: float
    a_row: float

    def at(self, rows: float) -> float:
        """Return CPU seconds at so many rows."""
        return self.fixed + self.a_row * rows


def fitted(sizes: Sequence[int], seconds: Sequence[float]) -> Cost:
    """Return the cost of least relative error, neither part negative; of one size all by row."""
    if len(sizes) < 2:
        return Cost(0.0, seconds[0] / sizes[0])
    weights = 1 / np.asarray(seconds)
    terms = np.array([np.ones(len(sizes)), np.asarray(sizes, dtype=np.float64)])
    solution = np.linalg.lstsq((terms * weights).T, np.ones(len(sizes)), rcond=None)[0]
    fixed, a_row = solution.tolist()
    if fixed < 0:
        return Cost(0.0, float(np.mean(np.asarray(seconds) / np.asarray(sizes))))
    return Cost(fixed, max(0.0, a_row))


def least(
    ask: Callable[[], object], repeats: int, clock: Callable[[], float] = process_time
) -> float:
    """Return the least that a call takes by a clock of CPU seconds, once warm."""
    taken: list[float] = []
    for _ in range(repeats):
        begun = clock()
        ask()
        taken.append(clock() - begun)
    return min(taken)
