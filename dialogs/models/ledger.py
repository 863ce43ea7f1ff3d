"""Usage of a model by role: calls, tokens, failures and seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from threading import Lock
from time import monotonic
from typing import Any

from .chat_model import ChatModel, Reply, Request, WrappedModel


@dataclass(slots=True)
class RoleUsage:
    """What one role used. Seconds include waiting for a place and for retries."""

    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class UsageLedger:
    """Usage by role, added up by several threads. A price list is the user's to apply."""

    def __init__(self) -> None:
        self._roles: dict[str, RoleUsage] = {}
        self._lock = Lock()

    def add(self, role: str, reply: Reply | None, seconds: float) -> None:
        """Count one call; a call without a reply is a failure."""
        with self._lock:
            usage = self._roles.setdefault(role, RoleUsage())
            usage.calls += 1
            usage.seconds += seconds
            usage.failures += reply is None
            if reply is not None:
                usage.prompt_tokens += reply.tokens.prompt
                usage.completion_tokens += reply.tokens.completion

    def record(self) -> dict[str, dict[str, Any]]:
        """Return usage as a JSON object, roles in alphabetical order."""
        with self._lock:
            return {role: asdict(self._roles[role]) for role in sorted(self._roles)}


class MeteredModel(WrappedModel):
    """A model whose every call is entered into a ledger under the request's role."""

    def __init__(
        self,
        inner: ChatModel,
        ledger: UsageLedger | None = None,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(inner)
        self._clock = clock
        self.ledger = UsageLedger() if ledger is None else ledger

    def complete(self, request: Request) -> Reply:
        """Return the inner model's reply, or raise its error; either way it is counted."""
        begun = self._clock()
        reply: Reply | None = None
        try:
            reply = given = self._inner.complete(request)
            return given
        finally:
            self.ledger.add(request.role, reply, self._clock() - begun)
