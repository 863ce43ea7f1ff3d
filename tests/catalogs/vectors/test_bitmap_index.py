"""The index of a column finds what comparing every value finds, also after rows have changed."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint
from concede.catalogs.vectors import bitmap_index
from concede.catalogs.vectors.bitmap_index import BitmapIndex, IndexedColumn
from concede.catalogs.vectors.packed_numbers import PackedNumbers, ends_of
from concede.catalogs.vectors.row_set import RowSet

SOME = st.sampled_from([0.0, -0.0, 1.0, 2.0, 2.5, 7.0, -3.0, 1e300, math.inf, -math.inf, math.nan])
VALUES = st.one_of(SOME, st.floats(-10, 10), st.floats(allow_nan=False))


@st.composite
def columns(draw: st.DrawFn) -> tuple[np.ndarray, BitmapIndex, np.ndarray]:
    """Values now, the index of values before, and which rows changed or were added since."""
    before = np.array(draw(st.lists(VALUES, min_size=1, max_size=200)))
    added = np.array(draw(st.lists(VALUES, max_size=80)), dtype=np.float64)
    index = BitmapIndex.of(PackedNumbers.of(before), 1, draw(st.integers(1, 9)))
    changed = draw(st.sets(st.integers(0, len(before) - 1), max_size=10))
    now = np.concatenate([before, added])
    for place in changed:
        now[place] = draw(VALUES)
    touched = np.array([*sorted(changed), *range(len(before), len(now))], dtype=np.int64)
    return now, index, touched


@given(columns(), st.lists(st.tuples(VALUES, VALUES), max_size=3))
def test_rows_between_ends_are_those_whose_values_are(column, ends):
    values, index, touched = column
    ends = [end for end in ends if not any(map(math.isnan, end))]
    found = IndexedColumn(PackedNumbers.of(values), index, touched).between(*ends)
    expected = np.zeros(len(values), dtype=bool)
    for low, high in ends:
        expected |= (values >= low) & (values <= high)
    assert found.ids.tolist() == np.flatnonzero(expected).tolist()


@given(columns(), VALUES, VALUES)
def test_rows_listed_are_those_whose_values_lie_between(column, low, high):
    values, index, touched = column
    found = IndexedColumn(PackedNumbers.of(values), index, touched).listed(low, high)
    assert found.dtype == np.uint32
    assert found.tolist() == np.flatnonzero((values >= low) & (values <= high)).tolist()


@given(columns(), st.data())
def test_the_ends_of_rows_are_their_least_and_greatest_value(column, data):
    values, index, touched = column
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    found = IndexedColumn(PackedNumbers.of(values), index, touched).ends(RowSet.of_truth(taken))
    assert found == ends_of(values[taken])


@given(columns(), VALUES, VALUES)
def test_no_row_lies_outside_outer_steps(column, low, high):
    values, index, touched = column
    if not low <= high:
        return
    known = np.ones(len(values), dtype=bool)
    known[touched] = False
    inside = (values >= low) & (values <= high)

    def of_steps(first: int, last: int) -> np.ndarray:
        words = index.below[last] & ~index.below[first]
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return np.resize(bits[: len(values)], len(values)).astype(bool) & known

    first, last = index.outer(low, high)
    assert not (inside & known & ~of_steps(first, last)).any()


@given(st.integers(0, 2**32 - 1), st.integers(1, 70_000_000), st.integers(0, 5_000))
def test_ids_are_sorted_as_numpy_sorts_them(seed, universe, count):
    ids = np.random.default_rng(seed).integers(0, universe, count).astype(np.uint32)
    found = bitmap_index._ascending(ids, universe)
    assert found.dtype == np.uint32
    assert np.array_equal(found, np.sort(ids))


def test_without_detail_only_steps_are_known():
    values = PackedNumbers.of(np.arange(1_000.0))
    index = BitmapIndex.of(values, 1, 8, detail=False)
    assert not index.has_detail
    assert len(index.order) == 0
    whole = BitmapIndex.of(values, 1, 8)
    assert whole.has_detail
    assert np.array_equal(index.below, whole.below)


ROWS = 70_000


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    dice = np.random.default_rng(4)
    missing = dice.random(ROWS) < 0.1
    return Catalog.open(
        pa.table(
            {
                "price": pa.array(dice.lognormal(3, 1, ROWS).round(2), mask=missing),
                "stars": pa.array(dice.integers(0, 6, ROWS), pa.int8()),
                "day": pa.array(dice.integers(18_000, 20_000, ROWS), pa.int32()).cast(pa.date32()),
                "kind": dice.choice(["a", "b", "c", "it's"], ROWS),
            }
        )
    )


WISHES = [
    *(("price", op, value) for op in ("<", "<=", ">", ">=", "==") for value in (20.0, 20.09, -1)),
    ("price", "between", (10.5, 20.09)),
    ("price", "between", (20.09, 10.5)),
    ("price", "in", (20.09, 7.5, 1e9)),
    *(("stars", op, value) for op in ("<", ">", "==", "!=") for value in (0, 3, 5, 2.5)),
    ("stars", "in", (1, 4)),
    ("day", ">=", "2024-09-20"),
    ("day", "between", ("2020-01-01", "2021-01-01")),
    ("kind", "==", "it's"),
    ("kind", "in", ("a", "it's", "nowhere")),
    ("kind", "not in", ("a", "b")),
]


@pytest.mark.parametrize(("column", "op", "value"), WISHES)
@pytest.mark.parametrize("nulls", ["reject", "match"])
def test_a_large_catalog_finds_what_duckdb_finds(catalog, column, op, value, nulls):
    snapshot = catalog.snapshot()
    snapshot.warm()
    predicate = snapshot.bind(Constraint(column=column, op=op, value=value, nulls=nulls))
    # Texts are held in memory once they have been asked for a few times.
    found = [snapshot.evaluator.rows_in_memory(predicate) for _ in range(4)][-1]
    assert found is not None
    assert found == snapshot.evaluator.rows_in_duckdb(predicate)
