"""Masks counted inside two executors of Spark: the same as DuckDB's, whatever happens."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from concede import CatalogError, Constraint, Query, QueryError
from concede.catalogs.deadline import Deadline, DeadlinePassed
from concede.catalogs.partitions.parquet_folder import ParquetFolder
from concede.solvers.partials import spark_masks
from concede.solvers.partials.by_file import bound_question
from concede.solvers.partials.counting import count_partition
from concede.solvers.partials.partial import Partial
from concede.solvers.partials.spark_masks import PartialTask, partial_on_spark
from parquet_parts import KEY
from spark_cluster import spark_cluster

pytestmark = pytest.mark.slow

ROWS = 4_000
QUERIES = {
    "numbers": [("n", ">=", 3), ("x", "<=", 0.1), ("a.b", "!=", 2)],
    "texts": [("t", "==", "a"), ("t", "like", "a\\%"), ("t`q", "in", ("ä", '"'))],
    "moments": [("at", ">=", "1970-01-01T12:00:00"), ("day", "<", "1970-01-05"), ("n", "<", 5)],
    "nulls": [("x", "is null", None), ("t", "is not null", None), ("flag", "==", True)],
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """A folder of eight partitions, with names that need quotes."""
    folder = tmp_path_factory.mktemp("lake")
    numbers = list(range(ROWS))
    data = pa.table(
        {
            KEY: numbers,
            "n": [None if i % 11 == 0 else i % 7 for i in numbers],
            "x": [float("nan") if i % 13 == 0 else i % 5 / 10 for i in numbers],
            "a.b": pa.array([i % 3 for i in numbers], pa.int8()),
            "t": [None if i % 17 == 0 else ["a", "a\\b", "b"][i % 3] for i in numbers],
            "t`q": [["ä", '"', "z"][i % 3] for i in numbers],
            "at": pa.array([i * 30_000_000 for i in numbers], pa.timestamp("us", "UTC")),
            "day": pa.array([i % 9 for i in numbers], pa.date32()),
            "flag": [None if i % 19 == 0 else i % 2 == 0 for i in numbers],
        }
    )
    for part in range(8):
        rows = data.slice(part * ROWS // 8, ROWS // 8)
        pq.write_table(rows, folder / f"part-{part}.parquet")
    return folder


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    with spark_cluster(tmp_path_factory.mktemp("spark")) as session:
        yield session


def asked(lake: Path, *constraints, base=()):
    query = Query(
        base=[Constraint(column=c, op=op, value=value) for c, op, value in base],
        constraints=[Constraint(column=c, op=op, value=value) for c, op, value in constraints],
    )
    return bound_question(query, ParquetFolder(lake).schema, KEY)


def content(partial: Partial | None) -> object:
    if partial is None:
        return None
    arrays = (partial.masks, partial.counts, partial.first_keys)
    return [partial.width, *[each.tolist() for each in arrays], partial.ends, content(partial.base)]


def agrees(session, lake: Path, question) -> None:
    folder = ParquetFolder(lake)
    ours = partial_on_spark(session.read.parquet(str(lake)), question)
    theirs = count_partition(folder.connection, folder.every_clause, question)
    assert content(ours) == content(theirs)


@pytest.mark.parametrize("name", QUERIES)
def test_same_masks_first_keys_and_ends(session, lake, name):
    agrees(session, lake, asked(lake, *QUERIES[name]))
    # The session's own zone is not UTC, and stays.
    assert session.conf.get("spark.sql.session.timeZone") == "America/New_York"


def test_an_empty_base_is_explained(session, lake):
    agrees(session, lake, asked(lake, ("n", ">=", 3), base=[("n", ">", 5), ("n", "<", 2)]))


def test_what_is_wrong_with_a_query_is_said(session, lake):
    folder = ParquetFolder(lake)
    query = Query(constraints=[Constraint(op="sql", value="CAST(t AS INTEGER) > 1")])
    question = bound_question(query, folder.schema, KEY)
    with pytest.raises(QueryError, match="cannot evaluate"):
        partial_on_spark(session.read.parquet(str(lake)), question)


class KillsItsExecutor(PartialTask):
    """The task of the first key kills the executor it runs in, the first time."""

    def __init__(self, question, marker: str) -> None:
        super().__init__(question)
        self.marker = marker

    def __call__(self, batches):
        batches = list(batches)
        if any(0 in batch.column(0).to_pylist() for batch in batches):
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                # The worker's parent is Python's daemon, and its parent the executor.
                status = Path(f"/proc/{os.getppid()}/stat").read_text()
                os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)
                time.sleep(60)
        yield from super().__call__(batches)


def test_a_lost_executor_changes_nothing(session, lake, tmp_path, monkeypatch):
    marker = tmp_path / "killed"
    monkeypatch.setattr(
        spark_masks, "PartialTask", lambda question: KillsItsExecutor(question, str(marker))
    )
    # Classes of test modules are not importable on executors.
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(__import__("sys").modules[__name__])
    agrees(session, lake, asked(lake, *QUERIES["numbers"]))
    assert marker.exists()


class Sleeps(PartialTask):
    """A task that takes a minute."""

    def __call__(self, batches):
        time.sleep(60)
        yield from super().__call__(batches)


def test_a_deadline_cancels_the_job(session, lake, monkeypatch):
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(__import__("sys").modules[__name__])
    monkeypatch.setattr(spark_masks, "PartialTask", Sleeps)
    question = asked(lake, *QUERIES["numbers"])
    with pytest.raises(DeadlinePassed):
        partial_on_spark(session.read.parquet(str(lake)), question, Deadline(3.0))
    tracker = session.sparkContext.statusTracker()
    assert tracker.getActiveJobsIds() == []


def test_spark_giving_up_is_an_error(session, lake):
    frame = session.read.parquet(str(lake))
    with (
        pytest.raises(CatalogError, match="Spark gave up"),
        spark_masks.cancelled_at(session, Deadline(None)),
    ):
        frame.selectExpr("raise_error('no')").collect()
