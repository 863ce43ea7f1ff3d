"""The `bitset` solver: counts the masks of rows, by kernels where these are used, else by NumPy.

Kernels read each word of each row set once; large slices are read by several threads. Where time
is too short to find the rows of every constraint, all constraints are read over a few rows at a
time instead (`piecewise.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..catalogs.deadline import DeadlinePassed
from ..catalogs.vectors.array_types import Words
from ..catalogs.vectors.kernel_use import kernels_are_used
from .histogram import MaskHistogram, nothing_read
from .limits import Budget, StoppedBy
from .mask_counting import count_masks
from .masks import Masks
from .piecewise import read_in_time, read_piecewise, time_to_read
from .problem import Problem
from .rows_read import RowsRead, first_row
from .solver import Solver

AT_ONCE = 4
"""Row sets that are read side by side where rows are only counted."""


class BitsetSolver(Solver):
    """Row sets as dense words, by place of the base slice; rows outside it are not read."""

    name = "bitset"

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram; stops between pieces of some milliseconds."""
        self.check_width(problem)
        until = time_to_read(problem, budget)
        if until is None:
            return read_piecewise(problem, budget, by_kernels=_by_kernels(problem))
        if not read_in_time(problem, until):
            return nothing_read(problem.width)
        base, stack = problem.slice.words, problem.stack
        by_kernels = _by_kernels(problem)
        few = _of_few_maximal_masks(base, stack, budget) if by_kernels else None
        if few is not None:
            return few
        histogram, read = count_masks(base, stack, budget, by_kernels=by_kernels)
        if histogram.complete:
            return histogram
        # The rows of every constraint are known, so a pass over their words tells the verdict.
        place = first_row(base, stack)
        found = None if place is None else int(problem.slice.row_ids(np.array([place]))[0])
        rows_read = RowsRead(read, stack, problem.slice, found, base, dict(enumerate(stack)))
        return replace(histogram, rows_read=rows_read).with_verdict(found is not None)

    def count(self, problem: Problem, budget: Budget) -> tuple[int, StoppedBy | None]:
        """Return how many rows meet everything, by one pass over the row sets."""
        self.check_width(problem)
        until = time_to_read(problem, budget)
        if until is None:
            histogram = read_piecewise(problem, budget, by_kernels=_by_kernels(problem))
            count = histogram.count_mask(histogram.full)
            return count, None if histogram.proven_empty else histogram.stopped_by
        if not read_in_time(problem, until):
            return 0, "deadline"
        sets = [problem.slice.words, *problem.stack]
        if problem.slice.is_compact or not _by_kernels(problem):
            met = np.bitwise_and.reduce(sets)
            return int(np.bitwise_count(met).sum(dtype=np.int64)), None
        has_base = bool(problem.base_predicates) or len(sets) == 1
        return count_all(sets if has_base else sets[1:]), None


def _of_few_maximal_masks(base: Masks, stack: Masks, budget: Budget) -> MaskHistogram | None:
    from .maximal_histogram import maximal_histogram

    try:
        return maximal_histogram(base, stack, budget)
    except DeadlinePassed:
        return None


def _by_kernels(problem: Problem) -> bool:
    return kernels_are_used(problem.catalog.row_count)


def count_all(sets: Sequence[Words]) -> int:
    """Return how many rows lie in all of the sets, uint64[n] each.

    Four sets are read side by side: at 10⁶ rows that is 500 KB read once. More sets are first
    brought to four. Raises `ValueError` without a set.
    """
    from .kernels import count_common

    if not sets:
        raise ValueError("no row sets: give at least one")
    words = list(sets[:AT_ONCE])
    if len(sets) > AT_ONCE:
        words[-1] = np.bitwise_and.reduce(sets[AT_ONCE - 1 :])
    words += words[-1:] * (AT_ONCE - len(words))
    return count_common(words[0], words[1], words[2], words[3])
