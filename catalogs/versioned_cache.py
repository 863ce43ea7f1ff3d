"""A cache that outlives versions: what an earlier version knew is renewed, not found again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic

from .row_set import Held


class VersionedCache(Generic[Held]):
    """The most recently used values, up to a number of bytes, each of one version.

    Safe across threads, and shared by the versions of a catalog. The newest version that asks
    for a value leaves it here; older ones that still run find theirs again.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._held: OrderedDict[Hashable, tuple[int, Held]] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self,
        key: Hashable,
        version: int,
        make: Callable[[], Held],
        renew: Callable[[int, Held], Held | None],
    ) -> Held:
        """Return the value under the key at a version.

        `renew` is given an earlier version and its value, and returns None where it cannot
        tell; then, and where nothing is held, the value is made. Two threads may do so at
        once; both results are right, one is kept.
        """
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
        if held is not None and held[0] == version:
            return held[1]
        made = renew(*held) if held is not None and held[0] < version else None
        if made is None:
            made = make()
        self._keep(key, version, made)
        return made

    def _keep(self, key: Hashable, version: int, made: Held) -> None:
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                if held[0] >= version:
                    return
                self.nbytes -= held[1].nbytes
            self._held[key] = version, made
            self.nbytes += made.nbytes
            while self.nbytes > self.max_bytes and len(self._held) > 1:
                _, (_, dropped) = self._held.popitem(last=False)
                self.nbytes -= dropped.nbytes

    def __len__(self) -> int:
        return len(self._held)
