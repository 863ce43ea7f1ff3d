"""Memory is given out again once nothing reads it, and never before."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.vectors.recycled_memory import (
    LARGEST,
    PAGED,
    SMALLEST,
    RecycledMemory,
    zeros_in_pages,
)

CELLS = SMALLEST // 8


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_an_array_that_is_gone_makes_room_for_the_next():
    memory = RecycledMemory()
    first = memory.zeros(CELLS, np.uint64)
    place = address(first)
    first[:] = 7
    del first
    assert memory.nbytes == SMALLEST
    second = memory.zeros((2, CELLS // 2), np.uint64)
    assert address(second) == place
    assert not second.any()
    assert memory.nbytes == 0


def test_a_view_keeps_the_memory_from_being_given_out():
    memory = RecycledMemory()
    whole = memory.zeros((4, CELLS), np.uint64)
    row = whole[2].view(np.uint8)[5:]
    place = address(whole)
    del whole
    assert memory.nbytes == 0
    assert address(memory.empty((4, CELLS), np.uint64)) != place
    assert not row.any()


@given(st.lists(st.integers(0, 3), max_size=12))
def test_arrays_alive_never_overlap(dropped):
    memory = RecycledMemory(kept_bytes=2 * SMALLEST)
    alive: dict[int, np.ndarray] = {}
    for number, gone in enumerate(dropped):
        array = memory.empty(CELLS + number, np.uint64)
        array[:] = number
        alive[number % 4] = array
        alive.pop(gone, None)
        for other in alive.values():
            assert len(np.unique(other)) == 1


def test_no_more_is_kept_than_allowed():
    memory = RecycledMemory(kept_bytes=2 * SMALLEST)
    arrays = [memory.empty(CELLS, np.uint64) for _ in range(5)]
    arrays.clear()
    assert memory.nbytes == 2 * SMALLEST


def test_small_and_huge_arrays_are_not_kept():
    memory = RecycledMemory()
    for size in (0, SMALLEST - 8, LARGEST + 8):
        array = memory.empty(size // 8, np.uint64)
        assert array.nbytes == size
        del array
    assert memory.nbytes == 0


def test_zeros_in_pages_are_zeros_to_write_to_whatever_their_size():
    for columns in (8, PAGED // 16):
        zeros = zeros_in_pages((2, columns), np.uint64)
        assert zeros.shape == (2, columns)
        assert not zeros.any()
        zeros[1] = 7
        assert (zeros[0].any(), zeros[1].sum()) == (False, 7 * columns)
