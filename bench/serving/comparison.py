"""Questions a core-second: one worker, two, and plain FastAPI + DuckDB services, in one run.

Each is asked in a closed loop by as many clients at once, questions that nobody asked before or as
popular as searches are; beside a writer readers ask for the version that it was told. The processor
time is that of all processes of a service. The services are asked in turn, several rounds of it,
and what is told of each is the round in the middle: other programs slow all of them down alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from .http_client import Connection, post_request
from .load import draw_questions
from .questions import Question, questions
from .server import START_SECONDS, Server, address, one_core, pinned, serving, stop
from .synthetic_items import KEY, write_file

RIVAL = "import sys; from concede.bench.serving.rival import serve_rival; serve_rival({})"
RIVALS = {
    "FastAPI + DuckDB": "sys.argv[1]",
    "FastAPI + DuckDB, counts and items alone": "sys.argv[1], lean=True",
}
CLIENTS = 8
SEED = 11
ZIPF_QUESTIONS = 2_000
WARMING_SECONDS = 3.0
READY_IN_A_ROW = 24
WRITE_PAUSE = 0.05


@dataclass(frozen=True)
class Measured:
    """What a service answered in a run; milliseconds, and questions a second of processor time.

    `stale` counts answers of a version before the one that was asked for.
    """

    service: str
    asked: str
    answers: int
    failed: int
    stale: int
    a_core_second: float
    p50: float
    p99: float


class Client:
    """Connections that each ask one question after another until the time is over."""

    def __init__(self, server: Server, clients: int = CLIENTS) -> None:
        self.server = server
        self.clients = clients
        self.version: int | None = None
        self.latencies: list[float] = []
        self.failed = self.stale = 0

    async def run(self, asked: Iterator[Question], seconds: float) -> None:
        """Ask for so many seconds."""
        until = time.perf_counter() + seconds
        await asyncio.gather(*(self._one(asked, until) for _ in range(self.clients)))

    async def _one(self, asked: Iterator[Question], until: float) -> None:
        ask = await connected(self.server)
        while time.perf_counter() < until:
            body, wanted = next(asked).body, self.version
            if wanted is not None:
                body = b'{"min_version":%d,' % wanted + body[1:]
            started = time.perf_counter()
            status, answer = await ask(post_request("/v1/repair", body))
            self.latencies.append(time.perf_counter() - started)
            self.failed += status != 200
            if wanted is not None and status == 200:
                self.stale += json.loads(answer)["catalog_version"] < wanted


Ask = Callable[[bytes], Awaitable[tuple[int, bytes]]]
"""Sends a request, and returns the status and the body of its answer."""


async def connected(server: Server) -> Ask:
    """Return a function that sends a request over one connection and awaits its answer."""
    loop = asyncio.get_running_loop()
    waiting: list[asyncio.Future[tuple[int, bytes]]] = []

    def done(wire: Connection, status: int, body: bytes) -> None:
        answer = waiting.pop()
        # Nobody waits any more where the asking was ended.
        if not answer.done():
            answer.set_result((status, body))

    _, wire = await loop.create_connection(lambda: Connection(done), server.host, server.port)

    async def ask(message: bytes) -> tuple[int, bytes]:
        waiting.append(loop.create_future())
        answer = waiting[-1]
        wire.send(message)
        return await answer

    return ask


async def write_beside(server: Server, client: Client, rows: int, seconds: float) -> None:
    """Upsert ten rows again and again; the client then asks for the version that it was told."""
    ask = await connected(server)
    until, places = time.perf_counter() + seconds, count()
    while time.perf_counter() < until:
        first = next(places) * 10
        written = [{KEY: (first + n) % rows, "price": 50 + first % 2_000} for n in range(10)]
        body = json.dumps({"rows": written}).encode()
        status, answer = await ask(post_request("/v1/catalogs/shop/rows", body, token=server.token))
        if status == 200:
            client.version = json.loads(answer)["version"]
        await asyncio.sleep(WRITE_PAUSE)


def distinct(seed: int) -> Iterator[Question]:
    """Yield questions without end, none twice; no WHERE texts, which the rival does not read."""
    for batch in count(seed):
        yield from (each for each in questions(1_000, batch) if each.kind != "where")


def popular(seed: int) -> Iterator[Question]:
    """Yield questions as popular as searches are, without end."""
    asked = [each for each in questions(ZIPF_QUESTIONS, seed) if each.kind != "where"]
    for batch in count(seed):
        yield from (asked[place] for place in draw_questions(10_000, len(asked), "zipf", batch))


def measure(
    name: str,
    server: Server,
    kind: str,
    rows: int,
    seconds: float,
    place: int = 0,
    *,
    writes: bool = False,
) -> Measured:
    """Ask one service for so many seconds."""
    client = Client(server)
    asked = popular(SEED) if kind == "zipf" else distinct(10_000 * (2 * place + writes + 1))

    async def run() -> None:
        writing = write_beside(server, client, rows, seconds) if writes else asyncio.sleep(0)
        await asyncio.gather(client.run(asked, seconds), writing)

    cpu = processor_seconds(server.pid)
    asyncio.run(run())
    cpu = processor_seconds(server.pid) - cpu
    ordered = sorted(client.latencies)
    return Measured(
        name,
        f"{kind}, min_version beside a writer" if writes else kind,
        len(ordered),
        client.failed,
        client.stale,
        round(len(ordered) / max(cpu, 1e-9), 1),
        round(ordered[len(ordered) // 2] * 1e3, 2),
        round(ordered[int(len(ordered) * 0.99)] * 1e3, 2),
    )


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and of those it started that still run."""
    spent: dict[int, float] = {}
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(path.parent.name)
        parents[process] = int(fields[1])
        spent[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    family = {pid}
    for _ in range(3):
        family |= {process for process, parent in parents.items() if parent in family}
    return sum(spent.get(process, 0.0) for process in family)


@contextmanager
def serving_rival(file: Path, arguments: str) -> Generator[Server]:
    """Run a plain service over a file until the end; `arguments` are those of `serve_rival`."""
    log = file.parent / "rival.log"
    command = [sys.executable, "-c", RIVAL.format(arguments), str(file)]
    with log.open("ab") as errors, pinned() as alone:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
    try:
        host, port = address(process, log)
        yield Server(host, port, "", process.pid, alone)
    finally:
        stop(process)


def compare(
    rows: int,
    seconds: float,
    rounds: int = 1,
    counted: Callable[[Sequence[int], str], Iterable[int]] = lambda places, doing: places,
) -> list[Measured]:
    """Return what each service answers to each kind of questions, over the same items."""
    runs: list[list[Measured]] = []
    with (
        one_core(),
        TemporaryDirectory(prefix="concede-comparison-") as name,
        ExitStack() as running,
    ):
        folder = Path(name)
        write_file(folder / "0.parquet", rows, 0)
        services = _started(folder / "0.parquet", running)
        with pinned():
            # From here on this process leaves the first core to them.
            pass
        places = counted(range(rounds), "asking each service in turn")
        runs += [list(_round(services, rows, seconds, place)) for place in places]
    return [_middle(each) for each in zip(*runs, strict=True)]


def _started(file: Path, running: ExitStack) -> dict[str, Server]:
    """Start every service on the same core, and warm it up."""
    services: dict[str, Server] = {}
    for workers in (1, 2):
        options = ("--threads", "1", "--workers", str(workers))
        with one_core():
            server = running.enter_context(serving(file.parent, file, KEY, options))
        wait_until_all_are_ready(server)
        services[f"concede, {workers} worker{'s' * (workers > 1)}"] = server
    for told, arguments in RIVALS.items():
        with one_core():
            services[told] = running.enter_context(serving_rival(file, arguments))
        asyncio.run(Client(services[told]).run(distinct(1), 1.0))
    return services


def _round(
    services: Mapping[str, Server], rows: int, seconds: float, place: int
) -> Iterator[Measured]:
    """Measure every service once, kind by kind, with questions of this round."""
    for kind in ("distinct", "zipf"):
        for told, server in services.items():
            yield measure(told, server, kind, rows, seconds, place)
    for told, server in services.items():
        if told not in RIVALS:
            yield measure(told, server, "distinct", rows, seconds, place, writes=True)


def _middle(runs: Sequence[Measured]) -> Measured:
    """Return the run in the middle by questions a core-second; failures of all are added up."""
    ordered = sorted(runs, key=lambda each: each.a_core_second)
    failed, stale = sum(each.failed for each in runs), sum(each.stale for each in runs)
    return replace(ordered[len(ordered) // 2], failed=failed, stale=stale)


def wait_until_all_are_ready(server: Server) -> None:
    """Ask until every process is warm; what is asked here is not measured."""
    in_a_row = 0
    until = time.monotonic() + START_SECONDS
    while in_a_row < READY_IN_A_ROW and time.monotonic() < until:
        # Each over a connection of its own, which any of them may take.
        connection = HTTPConnection(server.host, server.port, timeout=START_SECONDS)
        status = 0
        with closing(connection), suppress(OSError):
            connection.request("GET", "/readyz")
            status = connection.getresponse().status
        in_a_row = in_a_row + 1 if status == 200 else 0
        time.sleep(0.05)
    asyncio.run(Client(server).run(distinct(7), WARMING_SECONDS))
