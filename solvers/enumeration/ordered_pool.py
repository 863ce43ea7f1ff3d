"""A thread pool whose results come in the order of the work, with few of them waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Work = TypeVar("Work")
Result = TypeVar("Result")

AHEAD_PER_THREAD = 4
"""Results that may wait for an earlier one, for each thread: they bound what is held."""


def in_order(
    function: Callable[[Work], Result], work: Iterable[Work], threads: int
) -> Iterator[Result]:
    """Yield the function of each piece of work, in order, computed on this many threads.

    At most `AHEAD_PER_THREAD` · threads pieces are taken ahead of what was yielded. With one
    thread nothing is, and none is started. An error comes where its result would have; closing
    the iterator drops what has not begun and waits for what has.
    """
    if threads == 1:
        yield from map(function, work)
        return
    pending: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for piece in work:
                pending.append(pool.submit(function, piece))
                if len(pending) >= threads * AHEAD_PER_THREAD:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
