"""Work of several threads in its order, the one that asks among them."""

from __future__ import annotations

import threading
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.solvers.enumeration.ordered_work import AHEAD_PER_THREAD, in_order


@given(st.lists(st.integers(), max_size=60), st.integers(1, 5))
def test_results_are_those_of_map(work, threads):
    done: list[int] = []

    def square(number: int) -> int:
        done.append(number)
        return number * number

    assert list(in_order(square, work, threads)) == [number * number for number in work]
    assert sorted(done) == sorted(work)


def test_who_asks_works_too():
    second_is_done = threading.Event()

    def work(piece: int) -> str:
        if threading.current_thread() is threading.main_thread():
            second_is_done.set()
        else:
            assert second_is_done.wait(30)
        return threading.current_thread().name

    names = list(in_order(work, range(2), 2))
    assert len(set(names)) == 2
    assert threading.main_thread().name in names


def test_an_error_comes_in_its_turn():
    def work(piece: int) -> int:
        if piece == 3:
            raise ArithmeticError(piece)
        return piece

    seen: list[int] = []
    with pytest.raises(ArithmeticError, match="3"):
        seen.extend(in_order(work, range(9), 2))
    assert list(islice(in_order(work, range(9), 2), 3)) == [0, 1, 2]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_little_is_taken_ahead(threads):
    taken: list[int] = []
    work = (taken.append(piece) or piece for piece in range(10**6))
    results = in_order(lambda piece: piece, work, threads)
    assert next(results) == 0
    assert len(taken) <= max(1, threads * AHEAD_PER_THREAD)
    results.close()
    assert len(taken) <= max(1, threads * AHEAD_PER_THREAD)
