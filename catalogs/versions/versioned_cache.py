"""A byte-bounded LRU cache shared by versions: an earlier version's value is brought up to date.

An entry knows the version it is of; the caller renews it from the rows touched since.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic

from ..vectors.byte_bounded_cache import Cached


class VersionedCache(Generic[Cached]):
    """The most recently used values, up to a number of bytes, each of one version.

    Safe across threads, and shared by the versions of a catalog. The newest version that asks
    for a value leaves it here; older ones that still run find theirs again.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._entries: OrderedDict[Hashable, tuple[int, Cached]] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self,
        key: Hashable,
        version: int,
        make: Callable[[], Cached],
        renew: Callable[[int, Cached], Cached | None],
    ) -> Cached:
        """Return the value under the key at a version.

        `renew` is given an earlier version and its value, and returns None where it cannot
        tell; then, and where nothing is held, the value is made. Two threads may do so at
        once; both results are right, one is kept.
        """
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                self._entries.move_to_end(key)
        if known is not None and known[0] == version:
            return known[1]
        value = renew(*known) if known is not None and known[0] < version else None
        if value is None:
            value = make()
        self._keep(key, version, value)
        return value

    def _keep(self, key: Hashable, version: int, value: Cached) -> None:
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                if known[0] >= version:
                    return
                self.nbytes -= known[1].nbytes
            self._entries[key] = version, value
            self.nbytes += value.nbytes
            while self.nbytes > self.max_bytes and len(self._entries) > 1:
                _, (_, dropped) = self._entries.popitem(last=False)
                self.nbytes -= dropped.nbytes

    def __len__(self) -> int:
        return len(self._entries)
