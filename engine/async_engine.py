"""The engine for asynchronous programs: questions go through a bounded pool of threads.

Costs a hand-over to a thread and back; the event loop never waits for a question.

async with AsyncRepairEngine(RepairEngine(catalog, threads=1)) as engine:
    answer = await engine.repair(query, deadline=0.05)
"""

from __future__ import annotations

from asyncio import CancelledError, get_running_loop, wrap_future
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Self, TypeVar, Unpack

import duckdb

from ..catalogs.deadline import check_seconds
from ..catalogs.errors import Closed, LimitError, Overloaded
from ..catalogs.versions.reader import CatalogReader
from ..solvers.limits import DEFAULT_MAX_SETS
from .answer import Answer
from .bound_query import Question
from .diagnosis import Check, Diagnosis
from .repair_engine import RepairEngine
from .repair_options import RepairKeywords, RepairOptions
from .runtime.interrupts import Interrupter
from .runtime.observers import Observer, QuestionTimer
from .runtime.thread_pool import DEFAULT_QUEUE, BoundedPool, QueueSlot

Result = TypeVar("Result")

ASYNC_DEADLINE = 10.0
"""Seconds for one question; somebody waits for the answer."""

ASYNC_OPTIONS = RepairOptions(deadline=ASYNC_DEADLINE)


class AsyncRepairEngine:
    """A `RepairEngine` whose questions wait in a bounded queue and run in a bounded pool.

    Give a `pool` to share one between engines; it is then left open by `close`. `observer` is
    told of each question with what it waited; `name` is what it is told of the catalog.

    Each method takes a `deadline` in seconds from the call, waiting included: the engine stops
    at it and gives the best answer so far, with `complete=False`. Each raises, beside what the
    engine raises: `Overloaded` at once where the queue is full, `Closed` after `close`;
    `LimitError` where the deadline passed before the question's turn came, or while the database
    read one condition. A cancelled question that still waits never runs; one that runs is stopped
    as at its deadline.
    """

    def __init__(
        self,
        engine: RepairEngine,
        *,
        threads: int | None = None,
        queue: int = DEFAULT_QUEUE,
        pool: BoundedPool | None = None,
        observer: Observer | None = None,
        name: str | None = None,
    ) -> None:
        self.engine = engine
        self.name = engine.catalog.name if name is None else name
        self.observer = observer
        self._owns_pool = pool is None
        self.pool = pool or BoundedPool(threads, queue)

    @property
    def catalog(self) -> CatalogReader:
        """The catalog asked."""
        return self.engine.catalog

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Take no more questions, and wait for those taken."""
        if self._owns_pool:
            self.pool.close()

    async def check(self, query: Question, *, deadline: float | None = ASYNC_DEADLINE) -> Check:
        """Return what `RepairEngine.check` returns."""
        return await self.ask("check", partial(_timed, self.engine.check, query), deadline)

    async def diagnose(
        self,
        query: Question,
        *,
        deadline: float | None = ASYNC_DEADLINE,
        limit: int = DEFAULT_MAX_SETS,
    ) -> Diagnosis:
        """Return what `RepairEngine.diagnose` returns."""
        diagnose = partial(self.engine.diagnose, limit=limit)
        return await self.ask("diagnose", partial(_timed, diagnose, query), deadline)

    async def repair(
        self,
        query: Question,
        options: RepairOptions = ASYNC_OPTIONS,
        **changes: Unpack[RepairKeywords],
    ) -> Answer:
        """Return what `RepairEngine.repair` returns."""

        def repair(slot: QueueSlot) -> Answer:
            return self.engine.repair(query, options=options.changed(**changes), deadline=slot.left)

        return await self.ask("repair", repair, changes.get("deadline", options.deadline))

    async def ask(
        self, operation: str, call: Callable[[QueueSlot], Result], deadline: float | None
    ) -> Result:
        """Return what `call` returns, run in the pool as a question of this engine.

        `call` is given its queue slot and has to end by itself within what is left of the deadline.
        """
        check_seconds(deadline)
        observers = () if self.observer is None else (self.observer,)
        timer = QuestionTimer(operation, self.name, observers)
        stop = Interrupter(self.catalog)
        try:
            running = self.pool.submit(partial(_in_turn, timer, stop, call), deadline=deadline)
        except (Overloaded, Closed) as error:
            timer.refused(error)
            raise
        return await _ended(running, stop, deadline)


async def _ended(running: Future[Result], stop: Interrupter, deadline: float | None) -> Result:
    """Return what a call returns; interrupt it at its deadline, or when nobody waits for it."""
    loop = get_running_loop()
    timer = None if deadline is None else loop.call_later(deadline, stop.interrupt, loop)
    try:
        return await wrap_future(running)
    except CancelledError:
        # Cancelled before its turn it never runs, and so never ends.
        if not running.cancelled():
            stop.interrupt(loop)
        raise
    finally:
        if timer is not None:
            timer.cancel()


def _in_turn(
    timer: QuestionTimer, stop: Interrupter, call: Callable[[QueueSlot], Result], slot: QueueSlot
) -> Result:
    timer.waited = slot.waited
    return timer.timed(lambda: _stoppable(stop, call, slot))


def _stoppable(stop: Interrupter, call: Callable[[QueueSlot], Result], slot: QueueSlot) -> Result:
    with stop:
        try:
            return call(slot.in_time())
        except duckdb.InterruptException:
            raise LimitError(
                "the deadline passed before there was an answer",
                hint="allow more time, or ask for less",
            ) from None


def _timed(ask: Callable[..., Result], query: Question, slot: QueueSlot) -> Result:
    return ask(query, deadline=slot.left)
