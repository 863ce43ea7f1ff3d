"""Searches over row masks: the same with time enough as before, right subsets with too little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.deadline import NEVER, DeadlinePassed
from concede.catalogs.vectors.kernel_use import kernels_are_loaded
from concede.solvers import cheapest_repairs as cheapest
from concede.solvers import histogram as histogram_module
from concede.solvers import kernels, minimal_sets, one_conflict, priced_masks
from concede.solvers.cheapest_repairs import cheapest_repairs, price_units
from concede.solvers.histogram import MaskHistogram, added
from concede.solvers.limits import Budget, Verdict
from concede.solvers.masks import in_order_of_size
from concede.solvers.minimal_sets import first_in_order, maximal_masks
from concede.solvers.one_conflict import first_conflict, shrunk, shrunk_over_words
from concede.solvers.rows_read import RowsRead
from counted_looks import ends_after
from histograms import histogram_of

FOREVER = Budget(deadline=None)
WIDTHS = st.integers(1, 10)


@st.composite
def histograms(draw: st.DrawFn) -> MaskHistogram:
    width = draw(WIDTHS)
    masks = draw(st.lists(st.integers(0, 2**width - 1), max_size=40))
    histogram = histogram_of(masks, width)
    return replace(histogram, by_kernels=draw(st.booleans()))


@st.composite
def priced(draw: st.DrawFn) -> tuple[MaskHistogram, list[float]]:
    histogram = draw(histograms())
    price = st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, 1e9, float("inf")])
    size = histogram.width
    return histogram, draw(st.lists(price, min_size=size, max_size=size))


def by_deletion(histogram: MaskHistogram, conflict: int) -> int:
    """The slow twin: one constraint after another is left out where the rest is infeasible."""
    for position in range(histogram.width):
        smaller = conflict & ~(1 << position)
        if not histogram.feasible(smaller):
            conflict = smaller
    return conflict


@given(histograms(), st.integers(0, 2**10 - 1), st.integers(1, 4))
def test_masks_looked_through_in_pieces_count_as_one_by_one(histogram, mask: int, piece: int):
    def plain(wanted: int) -> int:
        pairs = zip(histogram.masks.tolist(), histogram.counts.tolist(), strict=True)
        return sum(count for row, count in pairs if row & wanted == wanted)

    mask &= histogram.full
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histogram_module, "PIECE", piece)
        assert histogram.count_mask(mask) == plain(mask)
        assert histogram.feasible(mask) == (plain(mask) > 0)
        alone = [plain(histogram.full ^ 1 << each) for each in range(histogram.width)]
        assert list(histogram.drop_one_counts()) == alone


@given(histograms(), st.integers(0, 2**10 - 1), st.booleans())
def test_shrinking_gives_what_deletion_gives(histogram, conflict: int, sums: bool):
    conflict &= histogram.full
    if sums:
        histogram.count_subsets(NEVER)
    if histogram.feasible(conflict):
        with pytest.raises(ValueError, match="some row meets"):
            shrunk(histogram, conflict)
    else:
        assert shrunk(histogram, conflict) == by_deletion(histogram, conflict)


@given(st.integers(0, 2**32), WIDTHS, st.floats(0.1, 0.9))
def test_shrinking_over_words_gives_the_same(seed: int, width: int, share: float):
    dice = np.random.default_rng(seed)
    met, base = dice.random((width, 256)) < share, dice.random(256) < 0.5
    met[0] &= ~met[-1]
    stack = np.packbits(met, axis=1, bitorder="little").view(np.uint64)
    words = np.packbits(base, bitorder="little").view(np.uint64)
    masks = (met[:, base].T @ (1 << np.arange(width))).tolist()
    histogram = histogram_of(masks, width)
    rows = RowsRead(words[:0], stack, whole=words, known=dict(enumerate(stack)))
    if histogram.verdict is Verdict.UNSAT:
        assert shrunk_over_words(rows, histogram.full) == by_deletion(histogram, histogram.full)
        cut = replace(histogram, stopped_by="deadline", proven_empty=True, rows_read=rows)
        assert first_conflict(cut) == by_deletion(histogram, histogram.full)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(one_conflict, "PASSED_WORDS", 0)
            with pytest.raises(DeadlinePassed):
                shrunk_over_words(rows, histogram.full, ends_after(1))
        # Few words are passed over whatever the time.
        assert shrunk_over_words(rows, histogram.full, ends_after(1))
        some = replace(rows, known={0: stack[0], width - 1: stack[-1]})
        assert shrunk_over_words(some, histogram.full) in (1, 1 << width - 1, 1 | 1 << width - 1)
        assert shrunk_over_words(replace(rows, known={}), histogram.full) is None
    assert shrunk_over_words(RowsRead(words, stack), histogram.full) is None


@given(histograms(), st.integers(1, 12), st.sampled_from([0, 16]))
def test_minimal_sets_found_in_time_are_right(histogram, looks: int, lattice: int):
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in (
            (minimal_sets, "SUBSETS", 8),
            (minimal_sets, "STEPS", 1),
            (minimal_sets, "FEW_MASKS", 0),
            (one_conflict, "PIECE", 4),
        ):
            patch.setattr(module, name, value)
        find = minimal_sets.minimal_sets
        every = find(replace(histogram), FOREVER, lattice_width=lattice)
        found = find(replace(histogram), ends_after(looks), lattice_width=lattice)
    assert set(found.conflicts) <= set(every.conflicts)
    assert set(found.repairs) <= set(every.repairs)
    if found.complete:
        assert found == every
    else:
        assert found.stopped_by == "deadline"


def test_one_conflict_is_named_before_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(minimal_sets, "FEW_MASKS", 0)
    dice = np.random.default_rng(1)
    masks = [mask for mask in dice.integers(0, 2**24, 5_000).tolist() if mask & 3 != 3]
    histogram = histogram_of(masks, 24)
    named: set[int] = set()
    for looks in range(2, 200, 20):
        found = minimal_sets.minimal_sets(replace(histogram), ends_after(looks))
        assert found.stopped_by == "deadline"
        named.add(len(found.conflicts))
        for conflict in found.conflicts:
            assert not histogram.count(conflict)
            assert all(histogram.count(conflict - {one}) for one in conflict)
    assert named >= {0, 1}


@given(priced(), st.integers(1, 8), st.integers(1, 12))
def test_cheapest_repairs_found_in_time_are_the_first(given_prices, top: int, looks: int):
    histogram, prices = given_prices
    with pytest.MonkeyPatch.context() as patch:
        every = cheapest_repairs(histogram, prices, top, FOREVER)
        patch.setattr(cheapest, "FEW_MASKS", 0)
        patch.setattr(cheapest, "PIECE", 4_096)
        again = cheapest_repairs(histogram, prices, top, FOREVER)
        found = cheapest_repairs(histogram, prices, top, ends_after(looks))
    assert again == every
    assert found.repairs == every.repairs[: len(found.repairs)]
    assert bool(found.repairs) == bool(every.repairs)
    if found.stopped_by is None:
        assert found == every
    else:
        assert found.stopped_by == "deadline"


def test_the_cheapest_of_what_was_priced_in_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cheapest, "FEW_MASKS", 0)
    monkeypatch.setattr(cheapest, "PIECE", 64)
    histogram = histogram_of(list(range(2**12 - 1)), 12)
    prices = [1.0] * 12
    found = cheapest_repairs(histogram, prices, 5, Budget(0.0))
    assert found.stopped_by == "deadline"
    assert len(found.repairs) == 1
    best = min(64, 2**12 - 1) - 1
    assert found.repairs[0].dropped == frozenset(j for j in range(12) if not best >> j & 1)


@given(priced())
def test_priced_masks_by_kernels_and_by_numpy(given_prices):
    histogram, prices = given_prices
    units = [unit or 0 for unit in price_units(prices, histogram.width)]
    tables = priced_masks.price_tables(units)
    failed = ~histogram.masks & np.uint64(histogram.full)
    if not len(failed):
        return
    one, other = (
        priced_masks.PricedMasks.of(failed, tables, by_kernels=chosen) for chosen in (True, False)
    )
    totals = [sum(u for j, u in enumerate(units) if mask >> j & 1) for mask in failed.tolist()]
    assert one.totals.tolist() == other.totals.tolist() == totals
    assert one.cheapest(histogram.width) == other.cheapest(histogram.width)
    first = np.uint64(one.cheapest(histogram.width)[-1])
    left = [each.without(first) for each in (one, other)]
    assert left[0].failed.tolist() == left[1].failed.tolist()
    assert left[0].totals.tolist() == left[1].totals.tolist()


@given(histograms(), st.booleans())
def test_maximal_masks_lie_in_no_other(histogram, by_kernels: bool):
    masks: list[int] = histogram.masks.tolist()
    maximal = [
        mask for mask in masks if not any(mask & ~other == 0 < other ^ mask for other in masks)
    ]
    found, complete = maximal_masks(histogram.masks, NEVER, by_kernels=by_kernels)
    assert complete
    assert sorted(found.tolist()) == sorted(maximal)


@given(histograms(), st.integers(1, 20))
def test_the_first_in_order_of_all(histogram, most: int):
    every = in_order_of_size(histogram.masks, histogram.width)
    assert first_in_order(histogram.masks, histogram.width, most).tolist() == every[:most].tolist()


@given(histograms(), st.data())
def test_units_in_time_are_lower_bounds(histogram, data: st.DataObject):
    splits = data.draw(
        st.lists(st.integers(0, 2), min_size=histogram.width, max_size=histogram.width)
    )
    units = [[j for j, unit in enumerate(splits) if unit == number] for number in range(3)]
    every = histogram.by_unit(units)
    assert every.count_mask(7) == histogram.count_mask(histogram.full)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("concede.solvers.histogram.TALLIED", 4)
        again = histogram.by_unit(units)
        cut = histogram.by_unit(units, ends_after(3))
    assert again.masks.tolist() == every.masks.tolist()
    assert again.counts.tolist() == every.counts.tolist()
    known = dict(zip(every.masks.tolist(), every.counts.tolist(), strict=True))
    pairs = zip(cut.masks.tolist(), cut.counts.tolist(), strict=True)
    assert all(count <= known[mask] for mask, count in pairs)
    assert cut.complete == (len(histogram.masks) <= 8)


@given(histograms())
def test_drop_one_counts_by_their_meaning(histogram):
    counts = [histogram.count_mask(histogram.full ^ 1 << j) for j in range(histogram.width)]
    assert list(histogram.drop_one_counts()) == counts


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_the_wide_table_counts_what_the_hash_table_counts(seed: int, width: int):
    assert kernels_are_loaded()
    dice = np.random.default_rng(seed)
    stack = dice.integers(0, 2**63, (width, 5)).astype(np.uint64)
    base = dice.integers(0, 2**63, 5).astype(np.uint64)
    counts = np.zeros(1 << width, dtype=np.int64)
    kernels.count_wide(base, stack, 0, 5, counts)
    slots, masks = np.zeros(1_024, np.int32), np.empty(320, np.uint64)
    hashed = np.empty(320, np.int64)
    used = kernels.hash_masks(base, stack, 0, 5, slots, masks, hashed, 0)
    assert {m: counts[m] for m in np.flatnonzero(counts).tolist()} == dict(
        zip(masks[:used].tolist(), hashed[:used].tolist(), strict=True)
    )


def test_parts_add_up():
    one, other = histogram_of([1, 1, 2], 2), histogram_of([2, 3], 2)
    both = added(2, [one, other])
    assert (both.masks.tolist(), both.counts.tolist()) == ([1, 2, 3], [2, 2, 1])
    assert added(2, []).rows == 0
