"""The engine for asynchronous programs: the same answers, bounded, in time, cancellable."""

import asyncio
import threading
from contextlib import suppress

import pytest

from concede import (
    AsyncRepairEngine,
    Catalog,
    LimitError,
    Overloaded,
    Query,
    RepairEngine,
    UnknownColumn,
)
from concede.engine.runtime.thread_pool import BoundedPool, QueueSlot

ASKED = {
    "base": {"Make": "Toyota"},
    "constraints": [
        {"column": "Year", "op": ">=", "value": 2017, "weight": 0.3},
        {"column": "MSRP", "op": "<=", "value": 9_000, "weight": 0.9},
    ],
}


@pytest.fixture(scope="module")
def engine():
    return RepairEngine(Catalog.open("sample:cars"), threads=1)


@pytest.fixture
def query():
    return Query.model_validate(ASKED)


def test_the_answers_are_the_engines(engine, query):
    async def ask():
        async with AsyncRepairEngine(engine) as asked:
            return (
                await asked.check(query),
                await asked.diagnose(query),
                await asked.repair(query, top=3, policy="fewest"),
            )

    check, diagnosis, answer = asyncio.run(ask())
    assert check == engine.check(query)
    assert diagnosis.record() == engine.diagnose(query).record()
    assert answer.record() == engine.repair(query, top=3, policy="fewest").record()


def test_many_at_once_come_back_each_to_its_own(engine):
    queries = [
        Query.model_validate({"constraints": [{"column": "Year", "op": ">=", "value": 1990 + n}]})
        for n in range(40)
    ]

    async def ask():
        async with AsyncRepairEngine(engine, threads=4, queue=40) as asked:
            return await asyncio.gather(*(asked.repair(query) for query in queries))

    answers = asyncio.run(ask())
    assert [answer.record() for answer in answers] == [
        engine.repair(query).record() for query in queries
    ]


def test_errors_are_the_engines(engine):
    query = Query.model_validate({"constraints": [{"column": "Yeer", "op": ">", "value": 1}]})

    async def ask():
        async with AsyncRepairEngine(engine) as asked:
            await asked.repair(query)

    with pytest.raises(UnknownColumn):
        asyncio.run(ask())


class Blocked:
    """An engine whose only thread is busy until it is let go."""

    def __init__(self, engine: RepairEngine, queue: int) -> None:
        self.pool = BoundedPool(1, queue)
        self.engine = AsyncRepairEngine(engine, pool=self.pool)
        self._entered, self._free = threading.Event(), threading.Event()
        self._busy = self.pool.submit(self._hold)
        assert self._entered.wait(30)

    def _hold(self, slot: QueueSlot) -> None:
        self._entered.set()
        assert self._free.wait(30)

    def let_go(self) -> None:
        self._free.set()


def test_what_does_not_fit_in_the_queue_is_refused_at_once(engine, query):
    blocked = Blocked(engine, queue=1)

    async def ask():
        waiting = asyncio.ensure_future(blocked.engine.repair(query))
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await blocked.engine.repair(query)
        blocked.let_go()
        return await waiting

    assert asyncio.run(ask()).record() == engine.repair(query).record()
    blocked.pool.close()


def test_the_deadline_includes_what_was_waited(engine, query):
    blocked = Blocked(engine, queue=1)

    async def ask():
        waiting = asyncio.ensure_future(blocked.engine.repair(query, deadline=1e-9))
        await asyncio.sleep(0)
        blocked.let_go()
        await waiting

    with pytest.raises(LimitError, match="waited"):
        asyncio.run(ask())
    blocked.pool.close()


def test_a_deadline_that_ends_the_search_gives_what_was_found(query):
    """A solver that is told how much time is left stops there and says so."""
    told = []

    class Hurried(RepairEngine):
        def repair(self, query, *, deadline=None, **options):
            told.append(deadline)
            return super().repair(query, deadline=0.0, **options)

    hurried = Hurried(Catalog.open("sample:cars"), threads=1, solver="sql")

    async def ask():
        async with AsyncRepairEngine(hurried) as asked:
            return await asked.repair(query, deadline=5.0)

    answer = asyncio.run(ask())
    assert not answer.complete
    assert answer.stopped_by == "deadline"
    assert 0 < told[0] <= 5.0


def test_a_cancelled_question_that_waits_is_never_asked(query):
    asked_of_it = []

    class Counting(RepairEngine):
        def repair(self, query, **options):
            asked_of_it.append(query)
            return super().repair(query, **options)

    blocked = Blocked(Counting(Catalog.open("sample:cars"), threads=1), queue=2)

    async def ask():
        waiting = asyncio.ensure_future(blocked.engine.repair(query))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(ask())
    blocked.let_go()
    blocked.pool.close()
    assert asked_of_it == []


def test_a_shared_pool_is_left_open(engine, query):
    pool = BoundedPool(1)

    async def ask():
        for _ in range(2):
            async with AsyncRepairEngine(engine, pool=pool) as asked:
                await asked.check(query)

    asyncio.run(ask())
    assert not pool.closed
    pool.close()


SLOW = " OR ".join(f"(Make || Model || \"Market Category\" LIKE '%a%{n}%e%')" for n in range(10))


@pytest.fixture(scope="module")
def many():
    """A catalog over which one condition takes the database long."""
    cars = Catalog.open("sample:cars")
    rows = cars.query('SELECT * FROM "cars"')
    pandas = pytest.importorskip("pandas")
    return Catalog.open(pandas.concat([pandas.DataFrame(rows)] * 50))


def asked_slowly(catalog: Catalog) -> Query:
    slow = [{"op": "sql", "value": SLOW.replace("%a%", f"%a%{n}%")} for n in range(20)]
    return Query.model_validate({"constraints": slow})


def test_the_database_is_stopped_at_the_deadline(many):
    query = asked_slowly(many)

    async def ask():
        async with AsyncRepairEngine(RepairEngine(many, threads=1), threads=1) as engine:
            for _ in range(3):
                # What was found by then, unless even that comes too late.
                with suppress(LimitError):
                    assert (await engine.repair(query, deadline=0.05)).stopped_by == "deadline"
            # The thread and its cursor are as good as before.
            met = {"constraints": [{"op": "sql", "value": "Make || 'x' = 'Toyotax'"}]}
            return await engine.repair(Query.model_validate(met), deadline=60.0)

    assert asyncio.run(ask()).count > 0


def test_the_database_is_stopped_where_nobody_waits_any_more(many):
    pool = BoundedPool(1)
    started = threading.Event()

    class Telling(RepairEngine):
        def repair(self, query, **options):
            started.set()
            return super().repair(query, **options)

    async def ask():
        engine = AsyncRepairEngine(Telling(many, threads=1), pool=pool)
        asked = asyncio.ensure_future(engine.repair(asked_slowly(many), deadline=None))
        await asyncio.to_thread(started.wait, 30)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        while pool.pending:
            await asyncio.sleep(0)

    asyncio.run(ask())
    pool.close()
