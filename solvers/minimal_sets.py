"""All minimal conflicts (MUS), minimal repairs (MCS) and maximal satisfiable subsets (MSS)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import NEVER, Deadline, DeadlinePassed
from ..catalogs.vectors.kernel_use import kernels_are_loaded
from .histogram import MaskHistogram
from .hitting_sets import minimal_hitting_sets
from .limits import Budget, StoppedBy
from .masks import Masks, Sets, in_order_of_size, listed, mask_of, mirrored, sets_of
from .one_conflict import first_conflict

LATTICE_WIDTH = 16
"""Up to this many constraints all 2^k subsets are looked at; beyond, the maximal masks are."""

WIDE_LATTICE = 20
"""Up to this many all subsets still are where row masks are many: 8 MiB of counts."""

MANY_MASKS = 1_000
"""From so many distinct row masks on, reading 2^20 subsets costs less than their hitting sets."""

FEW_MASKS = 1 << 14
"""Up to so many distinct row masks no conflict is looked for before all are."""

SUBSETS = 1 << 16
"""Subsets looked at between two looks at the clock."""

STEPS = 1 << 18
"""Pairs of masks compared between two looks at the clock."""

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
    conflict is concluded, since a row not read may satisfy it, but one where the rows of every
    constraint are known; its repairs hold, as each has a row, though smaller ones may exist.
    What a deadline leaves is right; where masks are many one conflict is looked for before all.
    """
    histogram = histogram.deciding
    if histogram.table is not None and histogram.complete:
        # At most 5 ms, after which a conflict is found by looking up, and a count by one look.
        histogram.count_subsets(NEVER)
    first = _first_conflict(histogram, budget)
    # Of rows in part read no conflict is concluded, and the larger lattice takes 4 ms and more.
    is_worth_more = histogram.complete and lattice_width == LATTICE_WIDTH
    many = len(histogram.masks) >= MANY_MASKS and is_worth_more
    if histogram.width <= (WIDE_LATTICE if many else lattice_width):
        sets = _of_lattice(histogram, budget)
    else:
        sets = _of_maximal_masks(histogram, budget)
    if not histogram.complete:
        sets = replace(sets, conflict_masks=first, stopped_by=histogram.stopped_by)
    elif not sets.complete and not len(sets.conflict_masks):
        sets = replace(sets, conflict_masks=first)
    return at_most(budget.max_sets, sets)


def _first_conflict(histogram: MaskHistogram, budget: Budget) -> Masks:
    """Return one MUS; none where finding all takes no longer, or there is none or no time."""
    nothing = np.zeros(0, dtype=np.uint64)
    few = len(histogram.masks) < FEW_MASKS or budget.is_endless
    if histogram.complete and few:
        return nothing
    try:
        conflict = first_conflict(histogram, budget)
    except DeadlinePassed:
        return nothing
    return nothing if conflict is None else np.array([conflict], dtype=np.uint64)


def at_most(most: int, sets: MinimalSets) -> MinimalSets:
    """Return the sets, with the limit of so many conflicts and so many repairs applied."""
    if max(len(sets.conflict_masks), len(sets.repair_masks)) <= most:
        return sets
    conflicts = first_in_order(sets.conflict_masks, sets.width, most)
    repairs = first_in_order(sets.repair_masks, sets.width, most)
    return MinimalSets(conflicts, repairs, sets.width, sets.stopped_by or "limit")


def first_in_order(masks: Masks, width: int, most: int) -> Masks:
    """Return the first so many masks in the order of `in_order_of_size`, without sorting all."""
    if len(masks) > most:
        sizes = np.bitwise_count(masks)
        largest = int(np.searchsorted(np.cumsum(np.bincount(sizes)), most))
        smaller, tied = masks[sizes < largest], masks[sizes == largest]
        wanted = most - len(smaller)
        if wanted < len(tied):
            order = ~mirrored(tied, width)
            tied = tied[np.argpartition(order, wanted)[:wanted]]
        masks = np.concatenate([smaller, tied])
    return in_order_of_size(masks, width)


