"""Reading a packed column whole finds what comparing every number finds."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.vectors.packed_numbers import PackedNumbers, ends_of
from concede.catalogs.vectors.packed_rows import ends_of_rows, rows_between
from concede.catalogs.vectors.row_set import RowSet

FAMILIES = (
    st.integers(0, 9).map(float),
    st.integers(-300, 300).map(float),
    st.integers(-(2**20), 2**20).map(float),
    st.integers(-999, 999).map(lambda cents: cents / 100),
    st.floats(width=32),
    st.floats(),
)


@st.composite
def columns(draw: st.DrawFn) -> np.ndarray:
    family = draw(st.sampled_from(FAMILIES))
    return np.array(draw(st.lists(family | st.just(math.nan), min_size=1, max_size=150)))


ENDS = st.one_of(*FAMILIES).filter(lambda value: not math.isnan(value))


@given(columns(), st.lists(st.tuples(ENDS, ENDS), max_size=3))
def test_rows_between_ends_are_those_whose_numbers_are(values, intervals):
    expected = np.zeros(len(values), dtype=np.bool_)
    for low, high in intervals:
        expected |= (values >= low) & (values <= high)
    found = rows_between(PackedNumbers.of(values.copy()), intervals)
    assert found.ids.tolist() == np.flatnonzero(expected).tolist()


@given(columns(), st.data())
def test_the_ends_of_rows_are_their_least_and_greatest_number(values, data):
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    found = ends_of_rows(PackedNumbers.of(values.copy()), RowSet.of_truth(taken))
    assert found == ends_of(values[taken])
