"""Ends what DuckDB is running when a deadline passes.

DuckDB looks whether it was interrupted after every 2,048 rows or so; a thread waits for the
deadline meanwhile (0.1 ms to start).
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

import duckdb

from .deadline import Deadline, DeadlinePassed

INTERRUPT_AGAIN = 0.005
"""Seconds between interrupts: one that comes before the statement has begun is lost."""


@contextmanager
def interrupted_at(cursor: duckdb.DuckDBPyConnection, until: Deadline) -> Generator[None]:
    """Interrupt whatever runs on the cursor when the deadline passes.

    Raises `DeadlinePassed` then, and at once where it has passed already.
    """
    if until.is_endless:
        yield
        return
    until.check()
    done, passed = threading.Event(), threading.Event()

    def watch() -> None:
        wait = until.remaining
        while not done.wait(wait):
            passed.set()
            cursor.interrupt()
            wait = INTERRUPT_AGAIN

    watcher = threading.Thread(target=watch, name="deadline", daemon=True)
    watcher.start()
    try:
        yield
    except duckdb.InterruptException:
        if passed.is_set():
            raise DeadlinePassed from None
        raise
    finally:
        done.set()
        # Only then can no interrupt reach the next statement on this cursor.
        watcher.join()
