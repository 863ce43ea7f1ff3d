"""Long lists of values: every kind of cell is found as NumPy finds it, and prepared once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.query.predicate import ValueTest
from concede.catalogs.vectors import vectorized_predicates
from concede.catalogs.vectors.column_vectors import NumberCopy
from concede.catalogs.vectors.packed_numbers import PackedNumbers
from concede.catalogs.vectors.vectorized_predicates import (
    are_listed,
    intervals_of,
    truth_of_numbers,
)

WHOLES = st.lists(st.integers(0, 255) | st.sampled_from([0, 1, 254, 255]), max_size=40)
REALS = st.lists(st.sampled_from([-1.5, -0.0, 0.0, 0.1, 2.0, 1e30, np.inf, np.nan]), max_size=40)


@pytest.mark.parametrize("table", [0, 1 << 22])
@given(WHOLES, WHOLES, st.sampled_from([1, 1 << 8, 1 << 23]))
def test_whole_numbers(table: int, cells: list[int], listed: list[int], factor: int):
    kind = np.uint8 if factor == 1 and table else np.uint32
    some, wanted = (np.array(each, dtype=kind) * kind(factor) for each in (cells, listed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectorized_predicates, "TABLE", table)
        assert are_listed(some, np.unique(wanted)).tolist() == np.isin(some, wanted).tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(REALS, REALS)
def test_other_numbers(kind: type, cells: list[float], listed: list[float]):
    some = np.array(cells, dtype=kind)
    wanted = np.array([number for number in listed if number == number], dtype=kind)
    assert are_listed(some, np.unique(wanted)).tolist() == np.isin(some, wanted).tolist()


def test_a_long_list_is_prepared_once_and_no_interval(monkeypatch: pytest.MonkeyPatch):
    copy = NumberCopy(PackedNumbers(np.arange(100.0)), exact=True)
    test = ValueTest("in", tuple(range(0, 200, 2)))
    assert intervals_of(test, copy, nulls_match=False) is None
    found = truth_of_numbers(test, copy, nulls_match=False)
    monkeypatch.setattr(vectorized_predicates, "_as_double", pytest.fail)
    again = truth_of_numbers(test, copy, nulls_match=False)
    assert found is not None
    assert again is not None
    assert found.tolist() == again.tolist() == [number % 2 == 0 for number in range(100)]
