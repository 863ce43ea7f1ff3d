"""The base class of solvers: each counts rows by mask, and all else follows from that histogram."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from ..catalogs.errors import QueryError
from .cheapest_repairs import PricedRepairs, cheapest_repairs
from .histogram import MaskHistogram
from .limits import Budget, StoppedBy
from .minimal_sets import MinimalSets, minimal_sets
from .problem import Problem


class Solver(ABC):
    """Produces histograms; the reasoning over them is shared unless a solver has its own."""

    name: ClassVar[str]
    max_constraints: ClassVar[int] = 64

    @abstractmethod
    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram of the problem's base slice.

        Raises `QueryError` for more constraints than the solver takes, and where the catalog
        cannot evaluate one of them.
        """

    def check_width(self, problem: Problem) -> None:
        """Raise `QueryError` if the problem has more constraints than the solver takes."""
        if problem.width > self.max_constraints:
            raise QueryError(
                f"{problem.width} constraints, and solver {self.name!r} takes at most "
                f"{self.max_constraints}",
                hint="choose another solver, or join constraints into one SQL expression",
            )

    def count(self, problem: Problem, budget: Budget) -> tuple[int, StoppedBy | None]:
        """Return how many rows meet everything, and what stopped the reading."""
        histogram = self.histogram(problem, budget)
        return histogram.count_mask(histogram.full), histogram.stopped_by

    def minimal_sets(self, histogram: MaskHistogram, budget: Budget) -> MinimalSets:
        """Return all MUSes, MCSes and MSSes."""
        return minimal_sets(histogram, budget)

    def cheapest_repairs(
        self, histogram: MaskHistogram, prices: Sequence[float], top: int, budget: Budget
    ) -> PricedRepairs:
        """Return the `top` cheapest minimal repairs, cheapest first.

        `prices` is what dropping each constraint costs; infinite for one that must stay.
        """
        return cheapest_repairs(histogram, prices, top, budget)
