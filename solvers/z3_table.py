"""The row masks as one Z3 assertion, asked about subsets of tracked constraints.

Z3 answering `unknown` stops a search and is never read as unsat. Every table has a context
of its own, since Z3 allows only one thread at a time in each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from .histogram import MaskHistogram
from .limits import Budget
from .masks import positions_of

MAX_TIMEOUT_MS = 2**31 - 1
MASKS_A_LOOK = 256
"""Row masks turned into Z3 terms between two looks at the clock."""


class Stopped(Exception):
    """Z3 did not decide within the budget."""


def load_z3() -> Any:
    """Return the z3 package, which has no types, imported on first use."""
    return import_module("z3")


def decided(solver: Any, budget: Budget, assumptions: Sequence[Any] = ()) -> bool:
    """Return whether Z3 finds a model; raise `Stopped` unless it says sat or unsat."""
    if budget.expired:
        raise Stopped
    if not math.isinf(budget.remaining):
        solver.set("timeout", min(MAX_TIMEOUT_MS, max(1, int(budget.remaining * 1000))))
    answer = str(solver.check(*assumptions))
    if answer not in ("sat", "unsat"):
        raise Stopped
    return answer == "sat"


def holds(model: Any, boolean: Any) -> bool:
    """Return whether a Boolean is true in a model; one the model leaves open is false."""
    return bool(load_z3().is_true(model.eval(boolean, model_completion=True)))


def any_of(conditions: Iterable[Any], context: Any) -> Any:
    """Return the disjunction; false for no conditions."""
    listed = list(conditions)
    z3 = load_z3()
    return z3.Or(listed) if listed else z3.BoolVal(False, context)


def booleans(name: str, width: int, context: Any) -> list[Any]:
    """Return one named Boolean a constraint; equal constraints stay apart by position."""
    z3 = load_z3()
    return [z3.Bool(f"{name}_{j}", context) for j in range(width)]


def some_row(histogram: MaskHistogram, met: Sequence[Any], budget: Budget, context: Any) -> Any:
    """Return the assertion that some row meets exactly what `met` says.

    Raises `Stopped` when the budget ends before it is written down.
    """
    z3 = load_z3()
    rows: list[Any] = []
    for index, mask in enumerate(histogram.masks):
        if index % MASKS_A_LOOK == 0 and budget.expired:
            raise Stopped
        holding = positions_of(int(mask))
        terms = [boolean if j in holding else z3.Not(boolean) for j, boolean in enumerate(met)]
        rows.append(z3.And(terms) if terms else z3.BoolVal(True, context))
    return any_of(rows, context)


class Table:
    """A Z3 solver that knows the rows. Raises `Stopped` wherever Z3 does not decide in time."""

    def __init__(self, histogram: MaskHistogram, budget: Budget) -> None:
        z3 = load_z3()
        self.budget = budget
        self.context = z3.Context()
        self.solver = z3.Solver(ctx=self.context)
        met = booleans("met", histogram.width, self.context)
        self.trackers = booleans("constraint", histogram.width, self.context)
        self.solver.add(some_row(histogram, met, budget, self.context))
        for boolean, tracker in zip(met, self.trackers, strict=True):
            self.solver.add(z3.Implies(tracker, boolean))

    def satisfiable(self, subset: Iterable[int]) -> bool:
        """Return whether some row meets the subset."""
        return decided(self.solver, self.budget, [self.trackers[j] for j in sorted(subset)])

    def core(self) -> frozenset[int]:
        """Return the unsat core of the last refusal, not yet minimal."""
        names = {str(tracker) for tracker in self.solver.unsat_core()}
        return frozenset(j for j, tracker in enumerate(self.trackers) if str(tracker) in names)

    def shrink(self, conflict: frozenset[int]) -> frozenset[int]:
        """Return a MUS inside an infeasible subset, by deleting one constraint after another."""
        for member in sorted(conflict):
            if member in conflict and not self.satisfiable(conflict - {member}):
                conflict = self.core()
        return conflict

    def grow(self, subset: frozenset[int]) -> frozenset[int]:
        """Return an MSS around a satisfiable subset."""
        for other in range(len(self.trackers)):
            if other not in subset and self.satisfiable(subset | {other}):
                subset |= {other}
        return subset


def minimised_core(histogram: MaskHistogram, budget: Budget) -> frozenset[int] | None:
    """Return one MUS: Z3's unsat core, shrunk by deletion; None if the query is satisfiable.

    Raises `Stopped` when Z3 does not decide within the budget, and for an incomplete
    histogram without a row that meets everything, from which no conflict follows.
    """
    table = Table(histogram, budget)
    if table.satisfiable(range(histogram.width)):
        return None
    if not histogram.complete:
        raise Stopped
    return table.shrink(table.core())
