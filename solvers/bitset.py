"""The `bitset` solver: counts the masks of rows, by kernels where these are used, else by NumPy.

Kernels read each word of each row set once; large slices are read by several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..catalogs.vectors.kernel_use import kernels_are_used
from ..catalogs.vectors.row_set import RowSet, intersection
from .histogram import MaskHistogram, nothing_read, tally
from .limits import Budget, StoppedBy
from .masks import Counts, Masks
from .parallel_chunks import run_chunks
from .problem import Problem
from .solver import Solver

BATCH_WORDS = 16_384
"""Words read between two looks at the clock: 2²⁰ rows, 128 KiB a constraint."""

PARALLEL_ROWS = 524_288
"""Slices of so many rows are worth a second thread; each takes 2¹⁷ rows at a time."""

CHUNK_WORDS = 2_048
"""The words that a thread takes at a time."""

PIECE_WORDS = 1_024
"""Words of each constraint that NumPy reads at once: 2¹⁶ rows."""

FIRST_SLOTS = 4_096
"""The first size of the hash table of masks."""

AT_ONCE = 4
"""Row sets that are read side by side where rows are only counted."""


class BitsetSolver(Solver):
    """Row sets as dense words, by place of the base slice; rows outside it are not read."""

    name = "bitset"

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram; stops between constraints and between batches of words."""
        self.check_width(problem)
        if not _evaluated(problem, budget):
            return nothing_read(problem.width)
        read = by_kernels if kernels_are_used(problem.catalog.row_count) else by_numpy
        return read(problem.slice.words, problem.stack, budget)

    def count(self, problem: Problem, budget: Budget) -> tuple[int, StoppedBy | None]:
        """Return how many rows meet everything, by one pass over the row sets."""
        self.check_width(problem)
        if not _evaluated(problem, budget):
            return 0, "deadline"
        if not kernels_are_used(problem.catalog.row_count):
            sets = [problem.base_slice, *problem.row_sets]
            return len(intersection(sets, problem.catalog.universe)), None
        sets = list(problem.row_sets)
        if problem.base_predicates or not sets:
            sets.insert(0, problem.base_slice)
        return count_all(sets), None


def _evaluated(problem: Problem, budget: Budget) -> bool:
    """Evaluate one constraint after another; return whether the deadline left time for all."""
    if "row_sets" in problem.__dict__:
        return True
    for predicate in problem.predicates:
        if budget.expired:
            return False
        problem.catalog.rows(predicate)
    return True


def count_all(sets: Sequence[RowSet]) -> int:
    """Return how many rows lie in all of the sets.

    Four sets are read side by side: at 10⁶ rows that is 500 KB read once. More sets are first
    brought to four. Raises `ValueError` without a set.
    """
    from .kernels import count_common

    if not sets:
        raise ValueError("no row sets: give at least one")
    words = [rows.flat for rows in sets[:AT_ONCE]]
    if len(sets) > AT_ONCE:
        words[-1] = np.bitwise_and.reduce([rows.flat for rows in sets[AT_ONCE - 1 :]])
    words += words[-1:] * (AT_ONCE - len(words))
    return count_common(words[0], words[1], words[2], words[3])


def by_numpy(base: Masks, stack: Masks, budget: Budget) -> MaskHistogram:
    """Return the histogram by NumPy, piece by piece. base: uint64[n]; stack: uint64[k, n].

    Holds up to 17 bytes for each row of a piece, whatever the number of rows.
    """
    parts, stopped_by = [_counted(_masks(base[:0], stack[:, :0]))], None
    for start in range(0, len(base), PIECE_WORDS):
        if start and budget.expired:
            stopped_by = "deadline"
            break
        piece = slice(start, start + PIECE_WORDS)
        parts.append(_counted(_masks(base[piece], stack[:, piece])))
    masks, counts = map(np.concatenate, zip(*parts, strict=True))
    return tally(len(stack), masks, counts, stopped_by)


