"""LRU caches bounded by the bytes of their values; `VersionedCache` also checks a value's version.

A look-up costs a lock; a new value evicts those longest not asked for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar


class Sized(Protocol):
    """Anything that tells how much memory it holds."""

    @property
    def nbytes(self) -> int: ...


Cached = TypeVar("Cached", bound=Sized)


class ByteBoundedCache(Generic[Cached]):
    """The most recently used values, up to a number of bytes; safe across threads.

    `beside` says how many of the bytes something else takes; `dropped` is told the key of a value
    that had to go.
    """

    def __init__(
        self,
        max_bytes: int,
        beside: Callable[[], int] = lambda: 0,
        dropped: Callable[[Any], object] = lambda key: None,
    ) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._beside, self._dropped = beside, dropped
        self._entries: OrderedDict[Hashable, Cached] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Cached]) -> Cached:
        """Return the value under the key, made now if it is not here.

        Two threads may make the same value at once; both results are right, one is kept.
        """
        value = self.find(key)
        if value is None:
            value = make()
            self.put(key, value, lambda kept: False)
        return value

    def find(self, key: Hashable) -> Cached | None:
        """Return the value under the key, None for none; it is then the most recently used."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Cached, replaces: Callable[[Cached], bool]) -> None:
        """Keep a value under a key; where there is one already, only if it replaces that."""
        with self._lock:
            before = self._entries.get(key)
            if before is not None:
                if not replaces(before):
                    return
                self.nbytes -= before.nbytes
            self._entries[key] = value
            self.nbytes += value.nbytes
            self._drop()

    def recount(self) -> None:
        """Count anew what the values take, which may have grown, or what is beside them."""
        with self._lock:
            self.nbytes = sum(value.nbytes for value in self._entries.values())
            self._drop()

    def _drop(self) -> None:
        room = self.max_bytes - self._beside()
        while self.nbytes > room and len(self._entries) > 1:
            key, dropped = self._entries.popitem(last=False)
            self.nbytes -= dropped.nbytes
            self._dropped(key)

    def items(self) -> list[tuple[Any, Cached]]:
        """Return keys and values held at this moment."""
        with self._lock:
            return list(self._entries.items())

    def __len__(self) -> int:
        return len(self._entries)


class _Entry(NamedTuple, Generic[Cached]):
    version: int
    value: Cached

    @property
    def nbytes(self) -> int:
        return self.value.nbytes


ASKED = 1 << 14
"""Keys of values that were not kept; one of them asked for again is."""


class VersionedCache(ByteBoundedCache[_Entry[Cached]], Generic[Cached]):
    """A cache of values that each are of one version, shared by the versions of a catalog.

    The newest version that asks for a value leaves it here; older ones that still run find
    theirs again.
    """

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._asked: OrderedDict[int, None] = OrderedDict()

    def at(
        self,
        key: Hashable,
        version: int,
        make: Callable[[], Cached],
        renew: Callable[[int, Cached], Cached | None],
        is_passing: Callable[[Cached], bool] = lambda value: False,
    ) -> Cached:
        """Return the value under the key at a version.

        `renew` is given an earlier version and its value, and returns None where it cannot
        tell; then, and where nothing is here, the value is made. Two threads may do so at
        once; both results are right, one is kept. A passing value is kept only once it was asked
        for before: most that are made quickly are never asked for again, and their memory is
        there for the next one.
        """
        known = self.find(key)
        if known is not None and known.version == version:
            return known.value
        value = None
        if known is not None and known.version < version:
            value = renew(known.version, known.value)
        if value is None:
            value = make()
            if known is None and is_passing(value) and not self._was_asked(key):
                return value
        self.put(key, _Entry(version, value), lambda kept: kept.version < version)
        return value

    def is_asked_first(self, key: Hashable) -> bool:
        """Return whether there is nothing under a key and `at` would not keep a passing value.

        And note that it was asked for now.
        """
        return self.find(key) is None and not self._was_asked(key)

    def _was_asked(self, key: Hashable) -> bool:
        """Return whether the value was asked for before, and note that it was now."""
        # A key may hold long lists; two keys of one hash only have a value kept a question early.
        number = hash(key)
        with self._lock:
            if number in self._asked:
                return True
            self._asked[number] = None
            if len(self._asked) > ASKED:
                self._asked.popitem(last=False)
            return False
