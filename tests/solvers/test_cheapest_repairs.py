"""Prices: ties, extremes, limits."""

from __future__ import annotations

import math

import pytest

from concede.solvers import cheapest_repairs as module
from concede.solvers.cheapest_repairs import cheapest_repairs, price_of
from concede.solvers.limits import Budget
from concede.solvers.registry import get_solver
from counted_looks import ends_after
from histograms import histogram_of

FOREVER = Budget(deadline=None)
SOLVERS = ["bitset", "brute", "z3"]


def failing(*dropped: set[int], width: int):
    """A histogram of rows that fail exactly these."""
    full = (1 << width) - 1
    return histogram_of([full & ~sum(1 << j for j in entry) for entry in dropped], width)


def ranked(solver: str, histogram, prices: list[float]) -> list[tuple[set[int], float]]:
    found = get_solver(solver).cheapest_repairs(histogram, prices, 99, FOREVER).repairs
    return [(set(entry.dropped), entry.cost) for entry in found]


@pytest.mark.parametrize("solver", SOLVERS)
def test_decimal_prices_add_up(solver: str):
    histogram = failing({0, 1}, {2}, width=3)
    assert ranked(solver, histogram, [0.1, 0.2, 0.3]) == [({2}, 0.3), ({0, 1}, 0.3)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_difference_in_the_twelfth_place_counts(solver: str):
    histogram = failing({0}, {1}, width=2)
    first = ranked(solver, histogram, [0.300000000001, 0.3])[0]
    assert first == ({1}, 0.3)
    assert ranked(solver, histogram, [0.3000000000001, 0.3])[0][0] == {0}


@pytest.mark.parametrize("solver", SOLVERS)
def test_free_constraints_are_not_dropped_needlessly(solver: str):
    histogram = failing({0}, {0, 1}, {1, 2}, width=3)
    assert ranked(solver, histogram, [0.5, 0.0, 0.0]) == [({1, 2}, 0.0), ({0}, 0.5)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_prices_beyond_64_bits_stay_exact(solver: str):
    histogram = failing({0}, {1, 2}, {1, 3}, width=4)
    prices = [2.0**62, 2.0**61, 2.0**61, 2.0**61 - 2.0**40]
    assert [one for one, _ in ranked(solver, histogram, prices)] == [{1, 3}, {0}, {1, 2}]


@pytest.mark.parametrize("solver", SOLVERS)
def test_nothing_is_asked_for(solver: str):
    found = get_solver(solver).cheapest_repairs(failing({0}, width=1), [1.0], 0, FOREVER)
    assert found.repairs == ()
    assert found.stopped_by is None


def test_after_the_deadline_there_is_still_a_first_repair():
    found = cheapest_repairs(failing({0}, {1}, width=2), [0.2, 0.1], 2, Budget(deadline=0.0))
    assert [set(repair.dropped) for repair in found.repairs] == [{1}]
    assert found.stopped_by == "deadline"


def test_what_is_left_is_not_looked_through_past_the_deadline(monkeypatch):
    monkeypatch.setattr(module, "PIECE", 1)
    monkeypatch.setattr(module, "FEW_MASKS", 0)
    histogram = failing({0}, {1}, {2}, {3}, width=4)
    # Four pieces priced, then the first repair taken from the pieces two looks long.
    found = cheapest_repairs(histogram, [0.4, 0.3, 0.2, 0.1], 4, ends_after(6))
    assert [set(repair.dropped) for repair in found.repairs] == [{3}]
    assert found.stopped_by == "deadline"


def test_price_of_what_must_stay_is_infinite():
    assert price_of(frozenset({0, 1}), [0.1, math.inf]) == math.inf
    assert price_of(frozenset({0, 1, 2}), [0.1, 0.2, 0.3]) == 0.6
    assert price_of(frozenset(), []) == 0.0
