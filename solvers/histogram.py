"""The mask histogram: how many rows meet exactly which constraints.

Conflicts, repairs and drop-one counts all follow from it, without reading rows again: a count
of rows that meet at least some constraints is the sum over the masks that contain them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.vectors.kernel_use import kernels_are_loaded
from .limits import StoppedBy, Verdict
from .masks import Counts, Masks, mask_of


@dataclass(frozen=True, eq=False)
class MaskHistogram:
    """Distinct row masks of a base slice with their row counts.

    `masks` is uint64[m] ascending: bit j says that constraint j is met. `counts` is int64[m].
    `width` is the number of constraints. Not `complete` when a limit stopped the reading
    (`stopped_by`): then the masks listed occur, their counts are lower bounds, and others may
    be missing. `by_kernels` says that the catalog is so large that kernels read it: they also
    compute what follows then, while small catalogs never load them.
    """

    width: int
    masks: Masks
    counts: Counts
    stopped_by: StoppedBy | None = None
    by_kernels: bool = False

    @property
    def complete(self) -> bool:
        """Whether every row of the base slice was read."""
        return self.stopped_by is None

    @cached_attribute
    def full(self) -> int:
        """The mask of a row that meets everything."""
        return (1 << self.width) - 1

    @cached_attribute
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
        if "subset_counts" in self.__dict__:
            return int(self.subset_counts[mask])
        wanted = np.uint64(mask)
        return int(self.counts[(self.masks & wanted) == wanted].sum())

    @cached_attribute
    def subset_counts(self) -> Counts:
        """For every subset how many rows meet at least it, int64[2^k]: the superset sums.

        Costs 8 · 2^k bytes and k · 2^(k−1) additions; for up to about 20 constraints.
        """
        sums = np.zeros(1 << self.width, dtype=np.int64)
        sums[self.masks.astype(np.intp)] = self.counts
        if kernels_are_loaded():
            from .kernels import superset_sums

            superset_sums(sums, self.width)
            return sums
        for bit in range(self.width):
            pairs = sums.reshape(-1, 2, 1 << bit)
            pairs[:, 0] += pairs[:, 1]
        return sums

    @cached_attribute
    def _occupied(self) -> bytes:
        """For every subset whether some row meets at least it: read dozens of times an answer."""
        return (self.subset_counts != 0).tobytes()

    def drop_one_counts(self) -> tuple[int, ...]:
        """Return c_j for every j: rows that meet all constraints but j (AWARE-US, section 2.3)."""
        if "subset_counts" in self.__dict__:
            return tuple([int(self.subset_counts[self.full ^ 1 << j]) for j in range(self.width)])
        bits = np.uint64(1) << np.arange(self.width, dtype=np.uint64)
        met = (self.masks[:, None] | bits) == np.uint64(self.full)
        return tuple((self.counts @ met).tolist())

    def feasible(self, mask: int) -> bool:
        """Return whether some row read meets every constraint of the mask."""
        if "subset_counts" in self.__dict__:
            return self._occupied[mask] != 0
        wanted = np.uint64(mask)
        return bool(np.any((self.masks & wanted) == wanted))

    @cached_attribute
    def verdict(self) -> Verdict:
        """SAT if some row meets everything; UNSAT only if every row was read."""
        if self.feasible(self.full):
            return Verdict.SAT
        return Verdict.UNSAT if self.complete else Verdict.UNKNOWN

    def witness(self, mask: int) -> int | None:
        """Return the number, as `Catalog.fetch` takes it, of a row read that meets a mask."""
        return None

    def with_all(self, mask: int) -> MaskHistogram:
        """Return the histogram of the rows that meet every constraint of the mask."""
        wanted = np.uint64(mask)
        chosen = (self.masks & wanted) == wanted
        return replace(self, masks=self.masks[chosen], counts=self.counts[chosen])

    def by_unit(self, units: Sequence[Sequence[int]]) -> MaskHistogram:
        """Return the histogram over units of constraints: a unit is met when all its members are.

        Bit u of the new masks stands for `units[u]`.
        """
        masks = np.zeros_like(self.masks)
        for bit, unit in enumerate(units):
            wanted = np.uint64(mask_of(unit))
            masks |= ((self.masks & wanted) == wanted).astype(np.uint64) << np.uint64(bit)
        return replace(
            tally(len(units), masks, self.counts, self.stopped_by), by_kernels=self.by_kernels
        )


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
