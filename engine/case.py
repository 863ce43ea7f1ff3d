"""One query against one catalog while it is being repaired: what every later step reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..catalogs.lazy import lazy
from ..catalogs.query import Query
from ..catalogs.reader import CatalogReader
from ..solvers.histogram import MaskHistogram, mask_of
from ..solvers.limits import Budget
from ..solvers.repairs import PricedRepairs
from ..solvers.solver import Solver
from .plan import Plan
from .rows import Rows


@dataclass(frozen=True)
class Case:
    """A plan and its mask histogram. Positions count the additional constraints."""

    plan: Plan
    solver: Solver
    budget: Budget
    histogram: MaskHistogram
    wanted: int = 1
    """How many of the cheapest repairs will be asked for."""

    @property
    def query(self) -> Query:
        """The query asked."""
        return self.plan.query

    @property
    def catalog(self) -> CatalogReader:
        """The catalog asked."""
        return self.plan.catalog

    @property
    def width(self) -> int:
        """The number of additional constraints."""
        return self.plan.width

    @lazy
    def rows(self) -> Rows:
        """The rows of the base slice, by kernels where they are many."""
        if self.plan.is_large:
            from .kernel_rows import KernelRows

            return KernelRows(self.plan)
        from .plain_rows import PlainRows

        return PlainRows(self.plan)

    @lazy
    def unit_histogram(self) -> MaskHistogram:
        """The histogram over units, of the rows that meet everything hard."""
        held = self.histogram.with_all(self.plan.hard_mask) if self.plan.hard else self.histogram
        alone = all(len(unit) == 1 for unit in self.plan.units)
        return held if alone else held.by_unit(self.plan.units)

    @lazy
    def cheapest(self) -> PricedRepairs:
        """The cheapest minimal repairs in units, as many as are wanted."""
        return self.solver.cheapest_repairs(
            self.unit_histogram, self.plan.unit_prices, self.wanted, self.budget
        )

    def expand(self, units: Iterable[int]) -> frozenset[int]:
        """Return the constraint positions of some units."""
        if len(self.plan.units) == self.width:
            return frozenset(units)
        return frozenset(position for unit in units for position in self.plan.units[unit])

    def count_without(self, dropped: Iterable[int]) -> int:
        """Return how many rows meet everything but what is dropped."""
        if not self.histogram.complete:
            return self.rows.count_without(mask_of(dropped))
        return self.histogram.count_mask(self.plan.full & ~mask_of(dropped))

    @property
    def helped_alone(self) -> list[bool]:
        """For each constraint whether some row read meets everything else."""
        return [count > 0 for count in self.histogram.drop_one_counts()]

    def feasible_without(self, dropped: Iterable[int]) -> bool:
        """Return whether some row read meets everything but what is dropped."""
        return self.histogram.feasible(self.plan.full & ~mask_of(dropped))
