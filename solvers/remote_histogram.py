"""The mask histogram of a remote catalog: one statement, grouped by booleans.

It also brings the first key of every mask and the ends of the columns that rows are measured by, at
1.07 times a histogram's cost alone. Of a sample only the rows whose hashed keys are low are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..catalogs.deadline import DeadlinePassed
from .histogram import MaskHistogram, nothing_read
from .limits import Budget
from .problem import Problem
from .remote_sample import sampled

if TYPE_CHECKING:
    from ..catalogs.remote.remote_slice import Ends, RemoteSlice
    from ..catalogs.remote.remote_snapshot import RemoteSnapshot


def remote_histogram(problem: Problem, budget: Budget) -> MaskHistogram:
    """Return the mask histogram with first keys; `problem.slice` then knows its ends.

    In Spark's executors where the catalog was opened so.
    """
    base = cast("RemoteSlice", problem.slice)
    catalog: Any = problem.catalog
    if catalog.facts.in_executors:
        from .executor_histogram import executor_histogram

        return executor_histogram(problem, budget)
    try:
        found: Any = catalog.execute(histogram_expression(problem), budget)
        base.take_ends(_finite_ends(problem, found, budget))
    except DeadlinePassed:
        return nothing_read(problem.width)
    counts = np.array(found.column("n").to_pylist(), dtype=np.int64)
    masks = np.zeros(len(counts), dtype=np.uint64)
    for bit in range(problem.width):
        met = np.array(found.column(f"b{bit}").to_pylist(), dtype=bool)
        masks |= met.astype(np.uint64) << np.uint64(bit)
    keys: list[int | None] = found.column("first").to_pylist()
    firsts = np.array([key or 0 for key in keys], dtype=np.int64)
    order = np.argsort(masks, kind="stable")
    order = order[counts[order] > 0]
    return MaskHistogram(
        problem.width,
        masks[order],
        counts[order],
        stopped_by="sample" if base.share < 1.0 else None,
        firsts=firsts[order],
    )


def histogram_expression(problem: Problem) -> Any:
    """Return the statement: a boolean for each constraint, rows `n`, `first` key, and ends."""
    base, catalog = cast("RemoteSlice", problem.slice), cast("RemoteSnapshot", problem.catalog)
    table = sampled(catalog, catalog.where(base.predicates), base.share)
    bits = {f"b{at}": catalog.expression(each) for at, each in enumerate(problem.predicates)}
    counted = {"n": table.count(), "first": table[catalog.key].min()}
    ends = catalog.end_expressions(table, base.wanted, finite=False)
    grouped = table.group_by(**bits) if bits else table
    return grouped.aggregate(**counted, **ends)


def _finite_ends(problem: Problem, found: Any, budget: Budget) -> dict[str, Ends]:
    """Return the ends that a histogram brought; where one is infinite, asked again without."""
    base, catalog = cast("RemoteSlice", problem.slice), cast("RemoteSnapshot", problem.catalog)
    ends = catalog.read_ends(found, base.wanted)
    endless = [name for name, each in ends.items() if each and not np.isfinite(each).all()]
    if endless:
        table = sampled(catalog, catalog.where(base.predicates), base.share)
        asked = table.aggregate(**catalog.end_expressions(table, endless))
        ends |= catalog.read_ends(catalog.execute(asked, budget), endless)
    return ends
