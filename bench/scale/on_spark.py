"""Spark on this machine, two executors of one core: our SQL, the kernels inside executors, by hand.

CPU seconds are those of the Java processes and Python workers, the driver's included.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from ...solvers.partials.by_file import bound_question
from ...solvers.partials.spark_masks import partial_on_spark
from . import by_hand
from .data import KEY, QUERY, parquet_folder
from .fit import Measured, least
from .processor_time import seconds_below
from .statements import STATEMENTS

MASTER = "local-cluster[2,1,1024]"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
}


def on_spark(folder: Path, rows: int, repeats: int) -> Iterator[Measured]:
    """Measure the statements; the cluster is ended in the end."""
    import ibis  # pyright: ignore[reportMissingTypeStubs]
    from pyspark.sql import SparkSession

    from ...catalogs.catalog import Catalog

    place = parquet_folder(folder, rows)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.master(MASTER)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    java: Any = session.sparkContext._gateway.proc

    def clock() -> float:
        return process_time() + seconds_below(java.pid)

    try:
        frame = session.read.parquet(str(place))
        frame.createOrReplaceTempView("scale_rows")
        backend: Any = ibis.pyspark.connect(session)
        snapshot: Any = Catalog.open(backend.table("scale_rows"), key=KEY).snapshot()
        for statement in STATEMENTS:
            sql = statement.hand("scale_rows")
            ours = hand = float("inf")
            for _ in range(repeats):
                ours = min(ours, least(lambda ask=statement.ask: ask(snapshot), 1, clock))
                hand = min(hand, least(lambda text=sql: session.sql(text).toArrow(), 1, clock))
            yield Measured("spark", statement.name, rows, ours, hand)
        question = bound_question(QUERY, snapshot.schema, KEY)
        inside = least(lambda: partial_on_spark(frame, question), repeats, clock)
        hand = least(lambda: session.sql(by_hand.histogram("scale_rows")).toArrow(), repeats, clock)
        yield Measured("spark", "histogram inside executors", rows, inside, hand)
    finally:
        _end(session, java)


def _end(session: Any, java: Any) -> None:
    gateway = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    java.stdin.close()
    try:
        java.wait(30)
    except Exception:
        java.kill()
        java.wait(30)
