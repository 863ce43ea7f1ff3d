"""Response cache: the bytes of complete answers, by operation, request body and catalog version.

The same question of the same version has the same answer, to the byte, so that the cached bytes
are what the engine would say again. Costs memory up to a limit in bytes; beyond it the least
recently used answer goes. Of each question only the latest answer is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

Question = tuple[str, bytes]
"""The operation, and the request body as it came."""

ENTRY_BYTES = 500
"""What an entry takes beside its bodies, about."""


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """The JSON of an answer, and the name and version of the catalog it is of."""

    catalog: str
    version: int
    body: bytes


class ResponseCache:
    """Answers by question, up to `max_bytes`; used from one event loop."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._responses: OrderedDict[Question, CachedResponse] = OrderedDict()

    def __len__(self) -> int:
        return len(self._responses)

    def get(self, question: Question) -> CachedResponse | None:
        """Return the latest answer to a question, of whichever version it is."""
        response = self._responses.get(question)
        if response is not None:
            self._responses.move_to_end(question)
        return response

    def put(self, question: Question, response: CachedResponse) -> None:
        """Cache an answer in the place of the one before; evict until everything fits."""
        size = _size(question, response)
        if size > self.max_bytes:
            return
        self._evict(question)
        self._responses[question] = response
        self.nbytes += size
        while self.nbytes > self.max_bytes:
            self._evict(next(iter(self._responses)))

    def forget(self, catalog: str) -> None:
        """Evict every answer of a catalog."""
        for question, response in list(self._responses.items()):
            if response.catalog == catalog:
                self._evict(question)

    def _evict(self, question: Question) -> None:
        response = self._responses.pop(question, None)
        if response is not None:
            self.nbytes -= _size(question, response)


def _size(question: Question, response: CachedResponse) -> int:
    return len(question[1]) + len(response.body) + ENTRY_BYTES
