"""The `bitset` solver: mask histograms from roaring row sets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..catalogs.row_set import RowSet
from .histogram import MaskHistogram, Masks, nothing_read, tally
from .limits import Budget, StoppedBy
from .problem import Problem
from .solver import Solver

SPARSE_ROWS = 16_384
"""A base slice up to this size is looked up row by row in the roaring sets: that costs the
size of the slice rather than of the catalog, and starts without loading the kernels."""

BATCH_CHUNKS = 16
"""Chunks handed to a kernel at once: 2²⁰ rows, 128 KiB of words a constraint."""


class BitsetSolver(Solver):
    """Numba kernels over roaring row sets; chunks the base slice does not touch are not read."""

    name = "bitset"

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram; stops between constraints and between batches of chunks."""
        self.check_width(problem)
        universe = problem.base_slice
        sets: list[RowSet] = []
        for predicate in problem.predicates:
            if budget.expired:
                return nothing_read(problem.width)
            sets.append(problem.catalog.rows(predicate))
        if len(universe) <= SPARSE_ROWS:
            return _sparse(universe, sets)
        return _dense(universe, sets, budget)


def _sparse(universe: RowSet, sets: list[RowSet]) -> MaskHistogram:
    ids = universe.ids
    masks = np.zeros(len(ids), dtype=np.uint64)
    for bit, rows in enumerate(sets):
        masks[np.searchsorted(ids, (rows & universe).ids)] |= np.uint64(1) << np.uint64(bit)
    return tally(len(sets), masks, np.ones(len(ids), dtype=np.int64))


def _dense(universe: RowSet, sets: list[RowSet], budget: Budget) -> MaskHistogram:
    from .kernels import DENSE_WIDTH

    read = _counted if len(sets) <= DENSE_WIDTH else _collected
    return read(_Batches(universe, sets, budget), len(sets))


class _Batches:
    """Words uint64[n] of the base and uint64[k, n] of the constraints, until the deadline."""

    def __init__(self, universe: RowSet, sets: list[RowSet], budget: Budget) -> None:
        self.universe = universe
        self.sets = sets
        self.budget = budget
        self.stopped_by: StoppedBy | None = None

    def __iter__(self) -> Iterator[tuple[Masks, Masks]]:
        chunks = self.universe.chunks
        for start in range(0, len(chunks), BATCH_CHUNKS):
            if self.budget.expired:
                self.stopped_by = "deadline"
                return
            batch = chunks[start : start + BATCH_CHUNKS]
            base = self.universe.words[batch].reshape(-1)
            constraints = np.empty((len(self.sets), len(base)), dtype=np.uint64)
            for bit, rows in enumerate(self.sets):
                constraints[bit] = rows.words[batch].reshape(-1)
            yield base, constraints


def _counted(batches: _Batches, width: int) -> MaskHistogram:
    """Count masks in a table of 2^width."""
    from . import kernels

    table = np.zeros(1 << width, dtype=np.int64)
    for base, constraints in batches:
        kernels.count_masks(base, constraints, table)
    occurring = np.flatnonzero(table)
    return MaskHistogram(width, occurring.astype(np.uint64), table[occurring], batches.stopped_by)


def _collected(batches: _Batches, width: int) -> MaskHistogram:
    """Write masks out, batch by batch, and tally them."""
    from . import kernels

    masks, counts = [np.zeros(0, dtype=np.uint64)], [np.zeros(0, dtype=np.int64)]
    for base, constraints in batches:
        written = np.empty(int(np.bitwise_count(base).sum()), dtype=np.uint64)
        kernels.write_masks(base, constraints, written)
        part = tally(width, written, np.ones(len(written), dtype=np.int64))
        masks.append(part.masks)
        counts.append(part.counts)
    return tally(width, np.concatenate(masks), np.concatenate(counts), batches.stopped_by)
