"""Whether rows are read by kernels: where they are many, and the kernels are loaded.

Nobody waits for a compiler. Until the kernels are loaded NumPy answers, whatever the size, and
answers the same. A process that asks once never loads them, as importing Numba and loading takes
longer (0.6 s) than NumPy does (0.1 s more at 10⁵ rows, 0.4 s at 10⁶); from the second question on
they are loaded by a thread beside, and compiled before that by a process beside where no process
ever did. The switch goes one way: what kernels made they can read later.

`CONCEDE_KERNELS` in the environment changes that: `wait` loads, and compiles, at the first
question before it is answered; `off` leaves it at NumPy; `auto` is the default.
"""

from __future__ import annotations

import atexit
import gc
import os
import threading
from collections.abc import Callable

from . import kernel_cache

KERNEL_ROWS = 65_536
"""Catalogs of more rows are read by kernels; smaller ones by NumPy, which starts at once."""

VARIABLE = "CONCEDE_KERNELS"

ENOUGH_TO_LOAD = 2
"""The question of a process at which it begins to load kernels."""

LOOK_SECONDS = 0.5
"""Time between two looks whether the process beside has compiled everything."""

COMPILING = (
    "first use on this machine: NumPy answers, while faster code for large catalogs is compiled in "
    "the background, once (concede warm does so in advance)"
)
UNCOMPILED = (
    "NumPy answers: no folder can be written to keep faster code for large catalogs in "
    "(set NUMBA_CACHE_DIR to one)"
)


def kernels_are_used(rows: int) -> bool:
    """Return whether sets of so many rows are read by kernels, now and from now on."""
    return rows > KERNEL_ROWS and (KERNELS.are_loaded or KERNELS.waited_for())


def kernels_are_loaded() -> bool:
    """Return whether kernels can be called without compiling anything."""
    return KERNELS.are_loaded or KERNELS.waited_for()


def want_kernels(rows: int) -> None:
    """Say that a question about so many rows is asked: see that the next ones find kernels.

    Returns at once, unless the environment says to wait.
    """
    if rows > KERNEL_ROWS and not KERNELS.are_loaded:
        KERNELS.ask()


def await_kernels(rows: int) -> None:
    """Load the kernels for so many rows where the environment says to wait for them.

    Before the clock of a question starts: compiling takes longer than any deadline.
    """
    if rows > KERNEL_ROWS and not KERNELS.are_loaded:
        KERNELS.waited_for()


def prepare_kernels(rows: int) -> None:
    """Load the kernels for so many rows now, compiling them first where nobody has."""
    if rows > KERNEL_ROWS and not KERNELS.are_loaded:
        KERNELS.load()


def kernels_need_no_compiler(rows: int) -> bool:
    """Return whether sets of so many rows can be prepared for without compiling anything."""
    return rows <= KERNEL_ROWS or KERNELS.are_loaded or kernel_cache.is_complete()


class Kernels:
    """The kernels of this process: whether they are loaded, and what loads them."""

    def __init__(self) -> None:
        self.are_loaded = False
        self.tell: Callable[[str], None] = _log
        self._asked = 0
        self._beside: threading.Thread | None = None
        self._turn = threading.Lock()
        self._loading = threading.Lock()
        self._ended = threading.Event()

    def waited_for(self) -> bool:
        """Return whether the environment says to wait for kernels, after that."""
        if os.environ.get(VARIABLE) != "wait":
            return False
        self.load()
        return True

    @property
    def is_automatic(self) -> bool:
        """Whether the environment leaves it to this class what is loaded when."""
        return os.environ.get(VARIABLE, "auto") == "auto"

    def ask(self) -> None:
        """Count a question; load beside it, or have compiled, what is missing."""
        if not self.is_automatic:
            return
        with self._turn:
            self._asked += 1
            if self._asked == 1:
                self._compile()
            elif self._asked == ENOUGH_TO_LOAD:
                self._beside = threading.Thread(
                    target=self._load_when_compiled, name="concede-kernels", daemon=True
                )
                # Python must not end while Numba is at work.
                atexit.register(self._end)
                self._beside.start()

    def _compile(self) -> None:
        if kernel_cache.is_complete():
            return
        if kernel_cache.cache_folder() is None:
            self.tell(UNCOMPILED)
        elif kernel_cache.start_compiler() is not None:
            self.tell(COMPILING)

    def _load_when_compiled(self) -> None:
        for _ in range(round(kernel_cache.COMPILE_SECONDS / LOOK_SECONDS)):
            if kernel_cache.is_complete():
                self._load_beside()
                return
            if self._ended.wait(LOOK_SECONDS):
                return

    def _load_beside(self) -> None:
        try:
            self.load()
        except Exception as error:
            self.tell(f"NumPy answers: what was compiled cannot be loaded: {error}")

    def _end(self) -> None:
        self._ended.set()
        if self._beside is not None:
            self._beside.join()

    def load(self) -> None:
        """Load every kernel that questions need, however long it takes to compile them first."""
        with self._loading:
            if self.are_loaded or os.environ.get(VARIABLE) == "off":
                return
            self._wait_for_compiler()
            from .kernel_compiler import load_kernels

            self.are_loaded = load_kernels(self._ended)
            # Now, not in the middle of a question: what was loaded is 0.1 s to look through.
            gc.collect()

    def _wait_for_compiler(self) -> None:
        """Have everything compiled by a process, so that this one can end and answer meanwhile."""
        process = kernel_cache.start_compiler(beside=False)
        while not kernel_cache.is_complete() and not self._ended.wait(LOOK_SECONDS):
            if process is None and not kernel_cache.is_compiling():
                return
            if process is not None and process.poll() is not None:
                return


def _log(message: str) -> None:
    import logging

    logging.getLogger(kernel_cache.PACKAGE).warning(message)


KERNELS = Kernels()
"""Those of this process."""
