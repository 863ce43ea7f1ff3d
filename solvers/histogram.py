"""The mask histogram: everything about an infeasible conjunctive query follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .limits import StoppedBy, Verdict

Masks = NDArray[np.uint64]
Counts = NDArray[np.int64]


def mask_of(positions: Iterable[int]) -> int:
    """Return the mask with these bits set."""
    return sum(1 << position for position in set(positions))


def positions_of(mask: int) -> frozenset[int]:
    """Return the positions of the bits set in the mask."""
    positions: list[int] = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return frozenset(positions)


def in_order(sets: Iterable[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """Return the sets smallest first, then by their positions: the same order every time."""
    return tuple(sorted(sets, key=lambda one: (len(one), sorted(one))))


def sets_of(masks: Iterable[int]) -> tuple[frozenset[int], ...]:
    """Return masks as sets of positions, in the order of `in_order`."""
    return tuple(positions_of(mask) for mask in sorted(masks, key=_size_then_positions))


def _size_then_positions(mask: int) -> tuple[int, int]:
    # Of masks of one size the one with the lower positions has the greater mirror image.
    return mask.bit_count(), -int(f"{mask:064b}"[::-1], 2)


@dataclass(frozen=True, eq=False)
class MaskHistogram:
    """Distinct row masks of a base slice with their row counts.

    `masks` is uint64[m] ascending: bit j says that constraint j is met. `counts` is int64[m].
    `width` is the number of constraints. Not `complete` when a limit stopped the reading
    (`stopped_by`): then the masks listed occur, their counts are lower bounds, and others may
    be missing.
    """

    width: int
    masks: Masks
    counts: Counts
    stopped_by: StoppedBy | None = None

    @property
    def complete(self) -> bool:
        """Whether every row of the base slice was read."""
        return self.stopped_by is None

    @property
    def full(self) -> int:
        """The mask of a row that meets everything."""
        return (1 << self.width) - 1

    @property
    def rows(self) -> int:
        """The number of rows read: those of the base slice, if complete."""
        return int(self.counts.sum())

    def count(self, positions: Iterable[int]) -> int:
        """Return how many rows meet the constraints at these positions (a superset sum).

        Raises `IndexError` for a position that no constraint has.
        """
        mask = mask_of(positions)
        if mask > self.full:
            raise IndexError(f"position {mask.bit_length() - 1} of {self.width} constraints")
        return self.count_mask(mask)

    def count_mask(self, mask: int) -> int:
        """Return how many rows meet every constraint of the mask."""
        wanted = np.uint64(mask)
        return int(self.counts[(self.masks & wanted) == wanted].sum())

    def drop_one_counts(self) -> tuple[int, ...]:
        """Return c_j for every j: rows that meet all constraints but j (AWARE-US, section 2.3)."""
        return tuple(self.count_mask(self.full & ~(1 << j)) for j in range(self.width))

    def feasible(self, mask: int) -> bool:
        """Return whether some row read meets every constraint of the mask."""
        wanted = np.uint64(mask)
        return bool(np.any((self.masks & wanted) == wanted))

    @property
    def verdict(self) -> Verdict:
        """SAT if some row meets everything; UNSAT only if every row was read."""
        if self.feasible(self.full):
            return Verdict.SAT
        return Verdict.UNSAT if self.complete else Verdict.UNKNOWN

    def with_all(self, mask: int) -> MaskHistogram:
        """Return the histogram of the rows that meet every constraint of the mask."""
        wanted = np.uint64(mask)
        chosen = (self.masks & wanted) == wanted
        return MaskHistogram(self.width, self.masks[chosen], self.counts[chosen], self.stopped_by)

    def by_unit(self, units: Sequence[Sequence[int]]) -> MaskHistogram:
        """Return the histogram over units of constraints: a unit is met when all its members are.

        Bit u of the new masks stands for `units[u]`.
        """
        masks = np.zeros_like(self.masks)
        for bit, unit in enumerate(units):
            wanted = np.uint64(mask_of(unit))
            masks |= ((self.masks & wanted) == wanted).astype(np.uint64) << np.uint64(bit)
        return tally(len(units), masks, self.counts, self.stopped_by)


def nothing_read(width: int) -> MaskHistogram:
    """Return the histogram of a reading that the deadline stopped before its first row."""
    return MaskHistogram(
        width, np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64), "deadline"
    )


def tally(
    width: int, masks: Masks, counts: Counts, stopped_by: StoppedBy | None = None
) -> MaskHistogram:
    """Return a histogram of masks that may repeat; equal masks are added up."""
    distinct, inverse = np.unique(masks, return_inverse=True)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, inverse, counts)
    return MaskHistogram(width, distinct.astype(np.uint64), totals, stopped_by)
