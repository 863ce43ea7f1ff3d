"""Answers kept for whoever asks the same again before the catalog changes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

from .engine.answer_json import renewed
from .engine.standing import Standing
from .http_requests import Question, RepairRequest
from .http_state import Served, ServerState

Asked = tuple[str, bytes]
"""What is asked: the operation, and the body as it came."""

ENTRY_BYTES = 500
"""What an entry takes beside its texts, about."""

TEXTS = 3
"""The texts of a question that was read, those of its query and the body it came as."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was written, and the catalog and version it is right for.

    `standing` tells whether it is right for a later version too, None where nothing does;
    `question` is what to ask of one for which it is not, None where it is to be read again.
    """

    served: Served
    version: int
    body: bytes
    standing: Standing | None = None
    question: Question[RepairRequest] | None = None

    @property
    def is_present(self) -> bool:
        """Whether it is right for the present version."""
        return self.served.catalog.version == self.version

    @property
    def nbytes(self) -> int:
        """The memory held, about."""
        more = (self.standing, self.question)
        return len(self.body) + sum(one.nbytes for one in more if one is not None)

    def is_served_by(self, state: ServerState) -> bool:
        """Return whether its catalog is still served under the name it was asked by."""
        return state.served(self.served.name) is self.served

    def at_present(self) -> Kept | None:
        """Return the answer of the present version, where nothing written since matters to it."""
        if self.is_present:
            return self
        standing = None if self.standing is None else self.standing.at(self.served.catalog)
        if standing is None:
            return None
        body = renewed(self.body, self.version, standing)
        return replace(self, version=standing.version, body=body, standing=standing)


class AnswerCache:
    """The most recently used answers, up to a number of bytes; used from one event loop.

    The same question of the same version has the same answer, to the byte, so that what is
    kept is what the engine would say again.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.nbytes = 0
        self._held: OrderedDict[Asked, tuple[Kept, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, asked: Asked) -> Kept | None:
        """Return what is kept of a question, right or not any more."""
        found = self._held.get(asked)
        if found is None:
            return None
        self._held.move_to_end(asked)
        return found[0]

    def keep(self, asked: Asked, answer: Kept) -> None:
        """Keep an answer, and drop what was not asked for longest."""
        size = _size(asked, answer)
        if size > self.max_bytes:
            return
        self.drop(asked)
        self._held[asked] = answer, size
        self.nbytes += size
        while self.nbytes > self.max_bytes:
            self.drop(next(iter(self._held)))

    def drop(self, asked: Asked) -> None:
        """Forget an answer, if it is kept."""
        gone = self._held.pop(asked, None)
        if gone is not None:
            self.nbytes -= gone[1]


def _size(asked: Asked, answer: Kept) -> int:
    texts = 1 if answer.question is None else TEXTS
    return texts * len(asked[1]) + answer.nbytes + ENTRY_BYTES
