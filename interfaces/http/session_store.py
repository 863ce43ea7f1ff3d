"""Session store: values by ids that nobody guesses, forgotten when not used for some time.

Bounded in number: beyond it new ones are refused. The least recently used stands first, so that
forgetting costs a look at the first one.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ...catalogs.errors import Overloaded
from .problem_details import HttpProblem

ID_BYTES = 24

Value = TypeVar("Value")


@dataclass
class StoredSession(Generic[Value]):
    """One conversation: its value, and a lock under which it is changed."""

    identity: str
    value: Value
    last_used: float
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def check_free(self) -> None:
        """Raise a 409 `HttpProblem` while another request changes it."""
        if self.lock.locked():
            raise HttpProblem(
                409, "busy", "this conversation is being answered", hint="wait for the answer"
            )


class SessionStore(Generic[Value]):
    """At most `max_sessions`, each forgotten when it is not used for `seconds`.

    Used from one event loop.
    """

    def __init__(self, max_sessions: int, seconds: float) -> None:
        self.max_sessions = max_sessions
        self.seconds = seconds
        self._sessions: OrderedDict[str, StoredSession[Value]] = OrderedDict()

    def __len__(self) -> int:
        self._expire()
        return len(self._sessions)

    def check_room(self) -> None:
        """Raise `Overloaded` when there are as many as may be."""
        if len(self) >= self.max_sessions:
            raise Overloaded(
                f"{self.max_sessions} conversations are open", hint="try again later, or end one"
            )

    def add(self, value: Value) -> StoredSession[Value]:
        """Store a value under a new id; raise `Overloaded` when there are as many as may be."""
        self.check_room()
        session = StoredSession(secrets.token_urlsafe(ID_BYTES), value, time.monotonic())
        self._sessions[session.identity] = session
        return session

    def find(self, identity: str) -> StoredSession[Value]:
        """Return the session of an id, now used; raise a 404 `HttpProblem`."""
        self._expire()
        session = self._sessions.get(identity)
        if session is None:
            hint = "begin another: POST /v1/chat"
            problem = "no such conversation, or it was idle for too long"
            raise HttpProblem(404, "unknown-conversation", problem, hint=hint)
        session.last_used = time.monotonic()
        self._sessions.move_to_end(identity)
        return session

    def end(self, identity: str) -> None:
        """Forget a session."""
        self._sessions.pop(identity, None)

    def _expire(self) -> None:
        oldest = time.monotonic() - self.seconds
        while self._sessions:
            identity, session = next(iter(self._sessions.items()))
            if session.last_used > oldest:
                return
            del self._sessions[identity]
