"""Compile all kernels and write them to Numba's cache: here, or in a process in the background."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import kernel_cache

if TYPE_CHECKING:
    from .numba_kernel import DeclaredKernel

    Watch = Callable[[Sequence[DeclaredKernel], str], Iterable[DeclaredKernel]]

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

    def record(self) -> dict[str, Any]:
        """Return this as plain values."""
        return {
            "kernels": self.kernels,
            "compiled": self.compiled,
            "seconds": round(self.seconds, 3),
            "folder": None if self.folder is None else str(self.folder),
        }


def compile_kernels(watch: Watch | None = None) -> Compiled:
    """Load or compile every kernel of the package; write the stamp that says so.

    `watch` sees one after another. Waits for another process that compiles.
    """
    begun = time.monotonic()
    folder = kernel_cache.cache_folder()
    lock = None if folder is None else kernel_cache.CompileLock(folder)
    try:
        if lock is not None:
            lock.take(wait=True)
        return _compiled(begun, folder, watch or _unwatched)
    finally:
        if lock is not None:
            lock.close()


def _unwatched(kernels: Sequence[DeclaredKernel], doing: str) -> Iterable[DeclaredKernel]:
    return kernels


def load_kernels(ended: threading.Event) -> bool:
    """Load the kernels that questions need; return False if `ended` was set before the last."""
    for kernel in _declared(kernel_cache.KERNEL_MODULES):
        if ended.is_set():
            return False
        kernel.prepare()
    import_module(f"{kernel_cache.PACKAGE}.{kernel_cache.RANKER_MODULE}")
    return True


def _declared(modules: Iterable[str]) -> list[DeclaredKernel]:
    listed: list[DeclaredKernel] = []
    for name in modules:
        module = import_module(f"{kernel_cache.PACKAGE}.{name}")
        from .numba_kernel import DECLARED

        listed += [kernel for kernel in DECLARED if kernel.module == module.__name__]
    return listed


def _compiled(begun: float, folder: Path | None, watch: Watch) -> Compiled:
    kernels = _declared((*kernel_cache.KERNEL_MODULES, *kernel_cache.BATCH_MODULES))
    compiled = sum([kernel.prepare() for kernel in watch(kernels, "compiling")])
    files = [file for kernel in kernels if (file := kernel.file) is not None]
    if folder is not None and len(files) == len(kernels):
        kernel_cache.mark_complete(files)
        folder = Path(os.path.commonpath(files))
    return Compiled(len(kernels), compiled, time.monotonic() - begun, folder)


def main() -> None:
    """Compile for other processes: not for ever, and `--beside` them, when they are idle.

    Whoever started this process took the lock for it, and this process holds it till its end.
    """
    if os.name == "posix":
        import signal

        if sys.argv[1:] == ["--beside"]:
            os.nice(LEAST_PRIORITY)
        signal.alarm(kernel_cache.COMPILE_SECONDS)
    _compiled(time.monotonic(), kernel_cache.cache_folder(), _unwatched)


if __name__ == "__main__":
    main()
