"""Row masks with their counts, read in plain Python: what is feasible, in conflict, repaired.

Every subset of the constraints is looked at: 2^k steps over the masks that occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class RowMasks:
    """Masks of constraints met, each with how many rows have it and the first of them."""

    def __init__(self, full: int, rows: Iterable[Sequence[int]]) -> None:
        self.full = full
        self.rows = [(int(mask), int(n), int(first)) for mask, n, first in rows]

    def feasible(self, subset: int) -> bool:
        """Return whether some row meets these constraints."""
        return any(mask & subset == subset for mask, _, _ in self.rows)

    def count(self, subset: int) -> int:
        """Return how many rows do."""
        return sum(n for mask, n, _ in self.rows if mask & subset == subset)

    def first(self, subset: int) -> int:
        """Return the first of them."""
        return min(first for mask, _, first in self.rows if mask & subset == subset)

    def repairs(self, weights: Sequence[float]) -> list[int]:
        """Return the minimal sets to drop, the cheapest first."""
        masks = [mask for mask, _, _ in self.rows]
        maximal = [a for a in masks if not any(a != b and a & b == a for b in masks)]

        def order(dropped: int) -> tuple[float, int, list[int]]:
            positions = [j for j in range(len(weights)) if dropped >> j & 1]
            return round(sum(weights[j] for j in positions), 12), len(positions), positions

        return sorted((self.full & ~mask for mask in maximal), key=order)

    def conflicts(self) -> list[list[int]]:
        """Return the minimal sets that no row meets, smallest first, then by position."""
        every = range(self.full.bit_length())
        found = [
            [j for j in every if subset >> j & 1]
            for subset in range(self.full + 1)
            if not self.feasible(subset)
            and all(self.feasible(subset & ~(1 << j)) for j in every if subset >> j & 1)
        ]
        return sorted(found, key=lambda conflict: (len(conflict), conflict))

    def shrunk(self, subset: int) -> list[int]:
        """Return a minimal set that no row meets, of one that no row meets."""
        for j in range(self.full.bit_length()):
            if subset >> j & 1 and not self.feasible(subset & ~(1 << j)):
                subset &= ~(1 << j)
        return [j for j in range(self.full.bit_length()) if subset >> j & 1]
