"""Counts the masks of rows a few words at a time: by NumPy, in a table, or in a hash table.

A table has a count for every mask there could be and is the fastest while it fits a cache; a hash
table has those that occur.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..catalogs.deadline import NEVER, Deadline, DeadlinePassed
from ..catalogs.vectors.recycled_memory import RECYCLED
from .histogram import SORTED_MASKS, MaskHistogram, tally
from .limits import Budget, StoppedBy
from .masks import Counts, Masks, Slots
from .parallel_chunks import run_chunks

FIRST_SLOTS = 65_536
"""The first size of the hash table of masks."""

CLEARED = 1 << 19
"""Slots of a larger hash table cleared between two looks at the clock: 2 MiB."""

MOVED = 1 << 12
"""Masks entered into a larger table between two looks: each may be the first on its page."""

TABLE_WIDTH = 20
"""Up to this many constraints masks are counted in a table, where rows are many: 8 MiB."""

ROWS_A_MASK = 1 / 4
"""With fewer rows for each mask there could be, those that occur are hashed."""


ROWS_A_SECOND = 5e7
"""Rows of 20 constraints whose masks are counted in a second, the table coming page by page."""

LISTED_BY_NUMPY = 256
"""The masks of a larger table are listed by a kernel, 1 for 7 ms of 2²⁰."""

SHARED_COUNT_ROWS = 524_288
"""Slices of so many rows are worth a second thread; each takes 2¹⁷ rows at a time."""

CHUNK_WORDS = 2_048
"""The words that a thread takes at a time."""

CountKernel = Callable[[Masks, Masks, int, int, Counts], None]
"""Adds the masks of some words to a table of counts: base, stack, start, stop, counts."""


class MaskCounting(ABC):
    """Counts of the masks of the rows added so far.

    `step` is how many words are a millisecond or two of work. Tables `adds_up`: those of several
    threads are added.
    """

    step: ClassVar[int]
    adds_up: ClassVar[bool] = False

    def __init__(self, width: int) -> None:
        self.width = width

    @abstractmethod
    def add(self, base: Masks, stack: Masks, start: int, stop: int, until: Deadline) -> None:
        """Add the mask of every base row of some words; raise `DeadlinePassed` and add none.

        base: uint64[n]; stack: uint64[k, n]; bit i of word w is row 64·w + i. Each row once.
        """

    @abstractmethod
    def histogram(self, stopped_by: StoppedBy | None = None) -> MaskHistogram:
        """Return what was counted."""


class NumPyCounting(MaskCounting):
    """Sorts the masks of each piece: starts at once, for catalogs that are small."""

    step = 1_024

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._kind = np.min_scalar_type((1 << width) - 1).type
        self._masks, self._counts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]

    def add(self, base: Masks, stack: Masks, start: int, stop: int, until: Deadline) -> None:
        rows = np.flatnonzero(_bits(base[start:stop]))
        masks = np.zeros(len(rows), dtype=self._kind)
        if len(rows):
            for position in range(self.width):
                met = _bits(stack[position, start:stop])[rows]
                masks |= met.astype(self._kind) << self._kind(position)
        distinct, counts = _counted(masks)
        self._masks.append(distinct)
        self._counts.append(counts)

    def histogram(self, stopped_by: StoppedBy | None = None) -> MaskHistogram:
        masks, counts = np.concatenate(self._masks), np.concatenate(self._counts)
        return tally(self.width, masks, counts, stopped_by)


def _counted(masks: NDArray[np.unsignedinteger]) -> tuple[Masks, Counts]:
    """Return the distinct masks and their counts."""
    if masks.itemsize > 2 or masks.size < 1 << 8 * masks.itemsize:
        distinct, counts = np.unique(masks, return_counts=True)
        return distinct.astype(np.uint64), counts.astype(np.int64)
    counts = np.bincount(masks)
    distinct = np.flatnonzero(counts)
    return distinct.astype(np.uint64), counts[distinct]


class TableCounting(MaskCounting):
    """A count for every mask there could be, by a kernel."""

    step = 16_384
    adds_up = True

    def __init__(self, width: int, slots: int, count: CountKernel) -> None:
        super().__init__(width)
        self.counts: Counts = RECYCLED.zeros(1 << slots, np.int64)
        self._count = count

    def add(self, base: Masks, stack: Masks, start: int, stop: int, until: Deadline) -> None:
        self._count(base, stack, start, stop, self.counts)

    def histogram(self, stopped_by: StoppedBy | None = None) -> MaskHistogram:
        if len(self.counts) <= LISTED_BY_NUMPY:
            occurring = np.flatnonzero(self.counts)
            masks, counts = occurring.view(np.uint64), self.counts[occurring]
            return MaskHistogram(self.width, masks, counts, stopped_by, by_kernels=True)
        from .table_kernels import list_counted

        table = self.counts[: 1 << self.width]
        masks = RECYCLED.empty(len(table), np.uint64)
        counts = RECYCLED.empty(len(table), np.int64)
        found = list_counted(table, masks, counts)
        return MaskHistogram(
            self.width, masks[:found], counts[:found], stopped_by, by_kernels=True, table=table
        )


class WideTableCounting(TableCounting):
    """A table of more than 2¹⁶ masks, which takes longer a row, and at first comes page by page."""

    step = 256


class HashCounting(MaskCounting):
    """The masks that occur, in the order of their first rows, found again by a hash table."""

    step = 512

    def __init__(self, width: int, rows: int) -> None:
        super().__init__(width)
        self._slots: Slots = np.zeros(FIRST_SLOTS, dtype=np.int32)
        # Memory that is not touched costs nothing.
        self._masks, self._counts = np.empty(rows, np.uint64), np.empty(rows, np.int64)
        self._used = 0

    def add(self, base: Masks, stack: Masks, start: int, stop: int, until: Deadline) -> None:
        from .kernels import hash_masks

        # Room for every row of the piece, so that none is left out half way.
        room = 2 * (self._used + 64 * (stop - start))
        if room > len(self._slots):
            self._slots = self._grown(room, until)
        self._used = hash_masks(
            base, stack, start, stop, self._slots, self._masks, self._counts, self._used
        )

    def _grown(self, room: int, until: Deadline) -> Slots:
        from .kernels import fill_slots

        size = len(self._slots)
        while size < room:
            size *= 4
        # Cleared here, since memory comes with its first use, 2 MiB at a time, up to 2 ms each.
        slots = np.empty(size, dtype=np.int32)
        for start, stop in until.pieces(size, CLEARED):
            slots[start:stop] = 0
        for start, stop in until.pieces(self._used, MOVED):
            fill_slots(self._masks, start, stop, slots)
        return slots

    def histogram(self, stopped_by: StoppedBy | None = None) -> MaskHistogram:
        masks, counts = self._masks[: self._used], self._counts[: self._used]
        if stopped_by is None and len(masks) <= SORTED_MASKS:
            order = np.argsort(masks)
            masks, counts = masks[order], counts[order]
        return MaskHistogram(self.width, masks, counts, stopped_by, by_kernels=True)


def counting_for(
    width: int, rows: int, *, by_kernels: bool, until: Deadline = NEVER
) -> MaskCounting:
    """Return what counts the masks of so many constraints over at most so many rows the fastest.

    A table of 8 MiB, which takes up to 20 ms to come, is not begun for the rows of a short time.
    """
    if not by_kernels:
        return NumPyCounting(width)
    from . import half_kernels, kernels

    if half_kernels.HALF < width <= kernels.BYTE_WIDTH and half_kernels.pays():
        return TableCounting(width, kernels.BYTE_WIDTH, half_kernels.count_halves)
    if width <= kernels.SUBSET_WIDTH:
        return TableCounting(width, kernels.SUBSET_WIDTH, kernels.count_subsets)
    if width <= kernels.BYTE_WIDTH:
        return TableCounting(width, kernels.BYTE_WIDTH, kernels.count_bytes)
    if width <= kernels.DENSE_WIDTH:
        return TableCounting(width, kernels.DENSE_WIDTH, kernels.count_pairs)
    enough = ROWS_A_MASK * (1 << width)
    if width <= TABLE_WIDTH and min(rows, until.remaining * ROWS_A_SECOND) >= enough:
        return WideTableCounting(width, width, kernels.count_wide)
    return HashCounting(width, rows)


def count_masks(
    base: Masks, stack: Masks, budget: Budget, *, by_kernels: bool
) -> tuple[MaskHistogram, Masks]:
    """Return the histogram, and the words of the base rows that it counts.

    base: uint64[n]; stack: uint64[k, n]. The first piece is counted whatever the time.
    """
    width, rows = len(stack), 64 * len(base)
    counting = counting_for(width, rows, by_kernels=by_kernels, until=budget)
    unused = [counting]
    threads = budget.threads if rows >= SHARED_COUNT_ROWS and counting.adds_up else 1
    step = counting.step if threads == 1 else min(counting.step, CHUNK_WORDS)

    def count(starts: Iterator[int]) -> tuple[MaskCounting, list[int]]:
        done = list[int]()
        try:
            counting = unused.pop()
        except IndexError:
            counting = counting_for(width, rows, by_kernels=by_kernels)
        try:
            for start in starts:
                if start:
                    budget.check()
                counting.add(base, stack, start, min(len(base), start + step), budget)
                done.append(start)
        except DeadlinePassed:
            pass
        return counting, done

    chunks = range(0, len(base), step)
    (counting, done), *others = run_chunks(chunks, count, threads)
    for other, more in others:
        if isinstance(counting, TableCounting) and isinstance(other, TableCounting):
            counting.counts += other.counts
        done += more
    if len(done) == len(chunks):
        return counting.histogram(), base
    return counting.histogram("deadline"), _words_of(base, done, step)


def _words_of(base: Masks, starts: Sequence[int], step: int) -> Masks:
    read = np.zeros_like(base)
    for start in starts:
        read[start : start + step] = base[start : start + step]
    return read


def _bits(words: Masks) -> NDArray[np.uint8]:
    return np.unpackbits(words.view(np.uint8), bitorder="little")
