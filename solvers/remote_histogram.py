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

if TYPE_CHECKING:
    from ..catalogs.remote.remote_slice import RemoteSlice
    from ..catalogs.remote.remote_snapshot import RemoteSnapshot

PRIME, FACTOR = 1_000_003, 7_919
"""Keys are spread over so many remainders by such a step, whatever their order."""


def remote_histogram(problem: Problem, budget: Budget) -> MaskHistogram:
    """Return the mask histogram with first keys; `problem.slice` then knows its ends."""
    base = cast("RemoteSlice", problem.slice)
    catalog: Any = problem.catalog
    try:
        found: Any = catalog.execute(histogram_expression(problem), budget)
    except DeadlinePassed:
        return nothing_read(problem.width)
    base.take_ends(catalog.read_ends(found, base.wanted))
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
    ends = catalog.end_expressions(table, base.wanted)
    grouped = table.group_by(**bits) if bits else table
    return grouped.aggregate(**counted, **ends)


def sampled(catalog: RemoteSnapshot, table: Any, share: float) -> Any:
    """Return the rows of a table that a sample has: the same ones every time."""
    if share >= 1.0:
        return table
    spread = ((table[catalog.key] % PRIME + PRIME) % PRIME * FACTOR) % PRIME
    return table.filter(spread < max(1, round(share * PRIME)))
