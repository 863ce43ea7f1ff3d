"""Reading a packed column whole finds what comparing every number finds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.vectors.bitmap_index import quantiles
from concede.catalogs.vectors.packed_numbers import PackedNumbers, ends_of
from concede.catalogs.vectors.packed_rows import add_bucketed_rows, ends_of_rows, rows_between
from concede.catalogs.vectors.quantized_column import BUCKETS, Buckets, bucketed
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


@given(columns(), st.lists(st.tuples(ENDS, ENDS), max_size=3), st.integers(1, BUCKETS))
def test_buckets_leave_the_rows_that_comparing_every_number_does(values, intervals, count):
    packed, edges = PackedNumbers.of(values.copy()), np.full(BUCKETS, math.inf)
    known = quantiles(values, count)
    edges[: len(known)] = known
    # An end that is an edge, and one that is infinite.
    intervals += [(edge, math.inf) for edge in known[:1].tolist()]
    words = np.zeros(-(-len(values) // 64), dtype=np.uint64)
    add_bucketed_rows(packed, Buckets(edges, bucketed(edges, values)), intervals, words)
    expected = rows_between(packed, intervals).flat[: len(words)]
    assert words.tolist() == expected.tolist()


@pytest.mark.parametrize("rows", [3, 64, 20_000, 20_031])
def test_buckets_are_read_where_cells_are_wide_and_no_value_frequent(rows):
    values = np.random.default_rng(rows).normal(size=rows)
    buckets = Buckets.of(values)
    found = rows_between(PackedNumbers.of(values), [(-0.5, 0.25), (-math.inf, -2.0)], buckets)
    expected = ((values >= -0.5) & (values <= 0.25)) | (values <= -2.0)
    assert found.ids.tolist() == np.flatnonzero(expected).tolist()
    assert buckets.are_even == (rows > BUCKETS)


@given(columns(), st.data())
def test_the_ends_of_rows_are_their_least_and_greatest_number(values, data):
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    found = ends_of_rows(PackedNumbers.of(values.copy()), RowSet.of_truth(taken))
    assert found == ends_of(values[taken])
