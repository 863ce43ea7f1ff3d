"""Rates: so many requests at once, then as many again in so many seconds.

A token bucket told by one number, the moment at which it is full again. Several processes share
it as eight bytes of a file, locked while they are read and written.
"""

from __future__ import annotations

import os
import struct
import time
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

Clock = Callable[[], float]
"""Seconds since a moment that all processes of a machine have in common."""

_MOMENT = struct.Struct("=d")


class Bucket:
    """When a bucket is full again, in seconds of the clock; of this process alone."""

    def __init__(self) -> None:
        self.full_at = 0.0

    @contextmanager
    def held(self) -> Generator[None]:
        """Let nobody else change it."""
        yield


class SharedBucket(Bucket):
    """The same in a file, for all processes that name it.

    The system drops the lock with the process that holds it. Raises `OSError` where the file
    cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        weakref.finalize(self, os.close, self._file)

    @contextmanager
    def held(self) -> Generator[None]:
        """Let nobody else change it."""
        # Where there is no such module there is one process only.
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            kept = os.pread(self._file, _MOMENT.size, 0)
            self.full_at = _MOMENT.unpack(kept)[0] if len(kept) == _MOMENT.size else 0.0
            yield
            os.pwrite(self._file, _MOMENT.pack(self.full_at), 0)
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)


class RateLimit:
    """So many requests at once, then as many again in so many seconds."""

    def __init__(
        self,
        requests: float,
        seconds: float,
        clock: Clock = time.monotonic,
        bucket: Bucket | None = None,
    ) -> None:
        self.requests, self.seconds = requests, seconds
        self._clock, self._bucket = clock, bucket or Bucket()

    def wait(self, requests: float = 1) -> float:
        """Take some requests, at most as many as there ever are; return the seconds to wait if
        there are too few, 0 if they were taken."""
        taken = min(requests, self.requests) * self.seconds / self.requests
        with self._bucket.held():
            now = self._clock()
            # A clock that began anew, with the machine, leaves nobody waiting for the old one.
            full_at = min(max(self._bucket.full_at, now), now + self.seconds)
            wait = full_at + taken - now - self.seconds
            # What 0.1 + 0.2 lacks of 0.3 is no reason to wait.
            if wait > 1e-9 * self.seconds:
                return wait
            self._bucket.full_at = full_at + taken
            return 0.0
