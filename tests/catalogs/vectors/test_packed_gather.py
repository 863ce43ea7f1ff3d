"""The numbers of some rows, read by a kernel, are those that NumPy reads."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.vectors.bitmap_kernels import take_numbers
from concede.catalogs.vectors.packed_numbers import PackedNumbers

NAN = st.just(float("nan"))
COLUMNS = st.one_of(
    st.lists(st.one_of(NAN, st.integers(-100, 100).map(float)), min_size=1),
    st.lists(st.one_of(NAN, st.integers(0, 30_000).map(lambda n: n / 100)), min_size=1),
    st.lists(st.one_of(NAN, st.integers(-(2**30), 2**30).map(float)), min_size=1),
    st.lists(st.one_of(NAN, st.integers(0, 20_000).map(lambda n: n * 86_400.0)), min_size=1),
    st.lists(st.one_of(NAN, st.floats(width=32, allow_nan=False)), min_size=1),
    st.lists(st.one_of(NAN, st.floats(allow_nan=False)), min_size=1),
)


@given(COLUMNS, st.data())
def test_a_kernel_takes_the_numbers_that_numpy_takes(numbers, data):
    column = PackedNumbers.of(np.array(numbers))
    places = data.draw(st.lists(st.integers(0, len(numbers) - 1), max_size=50))
    ids, taken = np.array(places, dtype=np.uint32), np.empty(len(places))
    ends = np.empty(2)
    take_numbers(column.address, ids, taken, ends)
    np.testing.assert_array_equal(taken, column.at(ids))
    np.testing.assert_array_equal(taken, np.array(numbers)[ids])
    known = taken[~np.isnan(taken)]
    assert ends.tolist() == [min(known, default=math.inf), max(known, default=-math.inf)]
