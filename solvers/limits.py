"""Deadline and most sets of a search, which then says `UNKNOWN` or `complete=False`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral
from typing import Literal

from ..catalogs.deadline import Deadline
from ..catalogs.errors import QueryError, excerpt

StoppedBy = Literal["deadline", "limit", "sample"]

DEFAULT_DEADLINE = 60.0
DEFAULT_MAX_SETS = 100_000


class Verdict(StrEnum):
    """Whether any row satisfies a query; UNKNOWN when a limit was hit first."""

    SAT = "SAT"
    UNSAT = "UNSAT"
    UNKNOWN = "UNKNOWN"


@dataclass
class Budget(Deadline):
    """A deadline in seconds from now, and the most conflicts and the most repairs to list.

    `deadline=None` never ends by the clock. `threads` may read one large catalog side by side.

    How to keep it: do work in `pieces`, which look at the clock and raise `DeadlinePassed`, or
    `check` between steps; hand the budget down to what reads rows (`catalog.rows(predicate,
    until=budget)`, `problem.read(budget)`). Give each stage a `share` of what remains, so that
    none starves those after it. `remaining` and `expired` look without raising.
    """

    deadline: float | None = DEFAULT_DEADLINE
    max_sets: int = DEFAULT_MAX_SETS
    threads: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("limit", self.max_sets)
        check_count("threads", self.threads)


def check_count(name: str, count: object) -> None:
    """Raise `QueryError` for what is no whole number of at least one."""
    if not isinstance(count, Integral) or int(count) < 1:
        raise QueryError(f"{name} is {excerpt(count)}", hint="ask for at least 1, a whole number")
