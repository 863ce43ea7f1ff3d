"""The load generator's own limit, measured against a stub that answers at once.

The stub is a process of its own on a core of its own; each rate takes 1.5 s.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence

import numpy as np

from .http_client import post_request
from .load import Generator, run_loop, schedule
from .report import Ceiling
from .server import pinned

PROGRAM = "from concede.bench.serving.ceiling import serve_stub; serve_stub({size})"
RATES = (500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000)
SECONDS = 1.5
STEADY = 0.97
LATE_MS = 5.0


def ceiling(size: int, rates: Sequence[int] = RATES, seconds: float = SECONDS) -> Ceiling | None:
    """Return the highest rate kept with a p99 of at most 5 ms, against bodies of `size` bytes.

    None if there is none among the rates.
    """
    command = [sys.executable, "-c", PROGRAM.format(size=size)]
    with pinned(), subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            return _highest(port, rates, seconds)
        finally:
            process.kill()


def _highest(port: int, rates: Sequence[int], seconds: float) -> Ceiling | None:
    best: Ceiling | None = None
    messages = [post_request("/v1/repair", b"x" * 400)]
    for rate in rates:
        times = schedule(rate, seconds, "poisson", rate)
        load = run_loop(Generator("127.0.0.1", port, messages).run(times, [0] * len(times)))
        p99 = float(np.percentile([reply.latency for reply in load.replies], 99)) * 1e3
        if p99 > LATE_MS or len(load.replies) / load.seconds < STEADY * rate:
            break
        best = Ceiling(rate=rate, p99_ms=p99, cpu=load.cpu_seconds / load.seconds)
    return best


END = b"\r\n\r\n"


class Stub(asyncio.Protocol):
    """Answers each request it has read whole."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request."""
        self._buffer += data
        end = self._buffer.find(END)
        if end < 0 or self._transport is None:
            return
        length = bytes(self._buffer[:end]).lower().partition(b"content-length:")[2]
        needed = end + len(END) + int(length.split(b"\r\n", 1)[0] or 0)
        if len(self._buffer) >= needed:
            del self._buffer[:needed]
            self._transport.write(self._answer)


def serve_stub(size: int) -> None:
    """Serve on a free port of this machine, printed, with bodies of so many bytes."""
    answer = f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode() + b"x" * size

    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Stub(answer), "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(run())
