"""Conversations that the service holds: expiring, bounded in number, with ids nobody guesses."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .catalogs.errors import Overloaded
from .dialogs.session import Session
from .http_problems import HttpProblem

if TYPE_CHECKING:
    from .http_state import Served

ID_BYTES = 24


@dataclass
class Conversation:
    """One conversation; what belongs to it is done one after another."""

    identity: str
    session: Session
    served: Served
    used: float
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def check_free(self) -> None:
        """Raise a 409 `HttpProblem` while something else is being done in it."""
        if self.lock.locked():
            raise HttpProblem(
                409, "busy", "this conversation is being answered", hint="wait for the answer"
            )


class Conversations:
    """Conversations by id; one that is not used for `seconds` is forgotten.

    Used from one event loop.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        # The least recently used first.
        self._held: OrderedDict[str, Conversation] = OrderedDict()

    def __len__(self) -> int:
        self._forget()
        return len(self._held)

    def check_room(self) -> None:
        """Raise `Overloaded` when there are as many as may be."""
        if len(self) >= self.most:
            raise Overloaded(
                f"{self.most} conversations are open", hint="try again later, or end one"
            )

    def add(self, session: Session, served: Served) -> Conversation:
        """Return a new conversation; raise `Overloaded` when there are as many as may be."""
        self.check_room()
        identity = secrets.token_urlsafe(ID_BYTES)
        made = Conversation(identity, session, served, time.monotonic())
        self._held[identity] = made
        return made

    def find(self, identity: str) -> Conversation:
        """Return a conversation, now used; raise a 404 `HttpProblem`."""
        self._forget()
        found = self._held.get(identity)
        if found is None:
            hint = "begin another: POST /v1/chat"
            problem = "no such conversation, or it was idle for too long"
            raise HttpProblem(404, "unknown-conversation", problem, hint=hint)
        found.used = time.monotonic()
        self._held.move_to_end(identity)
        return found

    def end(self, identity: str) -> None:
        """Forget a conversation."""
        self._held.pop(identity, None)

    def _forget(self) -> None:
        oldest = time.monotonic() - self.seconds
        while self._held:
            identity, first = next(iter(self._held.items()))
            if first.used > oldest:
                return
            del self._held[identity]
