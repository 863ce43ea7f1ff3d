"""The writer beside the readers: upserts in batches at a fixed rate, and a swap now and then."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .http_client import Connection, post_request
from .replica import Swap, Upsert, Write
from .server import Server
from .synthetic_items import records

NEW_SHARE = 0.1
"""The share of upserted items that are new to the catalog."""


@dataclass
class WriteLog:
    """What was written: the version each write made, how long each took, and what failed.

    `acknowledged` is when each version was, by `time.perf_counter`.
    """

    versions: dict[int, Write] = field(default_factory=dict[int, Write])
    acknowledged: dict[int, float] = field(default_factory=dict[int, float])
    upsert_seconds: list[float] = field(default_factory=list[float])
    swap_seconds: list[float] = field(default_factory=list[float])
    failures: list[str] = field(default_factory=list[str])
    rows: int = 0


@dataclass(frozen=True)
class WritePlan:
    """How much is written: rows and batches a second, seconds between swaps, files to swap in."""

    rows_a_second: int
    batches_a_second: float
    swap_seconds: float
    catalog_rows: int
    most: int
    files: tuple[str, ...]
    """Files by edition: swap n takes the file of edition n modulo their number."""


def writes(plan: WritePlan, seed: int) -> Iterator[Write]:
    """Yield upserts of a batch of rows, each of an edition of its own."""
    dice = np.random.default_rng(seed)
    batch = max(round(plan.rows_a_second / plan.batches_a_second), 1)
    edition = len(plan.files)
    while True:
        known = dice.choice(plan.catalog_rows, size=batch, replace=False)
        fresh = dice.choice(np.arange(plan.catalog_rows, plan.most), size=batch, replace=False)
        items = np.where(dice.random(batch) < NEW_SHARE, fresh, known).astype(np.int64)
        yield Upsert(items, edition)
        edition += 1


class Writer:
    """Writes until cancelled; one write at a time."""

    def __init__(self, server: Server, plan: WritePlan, seed: int) -> None:
        self.written = WriteLog()
        self._server = server
        self._plan = plan
        self._upserts = writes(plan, seed)
        self._swaps = 0
        self._reply: asyncio.Future[tuple[int, bytes]] | None = None

    async def run(self, seconds: float) -> None:
        """Write for so many seconds; what is late is written as soon as it can be."""
        loop = asyncio.get_running_loop()
        address = (self._server.host, self._server.port)
        _, wire = await loop.create_connection(lambda: Connection(self._done), *address)
        started = time.perf_counter()
        try:
            for due, swap in self._times(seconds):
                await asyncio.sleep(max(started + due - time.perf_counter(), 0))
                await self._write(wire, swap=swap)
        finally:
            wire.close()

    def _times(self, seconds: float) -> Iterator[tuple[float, bool]]:
        step, next_swap = 1 / self._plan.batches_a_second, self._plan.swap_seconds
        for place in range(int(seconds * self._plan.batches_a_second)):
            due = place * step
            if due >= next_swap:
                next_swap += self._plan.swap_seconds
                yield due, True
            yield due, False

    async def _write(self, wire: Connection, *, swap: bool) -> None:
        write, message = await self._swap() if swap else await self._upsert()
        self._reply = asyncio.get_running_loop().create_future()
        started = time.perf_counter()
        wire.send(message)
        status, body = await self._reply
        seconds = time.perf_counter() - started
        if status != 200:
            self.written.failures.append(f"{status}: {body[:200]!r}")
            return
        version = int(json.loads(body)["version"])
        self.written.versions[version] = write
        self.written.acknowledged[version] = started + seconds
        (self.written.swap_seconds if swap else self.written.upsert_seconds).append(seconds)
        self.written.rows += len(write.items) if isinstance(write, Upsert) else 0

    async def _upsert(self) -> tuple[Write, bytes]:
        write = next(self._upserts)
        assert isinstance(write, Upsert)
        rows = records(write.items, write.edition)
        body = json.dumps({"rows": rows}).encode()
        return write, post_request("/v1/catalogs/shop/rows", body, token=self._server.token)

    async def _swap(self) -> tuple[Write, bytes]:
        self._swaps += 1
        edition = self._swaps % len(self._plan.files)
        body = json.dumps({"source": self._plan.files[edition]}).encode()
        message = post_request("/v1/catalogs/shop/swap", body, token=self._server.token)
        return Swap(self._plan.catalog_rows, edition), message

    def _done(self, wire: Connection, status: int, body: bytes) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_result((status, body))
