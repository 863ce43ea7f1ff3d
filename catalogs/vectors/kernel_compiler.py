"""Compile all kernels and write them to Numba's cache: here, or in a process in the background."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from . import kernel_cache

if TYPE_CHECKING:
    from .numba_kernel import DeclaredKernel

LEAST_PRIORITY = 19


@dataclass(frozen=True)
class Compiled:
    """How many kernels there are, how many of them were compiled now, in how many seconds.

    `folder` is where they are kept, None where no folder can be written.
    """

    kernels: int
    compiled: int
    seconds: float
    folder: Path | None


def compile_kernels(progress: Callable[[int, int], None] | None = None) -> Compiled:
    """Load or compile every kernel of the package; write the stamp that says so.

    `progress` is told how many are done, of how many. Waits for another process that compiles.
    """
    begun = time.monotonic()
    folder = kernel_cache.cache_folder()
    lock = None if folder is None else kernel_cache.CompileLock(folder)
    try:
        if lock is not None:
            lock.take(wait=True)
        return _compiled(begun, folder, progress or _silent)
    finally:
        if lock is not None:
            lock.close()


def _silent(done: int, of: int) -> None:
    return None


def load_kernels(ended: threading.Event) -> bool:
    """Load the kernels that questions need; return False if `ended` was set before the last."""
    for kernel in _declared(kernel_cache.KERNEL_MODULES):
        if ended.is_set():
            return False
        kernel.prepare()
    return True


def _declared(modules: Iterable[str]) -> list[DeclaredKernel]:
    listed: list[DeclaredKernel] = []
    for name in modules:
        module = import_module(f"{kernel_cache.PACKAGE}.{name}")
        from .numba_kernel import DECLARED

        listed += [kernel for kernel in DECLARED if kernel.module == module.__name__]
    return listed


def _compiled(begun: float, folder: Path | None, progress: Callable[[int, int], None]) -> Compiled:
    kernels = _declared((*kernel_cache.KERNEL_MODULES, *kernel_cache.BATCH_MODULES))
    compiled = 0
    for done, kernel in enumerate(kernels):
        progress(done, len(kernels))
        compiled += kernel.prepare()
    files = [file for kernel in kernels if (file := kernel.file) is not None]
    if folder is not None and len(files) == len(kernels):
        kernel_cache.mark_complete(files)
        folder = Path(os.path.commonpath(files))
    return Compiled(len(kernels), compiled, time.monotonic() - begun, folder)


def main() -> None:
    """Compile in the background: when nobody else wants the processor, and not for ever.

    Whoever started this process took the lock for it, and this process holds it till its end.
    """
    if os.name == "posix":
        import signal

        os.nice(LEAST_PRIORITY)
        signal.alarm(kernel_cache.COMPILE_SECONDS)
    _compiled(time.monotonic(), kernel_cache.cache_folder(), _silent)


if __name__ == "__main__":
    main()
