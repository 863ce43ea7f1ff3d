"""Kernels over a table of counts, and the one that looks for a conflict, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.vectors import kernel_use
from concede.solvers import mask_counting, one_conflict
from concede.solvers.conflict_kernels import BLOCK, most_met
from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget
from concede.solvers.mask_counting import TableCounting
from concede.solvers.minimal_sets import minimal_sets
from concede.solvers.rows_read import RowsRead
from concede.solvers.table_kernels import list_counted, superset_sums

SEEDS = st.integers(0, 2**32)


@given(SEEDS, st.integers(0, 14), st.data())
@settings(deadline=None)
def test_superset_sums_bit_by_bit(seed: int, width: int, data: st.DataObject):
    counts = np.random.default_rng(seed).integers(0, 5, 1 << width)
    first = data.draw(st.integers(0, width))
    last = data.draw(st.integers(first, width))
    expected = counts.copy()
    for bit in range(first, last):
        pairs = expected.reshape(-1, 2, 1 << bit)
        pairs[:, 0] += pairs[:, 1]
    superset_sums(counts, first, last)
    assert counts.tolist() == expected.tolist()


@given(SEEDS, st.integers(1, 10), st.floats(0, 1))
@settings(deadline=None)
def test_masks_counted_are_listed_with_their_counts(seed: int, width: int, share: float):
    dice = np.random.default_rng(seed)
    table = dice.integers(1, 5, 1 << width) * (dice.random(1 << width) < share)
    masks, counts = np.empty(1 << width, np.uint64), np.empty(1 << width, np.int64)
    found = list_counted(table, masks, counts)
    assert masks[:found].tolist() == np.flatnonzero(table).tolist()
    assert counts[:found].tolist() == table[table > 0].tolist()


@pytest.mark.parametrize("listed_by_numpy", [0, 1 << 12])
def test_a_histogram_with_its_table_answers_as_one_without(monkeypatch, listed_by_numpy: int):
    monkeypatch.setattr(mask_counting, "LISTED_BY_NUMPY", listed_by_numpy)
    dice = np.random.default_rng(7)
    for width in (9, 10):
        counting = TableCounting(width, 12, lambda *_: None)
        counting.counts[: 1 << width] = dice.integers(0, 3, 1 << width) * (
            dice.random(1 << width) < 0.3
        )
        counting.counts[(1 << width) - 1] = 0
        histogram = counting.histogram()
        assert (histogram.table is None) == (listed_by_numpy > 0)
        plain = MaskHistogram(width, histogram.masks, histogram.counts)
        asked = Budget(None)
        assert minimal_sets(histogram, asked) == minimal_sets(plain, asked)
        assert histogram.drop_one_counts() == plain.drop_one_counts()
        found = histogram.with_verdict(True)
        assert found.count_mask(found.full) == 1
        assert found.subset_counts[found.full] == 1
        kept = histogram.with_all(5)
        assert kept.subset_counts[0] == plain.count_mask(5)


@given(SEEDS, st.integers(1, 12), st.integers(1, 3 * BLOCK + 5), st.floats(0.05, 0.95))
@settings(max_examples=50, deadline=None)
def test_the_most_constraints_that_a_row_meets(seed: int, width: int, words: int, share: float):
    dice = np.random.default_rng(seed)
    truth = dice.random((width + 1, 64 * words)) < share
    stack = np.packbits(truth, axis=1, bitorder="little").view(np.uint64)
    rows, known = stack[-1], stack[:-1]
    together = np.cumprod(truth[:-1], axis=0).sum(axis=0)[truth[-1]]
    addresses = np.array([some.ctypes.data for some in known], dtype=np.int64)
    assert most_met(addresses, rows) == max(together, default=0)


@given(SEEDS, st.integers(2, 9), st.booleans())
@settings(max_examples=50, deadline=None)
def test_a_conflict_is_shrunk_by_kernels_as_by_numpy(seed: int, width: int, feasible: bool):
    dice = np.random.default_rng(seed)
    truth = dice.random((width, 640)) < 0.6
    if not feasible:
        truth[dice.integers(width)] &= ~truth.all(axis=0)
    stack = np.packbits(truth, axis=1, bitorder="little").view(np.uint64)
    whole = np.full(10, 2**64 - 1, dtype=np.uint64)
    rows = RowsRead(whole, stack, None, None, whole, dict(enumerate(stack)))
    found = []
    for loaded in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(one_conflict, "kernels_are_loaded", lambda loaded=loaded: loaded)
            found.append(one_conflict.shrunk_over_words(rows, (1 << width) - 1))
    assert found[0] == found[1]
    assert (found[0] is None) == bool(truth.all(axis=0).any())


def test_kernels_are_there():
    kernel_use.prepare_kernels(1 << 20)
    assert kernel_use.kernels_are_loaded()
