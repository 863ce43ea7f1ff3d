"""How long to search and how much to find before saying `UNKNOWN` or `complete=False`."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

StoppedBy = Literal["deadline", "limit"]

DEFAULT_DEADLINE = 60.0
DEFAULT_MAX_SETS = 100_000


class Verdict(StrEnum):
    """Whether any row satisfies a query; UNKNOWN when a limit was hit first."""

    SAT = "SAT"
    UNSAT = "UNSAT"
    UNKNOWN = "UNKNOWN"


@dataclass
class Budget:
    """A deadline in seconds from now, and the most conflicts and the most repairs to list.

    `deadline=None` never ends by the clock.
    """

    deadline: float | None = DEFAULT_DEADLINE
    max_sets: int = DEFAULT_MAX_SETS
    _started: float = field(default_factory=time.monotonic, init=False, repr=False)

    @property
    def remaining(self) -> float:
        """Seconds left, never negative; infinite without a deadline."""
        if self.deadline is None:
            return math.inf
        return max(0.0, self._started + self.deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed."""
        return self.remaining <= 0.0
