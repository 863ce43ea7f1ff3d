"""The mask histogram: everything about an infeasible conjunctive query follows from it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..catalogs.lazy import lazy
from .limits import StoppedBy, Verdict

Masks = NDArray[np.uint64]
Counts = NDArray[np.int64]
Sets = tuple[frozenset[int], ...]


def kernels_are_loaded() -> bool:
    """Return whether the kernels are there already: then they beat NumPy on small things too."""
    return f"{__package__}.kernels" in sys.modules


def mask_of(positions: Iterable[int]) -> int:
    """Return the mask with these bits set."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


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


def sets_of(masks: Masks) -> Sets:
    """Return masks, uint64[n], as sets of positions in the order given."""
    if not len(masks):
        return ()
    octets = masks.astype("<u8").view(np.uint8).reshape(-1, 8)
    used = int(np.bitwise_or.reduce(masks))
    tables = [_POSITIONS[octet] for octet in range(8) if not octet or used >> 8 * octet]
    columns: list[list[int]] = [octets[:, octet].tolist() for octet in range(len(tables))]
    if len(tables) == 1:
        return tuple([frozenset(tables[0][one]) for one in columns[0]])
    rows = zip(*columns, strict=True)
    return tuple([frozenset(chain(*map(_entry, tables, row))) for row in rows])


def _entry(table: list[tuple[int, ...]], octet: int) -> tuple[int, ...]:
    return table[octet]


def listed(masks: Masks, width: int) -> Sets:
    """Return masks of `width` bits as sets, in the order of `in_order`."""
    if width > 8:
        return sets_of(in_order_of_size(masks, width))
    # At most 70 of them, most often a dozen: sorting them costs less than NumPy's first steps.
    values: list[int] = masks.tolist()
    known = sorted([_POSITIONS[0][mask] for mask in values])
    return tuple(map(frozenset, sorted(known, key=len)))


_MIRRORED = np.packbits(
    np.unpackbits(np.arange(256, dtype=np.uint8)).reshape(-1, 8), axis=1, bitorder="little"
).reshape(-1)

_POSITIONS: list[list[tuple[int, ...]]] = [
    [tuple(8 * octet + bit for bit in range(8) if one >> bit & 1) for one in range(256)]
    for octet in range(8)
]


def in_order_of_size(masks: Masks, width: int) -> Masks:
    """Return masks of `width` bits in the order of `in_order`: by size, then by positions."""
    return masks[np.lexsort((~mirrored(masks, width), np.bitwise_count(masks)))]


def mirrored(masks: Masks, width: int) -> Masks:
    """Return masks with bit i at width − 1 − i: of one size, the greater has lower positions."""
    octets = masks.astype("<u8").view(np.uint8).reshape(-1, 8)[:, ::-1]
    turned = _MIRRORED[octets].view("<u8").reshape(-1).astype(np.uint64)
    return turned >> np.uint64(64 - width) if width else turned


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

    @lazy
    def full(self) -> int:
        """The mask of a row that meets everything."""
        return (1 << self.width) - 1

    @lazy
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

    @lazy
    def subset_counts(self) -> Counts:
        """For every subset how many rows meet at least it, int64[2^k]: the superset sums.

        Costs 8 · 2^k bytes and k · 2^(k−1) additions; for up to about 20 constraints.
        """
        from .kernels import superset_sums

        sums = np.zeros(1 << self.width, dtype=np.int64)
        sums[self.masks.astype(np.intp)] = self.counts
        superset_sums(sums, self.width)
        return sums

    @lazy
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

    @lazy
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
