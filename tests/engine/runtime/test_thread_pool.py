"""A bounded pool: what runs, what waits, what is refused, and how it ends."""

import os
import sys
import threading
from concurrent.futures import CancelledError
from contextvars import ContextVar

import pytest

from concede import Closed, LimitError, Overloaded, QueryError
from concede.engine.runtime.thread_pool import BoundedPool, QueueSlot

asked: ContextVar[str] = ContextVar("asked")


class Gate:
    """Calls that run until the gate is opened."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self._open = threading.Event()

    def call(self, slot: QueueSlot) -> str:
        self.entered.release()
        assert self._open.wait(30)
        return "done"

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open()


def test_calls_return_what_they_return():
    pool = BoundedPool(2)
    assert [
        entry.result() for entry in [pool.submit(lambda slot, n=n: n * n) for n in range(9)]
    ] == [n * n for n in range(9)]
    pool.close()


def test_what_is_raised_is_raised():
    pool = BoundedPool(1)
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda slot: 1 // 0).result()
    assert pool.pending == 0
    pool.close()


def test_too_much_is_refused_at_once_and_room_comes_back(gate):
    pool = BoundedPool(2, 3)
    running = [pool.submit(gate.call) for _ in range(5)]
    assert pool.pending == 5
    with pytest.raises(Overloaded, match="ask again"):
        pool.submit(gate.call)
    gate.open()
    assert {thread.result() for thread in running} == {"done"}
    assert pool.submit(lambda slot: "room").result() == "room"
    pool.close()


def test_a_cancelled_call_that_waits_never_runs(gate):
    pool, ran = BoundedPool(1, 5), threading.Event()
    first = pool.submit(gate.call)
    gate.entered.acquire()
    waiting = pool.submit(lambda slot: ran.set())
    assert waiting.cancel()
    gate.open()
    pool.close()
    assert first.result() == "done"
    assert not ran.is_set()
    with pytest.raises(CancelledError):
        waiting.result()
    assert pool.pending == 0


def test_a_turn_tells_what_was_waited_and_what_is_left(gate):
    pool = BoundedPool(1, 5)
    pool.submit(gate.call)
    gate.entered.acquire()
    waiting = pool.submit(lambda slot: slot, deadline=100.0)
    endless = pool.submit(lambda slot: slot)
    gate.open()
    slot = waiting.result()
    # Two looks at the clock lie between them.
    assert slot.left == pytest.approx(100.0 - slot.waited, abs=1.0)
    assert slot.in_time() is slot
    assert endless.result().left is None
    pool.close()


def test_a_turn_that_comes_too_late_is_a_limit():
    with pytest.raises(LimitError, match=r"waited 2 s"):
        QueueSlot(2.0, -1.0).in_time()


def test_calls_see_the_context_of_whoever_asked():
    pool = BoundedPool(1)
    asked.set("here")
    assert pool.submit(lambda slot: asked.get()).result() == "here"
    pool.close()


def test_closing_waits_for_what_was_taken_and_takes_no_more(gate):
    pool = BoundedPool(1, 5)
    taken = [pool.submit(gate.call) for _ in range(3)]
    gate.open()
    pool.close()
    assert [entry.result(0) for entry in taken] == ["done"] * 3
    with pytest.raises(Closed, match="closed"):
        pool.submit(gate.call)


def test_a_full_pool_that_closes_says_so(gate):
    pool = BoundedPool(1, 0)
    running = pool.submit(gate.call)
    gate.entered.acquire()
    closing = threading.Thread(target=pool.close)
    closing.start()
    while not pool.closed:
        threading.Event().wait(0.001)
    with pytest.raises(Closed, match="open another"):
        pool.submit(gate.call)
    gate.open()
    closing.join()
    assert running.result() == "done"


@pytest.mark.parametrize(("threads", "queue"), [(0, 1), (1, -1)])
def test_impossible_sizes_are_refused(threads, queue):
    with pytest.raises(QueryError):
        BoundedPool(threads, queue)


@pytest.mark.skipif(sys.platform != "linux", reason="threads of one process weigh the same")
def test_threads_of_a_nice_pool_stand_back_and_no_others_do():
    def niceness(slot: QueueSlot) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    now = os.getpriority(os.PRIO_PROCESS, 0)
    polite, other = BoundedPool(1, nice=3), BoundedPool(1)
    assert polite.submit(niceness).result() == min(now + 3, 19)
    assert other.submit(niceness).result() == os.getpriority(os.PRIO_PROCESS, 0) == now


def test_how_many_wait(gate):
    pool = BoundedPool(2)
    assert pool.waiting == 0
    running = [pool.submit(gate.call) for _ in range(2)]
    for _ in running:
        gate.entered.acquire()
    assert (pool.pending, pool.waiting) == (2, 0)
    running += [pool.submit(gate.call) for _ in range(3)]
    assert (pool.pending, pool.waiting) == (5, 3)
    assert running.pop().cancel()
    gate.open()
    assert [thread.result() for thread in running] == ["done"] * 4
    pool.close()
    assert (pool.pending, pool.waiting) == (0, 0)
    with pytest.raises(Closed, match="closed"):
        pool.submit(gate.call)
    assert (pool.pending, pool.waiting) == (0, 0)
