"""The `z3` solver: tracked assertions, minimised unsat cores and Optimize, over row masks.

The formal baseline. The rows enter as one assertion over the distinct row masks; each
constraint j is a Boolean `met_j` tracked by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cheapest_repairs import PricedRepair, PricedRepairs, price_of, price_units
from .histogram import MaskHistogram
from .limits import Budget, StoppedBy
from .minimal_sets import MinimalSets
from .problem import Problem
from .solver import Solver
from .sql import SqlSolver
from .z3_table import Stopped, Table, any_of, booleans, decided, holds, load_z3, some_row


class Z3Solver(Solver):
    """MARCO over tracked assertions (Liffiton et al. 2016) and weighted MaxSAT by Optimize."""

    name = "z3"

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram, which DuckDB computes: Z3 reasons over it, not over SQL."""
        self.check_width(problem)
        return SqlSolver().histogram(problem, budget)

    def minimal_sets(self, histogram: MaskHistogram, budget: Budget) -> MinimalSets:
        """Return all MUSes, MCSes and MSSes found before the budget ends."""
        try:
            search = _Marco(histogram, budget)
        except Stopped:
            return MinimalSets.of((), (), histogram.width, "deadline")
        return search.run()

    def cheapest_repairs(
        self, histogram: MaskHistogram, prices: Sequence[float], top: int, budget: Budget
    ) -> PricedRepairs:
        """Return the cheapest minimal repairs, one `Optimize` optimum after another."""
        units = price_units(prices, histogram.width)
        repairs: list[PricedRepair] = []
        try:
            search = _Cheapest(histogram, units, budget)
            while len(repairs) < top and (dropped := search.next()) is not None:
                repairs.append(PricedRepair(dropped, price_of(dropped, prices)))
        except Stopped:
            return PricedRepairs(tuple(repairs), "deadline")
        return PricedRepairs(tuple(repairs), histogram.stopped_by)


class _Marco:
    """Lists conflicts and maximal subsets: a map of unexplored subsets proposes, rows judge."""

    def __init__(self, histogram: MaskHistogram, budget: Budget) -> None:
        self.histogram = histogram
        self.budget = budget
        self.table = Table(histogram, budget)
        self.context: Any = self.table.context
        self.unexplored: Any = load_z3().Solver(ctx=self.context)
        self.inside = booleans("inside", histogram.width, self.context)
        self.conflicts: list[frozenset[int]] = []
        self.maximal: list[frozenset[int]] = []

    def run(self) -> MinimalSets:
        """Return what was found, and what stopped the search."""
        try:
            stopped_by = self._explore() or self.histogram.stopped_by
        except Stopped:
            stopped_by = "deadline"
        everything = frozenset(range(self.histogram.width))
        repairs = [everything - subset for subset in self.maximal]
        conflicts = self.conflicts if self.histogram.complete else ()
        return MinimalSets.of(conflicts, repairs, self.histogram.width, stopped_by)

    def _explore(self) -> StoppedBy | None:
        while decided(self.unexplored, self.budget):
            model = self.unexplored.model()
            seed = frozenset(j for j, inside in enumerate(self.inside) if holds(model, inside))
            if self.table.satisfiable(seed):
                kept, blocked = self.maximal, self._keep(self.table.grow(seed))
            else:
                kept, blocked = self.conflicts, self._refuse(self.table.shrink(self.table.core()))
            if len(kept) >= self.budget.max_sets:
                return "limit"
            kept.append(blocked)
        return None

    def _keep(self, maximal: frozenset[int]) -> frozenset[int]:
        """Leave no subset of a maximal satisfiable one to explore."""
        outside = (inside for j, inside in enumerate(self.inside) if j not in maximal)
        self.unexplored.add(any_of(outside, self.context))
        return maximal

    def _refuse(self, conflict: frozenset[int]) -> frozenset[int]:
        """Leave no superset of a conflict to explore."""
        z3 = load_z3()
        absent = (z3.Not(self.inside[j]) for j in sorted(conflict))
        self.unexplored.add(any_of(absent, self.context))
        return conflict


class _Cheapest:
    """An `Optimize` that prefers low price, then few dropped, then low positions."""

    def __init__(
        self, histogram: MaskHistogram, units: Sequence[int | None], budget: Budget
    ) -> None:
        z3 = load_z3()
        self.budget = budget
        self.context: Any = z3.Context()
        self.optimize: Any = z3.Optimize(ctx=self.context)
        self.optimize.set(priority="lex")
        self.met = booleans("met", histogram.width, self.context)
        self.optimize.add(some_row(histogram, self.met, budget, self.context))
        self.optimize.add([self.met[j] for j, price in enumerate(units) if price is None])
        # The lower the positions dropped, the larger the sum of their places, read backwards.
        places = [-(1 << j) for j in reversed(range(histogram.width))]
        for amounts in ([price or 0 for price in units], [1] * histogram.width, places):
            self._minimize(amounts)

    def _minimize(self, amounts: Sequence[int]) -> None:
        z3 = load_z3()
        zero = z3.IntVal(0, self.context)
        dropped = [
            z3.If(met, zero, z3.IntVal(amount, self.context))
            for met, amount in zip(self.met, amounts, strict=True)
        ]
        self.optimize.minimize(z3.Sum([zero, *dropped]))

    def next(self) -> frozenset[int] | None:
        """Return the next best repair that contains none returned before; None for no more."""
        if not decided(self.optimize, self.budget):
            return None
        model = self.optimize.model()
        dropped = frozenset(j for j, met in enumerate(self.met) if not holds(model, met))
        self.optimize.add(any_of((self.met[j] for j in sorted(dropped)), self.context))
        return dropped
