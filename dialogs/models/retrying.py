"""Retry an unavailable model: exponential back-off with jitter, bounded in number and time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from threading import Lock
from time import monotonic, sleep

from ...catalogs.errors import ModelUnavailable
from .chat_model import ChatModel, Reply, Request, WrappedModel

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
