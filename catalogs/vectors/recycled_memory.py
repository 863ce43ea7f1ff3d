"""Large arrays that live as long as one question, in memory that the question before has used.

Memory fresh from the operating system costs a page fault every 4 KiB, 2 µs each: more than all
that is then written there. What is given back here is given out again, still in the processor's
cache.
"""

from __future__ import annotations

import math
from collections import deque
from mmap import mmap
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Cell = TypeVar("Cell", bound=np.generic)

SMALLEST = 1 << 16
"""Fewer bytes come from the heap, which recycles them itself."""

LARGEST = 1 << 25
"""More bytes are written for longer than their pages take to come."""

KEPT_BYTES = 1 << 24
"""What is kept of each size, sizes being powers of two; at least one array."""

PAGED = 1 << 24
"""Fewer bytes have few pages of 2 MiB."""

Memory = tuple[NDArray[np.uint8], dict[str, Any]]
"""Bytes, and what NumPy asks of whoever gives them away as an array."""


def zeros_in_pages(shape: tuple[int, ...], kind: type[Cell]) -> NDArray[Cell]:
    """Return zeros whose pages, of 4 KiB, come as they are touched: at first few are.

    NumPy asks for pages of 2 MiB, and the first word of each of 33 rows then takes up to 50 ms;
    so it takes 0.3, though all of 40 MB take 25 to 60 ms instead of 5 to 55.
    """
    size = math.prod(shape) * np.dtype(kind).itemsize
    if size < PAGED:
        return np.zeros(shape, dtype=kind)
    return np.frombuffer(mmap(-1, size), dtype=kind).reshape(shape)


class _Lease:
    """Held, by way of NumPy, by every array over some memory; gives it back when they are gone."""

    __slots__ = ("__array_interface__", "_free", "_memory")

    def __init__(self, memory: Memory, free: deque[Memory]) -> None:
        self._memory, self._free = memory, free
        self.__array_interface__ = memory[1]

    def __del__(self) -> None:
        self._free.append(self._memory)


class RecycledMemory:
    """Memory by size, of which what is not in use is given out again; safe across threads."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        # Appending and popping need no lock, which may be held where an array dies.
        sizes = range(SMALLEST.bit_length() - 1, LARGEST.bit_length())
        self._free: dict[int, deque[Memory]] = {
            1 << bits: deque(maxlen=max(1, kept_bytes >> bits)) for bits in sizes
        }

    def empty(self, shape: int | tuple[int, ...], kind: type[Cell]) -> NDArray[Cell]:
        """Return an array as `np.empty` does: whatever was there before is in it."""
        dtype = np.dtype(kind)
        size = (shape if isinstance(shape, int) else math.prod(shape)) * dtype.itemsize
        if not SMALLEST <= size <= LARGEST:
            return np.empty(shape, dtype)
        whole = 1 << (size - 1).bit_length()
        free = self._free[whole]
        try:
            memory = free.pop()
        except IndexError:
            fresh = np.empty(whole, dtype=np.uint8)
            memory = fresh, fresh.__array_interface__
        leased = np.asarray(cast("Any", _Lease(memory, free)))
        return cast("NDArray[Cell]", np.ndarray(shape, dtype, leased))

    def zeros(self, shape: int | tuple[int, ...], kind: type[Cell]) -> NDArray[Cell]:
        """Return an array of zeros."""
        array = self.empty(shape, kind)
        array.fill(0)
        return array

    @property
    def nbytes(self) -> int:
        """The memory kept and not in use."""
        return sum(size * len(free) for size, free in self._free.items())


RECYCLED = RecycledMemory()
"""The memory of all questions of this process."""
