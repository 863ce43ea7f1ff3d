"""Runs the chunks of one reading on this thread and on idle ones of a pool."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

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
    once, in no particular order. This thread works too, and waits for others only if they
    have begun: a busy machine makes it no slower than working alone.
    """
    if threads == 1:
        return [work(iter(chunks))]
    # Taking from a list's iterator is one step under Python's lock.
    left = iter(list(chunks))
    others = [_pool().submit(work, left) for _ in range(threads - 1)]
    own = work(left)
    return [own, *(future.result() for future in others if not future.cancel())]


if hasattr(os, "register_at_fork"):
    # Threads do not survive a fork; a pool without them would hold work for ever.
    os.register_at_fork(after_in_child=_pool.cache_clear)
