"""Limits around a model: a semaphore of threads at once, a token bucket of requests a second."""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep

from .chat_model import ChatModel, Reply, Request, WrappedModel


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
