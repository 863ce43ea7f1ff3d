"""A solver of your own: copy, rename, and offer it as an entry point.

    [project.entry-points."concede.solvers"]
    sets = "my_package.solver:SetSolver"

`concede repair --solver sets` and `RepairEngine(catalog, solver="sets")` then use it. A
built-in one is a file in `solvers/` and a line in `solvers/registry.py`. Either way
`tests/contract` runs it against the same suite as all others.
"""

from collections import Counter

import numpy as np

from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget
from concede.solvers.problem import Problem
from concede.solvers.solver import Solver


class SetSolver(Solver):
    """Python sets of row ids: produce the mask histogram, and all else is shared."""

    name = "sets"

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Count the rows of the base slice by the constraints they meet."""
        masks = dict.fromkeys(problem.base_slice.ids.tolist(), 0)
        for bit, predicate in enumerate(problem.predicates):
            if budget.expired:
                # Say so: what is missing is then UNKNOWN, not UNSAT.
                return MaskHistogram(
                    problem.width, np.zeros(0, np.uint64), np.zeros(0, np.int64), "deadline"
                )
            for row in problem.catalog.rows(predicate).ids.tolist():
                if row in masks:
                    masks[row] |= 1 << bit
        counted = sorted(Counter(masks.values()).items())
        return MaskHistogram(
            problem.width,
            np.array([mask for mask, _ in counted], dtype=np.uint64),
            np.array([count for _, count in counted], dtype=np.int64),
        )
