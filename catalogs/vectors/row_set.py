"""Immutable sets of rows, as a roaring bitmap and as dense 64-bit words for the kernels.

One form is made from the other on first use; words take a bit a row.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from ..cached_attribute import cached_attribute
from .array_types import Ids, Words
from .kernel_use import kernels_are_used
from .loaded_kernels import bitmap_kernels
from .recycled_memory import RECYCLED

CHUNK_BITS = 16
CHUNK_ROWS = 1 << CHUNK_BITS
CHUNK_WORDS = CHUNK_ROWS // 64

SPARSE = 64
"""A set of fewer than one row in so many is kept as a roaring bitmap first."""


class RowSet:
    """An immutable set of row ids below `universe`, in one of two forms or in both.

    `bitmap` is Roaring: sorted arrays for sparse chunks of 2¹⁶ rows, bit blocks for dense
    ones. `words` is the same set as uint64[n_chunks, 1024], bit i of word w of chunk c being
    row c·65536 + 64·w + i. Each is made from the other on first use; words cost
    universe / 8 bytes.
    """

    is_quick = False
    """Whether it was made in microseconds: by kernels, from what is known of a column."""

    def __init__(self, bitmap: BitMap, universe: int) -> None:
        self.universe = universe
        self.bitmap = bitmap
        self._of_words = False

    @classmethod
    def of_words(cls, words: Words, universe: int) -> RowSet:
        """Return the set of words uint64[n_chunks, 1024] that hold no row beyond the universe."""
        rows = cls.__new__(cls)
        rows.universe = universe
        rows._of_words = True
        words.flags.writeable = False
        rows.words = words
        return rows

    @classmethod
    def of_ids(cls, ids: NDArray[np.integer] | Iterable[int], universe: int) -> RowSet:
        """Return the set of these row ids (any order); raise `ValueError` outside the universe."""
        listed = _listed(ids)
        if listed.size and not 0 <= int(listed.min()) <= int(listed.max()) < universe:
            raise ValueError(f"row ids must lie in 0..{universe - 1}")
        if listed.size * SPARSE > universe:
            truth = np.zeros(universe, dtype=np.bool_)
            truth[listed] = True
            return cls.of_truth(truth)
        return cls(_bitmap(listed), universe)

    @classmethod
    def of_ascending(cls, ids: Ids, universe: int) -> RowSet:
        """Return the set of row ids below the universe, uint32[n] ascending, each once."""
        rows = cls.__new__(cls)
        rows.universe = universe
        rows._of_words = False
        rows.ids, rows._count = ids, len(ids)
        return rows

    @classmethod
    def of_truth(cls, truth: NDArray[np.bool_]) -> RowSet:
        """Return the rows where `truth`, bool[universe], holds."""
        words = np.zeros(words_for(len(truth)), dtype=np.uint64)
        packed = np.packbits(truth, bitorder="little")
        words.reshape(-1).view(np.uint8)[: len(packed)] = packed
        return cls.of_words(words, len(truth))

    @classmethod
    def everything(cls, universe: int) -> RowSet:
        """Return the set of all rows."""
        words = np.zeros(words_for(universe), dtype=np.uint64)
        flat = words.reshape(-1)
        flat[: universe // 64] = ~np.uint64(0)
        if universe % 64:
            flat[universe // 64] = (np.uint64(1) << np.uint64(universe % 64)) - np.uint64(1)
        return cls.of_words(words, universe)

    @cached_attribute
    def bitmap(self) -> BitMap:
        """The set as a roaring bitmap."""
        return _bitmap(self.ids)

    @cached_attribute
    def words(self) -> Words:
        """The set as dense words, uint64[n_chunks, 1024]; read only."""
        words = np.zeros(words_for(self.universe), dtype=np.uint64)
        if len(self.ids) * SPARSE > self.universe:
            truth = np.zeros(words.size * 64, dtype=np.bool_)
            truth[self.ids] = True
            words.reshape(-1).view(np.uint8)[:] = np.packbits(truth, bitorder="little")
        else:
            bits = np.uint64(1) << (self.ids & 63).astype(np.uint64)
            np.bitwise_or.at(words.reshape(-1), self.ids >> 6, bits)
        words.flags.writeable = False
        return words

    @cached_attribute
    def flat(self) -> Words:
        """The words side by side, uint64[n_chunks · 1024]."""
        return self.words.reshape(-1)

    @cached_attribute
    def ids(self) -> Ids:
        """The row ids ascending, uint32[len]."""
        if "bitmap" in self.__dict__:
            return np.frombuffer(self.bitmap.to_array(), dtype=np.uint32)
        flat = self.flat
        if kernels_are_used(self.universe):
            ids = np.empty(len(self), dtype=np.uint32)
            bitmap_kernels().write_ids(flat, ids)
            return ids
        occupied = np.flatnonzero(flat)
        truth = np.unpackbits(flat[occupied].view(np.uint8), bitorder="little")
        places = np.flatnonzero(truth)
        return ((occupied[places >> 6] << 6) | (places & 63)).astype(np.uint32)

    @property
    def chunks(self) -> NDArray[np.intp]:
        """The chunks that hold at least one row, ascending."""
        if "words" in self.__dict__:
            return np.flatnonzero(self.words.any(axis=1))
        return np.unique(self.ids >> CHUNK_BITS).astype(np.intp)

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held, once both forms of a sparse set exist; without `ids`."""
        words = self.universe // 8 + CHUNK_ROWS // 8
        return words if self._of_words else words + 6 * len(self)

    def __and__(self, other: RowSet) -> RowSet:
        return intersection((self, other), self.universe)

    def __sub__(self, other: RowSet) -> RowSet:
        return RowSet(self.bitmap - other.bitmap, self.universe)

    @cached_attribute
    def _count(self) -> int:
        if "bitmap" in self.__dict__:
            return len(self.bitmap)
        return int(np.bitwise_count(self.words).sum(dtype=np.int64))

    def __len__(self) -> int:
        return self._count

    def __contains__(self, row_id: int) -> bool:
        if "words" not in self.__dict__:
            return row_id in self.bitmap
        return bool(int(self.words[row_id >> CHUNK_BITS, row_id >> 6 & 1023]) >> (row_id & 63) & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSet) and self.bitmap == other.bitmap

    __hash__ = None  # type: ignore[assignment]  # equality by content, and content can be large

    def patched(self, ids: NDArray[np.integer], met: NDArray[np.bool_], universe: int) -> RowSet:
        """Return the set below a universe no smaller, in which of some ids those met are.

        ids: ascending, each once; met: bool[len(ids)]. All other ids stay in or out.
        """
        if "words" not in self.__dict__:
            kept = self.bitmap - _bitmap(ids)
            return RowSet(kept | _bitmap(ids[met]), universe)
        words = np.zeros(words_for(universe), dtype=np.uint64)
        flat = words.reshape(-1)
        flat[: self.words.size] = self.flat
        if kernels_are_used(universe):
            bitmap_kernels().put(flat, ids.astype(np.int64, copy=False), met)
            return RowSet.of_words(words, universe)
        places, bits = ids >> 6, np.uint64(1) << (ids & 63).astype(np.uint64)
        np.bitwise_and.at(flat, places, ~bits)
        np.bitwise_or.at(flat, places[met], bits[met])
        return RowSet.of_words(words, universe)

    def within(self, ids: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which of these ids, ascending, are in the set: bool[len(ids)]."""
        if "words" not in self.__dict__ and len(ids) * SPARSE < self.universe:
            truth = np.zeros(len(ids), dtype=np.bool_)
            both = RowSet.of_ids(ids, self.universe).bitmap & self.bitmap
            truth[np.searchsorted(ids, np.frombuffer(both.to_array(), dtype=np.uint32))] = True
            return truth
        octets = self.words.reshape(-1).view(np.uint8)
        return (octets[ids >> 3] >> (ids & 7).astype(np.uint8) & 1).view(np.bool_)

    def first(self) -> int | None:
        """Return the smallest row id, None for the empty set."""
        if "bitmap" in self.__dict__:
            return int(self.bitmap.min()) if self.bitmap else None
        occupied = self.words.reshape(-1) != 0
        word = int(np.argmax(occupied))
        bits = int(self.words.reshape(-1)[word])
        return 64 * word + (bits & -bits).bit_length() - 1 if bits else None


def _bitmap(ids: NDArray[np.integer]) -> BitMap:
    values = array("I")
    values.frombytes(ids.astype(np.uint32, copy=False).tobytes())
    return BitMap(values)


def words_for(universe: int) -> tuple[int, int]:
    """Return the shape of the words of sets below the universe."""
    return -(-universe // CHUNK_ROWS), CHUNK_WORDS


def _listed(ids: NDArray[np.integer] | Iterable[int]) -> NDArray[np.int64]:
    if isinstance(ids, np.ndarray):
        return cast("NDArray[np.int64]", ids.astype(np.int64, copy=False))
    return np.fromiter(ids, np.int64)


def intersection(sets: Iterable[RowSet], universe: int) -> RowSet:
    """Return the rows in all of the sets; all rows for none.

    In roaring while the smallest set is sparse and one is not there in words, in dense words
    otherwise.
    """
    listed = list(sets)
    if not listed:
        return RowSet.everything(universe)
    if len(listed) == 1:
        return listed[0]
    in_words = all("words" in rows.__dict__ for rows in listed)
    if not in_words and min(map(len, listed)) * SPARSE <= universe:
        return RowSet(BitMap.intersection(*(rows.bitmap for rows in listed)), universe)
    words = RECYCLED.empty(words_for(universe), np.uint64)
    np.bitwise_and(listed[0].words, listed[1].words, out=words)
    for rows in listed[2:]:
        np.bitwise_and(words, rows.words, out=words)
    common = RowSet.of_words(words, universe)
    common.is_quick = all(rows.is_quick for rows in listed)
    return common
