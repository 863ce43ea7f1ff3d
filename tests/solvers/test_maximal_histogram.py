"""What maximal masks and later counts tell is what counting every mask tells."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.deadline import DeadlinePassed
from concede.solvers import maximal_histogram, parallel_chunks
from concede.solvers.cheapest_repairs import cheapest_repairs
from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget
from concede.solvers.maximal_histogram import MaximalHistogram
from concede.solvers.maximal_kernels import (
    BLOCK,
    count_drop_one,
    count_supersets,
    find_maximal,
)
from concede.solvers.minimal_sets import minimal_sets
from concede.solvers.one_conflict import first_conflict
from counted_looks import ends_after

FOREVER = Budget(deadline=None)
ENDLESS = 1 << 40


@st.composite
def rows(draw: st.DrawFn, widths: st.SearchStrategy[int]) -> tuple[np.ndarray, np.ndarray]:
    """Some base rows and those of each constraint: of few kinds, or each by chance."""
    width = draw(widths)
    words = draw(st.sampled_from([1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3]))
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    if draw(st.booleans()):
        kinds = dice.random((draw(st.integers(1, 6)), width)) < draw(st.sampled_from([0.2, 0.8]))
        met = kinds[dice.integers(0, len(kinds), 64 * words)].T
    else:
        met = dice.random((width, 64 * words)) < draw(st.sampled_from([0.0, 0.01, 0.5, 0.99, 1.0]))
    base = dice.random(64 * words) < draw(st.sampled_from([0.0, 0.01, 0.9, 1.0]))
    return base, met


def words_of(truth: np.ndarray) -> np.ndarray:
    packed = np.packbits(np.ascontiguousarray(truth), axis=-1, bitorder="little")
    return packed.view(np.uint64)


def counted(base: np.ndarray, met: np.ndarray) -> MaskHistogram:
    """Every mask of the rows, counted one row after another."""
    masks = np.zeros(len(base), dtype=np.uint64)
    for position, rows_met in enumerate(met):
        masks |= rows_met.astype(np.uint64) << np.uint64(position)
    distinct, counts = np.unique(masks[base], return_counts=True)
    return MaskHistogram(len(met), distinct, counts.astype(np.int64))


def maximal_of(masks: np.ndarray) -> set[int]:
    inside = ((masks[:, None] & ~masks) == 0).sum(axis=1)
    return set(masks[inside == 1].tolist())


@given(rows(st.integers(1, 64)), st.data())
def test_the_kernel_finds_the_masks_that_no_other_contains(
    asked: tuple[np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    base, met = asked
    masks, words = np.zeros(256, dtype=np.uint64), len(base) // 64
    half = data.draw(st.integers(0, words))
    between = find_maximal(words_of(base), words_of(met), 0, half, masks, 0, ENDLESS)
    if between < 0:
        return
    found = find_maximal(words_of(base), words_of(met), half, words, masks, between, ENDLESS)
    if found < 0:
        return
    assert set(masks[:found].tolist()) == maximal_of(counted(base, met).masks)
    if found > 1:
        room = np.zeros(found - 1, dtype=np.uint64)
        assert find_maximal(words_of(base), words_of(met), 0, words, room, 0, ENDLESS) == -1


@given(rows(st.integers(1, 64)), st.lists(st.integers(0, 2**64 - 1), max_size=5))
def test_supersets_are_counted(asked: tuple[np.ndarray, np.ndarray], wanted: list[int]) -> None:
    base, met = asked
    wanted = [mask & (1 << len(met)) - 1 for mask in wanted]
    counts = np.full(len(wanted), -1)
    count_supersets(words_of(base), words_of(met), np.array(wanted, dtype=np.uint64), counts)
    every = counted(base, met)
    assert counts.tolist() == [every.count_mask(mask) for mask in wanted]


@given(rows(st.integers(7, 14)), st.sampled_from([1, 2]), st.data())
def test_every_reading_of_it_is_that_of_all_masks(
    asked: tuple[np.ndarray, np.ndarray], threads: int, data: st.DataObject
) -> None:
    base, met = asked
    budget = Budget(None, threads=threads)
    found = maximal_histogram.maximal_histogram(words_of(base), words_of(met), budget)
    if found is None:
        return
    every = counted(base, met)
    assert (found.verdict, found.complete, found.full) == (every.verdict, True, every.full)
    assert set(found.deciding.masks.tolist()) == maximal_of(every.masks)
    masks = data.draw(st.lists(st.integers(0, every.full), max_size=40))
    if data.draw(st.booleans()):
        found.count_ahead(masks)
    for mask in masks:
        assert found.count_mask(mask) == every.count_mask(mask)
        assert found.feasible(mask) == bool(found.is_feasible(mask)) == every.feasible(mask)
    assert found.rows == every.rows
    assert found.drop_one_counts() == every.drop_one_counts()
    ours, theirs = minimal_sets(found, FOREVER), minimal_sets(every, FOREVER)
    assert ours == theirs
    assert first_conflict(found) == first_conflict(every)
    prices = data.draw(
        st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=len(met), max_size=len(met))
    )
    assert cheapest_repairs(found, prices, 3, FOREVER) == cheapest_repairs(
        every, prices, 3, FOREVER
    )
    wanted = data.draw(st.integers(0, every.full))
    part, expected = found.with_all(wanted), every.with_all(wanted)
    assert dict(zip(part.masks.tolist(), part.counts.tolist(), strict=True)) == dict(
        zip(expected.masks.tolist(), expected.counts.tolist(), strict=True)
    )
    order = np.argsort(found.masks)
    assert found.masks[order].tolist() == every.masks.tolist()
    assert found.counts[order].tolist() == every.counts.tolist()
    assert found.subset_counts.tolist() == every.subset_counts.tolist()
    assert found.count_mask(1) == every.count_mask(1)


def test_threads_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maximal_histogram, "STEP", 2)
    monkeypatch.setattr(parallel_chunks, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(parallel_chunks, "TRIED", 0.0)
    dice = np.random.default_rng(8)
    kinds = dice.random((5, 9)) < 0.6
    met, base = kinds[dice.integers(0, 5, 64 * BLOCK)].T, dice.random(64 * BLOCK) < 0.5
    found = maximal_histogram.maximal_histogram(
        words_of(base), words_of(met), Budget(None, threads=3)
    )
    assert found is not None
    assert set(found.deciding.masks.tolist()) == maximal_of(counted(base, met).masks)


def test_what_threads_found_is_brought_to_what_is_maximal_of_all() -> None:
    parts = [np.array(part, dtype=np.uint64) for part in ([6, 9, 16], [6, 1], [7, 16], [])]
    assert maximal_histogram._maximal(parts).tolist() == [7, 9, 16]


@given(rows(st.integers(1, 64)))
def test_rows_that_meet_all_but_one_are_counted(asked: tuple[np.ndarray, np.ndarray]) -> None:
    base, met = asked
    counts = np.full(len(met), -1)
    count_drop_one(words_of(base), words_of(met), counts)
    assert tuple(counts.tolist()) == counted(base, met).drop_one_counts()


def test_many_maximal_masks_are_left_to_counting() -> None:
    words, width = 4 * BLOCK, 16
    dice = np.random.default_rng(5)
    met = dice.random((width, 64 * words)) < 0.3
    base = np.ones(64 * words, dtype=bool)
    assert maximal_histogram.maximal_histogram(words_of(base), words_of(met), FOREVER) is None
    met[:] = True
    found = maximal_histogram.maximal_histogram(words_of(base), words_of(met), FOREVER)
    assert found is not None
    assert found.count_mask(found.full) == 64 * words


def test_many_counts_at_once_are_read_off_all_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    met = np.random.default_rng(6).random((8, 64 * BLOCK)) < 0.9
    base = np.ones(64 * BLOCK, dtype=bool)
    found = MaximalHistogram(words_of(base), words_of(met), np.array([255], dtype=np.uint64))
    every = counted(base, met)
    monkeypatch.delattr(maximal_histogram, "count_supersets")
    found.count_ahead(range(256))
    assert [found.count_mask(mask) for mask in range(256)] == [
        every.count_mask(mask) for mask in range(256)
    ]


def test_the_clock_is_looked_at_between_pieces() -> None:
    words = 3 * maximal_histogram.STEP
    base, stack = np.full(words, 2**64 - 1, dtype=np.uint64), np.zeros((7, words), dtype=np.uint64)
    with pytest.raises(DeadlinePassed):
        maximal_histogram.maximal_histogram(base, stack, ends_after(2))


def test_it_outlives_being_sent() -> None:
    met = np.random.default_rng(7).random((8, 64)) < 0.5
    found = maximal_histogram.maximal_histogram(
        words_of(np.ones(64, dtype=bool)), words_of(met), FOREVER
    )
    assert found is not None
    again = pickle.loads(pickle.dumps(found))
    assert again.drop_one_counts() == found.drop_one_counts()
