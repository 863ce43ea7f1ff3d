"""Conflicts and repairs hit one another, and what a limit left out is never made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.solvers.hitting_sets import minimal_hitting_sets
from concede.solvers.limits import Budget, Verdict
from concede.solvers.masks import mask_of, positions_of
from concede.solvers.minimal_sets import MinimalSets, minimal_sets
from concede.solvers.registry import get_solver
from histograms import histogram_of, histogram_of_twin
from random_problems import exact, row_masks
from twins import Twin
from twins import minimal_hitting_sets as hitting_sets_of

FOREVER = Budget(deadline=None)
BUILT_IN = ["bitset", "sql", "brute", "z3"]
PRICES = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 1.0, float("inf")])


def every_way(twin: Twin) -> list[MinimalSets]:
    histogram = histogram_of_twin(twin)
    return [
        minimal_sets(histogram, FOREVER),
        minimal_sets(histogram, FOREVER, lattice_width=-1),
        get_solver("brute").minimal_sets(histogram, FOREVER),
    ]


@given(row_masks())
def test_all_ways_equal_the_twin(twin: Twin):
    for sets in every_way(twin):
        assert list(sets.conflicts) == twin.conflicts
        assert list(sets.repairs) == twin.repairs
        assert list(sets.maximal) == [twin.everything - repair for repair in twin.repairs]
        assert sets.complete


@given(row_masks())
def test_conflicts_are_the_minimal_hitting_sets_of_repairs_and_back(twin: Twin):
    for sets in every_way(twin):
        assert set(sets.conflicts) == hitting_sets_of(sets.repairs)
        assert set(sets.repairs) == hitting_sets_of(sets.conflicts)


@given(st.lists(st.sets(st.integers(0, 7)), max_size=8))
def test_hitting_sets_equal_the_twin(family: list[set[int]]):
    hitting_sets, stopped_by = minimal_hitting_sets(
        [mask_of(members) for members in family], FOREVER
    )
    assert stopped_by is None
    assert len(hitting_sets) == len(set(hitting_sets))
    assert {positions_of(mask) for mask in hitting_sets} == hitting_sets_of(map(frozenset, family))


@pytest.mark.parametrize("solver", BUILT_IN)
def test_cheapest_repairs_equal_the_twin(solver: str):
    @given(row_masks(), st.data())
    def check(twin: Twin, data: st.DataObject) -> None:
        prices = data.draw(st.lists(PRICES, min_size=twin.width, max_size=twin.width))
        top = data.draw(st.integers(0, 6))
        cheapest = get_solver(solver).cheapest_repairs(
            histogram_of_twin(twin), prices, top, FOREVER
        )
        expected = [(repair, float(cost)) for repair, cost in twin.cheapest(exact(prices))][:top]
        assert [(repair.dropped, repair.cost) for repair in cheapest.repairs] == expected
        assert cheapest.stopped_by is None

    check()


@pytest.mark.parametrize("solver", BUILT_IN)
def test_an_incomplete_histogram_concludes_no_conflict(solver: str):
    @given(row_masks())
    def check(twin: Twin) -> None:
        histogram = histogram_of_twin(twin, "deadline")
        satisfiable = twin.count(twin.everything) > 0
        assert histogram.verdict is (Verdict.SAT if satisfiable else Verdict.UNKNOWN)
        sets = get_solver(solver).minimal_sets(histogram, FOREVER)
        assert sets.conflicts == ()
        assert sets.stopped_by == "deadline"
        assert all(twin.count(subset) for subset in sets.maximal)
        assert sets.maximal == tuple(twin.everything - repair for repair in sets.repairs)
        prices = [0.5] * twin.width
        cheapest = get_solver(solver).cheapest_repairs(histogram, prices, 3, FOREVER)
        assert all(twin.count(twin.everything - repair.dropped) for repair in cheapest.repairs)
        assert cheapest.stopped_by == "deadline"

    check()


@pytest.mark.parametrize("solver", BUILT_IN)
def test_a_limit_lists_part_of_the_truth_and_says_so(solver: str):
    @given(row_masks(), st.integers(1, 4))
    def check(twin: Twin, most: int) -> None:
        budget = Budget(deadline=None, max_sets=most)
        judge_limit(get_solver(solver).minimal_sets(histogram_of_twin(twin), budget), twin, most)

    check()


@given(row_masks(), st.integers(1, 4))
def test_a_limit_on_hitting_sets_lists_part_of_the_truth(twin: Twin, most: int):
    budget = Budget(deadline=None, max_sets=most)
    sets = minimal_sets(histogram_of_twin(twin), budget, lattice_width=-1)
    judge_limit(sets, twin, most)


def judge_limit(sets: MinimalSets, twin: Twin, most: int) -> None:
    assert set(sets.conflicts) <= set(twin.conflicts)
    assert set(sets.repairs) <= set(twin.repairs)
    assert sets.maximal == tuple(twin.everything - repair for repair in sets.repairs)
    assert len(set(sets.conflicts)) == len(sets.conflicts) <= most
    assert len(set(sets.repairs)) == len(sets.repairs) <= most
    if max(len(twin.conflicts), len(twin.repairs)) > most:
        assert sets.stopped_by == "limit"
    else:
        assert sets.complete
        assert list(sets.conflicts) == twin.conflicts


@pytest.mark.parametrize("solver", BUILT_IN)
def test_past_the_deadline_nothing_wrong_is_listed(solver: str):
    @given(row_masks())
    def check(twin: Twin) -> None:
        histogram, expired = histogram_of_twin(twin), Budget(deadline=0.0)
        sets = get_solver(solver).minimal_sets(histogram, expired)
        assert set(sets.conflicts) <= set(twin.conflicts)
        assert set(sets.repairs) <= set(twin.repairs)
        whole = list(sets.conflicts) == twin.conflicts and list(sets.repairs) == twin.repairs
        assert whole if sets.complete else sets.stopped_by == "deadline"
        prices = [0.5] * twin.width
        cheapest = get_solver(solver).cheapest_repairs(histogram, prices, 3, expired)
        expected = [repair for repair, _ in twin.cheapest(exact(prices))][:3]
        dropped = [repair.dropped for repair in cheapest.repairs]
        assert dropped == expected[: len(dropped)]
        assert dropped == expected if cheapest.stopped_by is None else True

    check()


@given(row_masks())
def test_past_the_deadline_maximal_masks_are_maximal(twin: Twin):
    sets = minimal_sets(histogram_of_twin(twin), Budget(deadline=0.0), lattice_width=-1)
    assert set(sets.repairs) <= set(twin.repairs)
    assert set(sets.conflicts) <= set(twin.conflicts)
    assert sets.stopped_by == "deadline" or sets.complete


@given(row_masks(), st.data())
def test_rows_that_meet_some_constraints_are_a_slice(twin: Twin, data: st.DataObject):
    chosen = (
        frozenset(data.draw(st.sets(st.integers(0, twin.width - 1)))) if twin.width else frozenset()
    )
    inside = histogram_of_twin(twin).with_all(mask_of(chosen))
    expected = [mask for mask in twin.masks() if chosen <= positions_of(mask)]
    assert [int(mask) for mask in inside.masks] == expected
    assert inside.rows == twin.count(chosen)


def test_an_empty_slice_has_the_empty_conflict_and_no_repair():
    for sets in every_way(Twin([], 3)):
        assert sets.conflicts == (frozenset(),)
        assert sets.repairs == ()


def test_a_satisfiable_query_has_no_conflict_and_the_empty_repair():
    for solver in BUILT_IN:
        sets = get_solver(solver).minimal_sets(histogram_of([3, 1], 2), FOREVER)
        assert sets.conflicts == ()
        assert sets.repairs == (frozenset(),)
        assert sets.maximal == (frozenset({0, 1}),)


def test_what_is_made_of_an_incomplete_histogram_is_incomplete():
    partial = histogram_of([0b001, 0b001, 0b110], 3, "deadline")
    inside, by_unit = partial.with_all(0b001), partial.by_unit([[0, 1], [2]])
    assert (inside.rows, by_unit.rows) == (2, 3)
    assert inside.verdict is by_unit.verdict is Verdict.UNKNOWN


@given(row_masks(), st.data())
def test_what_is_feasible_is_the_same_with_all_subsets_counted(twin: Twin, data: st.DataObject):
    plain, counted = histogram_of_twin(twin), histogram_of_twin(twin)
    assert len(counted.subset_counts) == 1 << counted.width
    mask = data.draw(st.integers(0, plain.full))
    assert plain.feasible(mask) == counted.feasible(mask) == (plain.count_mask(mask) > 0)
