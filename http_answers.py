"""Answers kept for whoever asks the same again before the catalog changes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from .http_state import Served

Asked = tuple[str, bytes]
"""What is asked: the operation, and the body as it came."""

ENTRY_BYTES = 500
"""What an entry takes beside its texts, about."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was written, and the catalog and version it is right for."""

    served: Served
    version: int
    body: bytes

    def is_right(self, now: Served | None) -> bool:
        """Return whether it still answers, where `now` is served under its catalog's name."""
        return now is not None and now is self.served and now.catalog.version == self.version


class AnswerCache:
    """The most recently used answers, up to a number of bytes; used from one event loop.

    The same question of the same version has the same answer, to the byte, so that what is
    kept is what the engine would say again.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._held: OrderedDict[Asked, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, asked: Asked) -> Kept | None:
        """Return what is kept of a question, right or not any more."""
        found = self._held.get(asked)
        if found is not None:
            self._held.move_to_end(asked)
        return found

    def keep(self, asked: Asked, answer: Kept) -> None:
        """Keep an answer, and drop what was not asked for longest."""
        size = _size(asked, answer)
        if size > self.max_bytes:
            return
        self.drop(asked)
        self._held[asked] = answer
        self.nbytes += size
        while self.nbytes > self.max_bytes:
            self.drop(next(iter(self._held)))

    def drop(self, asked: Asked) -> None:
        """Forget an answer, if it is kept."""
        gone = self._held.pop(asked, None)
        if gone is not None:
            self.nbytes -= _size(asked, gone)


def _size(asked: Asked, answer: Kept) -> int:
    return len(asked[1]) + len(answer.body) + ENTRY_BYTES
