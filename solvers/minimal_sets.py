"""All minimal conflicts (MUS), minimal repairs (MCS) and maximal satisfiable subsets (MSS)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.vectors.kernel_use import kernels_are_loaded
from .histogram import MaskHistogram
from .hitting_sets import minimal_hitting_sets
from .limits import Budget, StoppedBy
from .masks import Masks, Sets, in_order_of_size, listed, mask_of, sets_of

LATTICE_WIDTH = 16
"""Up to this many constraints all 2^k subsets are looked at; beyond, the maximal masks are."""

WIDE_LATTICE = 20
"""Up to this many all subsets still are where row masks are many: 8 MiB of counts."""

MANY_MASKS = 1_000
"""From so many distinct row masks on, reading 2^20 subsets costs less than their hitting sets."""

NUMPY_WIDTH = 12
"""Up to this many constraints NumPy is fast enough not to load the kernels for."""


@dataclass(frozen=True, eq=False)
class MinimalSets:
    """Sets of constraint positions, each in a fixed order: smallest first, then by position.

    `conflicts` are the MUSes, `repairs` the MCSes, `maximal` the MSSes (complements of the
    repairs, in their order). A satisfiable query has no conflicts and the empty repair; a
    base slice without rows has the empty conflict and no repairs. With `stopped_by` the sets
    listed are right and some may be missing.

    They are held as masks of `width` bits, uint64[n] in any order, and listed where read.
    """

    conflict_masks: Masks
    repair_masks: Masks
    width: int
    stopped_by: StoppedBy | None = None

    @classmethod
    def of(
        cls,
        conflicts: Iterable[Iterable[int]],
        repairs: Iterable[Iterable[int]],
        width: int,
        stopped_by: StoppedBy | None = None,
    ) -> MinimalSets:
        """Return the sets given by their positions."""
        masks = [
            np.array([mask_of(positions) for positions in sets], dtype=np.uint64)
            for sets in (conflicts, repairs)
        ]
        return cls(masks[0], masks[1], width, stopped_by)

    @property
    def complete(self) -> bool:
        """Whether all sets are listed."""
        return self.stopped_by is None

    @cached_attribute
    def conflicts(self) -> Sets:
        """The MUSes."""
        return listed(self.conflict_masks, self.width)

    @cached_attribute
    def repairs(self) -> Sets:
        """The MCSes."""
        return listed(self.repair_masks, self.width)

    @cached_attribute
    def maximal(self) -> Sets:
        """The MSSes."""
        full = np.uint64((1 << self.width) - 1)
        return sets_of(full & ~in_order_of_size(self.repair_masks, self.width))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MinimalSets):
            return NotImplemented
        return (self.conflicts, self.repairs, self.stopped_by) == (
            other.conflicts,
            other.repairs,
            other.stopped_by,
        )

    __hash__ = None  # type: ignore[assignment]


def minimal_sets(
    histogram: MaskHistogram, budget: Budget, *, lattice_width: int = LATTICE_WIDTH
) -> MinimalSets:
    """Return the MUSes, MCSes and MSSes of a histogram.

    An MSS is a maximal row mask, an MCS its complement, a MUS a minimal hitting set of the
    MCSes (Reiter 1987; Liffiton and Sakallah 2008). From an incomplete histogram no
    conflict is concluded, since a row not read may satisfy it; its repairs hold, as each has
    a row, though smaller ones may exist.
    """
    many = len(histogram.masks) >= MANY_MASKS and lattice_width == LATTICE_WIDTH
    if histogram.width <= (WIDE_LATTICE if many else lattice_width):
        sets = _of_lattice(histogram)
    else:
        sets = _of_maximal_masks(histogram, budget)
    if not histogram.complete:
        nothing = sets.conflict_masks[:0]
        sets = replace(sets, conflict_masks=nothing, stopped_by=histogram.stopped_by)
    return at_most(budget.max_sets, sets)


def at_most(most: int, sets: MinimalSets) -> MinimalSets:
    """Return the sets, with the limit of so many conflicts and so many repairs applied."""
    if max(len(sets.conflict_masks), len(sets.repair_masks)) <= most:
        return sets
    conflicts = in_order_of_size(sets.conflict_masks, sets.width)
    repairs = in_order_of_size(sets.repair_masks, sets.width)
    return MinimalSets(conflicts[:most], repairs[:most], sets.width, "limit")


def _of_lattice(histogram: MaskHistogram) -> MinimalSets:
    """Read the sets off the 2^k lattice of subsets."""
    conflicts, maximal = extremes(histogram)
    return MinimalSets(conflicts, ~maximal & np.uint64(histogram.full), histogram.width)


def extremes(histogram: MaskHistogram) -> tuple[Masks, Masks]:
    """Return the minimal infeasible and the maximal feasible subsets, uint64 each.

    By kernels, once they are loaded, for many constraints or a large catalog: k · 2^(k−1)
    additions and at most as many looks; else by NumPy, 3 · k · 2^k operations on bytes.
    """
    is_long = histogram.width > NUMPY_WIDTH or histogram.by_kernels
    if is_long and kernels_are_loaded():
        from . import kernels

        sums = histogram.subset_counts
        conflicts, maximal = np.empty(len(sums), np.uint64), np.empty(len(sums), np.uint64)
        ends = kernels.minimal_and_maximal(sums, histogram.width, conflicts, maximal)
        return conflicts[: ends[0]], maximal[: ends[1]]
    feasible = feasible_subsets(histogram)
    is_maximal, is_conflict = feasible.copy(), ~feasible
    for bit in range(histogram.width):
        known = _without_and_with(feasible, bit)
        _without_and_with(is_maximal, bit)[:, 0] &= ~known[:, 1]
        _without_and_with(is_conflict, bit)[:, 1] &= known[:, 0]
    return np.flatnonzero(is_conflict).astype(np.uint64), np.flatnonzero(is_maximal).astype(
        np.uint64
    )


def feasible_subsets(histogram: MaskHistogram) -> NDArray[np.bool_]:
    """Return bool[2^k]: whether some row meets every constraint of the subset."""
    feasible = np.zeros(1 << histogram.width, dtype=np.bool_)
    feasible[histogram.masks.astype(np.intp)] = True
    for bit in range(histogram.width):
        pairs = _without_and_with(feasible, bit)
        pairs[:, 0] |= pairs[:, 1]
    return feasible


def _without_and_with(subsets: NDArray[np.bool_], bit: int) -> NDArray[np.bool_]:
    """Return a view bool[·, 2, 2^bit] that sets each subset beside the one with the bit added."""
    return subsets.reshape(-1, 2, 1 << bit)


def _of_maximal_masks(histogram: MaskHistogram, budget: Budget) -> MinimalSets:
    maximal, complete = maximal_masks(histogram.masks, budget)
    failed = ~maximal & np.uint64(histogram.full)
    if not complete:
        return MinimalSets(failed[:0], failed, histogram.width, "deadline")
    conflicts, stopped_by = minimal_hitting_sets(failed.tolist(), budget)
    return MinimalSets(np.array(conflicts, dtype=np.uint64), failed, histogram.width, stopped_by)


def maximal_masks(masks: Masks, budget: Budget) -> tuple[Masks, bool]:
    """Return the masks that no other mask contains, and whether all masks were looked at.

    Masks are taken with most bits first, so that a mask is maximal if no maximal mask found
    before contains it: cost (number of masks) · (number of maximal ones) / 2.
    """
    order = np.lexsort((masks, -np.bitwise_count(masks).astype(np.int64)))
    remaining = masks[order]
    maximal: list[int] = []
    while len(remaining):
        if budget.expired:
            return np.array(maximal, dtype=np.uint64), False
        top = remaining[0]
        maximal.append(int(top))
        remaining = remaining[(remaining & ~top) != 0]
    return np.array(maximal, dtype=np.uint64), True
