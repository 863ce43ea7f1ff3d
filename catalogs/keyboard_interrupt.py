"""Ctrl-C inside DuckDB: raised as `KeyboardInterrupt`, and at once.

DuckDB's client looks for signals only where the main thread itself works on a statement, and then
says `RuntimeError("Query interrupted")`; while other threads of DuckDB work it hears nothing. So a
thread waits at the other end of Python's wake-up file descriptor, interrupts the statements of the
main thread, and Python's own handler raises as soon as the statement has ended. Costs five system
calls for each call from the main thread, some microseconds, and one idle thread.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast
from weakref import WeakSet

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Class = TypeVar("Class", bound=type)

INTERRUPTED = "Query interrupted"
"""All that DuckDB's client says of a signal; a statement stopped by `interrupt()` is another."""

AGAIN = 0.05
"""Seconds between interrupts: one that comes between two statements is lost."""


class Watcher:
    """Interrupts what DuckDB does for the main thread when SIGINT comes; made at first use."""

    def __init__(self) -> None:
        self._cursors: WeakSet[DuckDBPyConnection] = WeakSet()
        self._lock = threading.Lock()
        self._reading = -1
        self._writing: int | None = None
        self._come: select.poll
        self._call: object | None = None
        self.has_interrupted = False

    def watch(self, cursor: DuckDBPyConnection) -> None:
        """Interrupt this cursor as well, if it is the main thread that will use it."""
        if threading.current_thread() is threading.main_thread():
            with self._lock:
                self._cursors.add(cursor)

    def begin(self) -> bool:
        """Listen for signals, if this is the main thread and nobody listens yet."""
        if self._call is not None or sys.platform == "win32":
            return False
        if threading.current_thread() is not threading.main_thread():
            return False
        before = signal.set_wakeup_fd(self._pipe(), warn_on_full_buffer=False)
        if before != -1:
            # An event loop listens, which runs its questions in other threads.
            signal.set_wakeup_fd(before)
            return False
        self.has_interrupted = False
        self._call = object()
        return True

    def end(self) -> None:
        """Listen no longer; a signal nobody has acted on yet does not reach the next call."""
        signal.set_wakeup_fd(-1)
        with self._lock:
            self._call = None
            while self._signal():
                pass

    def forget(self) -> None:
        """Begin anew, in a process that was forked: the thread has stayed behind."""
        self.__init__()

    def _pipe(self) -> int:
        if self._writing is None:
            self._reading, self._writing = os.pipe()
            os.set_blocking(self._writing, False)
            self._come = _readable(self._reading)
            threading.Thread(target=self._listen, name="ctrl-c", daemon=True).start()
        return self._writing

    def _signal(self) -> int | None:
        """Return the next signal that came, under the lock; None for none."""
        return os.read(self._reading, 1)[0] if self._come.poll(0) else None

    def _listen(self) -> None:
        readable = _readable(self._reading)
        while True:
            readable.poll()
            with self._lock:
                # The call that the signal belongs to, which may be over at any time from now on.
                came, call = self._signal(), self._call
            if came != signal.SIGINT:
                continue
            # Whoever has a handler of his own decides himself what Ctrl-C means.
            while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                if not self._interrupt(call):
                    break
                time.sleep(AGAIN)

    def _interrupt(self, call: object | None) -> bool:
        """Interrupt every cursor unless the call is over; its loop keeps no cursor alive."""
        with self._lock:
            if call is None or call is not self._call:
                return False
            self.has_interrupted = True
            for cursor in self._cursors:
                cursor.interrupt()
        return True


def _readable(file: int) -> select.poll:
    """Return what waits for something to read; each thread needs its own."""
    readable = select.poll()
    readable.register(file, select.POLLIN)
    return readable


WATCHER = Watcher()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WATCHER.forget)


def interruptible(call: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Have a function raise `KeyboardInterrupt` where DuckDB was interrupted by Ctrl-C."""

    @wraps(call)
    def interrupted(*args: Arguments.args, **options: Arguments.kwargs) -> Result:
        listens = WATCHER.begin()
        try:
            return call(*args, **options)
        except Exception as error:
            # DuckDB may have taken Python's exception for itself and said something else.
            by_watcher = listens and WATCHER.has_interrupted
            by_client = isinstance(error, RuntimeError) and str(error) == INTERRUPTED
            if by_watcher or by_client:
                raise KeyboardInterrupt from None
            raise
        finally:
            if listens:
                WATCHER.end()

    return interrupted


NEVER_WAITING = frozenset({"snapshot", "condition_text"})
"""Methods that never wait for DuckDB, and are called a dozen times in a question."""


def interruptible_class(kind: Class) -> Class:
    """Make every public method of a class `interruptible`, class methods too."""
    for name, member in list(vars(kind).items()):
        if name.startswith("_") or name in NEVER_WAITING:
            continue
        if isinstance(member, classmethod):
            call = cast("Callable[..., Any]", cast("Any", member).__func__)
            setattr(kind, name, classmethod(interruptible(call)))
        elif callable(member):
            setattr(kind, name, interruptible(member))
    return kind
