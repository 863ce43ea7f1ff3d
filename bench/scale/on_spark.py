"""Spark on this machine, two executors of one core: our SQL, the kernels inside executors, by hand.

CPU seconds are those of the Java processes and Python workers, the driver's included.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from ...solvers.partials.by_file import bound_question
from ...solvers.partials.spark_masks import partial_on_spark
from . import by_hand
from .data import KEY, QUERY, parquet_folder
from .engines import ours_and_by_hand
from .fit import Measured, least
from .local_spark import local_spark
from .processor_time import seconds_below

SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
}


def on_spark(folder: Path, rows: int, repeats: int) -> Iterator[Measured]:
    """Measure the statements; the cluster is ended in the end."""
    import ibis  # pyright: ignore[reportMissingTypeStubs]

    from ...catalogs.catalog import Catalog

    place = parquet_folder(folder, rows)
    with TemporaryDirectory() as files, local_spark(files, SETTINGS) as (session, java):

        def clock() -> float:
            return process_time() + seconds_below(java.pid)

        frame = session.read.parquet(str(place))
        frame.createOrReplaceTempView("scale_rows")
        backend: Any = ibis.pyspark.connect(session)
        snapshot: Any = Catalog.open(backend.table("scale_rows"), key=KEY).snapshot()

        def in_spark(sql: str) -> object:
            return session.sql(sql).toArrow()

        yield from ours_and_by_hand("spark", snapshot, rows, repeats, in_spark, "scale_rows", clock)
        question = bound_question(QUERY, snapshot.schema, KEY)
        inside = least(lambda: partial_on_spark(frame, question), repeats, clock)
        hand = least(lambda: in_spark(by_hand.histogram("scale_rows")), repeats, clock)
        yield Measured("spark", "histogram inside executors", rows, inside, hand)
