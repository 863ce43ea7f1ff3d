"""Deadlines: what remains, shares, and pieces with a look at the clock before each."""

from __future__ import annotations

import math

import pytest

from concede.catalogs.deadline import NEVER, Deadline, DeadlinePassed
from concede.catalogs.errors import QueryError
from concede.solvers.limits import Budget
from counted_looks import ends_after


class Hands:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_remains() -> None:
    clock = Hands()
    deadline = Deadline(2.0, clock=clock)
    clock.now = 1.5
    assert (deadline.remaining, deadline.expired) == (0.5, False)
    clock.now = 3.0
    assert (deadline.remaining, deadline.expired) == (0.0, True)
    with pytest.raises(DeadlinePassed):
        deadline.check()


def test_never_ends() -> None:
    assert NEVER.is_endless
    assert NEVER.remaining == math.inf
    assert NEVER.share(0.1).is_endless
    NEVER.check()


def test_a_share_ends_earlier_and_keeps_the_rest() -> None:
    clock = Hands()
    budget = Budget(10.0, 7, 3, clock=clock)
    clock.now = 2.0
    half = budget.share(0.5)
    assert (half.remaining, half.max_sets, half.threads) == (4.0, 7, 3)
    clock.now = 6.0
    assert half.expired
    assert not budget.expired
    assert half.share(0.5).expired


def test_pieces_cover_everything_once() -> None:
    assert list(NEVER.pieces(10, 4)) == [(0, 4), (4, 8), (8, 10)]
    assert list(NEVER.pieces(0, 4)) == []


def test_pieces_end_by_raising() -> None:
    pieces = ends_after(3).pieces(100, 10)
    assert [next(pieces), next(pieces)] == [(0, 10), (10, 20)]
    with pytest.raises(DeadlinePassed):
        next(pieces)


@pytest.mark.parametrize("deadline", [-1.0, math.nan])
def test_a_deadline_is_no_less_than_nothing(deadline: float) -> None:
    with pytest.raises(QueryError):
        Budget(deadline)
