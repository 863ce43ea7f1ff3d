"""Lock a file beside the catalog's: one writer, across processes and inside this one."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ..errors import CatalogInUse, UnreadableCatalog

ATTEMPTS = 4
PAUSE = 0.01
"""Seconds to wait before the second attempt; before the third twice as long, and so on."""


class FileLock:
    """An advisory lock on a file beside a catalog; the system drops it with the process.

    DuckDB locks its files too, but that lock is the process's: it does not keep two catalogs of
    one process apart, and it is lost when anybody here closes the file after a look at it.
    """

    def __init__(self, path: Path) -> None:
        try:
            # A file object, so that a catalog nobody closed gives its lock back when it is freed.
            self._file = open(_beside(path), "ab")  # noqa: SIM115
        except OSError as error:
            problem = f"no lock can be made beside it: {error.strerror}"
            raise UnreadableCatalog(str(path), problem, hint="open it to read only") from None
        if not self._taken():
            self.release()
            raise CatalogInUse(str(path))

    def _taken(self) -> bool:
        """Take the lock; a reader's look at it passes in no time."""
        for attempt in range(ATTEMPTS):
            if _take(self._file.fileno(), alone=True):
                return True
            time.sleep(attempt * PAUSE)
        return False

    def release(self) -> None:
        """Let others have the file; twice is no harm."""
        self._file.close()


def refuse_if_locked(path: Path) -> None:
    """Raise `CatalogInUse` if anybody holds the lock of a file."""
    try:
        opened = os.open(_beside(path), os.O_RDONLY)
    except OSError:
        return
    try:
        if not _take(opened, alone=False):
            raise CatalogInUse(str(path))
    finally:
        os.close(opened)


def _beside(path: Path) -> str:
    return f"{os.path.realpath(path)}.lock"


def _take(file: int, *, alone: bool) -> bool:
    try:
        import fcntl
    except ImportError:
        # Windows refuses a second opening for writing by itself.
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
