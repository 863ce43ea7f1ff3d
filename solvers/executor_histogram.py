"""The mask histogram of a Spark table, counted by this package inside Spark's executors.

Each task gives one partial, and the driver adds them up (`partials/spark_masks.py`); the answer is
that of the statement which Spark would run by itself (`remote_histogram.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..catalogs.deadline import DeadlinePassed
from .histogram import MaskHistogram, nothing_read
from .limits import Budget
from .partials.mask_statement import MaskQuestion
from .partials.spark_masks import partial_on_spark
from .problem import Problem
from .remote_sample import sampled

if TYPE_CHECKING:
    from ..catalogs.remote.remote_slice import RemoteSlice
    from ..catalogs.remote.remote_snapshot import RemoteSnapshot
    from ..catalogs.remote.spark_sessions import SparkSessions


def executor_histogram(problem: Problem, budget: Budget) -> MaskHistogram:
    """Return the mask histogram with first keys; `problem.slice` then knows its ends."""
    base, catalog = cast("RemoteSlice", problem.slice), cast("RemoteSnapshot", problem.catalog)
    sessions = cast("SparkSessions", catalog.sessions)
    measured = tuple(map(catalog.schema.find, base.wanted))
    predicates: Any = problem.predicates
    question = MaskQuestion(base.predicates, tuple(predicates), catalog.key, measured)
    rows = catalog.compiled(sampled(catalog, catalog.table, base.share))
    try:
        partial = partial_on_spark(sessions.frame(rows), question, budget)
    except DeadlinePassed:
        return nothing_read(problem.width)
    base.take_ends(partial.ends)
    return MaskHistogram(
        problem.width,
        partial.masks,
        partial.counts,
        stopped_by="sample" if base.share < 1.0 else None,
        firsts=partial.first_keys,
    )
