"""A Spark of two executors on this machine, ended with the tests that use it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from concede.bench.scale.local_spark import MASTER, local_spark

MOST_SECONDS = 1_800
"""After so long Spark is killed, and whatever waits for it fails."""

SETTINGS = {"spark.sql.session.timeZone": "America/New_York"}


def skip_without_spark() -> None:
    """Skip, visibly, where there is no Java or no pyspark."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java: Spark does not run here")
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("no pyspark: install the extra spark")


@contextmanager
def spark_cluster(folder: Any, master: str = MASTER) -> Generator[Any]:
    """Yield a session whose files lie in a folder; its processes end with it."""
    skip_without_spark()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_DIRS", str(folder))
        patch.setenv("SPARK_WORKER_DIR", str(folder))
        with local_spark(folder, SETTINGS, master=master, most_seconds=MOST_SECONDS) as started:
            yield started[0]