def _of_lattice(histogram: MaskHistogram, budget: Budget) -> MinimalSets:
    """Read the sets off the 2^k lattice of subsets."""
    conflicts, maximal, complete = extremes(histogram, budget)
    repairs = ~maximal & np.uint64(histogram.full)
    return MinimalSets(conflicts, repairs, histogram.width, None if complete else "deadline")


def extremes(histogram: MaskHistogram, until: Deadline) -> tuple[Masks, Masks, bool]:
    """Return the minimal infeasible and the maximal feasible subsets, uint64 each, and whether
    all subsets were looked at.

    By kernels, once they are loaded, for many constraints or a large catalog: k · 2^(k−1)
    additions and at most as many looks; else by NumPy, 3 · k · 2^k operations on bytes.
    """
    is_long = histogram.width > NUMPY_WIDTH or histogram.by_kernels
    if is_long and kernels_are_loaded():
        return _extremes_by_kernels(histogram, until)
    feasible = feasible_subsets(histogram)
    is_maximal, is_conflict = feasible.copy(), ~feasible
    for bit in range(histogram.width):
        known = _without_and_with(feasible, bit)
        _without_and_with(is_maximal, bit)[:, 0] &= ~known[:, 1]
        _without_and_with(is_conflict, bit)[:, 1] &= known[:, 0]
    conflicts, maximal = np.flatnonzero(is_conflict), np.flatnonzero(is_maximal)
    return conflicts.astype(np.uint64), maximal.astype(np.uint64), True


def _extremes_by_kernels(histogram: MaskHistogram, until: Deadline) -> tuple[Masks, Masks, bool]:
    from . import kernels

    nothing = np.zeros(0, dtype=np.uint64)
    conflicts, maximal, complete = [nothing], [nothing], True
    try:
        histogram.count_subsets(until)
        sums = histogram.subset_counts
        for start, stop in until.pieces(len(sums), SUBSETS):
            some, others = np.empty((2, stop - start), dtype=np.uint64)
            ends = kernels.minimal_and_maximal(sums, histogram.width, start, stop, some, others)
            conflicts.append(some[: ends[0]])
            maximal.append(others[: ends[1]])
    except DeadlinePassed:
        complete = False
    return np.concatenate(conflicts), np.concatenate(maximal), complete


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
    maximal, complete = maximal_masks(histogram.masks, budget, by_kernels=histogram.by_kernels)
    failed = ~maximal & np.uint64(histogram.full)
    if not (complete and histogram.complete):
        return MinimalSets(failed[:0], failed, histogram.width, "deadline")
    conflicts, stopped_by = minimal_hitting_sets(failed.tolist(), budget)
    return MinimalSets(np.array(conflicts, dtype=np.uint64), failed, histogram.width, stopped_by)


def maximal_masks(masks: Masks, until: Deadline, *, by_kernels: bool = False) -> tuple[Masks, bool]:
    """Return the masks that no other mask contains, and whether all masks were looked at.

    Masks are taken with most bits first, so that a mask is maximal if no maximal mask found
    before contains it; of one size none contains another. Cost: (number of masks) · (number
    of maximal ones) at most.
    """
    nothing = np.zeros(0, dtype=np.uint64)
    maximal, found = nothing, [nothing]
    try:
        until.check()
        sizes = np.bitwise_count(masks)
        for size in np.flatnonzero(np.bincount(sizes))[::-1].tolist():
            until.check()
            candidates = masks[sizes == size]
            found = [maximal]
            piece = max(64, STEPS // max(1, len(maximal)))
            for start, stop in until.pieces(len(candidates), piece):
                found.append(_uncovered(candidates[start:stop], maximal, by_kernels=by_kernels))
            maximal = np.concatenate(found)
    except DeadlinePassed:
        return np.concatenate(found), False
    return maximal, True


def _uncovered(candidates: Masks, covers: Masks, *, by_kernels: bool) -> Masks:
    """Return the candidates that lie inside none of the covers."""
    if not by_kernels:
        return candidates[(candidates[:, None] & ~covers).all(axis=1)]
    from . import kernels

    kept = np.empty_like(candidates)
    return kept[: kernels.uncovered(candidates, covers, kept)]
