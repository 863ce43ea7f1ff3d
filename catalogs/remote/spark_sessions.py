"""How statements reach Spark: in UTC, cancelled at a deadline, lost executors left to Spark itself.

Spark runs the tasks of a lost executor again and gives up after four times; an answer is whole or
an error. What a table holds may change between two statements.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Self
from uuid import uuid4
from weakref import WeakKeyDictionary

from ..deadline import NEVER, Deadline, DeadlinePassed
from ..errors import CatalogError
from .sessions import Sessions, not_evaluated, reason_of

ZONE = "spark.sql.session.timeZone"
CANCEL_AGAIN = 0.5
"""Seconds between cancels: one that comes before the job has begun is lost."""

UNEVALUATED = (
    "AnalysisException",
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "DateTimeException",
    "IllegalArgumentException",
    "NumberFormatException",
    "ParseException",
    "SparkRuntimeException",
)
"""Errors of PySpark that are the statement's own."""


class SparkSessions(Sessions):
    """Statements of a Spark session that somebody made."""

    def __init__(self, session: Any) -> None:
        super().__init__()
        self.place = "spark"
        self.session = session

    @classmethod
    def over(cls, backend: Any) -> Self:
        """Return the statements of a backend of Ibis."""
        return cls(backend._session)

    def frame(self, sql: str) -> Any:
        """Return the rows of a SELECT as a `pyspark.sql.DataFrame`, of which none is read yet."""
        with self._counting:
            self.statements += 1
        return self.session.sql(sql)

    def _run(self, sql: str, schema: Any, until: Deadline) -> Any:
        with spark_job(self.session, until):
            return self.session.sql(sql).toArrow().cast(schema)


class _Zones:
    """Sessions that are in UTC for now: how many ask for it, and the zone before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking: WeakKeyDictionary[Any, tuple[int, str]] = WeakKeyDictionary()

    def enter(self, session: Any) -> None:
        with self._lock:
            asking, before = self._asking.get(session, (0, ""))
            if not asking:
                before = session.conf.get(ZONE)
                session.conf.set(ZONE, "UTC")
            self._asking[session] = asking + 1, before

    def leave(self, session: Any) -> None:
        with self._lock:
            asking, before = self._asking.pop(session)
            if asking > 1:
                self._asking[session] = asking - 1, before
            else:
                session.conf.set(ZONE, before)


_zones = _Zones()


@contextmanager
def spark_job(session: Any, until: Deadline = NEVER) -> Generator[None]:
    """Run what Spark does for this thread inside in UTC, and cancel it when the deadline passes.

    Raises `DeadlinePassed` then, and at once where it has passed already; `QueryError` for what
    cannot be evaluated; `CatalogError` where Spark gives up by itself.
    """
    until.check()
    _zones.enter(session)
    try:
        with _cancelled_at(session, until):
            yield
    finally:
        _zones.leave(session)


@contextmanager
def _cancelled_at(session: Any, until: Deadline) -> Generator[None]:
    from py4j.protocol import Py4JError  # pyright: ignore[reportMissingTypeStubs]
    from pyspark.errors import PySparkException

    # Tags of a session's own were not heard of by jobs of mapInArrow.
    context, tag = session.sparkContext, f"concede-{uuid4()}"
    done, passed = threading.Event(), threading.Event()

    def watch() -> None:
        wait = None if until.is_endless else until.remaining
        while not done.wait(wait):
            passed.set()
            context.cancelJobsWithTag(tag)
            wait = CANCEL_AGAIN

    watcher = threading.Thread(target=watch, name="deadline", daemon=True)
    context.addJobTag(tag)
    watcher.start()
    try:
        yield
    except (PySparkException, Py4JError) as error:
        if passed.is_set():
            raise DeadlinePassed from None
        if type(error).__name__ in UNEVALUATED:
            raise not_evaluated(error) from None
        raise CatalogError(f"Spark gave up: {reason_of(error)[:300]}") from None
    finally:
        done.set()
        watcher.join()
        context.removeJobTag(tag)
