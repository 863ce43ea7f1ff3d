"""Arrays of one version after another: each stays what it was for as long as anybody holds it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from concede.catalogs.vectors.buffer_pool import VersionedArray

SIZE = 40

edits = st.tuples(
    st.lists(st.integers(0, SIZE - 1), max_size=5, unique=True),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(edits, max_size=25), st.sampled_from([np.float64, np.uint8, np.object_]))
def test_every_version_held_stays_as_it_was(
    steps: list[tuple[list[int], int, bool, bool]], dtype: type
) -> None:
    now: NDArray[np.generic] = np.arange(SIZE).astype(dtype)
    line: VersionedArray[np.generic] = VersionedArray()
    expected, held = now.tolist(), list[tuple[NDArray[np.generic], list[object]]]()
    for number, (places, count, is_held, is_lost) in enumerate(steps):
        wanted = list(expected)
        for place in places:
            wanted[place] = number
        wanted += [number] * count
        replaced, appended = np.full(len(places), number, dtype), np.full(count, number, dtype)
        made = line.edited(now, np.array(places, dtype=np.intp), replaced, appended)
        assert made.tolist() == wanted
        if is_lost:
            # Whoever asked for it failed further on, and edits what he had before.
            del made
            continue
        now, expected = made, wanted
        if is_held:
            held.append((made[3:], wanted[3:]))
    for part, as_it_was in held:
        assert part.tolist() == as_it_was


def test_memory_that_nobody_reads_is_written_again() -> None:
    line: VersionedArray[np.float64] = VersionedArray()
    now = np.arange(100.0)
    nothing = np.zeros(0)
    addresses = list[int]()
    for number in range(8):
        now = line.edited(now, np.array([number]), np.array([0.5]), nothing)
        addresses.append(now.ctypes.data)
    assert len(set(addresses)) == 2
    assert now.tolist() == [0.5] * 8 + [float(index) for index in range(8, 100)]
