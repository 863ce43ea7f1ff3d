"""The mask histogram of a Spark table, counted inside the executors.

Each task hands its rows over as Arrow batches, counts them by NumPy (`arrow_masks.py`) and gives
back one partial; Spark distributes the tasks and runs those of a lost executor again, and the
partials are added up here. The executors need this package. An answer is whole or an error.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from ...catalogs.deadline import NEVER, Deadline, DeadlinePassed
from ...catalogs.errors import CatalogError, ConcedeError, QueryError, one_line
from ...catalogs.partitions.arrow_rows import arrow
from .arrow_masks import partial_of_batches
from .mask_statement import MaskQuestion
from .partial import Partial, merged, partial_of_record, partial_record

ZONE = "spark.sql.session.timeZone"
CANCEL_AGAIN = 0.5
"""Seconds between cancels: one that comes before the job has begun is lost."""


def partial_on_spark(frame: Any, question: MaskQuestion, until: Deadline = NEVER) -> Partial:
    """Return the partial of the rows of a `pyspark.sql.DataFrame`, in one job.

    Raises `QueryError` for what cannot be evaluated, `CatalogError` for a row without a key and
    where Spark gives up, and `DeadlinePassed`.
    """
    session = frame.sparkSession
    # mapInArrow itself names columns without backticks.
    names = enumerate(columns_of(question))
    columns = frame.select(*[frame[_name(name)].alias(f"c{number}") for number, name in names])
    with in_utc(session), cancelled_at(session, until):
        rows = columns.mapInArrow(PartialTask(question), "partial string").collect()
    records = [json.loads(row["partial"]) for row in rows]
    for record in records:
        if "error" in record:
            kind = QueryError if record["error"] == "query" else CatalogError
            raise kind(record["problem"], hint=record["hint"])
    return merged(question.width, [partial_of_record(record) for record in records])


def columns_of(question: MaskQuestion) -> list[str]:
    """Return the columns that a question reads, the key first."""
    read = [name for each in (*question.base, *question.predicates) for name in each.columns]
    measured = [column.name for column in question.measured]
    return list(dict.fromkeys([question.key, *read, *measured]))


class PartialTask:
    """What a task does: its batches in, one partial as JSON out. Goes to executors by pickling."""

    def __init__(self, question: MaskQuestion) -> None:
        self.question = question

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield one batch of one row; what is wrong with the query is a record, too."""
        names = columns_of(self.question)
        named = (batch.rename_columns(names) for batch in batches)
        try:
            record = partial_record(partial_of_batches(named, self.question))
        except ConcedeError as error:
            # Running the task again would find the same.
            kind = "query" if isinstance(error, QueryError) else "catalog"
            record = {"error": kind, "problem": error.problem, "hint": error.hint}
        text = json.dumps(record)
        yield arrow.RecordBatch.from_pydict({"partial": [text]})


@contextmanager
def in_utc(session: Any) -> Generator[None]:
    """Have instants read in UTC meanwhile, whatever the session's zone."""
    before = session.conf.get(ZONE)
    session.conf.set(ZONE, "UTC")
    try:
        yield
    finally:
        session.conf.set(ZONE, before)


@contextmanager
def cancelled_at(session: Any, until: Deadline) -> Generator[None]:
    """Cancel what this thread runs on Spark when the deadline passes.

    Raises `DeadlinePassed` then, and at once where it has passed already; `CatalogError` where
    Spark gives up by itself.
    """
    from py4j.protocol import Py4JError  # pyright: ignore[reportMissingTypeStubs]
    from pyspark.errors import PySparkException

    until.check()
    done, passed, tag = threading.Event(), threading.Event(), f"concede-{uuid4()}"

    def watch() -> None:
        wait = None if until.is_endless else until.remaining
        while not done.wait(wait):
            passed.set()
            session.sparkContext.cancelJobsWithTag(tag)
            wait = CANCEL_AGAIN

    watcher = threading.Thread(target=watch, name="deadline", daemon=True)
    session.sparkContext.addJobTag(tag)
    watcher.start()
    try:
        yield
    except (PySparkException, Py4JError) as error:
        if passed.is_set():
            raise DeadlinePassed from None
        raise CatalogError(f"Spark gave up: {one_line(str(error))}"[:300]) from None
    finally:
        done.set()
        session.sparkContext.removeJobTag(tag)
        watcher.join()


def _name(column: str) -> str:
    # In backticks a dot is a part of the name; in double quotes it would be text.
    return "`" + column.replace("`", "``") + "`"
