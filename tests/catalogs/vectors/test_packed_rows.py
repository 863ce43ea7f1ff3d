"""Reading a packed column whole finds what comparing every number finds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.vectors import packed_rows
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


@pytest.mark.parametrize(
    ("values", "are_read"),
    [
        (np.random.default_rng(1).normal(size=20_031), True),
        (np.random.default_rng(2).normal(size=200), False),
        (np.random.default_rng(3).integers(0, 60_000, 20_031).astype(float), False),
        (np.where(np.arange(20_031) % 3 == 0, np.arange(20_031) / 7, 0.1), False),
    ],
)
def test_buckets_are_read_where_cells_are_wide_and_no_value_frequent(
    monkeypatch: pytest.MonkeyPatch, values: np.ndarray, are_read: bool
):
    asked: list[PackedNumbers] = []

    def seen(column, *args):
        asked.append(column)
        add_bucketed_rows(column, *args)

    monkeypatch.setattr(packed_rows, "add_bucketed_rows", seen)
    found = rows_between(
        PackedNumbers.of(values), [(-0.5, 0.25), (2.0, math.inf)], Buckets.of(values)
    )
    expected = ((values >= -0.5) & (values <= 0.25)) | (values >= 2.0)
    assert found.ids.tolist() == np.flatnonzero(expected).tolist()
    assert bool(asked) == are_read


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 1_000])
@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint32", "float32", "float64"])
def test_64_cells_of_each_type_are_compared_at_once(kind: str, rows: int):
    drawn = np.random.default_rng(rows).random(rows)
    drawn[rows // 2 : rows // 2 + 1] = math.nan
    scaled = {"uint8": 90, "uint16": 9_000, "uint32": 9e6}.get(kind)
    values = drawn.astype(np.float32).astype(float) if scaled is None else np.rint(drawn * scaled)
    values = drawn if kind == "float64" else values
    column = PackedNumbers.of(values.copy(), np.dtype(kind).itemsize if scaled else 1)
    if rows > 64:
        assert column.cells.dtype == kind
    low, high = np.nanquantile(values, [0.2, 0.7]).tolist() if rows > 1 else (0.0, 1.0)
    found = rows_between(column, [(low, high)])
    assert found.ids.tolist() == np.flatnonzero((values >= low) & (values <= high)).tolist()


def test_no_number_lies_from_nan_on():
    values = np.random.default_rng(4).normal(size=1_000)
    words = np.zeros(16, dtype=np.uint64)
    intervals = [(math.nan, 0.5), (0.5, math.nan), (0.5, -0.5)]
    add_bucketed_rows(PackedNumbers.of(values), Buckets.of(values), intervals, words)
    assert not words.any()


@given(columns(), st.data())
def test_the_ends_of_rows_are_their_least_and_greatest_number(values, data):
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    found = ends_of_rows(PackedNumbers.of(values.copy()), RowSet.of_truth(taken))
    assert found == ends_of(values[taken])
