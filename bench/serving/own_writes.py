"""Read your writes: a client that writes, then reads with the version it was told, beside others.

The others ask questions in a closed loop. Told are how many reads missed the write, and how long
the client's reads and the others' answers take, beside the same without writes.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from itertools import count
from statistics import median

from .comparison import Ask, Client, connected, distinct
from .http_client import post_request
from .server import Server
from .synthetic_items import KEY

PATIENCE = 60.0
"""Seconds within which the others have an answer; TimeoutError where they have none."""


@dataclass(frozen=True)
class OwnWrites:
    """What a client that wrote saw; milliseconds in the middle."""

    workers: int
    others: int
    reads: int
    stale: int
    failed: int
    read_p50: float
    read_p50_without_writes: float
    others_p50: float
    others_p50_without_writes: float


def own_writes(server: Server, workers: int, others: int, rows: int, times: int) -> OwnWrites:
    """Write and read so many times beside others, and read as often without writes."""
    writing, beside = asyncio.run(_beside(server, others, times, rows))
    reading, alone = asyncio.run(_beside(server, others, times, None))
    return OwnWrites(
        workers,
        others,
        times,
        writing.stale,
        writing.failed + reading.failed + beside.failed + alone.failed,
        *(round(median(each.latencies) * 1e3, 1) for each in (writing, reading, beside, alone)),
    )


class _Reader:
    """One client that reads, after a write of its own where there are rows to write."""

    def __init__(self, server: Server, rows: int | None) -> None:
        self.latencies: list[float] = []
        self.stale = self.failed = 0
        self._server, self._rows = server, rows

    async def run(self, times: int) -> None:
        ask = await connected(self._server)
        for place, price in zip(range(times), count(10_000), strict=False):
            version = None
            if self._rows is not None:
                row = {KEY: place % self._rows, "price": price}
                status, text = await ask(self._post("/v1/catalogs/shop/rows", {"rows": [row]}))
                self.failed += status != 200
                version = json.loads(text)["version"]
            await self._read(ask, price, version)

    def _post(self, path: str, body: object) -> bytes:
        return post_request(path, json.dumps(body).encode(), token=self._server.token)

    async def _read(self, ask: Ask, price: int, version: int | None) -> None:
        wish = {"column": "price", "op": "==", "value": price}
        body = {"constraints": [wish], "top": 1, "min_version": version}
        started = time.perf_counter()
        status, text = await ask(self._post("/v1/repair", body))
        self.latencies.append(time.perf_counter() - started)
        self.failed += status != 200
        if version is not None and status == 200:
            answer = json.loads(text)
            seen = answer["status"] == "SAT_no_relaxation" and answer["count"] == 1
            self.stale += not seen or answer["catalog_version"] < version


async def _beside(
    server: Server, others: int, times: int, rows: int | None
) -> tuple[_Reader, Client]:
    reader, client = _Reader(server, rows), Client(server, others)
    asking = asyncio.create_task(client.run(distinct(time.time_ns() % 10**9), 1e9))
    try:
        await asyncio.sleep(1.0)
        client.latencies.clear()
        await reader.run(times)
        await asyncio.wait_for(_answered(client, asking), PATIENCE)
    finally:
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
    return reader, client


async def _answered(client: Client, asking: asyncio.Task[None]) -> None:
    """Wait until the others have an answer too: the reader can be done before the first of them.

    Raises what ended their asking, if something did.
    """
    while not client.latencies and not asking.done():
        await asyncio.sleep(0.005)
    if asking.done():
        await asking