def _counted(masks: NDArray[np.unsignedinteger]) -> tuple[Masks, Counts]:
    """Return the distinct masks and their counts."""
    if masks.itemsize > 2 or masks.size < 1 << 8 * masks.itemsize:
        distinct, counts = np.unique(masks, return_counts=True)
        return distinct.astype(np.uint64), counts.astype(np.int64)
    counts = np.bincount(masks)
    distinct = np.flatnonzero(counts)
    return distinct.astype(np.uint64), counts[distinct]


def _masks(base: Masks, stack: Masks) -> NDArray[np.unsignedinteger]:
    """Return the mask of each base row, in as few bytes as it takes."""
    rows = np.flatnonzero(_bits(base))
    kind = np.min_scalar_type((1 << len(stack)) - 1).type
    masks = np.zeros(len(rows), dtype=kind)
    if len(rows):
        for position, words in enumerate(stack):
            masks |= _bits(words)[rows].astype(kind) << kind(position)
    return masks


def _bits(words: Masks) -> NDArray[np.uint8]:
    return np.unpackbits(words.view(np.uint8), bitorder="little")


def by_kernels(base: Masks, stack: Masks, budget: Budget) -> MaskHistogram:
    """Return the histogram by kernels. base: uint64[n]; stack: uint64[k, n].

    Up to 16 constraints are counted in a table of all masks, more in a hash table of those that
    occur.
    """
    from . import kernels

    if len(stack) <= kernels.SUBSET_WIDTH:
        return _tabled(base, stack, budget, kernels.SUBSET_WIDTH, kernels.count_subsets)
    if len(stack) <= kernels.BYTE_WIDTH:
        return _tabled(base, stack, budget, kernels.BYTE_WIDTH, kernels.count_bytes)
    if len(stack) <= kernels.DENSE_WIDTH:
        return _tabled(base, stack, budget, kernels.DENSE_WIDTH, kernels.count_pairs)
    return _hashed(base, stack, budget)


def _tabled(
    base: Masks,
    stack: Masks,
    budget: Budget,
    width: int,
    count: Callable[[Masks, Masks, int, int, Counts], None],
) -> MaskHistogram:
    threads = budget.threads if 64 * len(base) >= PARALLEL_ROWS else 1
    step = BATCH_WORDS if threads == 1 else CHUNK_WORDS

    def read(starts: Iterator[int]) -> tuple[Counts, bool]:
        counts = np.zeros(1 << width, dtype=np.int64)
        for start in starts:
            if budget.expired:
                return counts, True
            count(base, stack, start, min(len(base), start + step), counts)
        return counts, False

    parts = run_chunks(range(0, len(base), step), read, threads)
    counts, late = parts[0]
    for more_counts, also_late in parts[1:]:
        counts += more_counts
        late |= also_late
    return _of_table(len(stack), counts, "deadline" if late else None)


def _of_table(width: int, counts: Counts, stopped_by: StoppedBy | None) -> MaskHistogram:
    occurring = np.flatnonzero(counts)
    masks = occurring.astype(np.uint64)
    return MaskHistogram(width, masks, counts[occurring], stopped_by, by_kernels=True)


def _hashed(base: Masks, stack: Masks, budget: Budget) -> MaskHistogram:
    from . import kernels

    masks, counts = _empty_table(FIRST_SLOTS)
    used, stopped_by = 0, None
    for start in range(0, len(base), BATCH_WORDS):
        if budget.expired:
            stopped_by = "deadline"
            break
        word, stop = start, min(len(base), start + BATCH_WORDS)
        while word < stop:
            word, used = kernels.hash_masks(base, stack, word, stop, masks, counts, used)
            if word < stop:
                smaller = masks, counts
                masks, counts = _empty_table(4 * len(masks))
                kernels.rehash(*smaller, masks, counts)
    taken = counts > 0
    order = np.argsort(masks[taken])
    masks, counts = masks[taken][order], counts[taken][order]
    return MaskHistogram(len(stack), masks, counts, stopped_by, by_kernels=True)


def _empty_table(slots: int) -> tuple[Masks, Counts]:
    return np.zeros(slots, dtype=np.uint64), np.zeros(slots, dtype=np.int64)
