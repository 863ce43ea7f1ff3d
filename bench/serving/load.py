"""The load generator: an open loop, in which questions are sent when due, answered or not.

Latency is counted from the time a question was due, so that waiting is part of it.
"""

from __future__ import annotations

import asyncio
import gc
import selectors
import time
from collections import deque
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from .http_client import Connection

Arrivals = Literal["poisson", "fixed"]
Popularity = Literal["zipf", "uniform"]


def schedule(rate: float, seconds: float, kind: Arrivals, seed: int) -> list[float]:
    """Return seconds from the start, ascending: `rate` a second on average, until `seconds`.

    Latency counted from these times holds what a question waits before it is sent, so that a
    server that stands still is not asked less meanwhile (coordinated omission).
    """
    if kind == "fixed":
        return [place / rate for place in range(int(rate * seconds))]
    dice = np.random.default_rng(seed)
    times = np.cumsum(dice.exponential(1 / rate, int(rate * seconds * 1.5) + 100))
    return times[times < seconds].tolist()


def draw_questions(count: int, distinct: int, popularity: Popularity, seed: int) -> list[int]:
    """Return which of `distinct` questions each of `count` arrivals asks.

    `zipf`: the n-th most popular is asked 1/n as often as the first, as words and searches are
    (Zipf 1949); `uniform`: each as likely as any other.
    """
    dice = np.random.default_rng(seed)
    if popularity == "uniform":
        return dice.integers(0, distinct, count).tolist()
    shares = 1 / np.arange(1, distinct + 1)
    return dice.choice(dice.permutation(distinct), count, p=shares / shares.sum()).tolist()


Result = TypeVar("Result")

CONNECTIONS = 64
"""Connections at most; more questions than that at once wait here, and their wait counts."""

PATIENCE = 15.0
"""Seconds after the last arrival until answers that are missing count as lost."""


@dataclass(slots=True)
class Reply:
    """An answer as it came: seconds from the time it was due, and when it was sent and came."""

    question: int
    due: float
    latency: float
    status: int
    body: bytes


@dataclass(frozen=True)
class Load:
    """What came of a run: replies in the order they came, how long it took, and CPU seconds.

    `started` is when it began, by `time.perf_counter`.
    """

    started: float
    replies: list[Reply]
    seconds: float
    cpu_seconds: float
    lost: int


def run_loop(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a loop whose timers are exact to microseconds, unlike epoll's."""
    factory = lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())  # noqa: E731
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


class Generator:
    """Sends requests at their times over a pool of connections to one address."""

    def __init__(self, host: str, port: int, messages: Sequence[bytes]) -> None:
        self._address = (host, port)
        self._messages = messages
        self._idle: list[Connection] = []
        self._wires: dict[Connection, tuple[int, float]] = {}
        self._n_open = 0
        self._waiting: deque[tuple[int, float]] = deque()
        self._replies: list[Reply] = []
        self._started = 0.0

    async def run(self, times: Sequence[float], questions: Iterable[int]) -> Load:
        """Ask question `asked[i]` at `times[i]` seconds from now; return what came of it."""
        gc.collect()
        gc.disable()
        try:
            await self._connect(min(CONNECTIONS, 16))
            cpu = time.process_time()
            self._started = time.perf_counter()
            await self._send_all(times, questions)
            await self._wait_for(len(times))
            seconds = time.perf_counter() - self._started
            lost = len(times) - len(self._replies)
            return Load(
                self._started, list(self._replies), seconds, time.process_time() - cpu, lost
            )
        finally:
            gc.enable()
            for wire in [*self._idle, *self._wires]:
                wire.close()

    async def _send_all(self, times: Sequence[float], questions: Iterable[int]) -> None:
        for due, question in zip(times, questions, strict=False):
            left = self._started + due - time.perf_counter()
            # What is late leaves at once, but answers are read now and then.
            await asyncio.sleep(max(left, 0.0))
            self._ask(question, due)

    async def _wait_for(self, count: int) -> None:
        deadline = time.perf_counter() + PATIENCE
        while len(self._replies) < count and time.perf_counter() < deadline:
            await asyncio.sleep(0.005)

    async def _connect(self, count: int) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(count):
            self._n_open += 1
            _, wire = await loop.create_connection(lambda: Connection(self._done), *self._address)
            self._idle.append(wire)

    def _ask(self, question: int, due: float) -> None:
        while self._idle:
            wire = self._idle.pop()
            if wire.open:
                self._send(wire, question, due)
                return
            self._n_open -= 1
        self._waiting.append((question, due))
        if self._n_open < CONNECTIONS:
            self._n_open += 1
            asyncio.get_running_loop().create_task(self._open())

    async def _open(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, wire = await loop.create_connection(lambda: Connection(self._done), *self._address)
        except OSError:
            self._n_open -= 1
            if not self._wires and self._waiting:
                self._note(*self._waiting.popleft(), 0, b"")
            return
        self._take(wire)

    def _send(self, wire: Connection, question: int, due: float) -> None:
        self._wires[wire] = question, due
        wire.send(self._messages[question])

    def _done(self, wire: Connection, status: int, body: bytes) -> None:
        question, due = self._wires.pop(wire)
        self._note(question, due, status, body)
        self._take(wire)

    def _take(self, wire: Connection) -> None:
        if not wire.open:
            self._n_open -= 1
        elif self._waiting:
            self._send(wire, *self._waiting.popleft())
        else:
            self._idle.append(wire)

    def _note(self, question: int, due: float, status: int, body: bytes) -> None:
        latency = time.perf_counter() - self._started - due
        self._replies.append(Reply(question, due, latency, status, body))
