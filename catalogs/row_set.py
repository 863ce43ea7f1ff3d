"""Rows that satisfy something: a roaring bitmap, and its dense words for the kernels."""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

CHUNK_BITS = 16
CHUNK_ROWS = 1 << CHUNK_BITS
CHUNK_WORDS = CHUNK_ROWS // 64

DENSE_LOOKUP = 16
"""Looking up more than one row in this many is done in dense words."""

Ids = NDArray[np.uint32]
Words = NDArray[np.uint64]


class RowSet:
    """An immutable set of row ids below `universe`.

    `bitmap` is Roaring: sorted arrays for sparse chunks of 2¹⁶ rows, bit blocks for dense
    ones. `words` is the same set as uint64[n_chunks, 1024], bit i of word w of chunk c being
    row c·65536 + 64·w + i; it is made on first use and costs universe / 8 bytes.
    """

    def __init__(self, bitmap: BitMap, universe: int) -> None:
        self.bitmap = bitmap
        self.universe = universe

    @classmethod
    def of_ids(cls, ids: NDArray[np.integer] | Iterable[int], universe: int) -> RowSet:
        """Return the set of these row ids (any order); raise `ValueError` outside the universe."""
        listed = _listed(ids)
        if listed.size and not 0 <= int(listed.min()) <= int(listed.max()) < universe:
            raise ValueError(f"row ids must lie in 0..{universe - 1}")
        numbers = listed.astype(np.uint32)
        held = array("I")
        held.frombytes(numbers.tobytes())
        return cls(BitMap(held), universe)

    @classmethod
    def of_truth(cls, truth: NDArray[np.bool_]) -> RowSet:
        """Return the rows where `truth`, bool[universe], holds."""
        return cls.of_ids(np.flatnonzero(truth), len(truth))

    @classmethod
    def everything(cls, universe: int) -> RowSet:
        """Return the set of all rows."""
        return cls(BitMap(range(universe)), universe)

    @cached_property
    def words(self) -> Words:
        """The set as dense words, uint64[n_chunks, 1024]; read only."""
        truth = np.zeros(-(-self.universe // CHUNK_ROWS) * CHUNK_ROWS, dtype=np.bool_)
        truth[self.ids] = True
        words = np.packbits(truth, bitorder="little").view(np.uint64).reshape(-1, CHUNK_WORDS)
        words.flags.writeable = False
        return words

    @cached_property
    def ids(self) -> Ids:
        """The row ids ascending, uint32[len]."""
        return np.frombuffer(self.bitmap.to_array(), dtype=np.uint32)

    @property
    def chunks(self) -> NDArray[np.intp]:
        """The chunks that hold at least one row, ascending."""
        return np.unique(self.ids >> CHUNK_BITS).astype(np.intp)

    @property
    def nbytes(self) -> int:
        """An upper estimate of the memory held once `words` and `ids` exist."""
        return 6 * len(self.bitmap) + self.universe // 8 + CHUNK_ROWS // 8

    def __and__(self, other: RowSet) -> RowSet:
        return RowSet(self.bitmap & other.bitmap, self.universe)

    def __sub__(self, other: RowSet) -> RowSet:
        return RowSet(self.bitmap - other.bitmap, self.universe)

    def __len__(self) -> int:
        return len(self.bitmap)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSet) and self.bitmap == other.bitmap

    __hash__ = None  # type: ignore[assignment]  # equality by content, and content can be large

    def within(self, ids: Ids) -> NDArray[np.bool_]:
        """Return which of these ids, ascending, are in the set: bool[len(ids)].

        Costs the number of ids, or the words of the universe once the ids are many.
        """
        if len(ids) * DENSE_LOOKUP > self.universe:
            truth = np.unpackbits(self.words.reshape(-1).view(np.uint8), bitorder="little")
            return truth.view(np.bool_)[ids]
        found = np.zeros(len(ids), dtype=np.bool_)
        both = RowSet.of_ids(ids, self.universe) & self
        found[np.searchsorted(ids, both.ids)] = True
        return found

    def first(self) -> int | None:
        """Return the smallest row id, None for the empty set."""
        return int(self.bitmap.min()) if self.bitmap else None


def _listed(ids: NDArray[np.integer] | Iterable[int]) -> NDArray[np.int64]:
    if isinstance(ids, np.ndarray):
        return cast("NDArray[np.int64]", ids.astype(np.int64, copy=False))
    return np.fromiter(ids, np.int64)


def intersection(sets: Iterable[RowSet], universe: int) -> RowSet:
    """Return the rows in all of the sets; all rows for none, smallest sets first."""
    ordered = sorted(sets, key=len)
    if not ordered:
        return RowSet.everything(universe)
    return RowSet(BitMap.intersection(*(one.bitmap for one in ordered)), universe)


class Sized(Protocol):
    """Anything that tells how much memory it holds."""

    @property
    def nbytes(self) -> int: ...


Held = TypeVar("Held", bound=Sized)


class ByteBoundedCache(Generic[Held]):
    """The most recently used values, up to a number of bytes; safe across threads."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._held: OrderedDict[Hashable, Held] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Held]) -> Held:
        """Return the value under the key, made now if it is not held.

        Two threads may make the same value at once; both results are right, one is kept.
        """
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        made = make()
        with self._lock:
            if key not in self._held:
                self._held[key] = made
                self.nbytes += made.nbytes
            while self.nbytes > self.max_bytes and len(self._held) > 1:
                _, dropped = self._held.popitem(last=False)
                self.nbytes -= dropped.nbytes
        return made

    def __len__(self) -> int:
        return len(self._held)
