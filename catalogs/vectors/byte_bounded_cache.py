"""An LRU cache bounded by the bytes of its values, not by their number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar


class Sized(Protocol):
    """Anything that tells how much memory it holds."""

    @property
    def nbytes(self) -> int: ...


Cached = TypeVar("Cached", bound=Sized)


class ByteBoundedCache(Generic[Cached]):
    """The most recently used values, up to a number of bytes; safe across threads."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._entries: OrderedDict[Hashable, Cached] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Cached]) -> Cached:
        """Return the value under the key, made now if it is not held.

        Two threads may make the same value at once; both results are right, one is kept.
        """
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
        value = make()
        with self._lock:
            if key not in self._entries:
                self._entries[key] = value
                self.nbytes += value.nbytes
            while self.nbytes > self.max_bytes and len(self._entries) > 1:
                _, dropped = self._entries.popitem(last=False)
                self.nbytes -= dropped.nbytes
        return value

    def items(self) -> list[tuple[Any, Cached]]:
        """Return keys and values held at this moment."""
        with self._lock:
            return list(self._entries.items())

    def __len__(self) -> int:
        return len(self._entries)
