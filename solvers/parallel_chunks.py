"""Runs the chunks of one reading on this thread and, where it is long, on idle ones of a pool.

To start a thread takes some 0.1 ms and as much of the processor from this one, so how long the
first chunks take decides whether others are asked.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

WORTH_SHARING = 1.5e-3
"""Seconds of work that are worth another thread, which takes some 0.3 to begin."""

TRIED = 0.25e-3
"""Seconds after which the pace is known: a first chunk may take several times as long as others."""

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


def available_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(available_threads(), thread_name_prefix="concede")


def run_chunks(
    chunks: Iterable[Chunk], work: Callable[[Iterator[Chunk]], Result], threads: int
) -> list[Result]:
    """Return the results of `work`, called at most `threads` times over chunks of its own.

    Each call takes one chunk after another until none is left; together they take every chunk
    once, in no particular order. This thread begins alone, and others are asked to help as soon
    as, at its pace, the rest would take it longer than `WORTH_SHARING`. It waits for others only
    if they have begun: a busy machine makes it no slower than working alone.
    """
    if threads == 1:
        return [work(iter(chunks))]
    listed = list(chunks)
    # Taking from a list's iterator is one step under Python's lock.
    left, others = iter(listed), list[Future[Result]]()

    def own() -> Iterator[Chunk]:
        started = time.perf_counter()
        for done, chunk in enumerate(left, start=1):
            yield chunk
            taken = time.perf_counter() - started
            if taken > TRIED and taken / done * (len(listed) - done) > WORTH_SHARING:
                others.extend(_pool().submit(work, left) for _ in range(threads - 1))
                break
        yield from left

    result = work(own())
    return [result, *(future.result() for future in others if not future.cancel())]


if hasattr(os, "register_at_fork"):
    # Threads do not survive a fork; a pool without them would hold work for ever.
    os.register_at_fork(after_in_child=_pool.cache_clear)
