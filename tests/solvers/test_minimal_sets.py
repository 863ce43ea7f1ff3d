"""Limits on how many conflicts and repairs are listed: exactly as many, and said only if fewer."""

from __future__ import annotations

import pytest

from concede.solvers.limits import Budget
from concede.solvers.minimal_sets import MinimalSets, at_most
from concede.solvers.registry import get_solver
from histograms import histogram_of

EVERY = MinimalSets.of([[1, 2], [0], [3]], [[0, 2, 3], [0, 1, 3]], 4)
ONE_FAILED = histogram_of([0b0111, 0b1011, 0b1101, 0b1110], 4)
"""Every row fails one of four constraints: one conflict of four, four repairs of one."""


@pytest.mark.parametrize("most", [3, 4])
def test_as_many_as_allowed_is_not_a_limit_reached(most: int):
    assert at_most(most, EVERY) is EVERY


def test_fewer_than_there_are_keeps_the_first_of_each_and_says_so():
    limited = at_most(2, EVERY)
    assert limited == MinimalSets.of([[0], [3]], [[0, 1, 3], [0, 2, 3]], 4, "limit")
    assert at_most(1, EVERY) == MinimalSets.of([[0]], [[0, 1, 3]], 4, "limit")


@pytest.mark.parametrize("name", ["bitset", "brute", "z3"])
@pytest.mark.parametrize("most", [1, 3, 4, 5])
def test_solvers_list_exactly_as_many_as_asked_for(name: str, most: int):
    budget = Budget(deadline=None, max_sets=most)
    sets = get_solver(name).minimal_sets(ONE_FAILED, budget)
    assert len(sets.repairs) == min(most, 4)
    assert sets.stopped_by == ("limit" if most < 4 else None)
    if most >= 4:
        assert sets.conflicts == (frozenset(range(4)),)
