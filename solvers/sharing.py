"""Parts of one reading shared between this thread and idle ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def available_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(available_threads(), thread_name_prefix="concede")


def shared(
    parts: Iterable[Part], work: Callable[[Iterator[Part]], Result], threads: int
) -> list[Result]:
    """Return the results of `work`, called at most `threads` times over parts of its own.

    Each call takes one part after another until none is left; together they take every part
    once, in no particular order. This thread works too, and waits for others only if they
    have begun: a busy machine makes it no slower than working alone.
    """
    if threads == 1:
        return [work(iter(parts))]
    # Taking from a list's iterator is one step under Python's lock.
    left = iter(list(parts))
    helpers = [_pool().submit(work, left) for _ in range(threads - 1)]
    own = work(left)
    return [own, *(one.result() for one in helpers if not one.cancel())]


if hasattr(os, "register_at_fork"):
    # Threads do not survive a fork; a pool without them would hold work for ever.
    os.register_at_fork(after_in_child=_pool.cache_clear)
