"""The mask histogram: how many rows meet exactly which constraints.

Conflicts, repairs and drop-one counts all follow from it: a count of rows that meet at least some
constraints is the sum over the masks that contain them. Where only the maximal masks are known
(`maximal_histogram.py`) it is read off the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import NEVER, Deadline, DeadlinePassed
from ..catalogs.vectors.kernel_use import kernels_are_loaded
from ..catalogs.vectors.recycled_memory import RECYCLED
from .limits import StoppedBy, Verdict
from .masks import Counts, Masks, mask_of
from .rows_read import RowsRead

BITS_AT_ONCE = 30
"""Superset sums of k constraints go on for 30 − k of them between two looks at the clock."""

TALLIED = 1 << 16
"""Masks tallied between two looks at the clock."""

PIECE = 1 << 15
"""Masks looked through together, with their counts: half of what a core caches."""

SORTED_MASKS = 65_536
"""Up to so many distinct masks are listed in ascending order; sorting more takes too long."""


@dataclass(frozen=True, eq=False)
class MaskHistogram:
    """Distinct row masks of a base slice with their row counts.

    `masks` is uint64[m]: bit j says that constraint j is met; ascending up to 65,536 of them, if
    complete.
    `counts` is int64[m]. `width` is the number of constraints. Not `complete` when a limit
    stopped the reading (`stopped_by`): then the masks listed occur, their counts are lower
    bounds, and others may be missing; `proven_empty` says that, whatever is missing, no row
    meets everything, and `rows_read` has the rows behind the masks; of a complete one, too, where
    there was no time to keep them for the rankers. `by_kernels` says
    that the catalog is so large that kernels read it: they also compute what follows then, while
    small catalogs never load them. `firsts`, int64[m], has the first key of each mask where rows
    stay in their database. `table`, int64[2^k], has the same counts by mask, where they were
    counted so, until `count_subsets` takes it.
    """

    width: int
    masks: Masks
    counts: Counts
    stopped_by: StoppedBy | None = None
    by_kernels: bool = False
    proven_empty: bool = False
    rows_read: RowsRead | None = None
    firsts: Counts | None = None
    table: Counts | None = None

    @property
    def complete(self) -> bool:
        """Whether every row of the base slice was read."""
        return self.stopped_by is None

    @property
    def deciding(self) -> MaskHistogram:
        """A histogram in which the same sets are feasible: of fewer masks where it can be.

        Its counts say nothing else.
        """
        return self

    def count_ahead(self, masks: Iterable[int]) -> None:
        """Have the rows of several masks counted, where that is another reading of the rows."""

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
        return sum(
            int(counts[(masks & wanted) == wanted].sum()) for masks, counts in self._pieces()
        )

    def _pieces(self) -> Iterator[tuple[Masks, Counts]]:
        """Yield masks with their counts, few enough at once to stay in the cache of a core."""
        for start in range(0, len(self.masks), PIECE):
            yield self.masks[start : start + PIECE], self.counts[start : start + PIECE]

    @cached_attribute
    def subset_counts(self) -> Counts:
        """For every subset how many rows meet at least it, int64[2^k]: the superset sums.

        Costs 8 · 2^k bytes and k · 2^(k−1) additions; for up to about 20 constraints.
        """
        self.count_subsets(NEVER)
        return self.__dict__["subset_counts"]

    def count_subsets(self, until: Deadline) -> None:
        """Have `subset_counts` at hand; raise `DeadlinePassed` where time is short."""
        if "subset_counts" in self.__dict__:
            return
        until.check()
        # Summed up where it stands, by whoever takes it first: other memory may be slow to come.
        sums: Counts | None = self.__dict__.pop("table", None)
        if sums is None:
            sums = RECYCLED.zeros(1 << self.width, np.int64)
            sums[self.masks.astype(np.intp)] = self.counts
        for first, last in until.pieces(self.width, max(1, BITS_AT_ONCE - self.width)):
            _add_supersets(sums, first, last)
        self.__dict__.setdefault("subset_counts", sums)

    @cached_attribute
    def _occupied(self) -> bytes:
        """For every subset whether some row meets at least it: read dozens of times an answer."""
        return (self.subset_counts != 0).tobytes()

    def drop_one_counts(self) -> tuple[int, ...]:
        """Return c_j for every j: rows that meet all constraints but j (AWARE-US, section 2.3)."""
        if "subset_counts" in self.__dict__:
            return tuple([int(self.subset_counts[self.full ^ 1 << j]) for j in range(self.width)])
        return self._drop_one_counts

    @cached_attribute
    def _drop_one_counts(self) -> tuple[int, ...]:
        # Few masks lack at most one constraint: they are looked for by their number of bits.
        bits = np.uint64(1) << np.arange(self.width, dtype=np.uint64)
        sums = np.zeros(self.width, dtype=np.int64)
        for masks, counts in self._pieces():
            nearly = np.bitwise_count(masks) >= self.width - 1
            sums += counts[nearly] @ ((masks[nearly, None] | bits) == np.uint64(self.full))
        return tuple(sums.tolist())

    @property
    def is_feasible(self) -> Callable[[int], bool | int]:
        """What tells of masks what `feasible` does, looked up once for the dozens of an answer."""
        return self._occupied.__getitem__ if "subset_counts" in self.__dict__ else self.feasible

    def feasible(self, mask: int) -> bool:
        """Return whether some row read meets every constraint of the mask."""
        if "subset_counts" in self.__dict__:
            return self._occupied[mask] != 0
        wanted = np.uint64(mask)
        return any(bool(((masks & wanted) == wanted).any()) for masks, _ in self._pieces())

    @cached_attribute
    def verdict(self) -> Verdict:
        """SAT if some row meets everything; UNSAT only if it is proven that none does."""
        if self.feasible(self.full):
            return Verdict.SAT
        return Verdict.UNSAT if self.complete or self.proven_empty else Verdict.UNKNOWN

    def witness(self, mask: int) -> int | None:
        """Return the number, as `Catalog.fetch` takes it, of a row read that meets a mask.

        None where no such row was read, and where the rows are not here: of most complete
        histograms they are the ranker's to find.
        """
        if self.firsts is not None:
            wanted = np.uint64(mask)
            found = self.firsts[(self.masks & wanted) == wanted]
            return int(found.min()) if len(found) else None
        return self.rows_read.first(mask) if self.rows_read else None

    def with_verdict(self, found: bool) -> MaskHistogram:
        """Return the histogram of rows in part read, with what is known of all: whether any
        meets everything."""
        if not found:
            return replace(self, proven_empty=True)
        if self.feasible(self.full):
            return self
        masks = np.append(self.masks, np.uint64(self.full))
        counts, firsts = np.append(self.counts, 1), self.firsts
        # Which row it is was not asked.
        firsts = None if firsts is None else np.append(firsts, np.iinfo(np.int64).max)
        return replace(self, masks=masks, counts=counts, firsts=firsts, table=None)

    def with_all(self, mask: int) -> MaskHistogram:
        """Return the histogram of the rows that meet every constraint of the mask."""
        wanted = np.uint64(mask)
        chosen = (self.masks & wanted) == wanted
        firsts = None if self.firsts is None else self.firsts[chosen]
        masks, counts = self.masks[chosen], self.counts[chosen]
        return replace(self, masks=masks, counts=counts, firsts=firsts, table=None)

    def by_unit(self, units: Sequence[Sequence[int]], until: Deadline = NEVER) -> MaskHistogram:
        """Return the histogram over units of constraints: a unit is met when all its members are.

        Bit u of the new masks stands for `units[u]`. Where the deadline comes first, the
        histogram is not complete: its masks occur.
        """
        wanted = [np.uint64(mask_of(unit)) for unit in units]
        parts: list[MaskHistogram] = []
        stopped_by = self.stopped_by
        try:
            for start, stop in until.pieces(len(self.masks), TALLIED):
                masks = np.zeros(stop - start, dtype=np.uint64)
                for bit, mask in enumerate(wanted):
                    met = (self.masks[start:stop] & mask) == mask
                    masks |= met.astype(np.uint64) << np.uint64(bit)
                parts.append(tally(len(units), masks, self.counts[start:stop]))
        except DeadlinePassed:
            stopped_by = "deadline"
        together = parts[0] if len(parts) == 1 else added(len(units), parts)
        return replace(
            together,
            stopped_by=stopped_by,
            by_kernels=self.by_kernels,
            proven_empty=self.proven_empty,
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


def added(width: int, parts: Sequence[MaskHistogram]) -> MaskHistogram:
    """Return the histogram of the rows of several, complete or not."""
    masks = np.concatenate([np.zeros(0, dtype=np.uint64), *(part.masks for part in parts)])
    counts = np.concatenate([np.zeros(0, dtype=np.int64), *(part.counts for part in parts)])
    return tally(width, masks, counts)


def _add_supersets(sums: Counts, first: int, last: int) -> None:
    """Add to the rows of each subset those of the subset with one bit more, bit after bit."""
    if kernels_are_loaded():
        from .table_kernels import superset_sums

        superset_sums(sums, first, last)
        return
    for bit in range(first, last):
        pairs = sums.reshape(-1, 2, 1 << bit)
        pairs[:, 0] += pairs[:, 1]
