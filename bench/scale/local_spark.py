"""A Spark of two executors on this machine, whose processes end with it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

MASTER = "local-cluster[2,1,1024]"
SETTINGS: Mapping[str, str] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.ansi.enabled": "true",
}
END_SECONDS = 30.0


@contextmanager
def local_spark(
    folder: object,
    settings: Mapping[str, str],
    *,
    master: str = MASTER,
    most_seconds: float | None = None,
) -> Generator[tuple[Any, Any]]:
    """Yield a session whose files lie in a folder, and the Java process that is its driver.

    After `most_seconds` that process is killed, and whatever waits for it fails. There may be one
    session at a time.
    """
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Those of a session before this one are gone.
    os.environ["SPARK_LOCAL_DIRS"] = os.environ["SPARK_WORKER_DIR"] = str(folder)
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder.master(master)
    own = {"spark.sql.warehouse.dir": str(folder)}
    for name, value in {**SETTINGS, **own, **settings}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    java = session.sparkContext._gateway.proc
    watchdog = threading.Timer(most_seconds or threading.TIMEOUT_MAX, java.kill)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield session, java
    finally:
        _end(session, java)
        watchdog.cancel()


def _end(session: Any, java: Any) -> None:
    from pyspark import SparkContext

    context: Any = SparkContext
    gateway = session.sparkContext._gateway
    try:
        session.stop()
        gateway.shutdown()
    finally:
        # The next session starts a driver of its own.
        context._gateway = context._jvm = None
        java.stdin.close()
        try:
            java.wait(END_SECONDS)
        except Exception:
            java.kill()
            java.wait(END_SECONDS)
