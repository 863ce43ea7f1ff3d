"""Answers about a table of Spark, by its SQL and by this package inside two executors."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

import ibis
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import CatalogError
from concede.catalogs.query.query import Query
from concede.engine.answer import Status
from concede.engine.ranking import remote_ranking
from concede.engine.repair_engine import RepairEngine
from remote_answers import check_answers, same_keys
from remote_rows import COST, parquet_folder
from spark_cluster import spark_cluster

pytestmark = pytest.mark.slow

QUERIES, GROUPS = 16, 2
PATIENCE = 600.0
"""Seconds for an answer on a machine that has other things to do."""

WAYS = {"sql": False, "executors": True}
CONFLICT = Query.model_validate(
    {
        "constraints": [
            {"column": "rooms", "op": ">", "value": 7},
            {"column": "exact", "op": "<", "value": 9},
            {"column": "name", "op": "==", "value": "Ada"},
            {"column": "rating", "op": ">=", "value": 4.5},
        ]
    }
)


@pytest.fixture(scope="module")
def session(rows: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Give a session in another zone with the rows as the table `items`."""
    with spark_cluster(tmp_path_factory.mktemp("spark")) as session:
        parts = parquet_folder(rows, tmp_path_factory.mktemp("parts"))
        session.read.parquet(str(parts)).createOrReplaceTempView("items")
        yield session


@pytest.fixture(scope="module", params=WAYS)
def on_spark(request: pytest.FixtureRequest, session: Any) -> Catalog:
    """Give the rows as a catalog that stays in Spark, each way in turn."""
    table = ibis.pyspark.connect(session).table("items")
    return Catalog.open(table, key="id", cost_column=COST, in_executors=WAYS[request.param])


@pytest.mark.parametrize("group", range(GROUPS))
def test_answers_are_those_of_the_file(
    group: int, rows: Any, in_memory: Catalog, on_spark: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random queries: every key but SQL, solver and version, and SQL counts what it says."""
    monkeypatch.setattr(remote_ranking, "FEW", 2)
    monkeypatch.setattr(remote_ranking, "MORE", 2)
    seeds = range(group, QUERIES, GROUPS)
    check_answers(rows, seeds, in_memory, on_spark, deadline=PATIENCE)


def test_an_empty_base_slice_and_a_sample(in_memory: Catalog, on_spark: Catalog) -> None:
    base = [{"column": "rooms", "op": op, "value": value} for op, value in ((">", 5), ("<", 3))]
    query = Query.model_validate({"base": base, "constraints": CONFLICT.constraints})
    answer = RepairEngine(on_spark).repair(query, deadline=PATIENCE)
    assert answer.base_conflicts
    assert same_keys(answer) == same_keys(RepairEngine(in_memory).repair(query))
    sampled = RepairEngine(on_spark).repair(CONFLICT, sample=0.5, deadline=PATIENCE)
    assert sampled.stopped_by == "sample"
    assert not sampled.proven_minimal


def executors(session: Any) -> list[int]:
    """Return the processes that are executors of a session, without what started them."""
    listed = subprocess.run(
        ["ps", "-ewwo", "pid,ppid,args"], check=True, capture_output=True, text=True
    ).stdout
    name = session.sparkContext.applicationId
    found = [
        tuple(map(int, line.split()[:2]))
        for line in listed.splitlines()
        if "CoarseGrainedExecutorBackend" in line and name in line
    ]
    parents = {parent for _, parent in found}
    return [pid for pid, _ in found if pid not in parents]


def test_a_lost_executor_changes_no_answer(
    session: Any, in_memory: Catalog, on_spark: Catalog
) -> None:
    """One is killed while the first tasks run."""
    expected = RepairEngine(in_memory).repair(CONFLICT)
    answers: list[Any] = []
    asking = threading.Thread(
        target=lambda: answers.append(RepairEngine(on_spark).repair(CONFLICT, deadline=PATIENCE))
    )
    before = set(executors(session))
    assert len(before) == 2
    asking.start()
    tracker, until = session.sparkContext.statusTracker(), time.monotonic() + PATIENCE
    while not tracker.getActiveJobsIds():
        assert asking.is_alive(), "the answer was there before a job was seen"
        assert time.monotonic() < until
        time.sleep(0.005)
    os.kill(min(before), signal.SIGKILL)
    asking.join(PATIENCE)
    assert same_keys(answers[0]) == same_keys(expected)
    until = time.monotonic() + 60
    while len(there := set(executors(session))) < 2 or there == before:
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize("way", WAYS)
def test_a_deadline_cancels_the_job(session: Any, way: str) -> None:
    """Nothing is known then, and nothing runs on."""
    session.sql(
        "SELECT id, rooms FROM items "
        "WHERE reflect('java.lang.Thread', 'sleep', CAST(50 AS BIGINT)) IS NULL OR id >= 0"
    ).createOrReplaceTempView("slow")
    table = ibis.pyspark.connect(session).table("slow")
    catalog = Catalog.open(table, key="id", in_executors=WAYS[way])
    query = Query.model_validate({"constraints": [{"column": "rooms", "op": ">", "value": 9}]})
    answer = RepairEngine(catalog).repair(query, deadline=2.0)
    assert (answer.status, answer.stopped_by) == (Status.UNKNOWN, "deadline")
    assert session.sparkContext.statusTracker().getActiveJobsIds() == []


def test_other_engines_have_no_executors(rows: Any) -> None:
    backend = ibis.duckdb.connect()
    backend.con.execute(f"CREATE TABLE items AS FROM '{rows.path}'")
    with pytest.raises(CatalogError, match="'items' has no executors"):
        Catalog.open(backend.table("items"), key="id", in_executors=True)
