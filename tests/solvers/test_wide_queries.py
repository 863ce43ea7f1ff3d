"""Many constraints: answers within limits, right as far as they go."""

from __future__ import annotations

from itertools import islice

import pytest

from concede.solvers.limits import Budget
from concede.solvers.masks import mask_of, positions_of
from concede.solvers.minimal_sets import (
    LATTICE_WIDTH,
    MANY_MASKS,
    WIDE_LATTICE,
    MinimalSets,
    minimal_sets,
)
from concede.solvers.registry import get_solver
from histograms import histogram_of, random_masks
from twins import Twin

WIDE = [LATTICE_WIDTH, LATTICE_WIDTH + 1, 30, 64]


def judge(found: MinimalSets, masks: list[int], width: int) -> None:
    """Every set listed is what it is said to be, by looking at the rows."""
    rows = [positions_of(mask) for mask in masks]
    everything = frozenset(range(width))

    def feasible(one: frozenset[int]) -> bool:
        return any(one <= row for row in rows)

    for conflict in found.conflicts:
        assert not feasible(conflict)
        assert all(feasible(conflict - {member}) for member in conflict)
    for maximal in found.maximal:
        assert feasible(maximal)
        assert not any(feasible(maximal | {other}) for other in everything - maximal)
    assert found.maximal == tuple(everything - repair for repair in found.repairs)
    assert len(set(found.conflicts)) == len(found.conflicts)
    assert len(set(found.repairs)) == len(found.repairs)


@pytest.mark.parametrize("width", WIDE)
def test_few_rows_many_constraints(width: int):
    masks = random_masks(width, 12, width, 0.7)
    found = minimal_sets(histogram_of(masks, width), Budget(deadline=None, max_sets=500))
    assert found.conflicts
    judge(found, masks, width)


@pytest.mark.parametrize("width", [12, LATTICE_WIDTH])
def test_both_ways_agree_where_the_lattice_is_large(width: int):
    histogram = histogram_of(random_masks(1, 60, width, 0.6), width)
    budget = Budget(deadline=None)
    assert minimal_sets(histogram, budget) == minimal_sets(histogram, budget, lattice_width=-1)


@pytest.mark.parametrize("width", [WIDE_LATTICE - 1, WIDE_LATTICE, WIDE_LATTICE + 1])
def test_many_row_masks_of_many_constraints(width: int):
    masks = random_masks(2, MANY_MASKS + 900, width, 0.15)
    histogram = histogram_of(masks, width)
    assert len(histogram.masks) >= MANY_MASKS
    budget = Budget(deadline=None)
    assert minimal_sets(histogram, budget) == minimal_sets(histogram, budget, lattice_width=-1)


def pairwise_conflicts(pairs: int) -> list[int]:
    """Rows that each leave out two constraints of their own: 2^pairs conflicts, pairs repairs."""
    full = 4**pairs - 1
    return [full & ~(3 << 2 * index) for index in range(pairs)]


def test_more_conflicts_than_can_be_listed():
    masks = pairwise_conflicts(32)
    found = minimal_sets(histogram_of(masks, 64), Budget(deadline=None, max_sets=300))
    assert found.stopped_by == "limit"
    assert (len(found.conflicts), len(found.repairs)) == (300, 32)
    judge(found, masks, 64)


def test_more_conflicts_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch):
    looks = islice(iter(lambda: False, True), 2_000)
    monkeypatch.setattr(Budget, "expired", property(lambda self: next(looks, True)))
    masks = pairwise_conflicts(32)
    found = minimal_sets(histogram_of(masks, 64), Budget())
    assert found.stopped_by == "deadline"
    assert found.conflicts
    judge(found, masks, 64)


def test_the_cheapest_repair_of_64_constraints_needs_no_list_of_conflicts():
    masks = pairwise_conflicts(32)
    prices = [1.0 - position / 100 for position in range(64)]
    found = get_solver("bitset").cheapest_repairs(histogram_of(masks, 64), prices, 2, Budget())
    assert [set(repair.dropped) for repair in found.repairs] == [{62, 63}, {60, 61}]
    assert found.repairs[0].cost == 0.75


def test_z3_stops_at_its_limit_on_64_constraints():
    masks = pairwise_conflicts(32)
    budget = Budget(deadline=None, max_sets=5)
    found = get_solver("z3").minimal_sets(histogram_of(masks, 64), budget)
    assert found.stopped_by == "limit"
    judge(found, masks, 64)


def test_twelve_constraints_equal_the_twin_for_every_solver():
    masks = random_masks(3, 30, 12, 0.6)
    twin = Twin([positions_of(mask) for mask in masks], 12)
    for name in ("bitset", "brute", "z3"):
        found = get_solver(name).minimal_sets(histogram_of(masks, 12), Budget(deadline=None))
        assert list(found.conflicts) == twin.conflicts
        assert list(found.repairs) == twin.repairs


def test_a_position_beyond_the_last_is_an_error():
    histogram = histogram_of([mask_of([0, 1])], 2)
    assert histogram.count([0, 1]) == 1
    with pytest.raises(IndexError, match="position 2 of 2"):
        histogram.count([2])
