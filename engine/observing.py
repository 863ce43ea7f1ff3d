"""What is told of each question answered, and to whom.

An engine that nobody observes does nothing of this: `ObservedEngine` is another class, and
`AsyncRepairEngine` asks once whether it has an observer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ..catalogs.query import Query
from ..catalogs.reader import CatalogReader
from ..solvers.limits import DEFAULT_DEADLINE, DEFAULT_MAX_SETS
from ..solvers.registry import DEFAULT_SOLVER
from .answer import Answer
from .diagnosis import Check, Diagnosis
from .policies import DEFAULT_POLICY
from .repair_engine import DEFAULT_TOP, RepairEngine
from .tracing import span

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Observed:
    """One question and how it ended.

    `outcome` is the status of an answer, the verdict of a diagnosis or a check, or the name of
    the error raised. `waited` and `ran` are seconds; `complete` is None after an error.
    """

    operation: str
    outcome: str
    ran: float
    waited: float = 0.0
    complete: bool | None = None
    catalog: str = ""
    catalog_version: int | None = None


class Observer(Protocol):
    """Is told of each question when it has ended, in the thread that answered it.

    What it raises reaches whoever asked: an observer that can fail has to see to it.
    """

    def observe(self, event: Observed, /) -> None:
        """Take one question in."""
        ...


class LoggingObserver:
    """Writes a record for each question; its parts are attributes of the record."""

    def __init__(self, logger: logging.Logger | None = None, level: int = logging.INFO) -> None:
        self._logger = logger or logging.getLogger("concede.engine")
        self._level = level

    def observe(self, event: Observed, /) -> None:
        """Write the record."""
        if self._logger.isEnabledFor(self._level):
            parts = {
                "operation": event.operation,
                "outcome": event.outcome,
                "ran_ms": round(event.ran * 1e3, 3),
                "waited_ms": round(event.waited * 1e3, 3),
                "complete": event.complete,
                "catalog": event.catalog,
                "catalog_version": event.catalog_version,
            }
            self._logger.log(self._level, "%s: %s", event.operation, event.outcome, extra=parts)


class Watch:
    """One question while it is being answered; tells the observer when it has ended."""

    def __init__(self, operation: str, catalog: str, observer: Observer | None) -> None:
        self.waited = 0.0
        self._operation = operation
        self._catalog = catalog
        self._observer = observer

    def seen(self, ask: Callable[[], Result]) -> Result:
        """Return what `ask` returns, with a span around it where somebody traces."""
        started = time.perf_counter()
        with span(f"concede.{self._operation}", catalog=self._catalog) as mark:
            try:
                found = ask()
            except Exception as error:
                self._tell(type(error).__name__, started, None, None)
                raise
            outcome, complete, version = _ending(found)
            mark(outcome=outcome, complete=complete, waited_ms=self.waited * 1e3)
        self._tell(outcome, started, complete, version)
        return found

    def refused(self, error: Exception) -> None:
        """Tell of a question that was not taken."""
        self._tell(type(error).__name__, time.perf_counter(), None, None)

    def _tell(
        self, outcome: str, started: float, complete: bool | None, version: int | None
    ) -> None:
        if self._observer is not None:
            ran = time.perf_counter() - started
            event = Observed(
                self._operation, outcome, ran, self.waited, complete, self._catalog, version
            )
            self._observer.observe(event)


def _ending(found: object) -> tuple[str, bool | None, int | None]:
    if isinstance(found, Answer):
        return str(found.status), found.complete, found.catalog_version
    if isinstance(found, Diagnosis):
        return str(found.verdict), found.complete, found.catalog_version
    if isinstance(found, Check):
        return str(found.verdict), found.complete, None
    return "done", None, None


class ObservedEngine(RepairEngine):
    """A `RepairEngine` that tells an observer of each question, and traces it.

    What several threads ask is told from several threads.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        *,
        observer: Observer | None = None,
        solver: str = DEFAULT_SOLVER,
        threads: int | None = None,
    ) -> None:
        super().__init__(catalog, solver=solver, threads=threads)
        self.observer = observer

    def check(
        self, query: Query, *, solver: str | None = None, deadline: float | None = DEFAULT_DEADLINE
    ) -> Check:
        """Return what `RepairEngine.check` returns."""
        ask = super().check
        return self._watch("check").seen(lambda: ask(query, solver=solver, deadline=deadline))

    def diagnose(
        self,
        query: Query,
        *,
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
        limit: int = DEFAULT_MAX_SETS,
    ) -> Diagnosis:
        """Return what `RepairEngine.diagnose` returns."""
        ask = super().diagnose
        return self._watch("diagnose").seen(
            lambda: ask(query, solver=solver, deadline=deadline, limit=limit)
        )

    def repair(
        self,
        query: Query,
        *,
        policy: str = DEFAULT_POLICY,
        top: int = DEFAULT_TOP,
        order: str = "cost",
        priority: Sequence[str] = (),
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
    ) -> Answer:
        """Return what `RepairEngine.repair` returns."""
        ask = super().repair
        options: dict[str, Any] = {
            "policy": policy,
            "top": top,
            "order": order,
            "priority": priority,
            "solver": solver,
            "deadline": deadline,
        }
        return self._watch("repair").seen(lambda: ask(query, **options))

    def _watch(self, operation: str) -> Watch:
        return Watch(operation, self.catalog.name, self.observer)
