"""Threads with a bounded queue before them: a call that does not fit is refused at once.

A call costs a future and a copy of the context; waiting ones hold nothing else.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Lock
from typing import Self, TypeVar

from ...catalogs.errors import Closed, LimitError, Overloaded, QueryError
from ...solvers.parallel_chunks import available_threads

Result = TypeVar("Result")

DEFAULT_QUEUE = 64
"""Calls that wait for a thread; at some milliseconds each, a good part of a second."""


@dataclass(frozen=True)
class QueueSlot:
    """A call's place in the queue: seconds it waited, and seconds left when its turn came."""

    waited: float
    left_then: float | None
    began: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float | None:
        """Seconds left of its deadline now, 0 for none; None without a deadline."""
        if self.left_then is None:
            return None
        return max(0.0, self.left_then - (time.monotonic() - self.began))

    def in_time(self) -> Self:
        """Return this slot; raise `LimitError` if it came when the deadline had passed."""
        if self.left is not None and self.left <= 0:
            raise LimitError(
                f"the deadline passed while the question waited {self.waited:.3g} s for its turn",
                hint="allow more time, or ask when there is less to do",
            )
        return self


class BoundedPool:
    """So many threads, and at most so many calls waiting for one; safe across threads.

    A call that is cancelled before its turn never runs, but keeps its place until then.
    `nice` is how far its threads stand back behind others, 0 to 19, where the system lets
    threads do that (Linux). Raises `QueryError` for no thread or a negative queue.
    """

    def __init__(
        self, threads: int | None = None, queue: int = DEFAULT_QUEUE, *, nice: int = 0
    ) -> None:
        self.threads = available_threads() if threads is None else threads
        if self.threads < 1:
            raise QueryError(f"threads is {threads}", hint="ask for at least 1")
        if queue < 0:
            raise QueryError(f"queue is {queue}", hint="give 0 or more")
        self.queue = queue
        self._pool = ThreadPoolExecutor(
            self.threads, "concede-pool", initializer=_stand_back, initargs=(nice,)
        )
        self._lock = Lock()
        self._pending = 0
        self._waiting = 0
        self.closed = False

    @property
    def pending(self) -> int:
        """The calls running or waiting now."""
        return self._pending

    @property
    def waiting(self) -> int:
        """The calls that wait for a thread now."""
        return self._waiting

    def submit(
        self, call: Callable[[QueueSlot], Result], *, deadline: float | None = None
    ) -> Future[Result]:
        """Have `call` run in a thread, told what it waited; `deadline` is seconds from now.

        Raises `Overloaded` when the queue is full, `Closed` after `close`.
        """
        self._take_place()
        future: Future[Result] = Future()
        came, context = time.monotonic(), copy_context()

        def run() -> None:
            with self._lock:
                self._waiting -= 1
            if not future.set_running_or_notify_cancel():
                self._give_place()
                return
            try:
                result = context.run(call, _slot(came, deadline))
            except BaseException as error:
                self._give_place()
                future.set_exception(error)
            else:
                # First: whoever gets the answer may look at how many calls there are.
                self._give_place()
                future.set_result(result)

        try:
            self._pool.submit(run)
        except RuntimeError:
            self._give_place(waiting=1)
            raise _closed() from None
        return future

    async def run(
        self, call: Callable[[QueueSlot], Result], *, deadline: float | None = None
    ) -> Result:
        """Await `call` as `submit` runs it; raises what `submit` and the call raise."""
        return await asyncio.wrap_future(self.submit(call, deadline=deadline))

    def close(self) -> None:
        """Take no more calls, and wait for those taken."""
        self.closed = True
        self._pool.shutdown(wait=True)

    def _take_place(self) -> None:
        with self._lock:
            if self.closed:
                raise _closed()
            if self._pending >= self.threads + self.queue:
                raise Overloaded(
                    f"{self._pending} questions are being answered or wait",
                    hint="ask again in a moment",
                )
            self._pending += 1
            self._waiting += 1

    def _give_place(self, *, waiting: int = 0) -> None:
        with self._lock:
            self._pending -= 1
            self._waiting -= waiting


def _closed() -> Closed:
    return Closed("the pool is closed", hint="open another")


def _stand_back(nice: int) -> None:
    """Make this thread, and no other of its process, less urgent than it was."""
    if nice and sys.platform == "linux":
        # Elsewhere it would be the whole process.
        with suppress(OSError):
            os.nice(nice)


def _slot(came: float, deadline: float | None) -> QueueSlot:
    waited = time.monotonic() - came
    return QueueSlot(waited, None if deadline is None else deadline - waited)
