"""Few maximal masks in place of all: they tell what is feasible, and rows are counted where asked.

Where a query has a handful of repairs, as most do, the maximal masks of its rows are found in a
fraction of the time that counting every mask takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import NEVER
from .histogram import MaskHistogram
from .kernels import BYTE_WIDTH, DENSE_WIDTH, SUBSET_WIDTH
from .limits import Budget
from .mask_counting import TABLE_WIDTH, count_masks
from .masks import Counts, Masks
from .maximal_kernels import count_drop_one, count_supersets, find_maximal
from .minimal_sets import maximal_masks
from .parallel_chunks import run_chunks

MOST_WORDS = 1 << 21
"""Up to so many words of all constraints one count takes a third of a millisecond."""

ROOM = 512
"""The most maximal masks."""

MANY = 3
"""So many times the operations of finding the masks take longer than counting all masks."""

STEP = 8_192
"""Words between two looks at the clock."""


class MaximalHistogram(MaskHistogram):
    """The histogram of rows whose maximal masks are known: `deciding`, each with a count of 1.

    Counts are read off the words of the rows, which it holds (k bits a row), when they are asked
    for and once each; `masks` and `counts` by one more reading.
    """

    _deciding: MaskHistogram
    _base: Masks
    _stack: Masks
    _known: dict[int, int]

    def __init__(self, base: Masks, stack: Masks, maximal: Masks) -> None:
        """base: uint64[n]; stack: uint64[k, n]; maximal: uint64[m], none inside another."""
        ones = np.ones(len(maximal), dtype=np.int64)
        deciding = MaskHistogram(len(stack), maximal, ones, by_kernels=True)
        left_open = {"masks", "counts"}
        shared = {name: is_ for name, is_ in deciding.__dict__.items() if name not in left_open}
        self.__dict__.update(shared, _deciding=deciding, _base=base, _stack=stack, _known={})

    @property
    def deciding(self) -> MaskHistogram:
        """The maximal masks."""
        return self._deciding

    @cached_attribute
    def _counted(self) -> MaskHistogram:
        histogram, _ = count_masks(self._base, self._stack, Budget(None), by_kernels=True)
        return histogram

    @cached_attribute
    def masks(self) -> Masks:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All masks that occur."""
        return self._counted.masks

    @cached_attribute
    def counts(self) -> Counts:  # pyright: ignore[reportIncompatibleVariableOverride]
        """How often each occurs."""
        return self._counted.counts

    @cached_attribute
    def rows(self) -> int:
        """The number of rows read."""
        return self.count_mask(0)

    def count_mask(self, mask: int) -> int:
        """Return how many rows meet every constraint of the mask."""
        self.count_ahead([mask])
        return self._known[mask]

    def count_ahead(self, masks: Iterable[int]) -> None:
        """Count the rows of several masks by one reading of their words."""
        feasible, asked = self.deciding.is_feasible, list[int]()
        for mask in dict.fromkeys(masks):
            if mask not in self._known:
                if feasible(mask):
                    asked.append(mask)
                else:
                    self._known[mask] = 0
        is_table = self.width <= TABLE_WIDTH
        if is_table and sum(map(int.bit_count, asked)) > MANY * _most(self.width):
            self._counted.count_subsets(NEVER)
            self._known.update({mask: self._counted.count_mask(mask) for mask in asked})
        elif asked:
            counts = np.empty(len(asked), dtype=np.int64)
            count_supersets(self._base, self._stack, np.array(asked, dtype=np.uint64), counts)
            self._known.update(zip(asked, counts.tolist(), strict=True))

    def drop_one_counts(self) -> tuple[int, ...]:
        """Return c_j for every j: rows that meet all constraints but j (AWARE-US, section 2.3)."""
        return self._drop_one

    @cached_attribute
    def _drop_one(self) -> tuple[int, ...]:
        without = [self.full ^ 1 << position for position in range(self.width)]
        if not any(map(self.deciding.is_feasible, without)):
            return (0,) * self.width
        counts = np.empty(self.width, dtype=np.int64)
        count_drop_one(self._base, self._stack, counts)
        self._known.update(zip(without, counts.tolist(), strict=True))
        return tuple(counts.tolist())

    def with_all(self, mask: int) -> MaskHistogram:
        """Return the histogram of the rows that meet every constraint of the mask."""
        return self._counted.with_all(mask)

    @property
    def is_feasible(self) -> Callable[[int], bool | int]:
        """What tells of masks what `feasible` does."""
        return self.deciding.is_feasible

    def feasible(self, mask: int) -> bool:
        """Return whether some row meets every constraint of the mask."""
        return self.deciding.feasible(mask)


def maximal_histogram(base: Masks, stack: Masks, budget: Budget) -> MaximalHistogram | None:
    """Return the histogram of base rows by their maximal masks.

    None where these are so many that all masks are counted as fast, or counts would take long.
    base: uint64[n]; stack: uint64[k, n]. Raises `DeadlinePassed`.
    """
    width = len(stack)
    if width <= SUBSET_WIDTH or stack.size > MOST_WORDS:
        return None
    most = _most(width)

    def maximal_of(starts: Iterator[int]) -> Masks | None:
        masks, count = np.empty(ROOM, dtype=np.uint64), 0
        for start in starts:
            if start:
                budget.check()
            stop = min(len(base), start + STEP)
            count = find_maximal(base, stack, start, stop, masks, count, most)
            if count < 0:
                return None
        return masks[:count]

    parts = run_chunks(range(0, len(base), STEP), maximal_of, budget.threads)
    masks = list[Masks]()
    for part in parts:
        if part is None:
            return None
        masks.append(part)
    return MaximalHistogram(base, stack, masks[0] if len(masks) == 1 else _maximal(masks))


def _most(width: int) -> int:
    """Return how many operations a block take a fraction of the time that counting all masks does.

    A fifth with 8 constraints, a third with 12, a tenth with 20.
    """
    if width <= BYTE_WIDTH:
        return 40
    return 300 if width <= DENSE_WIDTH else 800


def _maximal(parts: Iterable[Masks]) -> Masks:
    """Return the masks, uint64[m] each, that lie in no other of any part."""
    maximal, _ = maximal_masks(np.unique(np.concatenate(list(parts))), NEVER)
    return maximal
