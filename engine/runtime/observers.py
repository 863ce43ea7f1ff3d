"""Observers: told of each question when it has ended, with its outcome and how long it took.

Costs two readings of the clock and one record a question. `RepairEngine` without observers does
nothing of this and does not load this module.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ..answer import Answer
from ..diagnosis import Check, Diagnosis
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


class QuestionTimer:
    """Times one question and traces it; tells observers when it has ended."""

    def __init__(self, operation: str, catalog: str, observers: Iterable[Observer]) -> None:
        self.waited = 0.0
        self._operation = operation
        self._catalog = catalog
        self._observers = observers

    def timed(self, ask: Callable[[], Result]) -> Result:
        """Return what `ask` returns, with a span around it where somebody traces."""
        started = time.perf_counter()
        with span(f"concede.{self._operation}", catalog=self._catalog) as mark:
            try:
                result = ask()
            except Exception as error:
                self._tell(type(error).__name__, started, None, None)
                raise
            outcome, complete, version = _ending(result)
            mark(outcome=outcome, complete=complete, waited_ms=self.waited * 1e3)
        self._tell(outcome, started, complete, version)
        return result

    def refused(self, error: Exception) -> None:
        """Tell of a question that was not taken."""
        self._tell(type(error).__name__, time.perf_counter(), None, None)

    def _tell(
        self, outcome: str, started: float, complete: bool | None, version: int | None
    ) -> None:
        ran = time.perf_counter() - started
        event = Observed(
            self._operation, outcome, ran, self.waited, complete, self._catalog, version
        )
        for observer in self._observers:
            observer.observe(event)


def _ending(result: object) -> tuple[str, bool | None, int | None]:
    if isinstance(result, Answer):
        return str(result.status), result.complete, result.catalog_version
    if isinstance(result, Diagnosis):
        return str(result.verdict), result.complete, result.catalog_version
    if isinstance(result, Check):
        return str(result.verdict), result.complete, None
    return "done", None, None
