"""A Spark of two executors on this machine, ended with the tests that use it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

CLUSTER = "local-cluster[2,1,1024]"
MOST_SECONDS = 540
"""After so long Spark is killed, and whatever waits for it fails."""

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.session.timeZone": "America/New_York",
    "spark.sql.ansi.enabled": "true",
}


def skip_without_spark() -> None:
    """Skip, visibly, where there is no Java or no pyspark."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java: Spark does not run here")
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("no pyspark: install the extra spark")


@contextmanager
def spark_cluster(folder: Any, master: str = CLUSTER) -> Generator[Any]:
    """Yield a session whose files lie in a folder; its processes end with it."""
    skip_without_spark()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_DIRS", str(folder))
        patch.setenv("SPARK_WORKER_DIR", str(folder))
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(master).appName("concede tests")
        for name, value in {**SETTINGS, "spark.sql.warehouse.dir": str(folder)}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        java = session.sparkContext._gateway.proc
        watchdog = threading.Timer(MOST_SECONDS, java.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            yield session
        finally:
            _end(session, java)
            watchdog.cancel()


def _end(session: Any, java: Any) -> None:
    from pyspark import SparkContext

    gateway = session.sparkContext._gateway
    try:
        session.stop()
        gateway.shutdown()
    finally:
        SparkContext._gateway = SparkContext._jvm = None
        java.stdin.close()
        try:
            java.wait(30)
        except Exception:
            java.kill()
            java.wait(30)
