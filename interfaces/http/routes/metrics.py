"""`/metrics`: what happened, in Prometheus' text format, over all workers together.

| metric | |
|---|---|
| `concede_http_requests_total` | by method, path template and status |
| `concede_http_request_seconds` | from the head of a request to the end of its answer, by path |
| `concede_questions_total` | by operation, catalog and outcome: status, verdict or error |
| `concede_answers_reused_total` | answered from the cache, not above: `same` version, or `stale` |
| `concede_question_seconds` | in the engine and the writing of the answer, by operation |
| `concede_question_wait_seconds` | for a thread, by operation |
| `concede_questions_held` | running or waiting now |
| `concede_catalog_rows`, `concede_catalog_version` | by catalog |
| `concede_cache_bytes`, `concede_cache_entries` | by catalog and cache |
| `concede_answer_cache_bytes` | of answers kept |
| `concede_conversations` | open now |
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import (
    MultiProcessCollector,
    mark_process_dead,  # pyright: ignore[reportUnknownVariableType] untyped
)
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from ....catalogs.catalog import Catalog
from ....engine.runtime.observers import Observed
from ..openapi import TEXT, documented
from ..state import ServerState, state_of

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where the values of several workers meet; prometheus_client reads it when it is imported."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
GAUGE_SECONDS = 1.0
"""How old what is measured of caches and queues may be."""

router = APIRouter(tags=["health"])


class Metrics:
    """The service's metrics; safe across threads, and an `Observer` of its engines."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._measured = 0.0
        self._count_requests()
        self._count_questions()
        self._gauge()

    def _counter(self, name: str, description: str, *labels: str) -> Counter:
        return Counter(name, description, labels, registry=self.registry)

    def _seconds(self, name: str, description: str, label: str) -> Histogram:
        return Histogram(name, description, (label,), buckets=SECONDS, registry=self.registry)

    def _count_requests(self) -> None:
        self.requests = self._counter(
            "concede_http_requests", "Requests answered.", "method", "path", "status"
        )
        self.request_seconds = self._seconds(
            "concede_http_request_seconds",
            "Seconds from the head of a request to the end of its answer.",
            "path",
        )

    def _count_questions(self) -> None:
        self.questions = self._counter(
            "concede_questions",
            "Questions put to an engine, by how they ended.",
            "operation",
            "catalog",
            "outcome",
        )
        self.answers_reused = self._counter(
            "concede_answers_reused",
            "Questions answered with what was answered before.",
            "operation",
            "how",
        )
        self.question_seconds = self._seconds(
            "concede_question_seconds", "Seconds a question was being answered.", "operation"
        )
        self.wait_seconds = self._seconds(
            "concede_question_wait_seconds", "Seconds a question waited for a thread.", "operation"
        )

    def _gauge(self) -> None:
        def gauge(name: str, description: str, *labels: str, mode: str = "livesum") -> Gauge:
            # Sums over the workers that live; of what all have alike, the least or the most.
            return Gauge(name, description, labels, registry=self.registry, multiprocess_mode=mode)  # type: ignore[arg-type]

        self.pending = gauge("concede_questions_held", "Questions running or waiting.")
        self.answer_bytes = gauge("concede_answer_cache_bytes", "Bytes of answers kept.")
        self.conversations = gauge("concede_conversations", "Conversations open.")
        self.rows = gauge("concede_catalog_rows", "Rows of a catalog.", "catalog", mode="livemax")
        self.versions = gauge(
            "concede_catalog_version",
            "The version of a catalog; the oldest any worker answers from.",
            "catalog",
            mode="livemin",
        )
        labels = ("catalog", "cache")
        self.cache_bytes = gauge("concede_cache_bytes", "Bytes held by a cache.", *labels)
        self.cache_entries = gauge("concede_cache_entries", "Entries held by a cache.", *labels)

    def observe(self, event: Observed, /) -> None:
        """Count a question."""
        self.questions.labels(event.operation, event.catalog, event.outcome).inc()
        self.question_seconds.labels(event.operation).observe(event.ran)
        self.wait_seconds.labels(event.operation).observe(event.waited)

    def count_cached(self, operation: str, how: str) -> None:
        """Count a question that the cache answered."""
        self.answers_reused.labels(operation, how).inc()

    def count_request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request; paths that are none of ours, and odd methods, are counted as one."""
        path = path_of(scope)
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.requests.labels(method, path, str(status)).inc()
        self.request_seconds.labels(path).observe(seconds)

    def measure(self, state: ServerState, *, now: bool = False) -> None:
        """Bring the gauges up to date, unless they were a moment ago."""
        clock = time.monotonic()
        if not now and clock - self._measured < GAUGE_SECONDS:
            return
        self._measured = clock
        self.pending.set(state.pool.pending)
        self.answer_bytes.set(state.responses.nbytes)
        self.conversations.set(len(state.conversations))
        if not state.several_workers:
            # A catalog may have been unloaded; gauges shared with others cannot be cleared.
            for gauge in (self.rows, self.versions, self.cache_bytes, self.cache_entries):
                gauge.clear()
        for name in state.names:
            served = state.find(name)
            self.rows.labels(name).set(served.catalog.row_count)
            self.versions.labels(name).set(served.catalog.version)
            for cache, (nbytes, entries) in caches_of(served.catalog).items():
                self.cache_bytes.labels(name, cache).set(nbytes)
                self.cache_entries.labels(name, cache).set(entries)

    def text(self) -> bytes:
        """Return the metrics of all workers."""
        folder = os.environ.get(FOLDER_VARIABLE)
        if folder is None:
            return generate_latest(self.registry)
        _forget_the_dead(Path(folder))
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=folder)  # pyright: ignore[reportUnknownMemberType] untyped
        return generate_latest(registry)


def path_of(scope: Scope) -> str:
    """Return the template of the path that answered a request; `other` where none did."""
    return str(getattr(scope.get("route"), "path", "other"))


def caches_of(catalog: Catalog) -> Mapping[str, tuple[int, int]]:
    """Return the bytes and entries of a catalog's caches by name."""
    known = catalog.snapshot().shared
    sets, slices, indexes = known.row_sets, known.slices, list(known.indexes.values())
    return {
        "row sets": (sets.nbytes, len(sets)),
        "slices": (slices.nbytes, len(slices)),
        "indexes": (sum(index.nbytes for index in indexes), len(indexes)),
    }


def _forget_the_dead(folder: Path) -> None:
    """Take away the gauges of workers that are gone; their counts stay."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = re.search(r"_(\d+)\.db$", file.name)
        if pid and not _lives(int(pid[1])):
            mark_process_dead(int(pid[1]), path=str(folder))  # pyright: ignore[reportUnknownMemberType] untyped


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True


@router.get("/metrics", **documented(None, TEXT, "Metrics.", media_type="text/plain"))
async def metrics(request: Request) -> Response:
    """Return the metrics in Prometheus' text format."""
    state = state_of(request)
    collected: Metrics = request.app.state.metrics
    collected.measure(state, now=True)
    return Response(collected.text(), media_type=CONTENT_TYPE_LATEST)
