"""Interrupts DuckDB on behalf of a question whose deadline has passed.

The engine looks at the clock between readings; a condition in SQL over many rows is a single one,
so the event loop interrupts its cursor, again every 50 ms until the call has ended.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from threading import Lock
from typing import TYPE_CHECKING

from ...catalogs.versions.reader import CatalogReader

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

AGAIN = 0.05
"""Seconds between interrupts: one that comes between two statements is lost."""


class Interrupter:
    """Interrupts the statements of one call, and of no other on the same thread."""

    def __init__(self, catalog: CatalogReader) -> None:
        self._catalog = catalog
        self._lock = Lock()
        self._cursor: DuckDBPyConnection | None = None
        self._is_over = False

    def __enter__(self) -> None:
        """Begin the call, in the thread that runs it."""
        self._cursor = self._catalog.snapshot().cursor()

    def __exit__(self, *raised: object) -> None:
        """End it; an interrupt that is under way ends first."""
        with self._lock:
            self._cursor, self._is_over = None, True

    def interrupt(self, loop: AbstractEventLoop) -> None:
        """Interrupt whatever runs now, and again until the call has ended."""
        with self._lock:
            if self._is_over:
                return
            if self._cursor is not None:
                self._cursor.interrupt()
        loop.call_later(AGAIN, self.interrupt, loop)
