"""Wrappers of any chat model: usage by role, a concurrency limit, a rate limit, and retries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep
from typing import Any

from ...catalogs.errors import ModelUnavailable
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


class ConcurrencyLimit(WrappedModel):
    """A model that no more than `most` threads ask at once; others wait their turn."""

    def __init__(self, inner: ChatModel, most: int) -> None:
        super().__init__(inner)
        self._places = BoundedSemaphore(most)

    def complete(self, request: Request) -> Reply:
        """Return the inner model's reply once there is a place."""
        with self._places:
            return self._inner.complete(request)


class TokenBucket:
    """`rate` tokens flow in a second, up to `burst` are kept; each request takes one.

    A thread books its token at once and then waits until it has flowed in, so threads are
    served in the order they came and none waits longer than the queue before it.
    """

    def __init__(
        self,
        rate: float,
        burst: int = 1,
        *,
        clock: Callable[[], float] = monotonic,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._wait = wait
        self._lock = Lock()
        self._tokens = self._burst
        self._filled_at = clock()

    def take(self) -> None:
        """Take one token, after waiting for it where none is left."""
        with self._lock:
            now = self._clock()
            refilled = self._tokens + (now - self._filled_at) * self._rate
            self._tokens = min(self._burst, refilled) - 1.0
            self._filled_at = now
            pause = -self._tokens / self._rate
        if pause > 0:
            self._wait(pause)


class RateLimit(WrappedModel):
    """A model whose requests each take a token first."""

    def __init__(self, inner: ChatModel, bucket: TokenBucket) -> None:
        super().__init__(inner)
        self._bucket = bucket

    def complete(self, request: Request) -> Reply:
        """Return the inner model's reply once there is a token."""
        self._bucket.take()
        return self._inner.complete(request)


FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0


class RetryingModel(WrappedModel):
    """A model that is asked again while it is unavailable.

    At most `attempts` in all; no wait begins that would end later than `total_s` after the
    first attempt. Waits double from `FIRST_WAIT_S` to `LONGEST_WAIT_S`, each shortened by up
    to half at random (`seed`), so that many clients do not return at once. Where the server
    says how long to wait, that is what is waited, at least.
    """

    def __init__(
        self,
        inner: ChatModel,
        *,
        attempts: int = 5,
        total_s: float = 180.0,
        seed: int = 0,
        clock: Callable[[], float] = monotonic,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        super().__init__(inner)
        self._attempts = attempts
        self._total_s = total_s
        self._random = Random(seed)
        self._lock = Lock()
        self._clock = clock
        self._wait = wait

    def complete(self, request: Request) -> Reply:
        """Return the first reply; raise the last `ModelUnavailable`, any other error at once."""
        last = self._clock() + self._total_s
        for attempt in range(1, self._attempts):
            try:
                return self._inner.complete(request)
            except ModelUnavailable as error:
                pause = self._pause(attempt, error.retry_after)
                if self._clock() + pause > last:
                    raise
            self._wait(pause)
        return self._inner.complete(request)

    def _pause(self, attempt: int, asked_for: float | None) -> float:
        """Return the seconds to wait after attempt number `attempt`, counted from 1."""
        longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempt - 1))
        with self._lock:
            own = longest * self._random.uniform(0.5, 1.0)
        return max(own, asked_for or 0.0)
