"""Rows of numbers found by kernels are those that NumPy finds, whatever the test and the cells."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.deadline import DeadlinePassed
from concede.catalogs.query.predicate import ValueTest
from concede.catalogs.vectors import number_rows
from concede.catalogs.vectors.column_vectors import NumberCopy
from concede.catalogs.vectors.number_rows import FACTOR, rows_of_numbers
from concede.catalogs.vectors.packed_numbers import PackedNumbers
from concede.catalogs.vectors.scan_kernels import EMPTY
from concede.catalogs.vectors.vectorized_predicates import truth_of_numbers
from counted_looks import ends_after

ALL_ONES = float(np.array([EMPTY], dtype=np.uint64).view(np.float64)[0])
"""NaN with the bits of an empty slot of the hash table."""

CELLS = {
    "octets": st.integers(0, 250),
    "pairs": st.sampled_from([0, 1, 300, 40_000, 65_000]),
    "quads": st.sampled_from([0, 7, 1 << 20, (1 << 20) - 1, 1 << 27, (1 << 32) - 2]),
    "tenths": st.integers(0, 300).map(lambda tenths: tenths / 10),
    "singles": st.sampled_from([-0.0, 0.0, 0.5, -1.5, 3e20, np.inf, -np.inf]),
    "doubles": st.sampled_from([-0.0, 0.0, 0.1, 0.2, -1e-300, np.inf, -np.inf, ALL_ONES]),
}
OPS = ("==", "!=", "in", "not in", "between", "<", "<=", ">", ">=", "is null", "is not null")


LEAST_BYTES = {"octets": 1, "pairs": 2, "quads": 4, "tenths": 1, "doubles": 8}


def packed(kind: str, values: list[float]) -> PackedNumbers:
    """The column, its cells of the type that the kind says; of tenths whatever holds them."""
    numbers = np.array(values, dtype=np.float64)
    if kind == "singles":
        return PackedNumbers(numbers.astype(np.float32))
    column = PackedNumbers.of(numbers, LEAST_BYTES[kind])
    assert kind == "tenths" or column.cells.itemsize == LEAST_BYTES[kind]
    return column


@pytest.mark.parametrize("kind", CELLS)
@given(data=st.data(), op=st.sampled_from(OPS), nulls_match=st.booleans())
@settings(max_examples=60, deadline=None)
def test_kernels_find_what_numpy_finds(kind: str, data: st.DataObject, op: str, nulls_match: bool):
    cells = CELLS[kind]
    values = data.draw(st.lists(st.one_of(cells, st.just(np.nan)), max_size=150))
    finite = cells.filter(lambda value: abs(value) < 1e14)
    others = st.sampled_from([0.0, -3.0, 1e9, 0.15])
    listed = data.draw(st.lists(st.one_of(finite, others), min_size=9, max_size=40))
    count = {"between": 2, "is null": 0, "is not null": 0}.get(op, 1)
    given = listed if op in ("in", "not in") else listed[:count]
    copy, test = NumberCopy(packed(kind, values), exact=True), ValueTest(op, tuple(given))
    truth = truth_of_numbers(test, copy, nulls_match=nulls_match)
    rows = rows_of_numbers(test, copy, nulls_match=nulls_match)
    assert truth is not None
    assert rows is not None
    assert rows.ids.tolist() == np.flatnonzero(truth).tolist()


def test_what_doubles_cannot_tell_is_left_to_duckdb():
    column = PackedNumbers.of(np.arange(9.0))
    beyond = ValueTest("in", (*range(9), 2**60))
    assert rows_of_numbers(beyond, NumberCopy(column, exact=True), nulls_match=False) is None
    inexact = NumberCopy(column, exact=False)
    assert rows_of_numbers(ValueTest("==", (1,)), inexact, nulls_match=False) is None
    unknown = rows_of_numbers(ValueTest("is not null", ()), inexact, nulls_match=False)
    assert unknown is not None
    assert len(unknown) == 9


def test_a_long_list_ends_with_the_clock(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(number_rows, "PIECE", 64)
    copy = NumberCopy(PackedNumbers.of(np.arange(1_000.0) / 7), exact=True)
    test = ValueTest("in", tuple(number / 7 for number in range(20)))
    with pytest.raises(DeadlinePassed):
        rows_of_numbers(test, copy, nulls_match=False, until=ends_after(3))
    found = rows_of_numbers(test, copy, nulls_match=False)
    assert found is not None
    assert found.ids.tolist() == list(range(20))


def test_values_that_a_known_factor_would_send_to_one_place_are_spread():
    # Of Fibonacci hashing these share all upper bits, and each would wait for all before it.
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    cells = np.array([(k * inverse) % 2**64 for k in range(400_000)], dtype=np.uint64)
    numbers = cells.view(np.float64)
    chosen = numbers[np.isfinite(numbers) & (np.abs(numbers) < 1e14)][:100_000]
    assert len(chosen) == 100_000
    copy = NumberCopy(PackedNumbers(np.concatenate([chosen, chosen + 1.0])), exact=True)
    found = rows_of_numbers(ValueTest("in", tuple(chosen.tolist())), copy, nulls_match=False)
    assert found is not None
    assert len(found) >= 100_000
    assert factors_of_other_processes() != {int(FACTOR)}


def factors_of_other_processes() -> set[int]:
    code = "from concede.catalogs.vectors.number_rows import FACTOR; print(int(FACTOR))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {int(run.stdout)}
