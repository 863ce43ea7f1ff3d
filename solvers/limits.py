"""Deadline and most sets of a search, which then says `UNKNOWN` or `complete=False`."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ..catalogs.errors import QueryError

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

    `deadline=None` never ends by the clock. `threads` may read one large catalog side by side.
    """

    deadline: float | None = DEFAULT_DEADLINE
    max_sets: int = DEFAULT_MAX_SETS
    threads: int = 1
    _started: float = field(default_factory=time.monotonic, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.deadline is not None and not self.deadline >= 0:
            raise QueryError(f"deadline is {self.deadline}", hint="give seconds, 0 or more")
        if self.max_sets < 1:
            raise QueryError(f"limit is {self.max_sets}", hint="ask for at least 1")
        if self.threads < 1:
            raise QueryError(f"threads is {self.threads}", hint="ask for at least 1")

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
