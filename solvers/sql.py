"""The `sql` solver: the mask histogram as one GROUP BY in DuckDB."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ..catalogs.deadline import DeadlinePassed
from ..catalogs.interrupts import interrupted_at
from ..catalogs.query.predicate import Predicate, conjunction
from ..catalogs.vectors.kernel_use import kernels_are_used
from ..catalogs.versions.predicate_evaluation import as_query_error
from .histogram import MaskHistogram, nothing_read
from .limits import Budget
from .masks import Counts, Masks
from .piecewise import AMPLE, read_piecewise
from .problem import Problem
from .solver import Solver

SECONDS = 10e-9
"""What grouping one row takes for each constraint, or less."""


class SqlSolver(Solver):
    """One GROUP BY over computed masks; for data that a database should scan."""

    name = "sql"

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram; the statement is interrupted at the deadline.

        Where time is short DuckDB is asked for some rows after others instead.
        """
        self.check_width(problem)
        if problem.catalog.is_remote:
            from .remote_histogram import remote_histogram

            return remote_histogram(problem, budget)
        seconds = SECONDS * problem.catalog.universe * (1 + problem.width)
        if not budget.is_endless and budget.remaining < AMPLE * seconds:
            by_kernels = kernels_are_used(problem.catalog.row_count)
            return read_piecewise(problem, budget, by_kernels=by_kernels, in_duckdb=True)
        statement, values = histogram_statement(problem)
        cursor = problem.catalog.cursor()
        try:
            with as_query_error(), interrupted_at(cursor, budget):
                columns = cast("dict[str, Any]", cursor.execute(statement, values).fetchnumpy())
        except DeadlinePassed:
            return nothing_read(problem.width)
        masks: Masks = np.asarray(columns["mask"], dtype=np.uint64)
        counts: Counts = np.asarray(columns["n"], dtype=np.int64)
        return MaskHistogram(problem.width, masks, counts)


def histogram_statement(problem: Problem) -> tuple[str, list[Any]]:
    """Return the statement and its values; its rows are (mask, count), ascending by mask."""
    condition, base_values = conjunction(problem.base_predicates)
    terms = [_term(bit, predicate) for bit, predicate in enumerate(problem.predicates)]
    mask = " + ".join(terms) or "CAST(0 AS UBIGINT)"
    values = [value for predicate in problem.predicates for value in predicate.values]
    statement = (
        # By position: a column of the catalog may be called mask.
        f"SELECT {mask} AS mask, count(*) AS n FROM {problem.catalog.rows_clause} "
        f"WHERE {condition} GROUP BY 1 ORDER BY 1"
    )
    return statement, [*values, *base_values]


def _term(bit: int, predicate: Predicate) -> str:
    return f"CASE WHEN {predicate.sql} THEN {1 << bit}::UBIGINT ELSE 0::UBIGINT END"
