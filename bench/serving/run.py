"""The run: start the service, ask it at each rate, alone and beside the writer, check every answer.

A run costs its seconds, warm-up included, and then about as long again to check the answers.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ...catalogs.errors import LimitError, QueryError
from ..progress import Counted, uncounted
from ..throughput.machine import describe_machine
from .answer_checks import answer_errors
from .ceiling import ceiling
from .http_client import post_request
from .load import Arrivals, Generator, Load, Popularity, Reply, draw_questions, run_loop, schedule
from .questions import KINDS, Question, questions
from .replica import Replica
from .report import Latency, ServingReport, Step, Writing
from .server import START_SECONDS, Server, one_core, serving
from .synthetic_items import KEY, write_file
from .writer import WriteLog, WritePlan, Writer

RATES = (100.0, 200.0, 400.0)

EDITIONS = 2
"""Files that swaps alternate between."""

GROWTH = 1.1
"""How much larger than its file the catalog may become by upserts."""

WARMING = 200
"""Questions asked before the first run; from then on values are known, combinations are not."""

SHOWN_COMPLAINTS = 5
TYPICAL_BYTES = 8_000


@dataclass(frozen=True)
class Options:
    """How much is asked. `rates` are questions a second, `seconds` is for each rate.

    Each run has `distinct` different questions of its own, asked again and again as
    `popularity` says; `repeats` runs of each rate are made, and the one with the least p99 is
    reported. The service may answer as `concede serve --stale-while-revalidate` says.
    """

    rows: int = 1_000_000
    rates: tuple[float, ...] = RATES
    seconds: float = 10.0
    warm_up: float = 5.0
    writer: bool = False
    rows_a_second: int = 1_000
    batches_a_second: float = 1.0
    swap_seconds: float = 10.0
    stale_seconds: int = 0
    arrivals: Arrivals = "poisson"
    distinct: int = 2_000
    popularity: Popularity = "zipf"
    repeats: int = 1
    seed: int = 7
    measure_ceiling: bool = True

    @property
    def lasts(self) -> float:
        """The seconds of one run, the warm-up among them."""
        return self.warm_up + self.seconds

    def check(self) -> None:
        """Raise `QueryError` for what cannot be asked."""
        if self.rows < 1_000:
            raise QueryError(f"--rows {self.rows}", hint="give at least 1,000")
        if any(not 0 < rate <= 100_000 for rate in self.rates):
            raise QueryError(f"bad --rate {self.rates}", hint="give 1 to 100,000 a second")
        if not 0 <= self.warm_up <= 3_600:
            raise QueryError(f"bad --warm-up {self.warm_up}", hint="give 0 to 3,600")
        if not 0 < self.seconds <= 3_600:
            raise QueryError(f"bad --seconds {self.seconds}", hint="give 1 to 3,600")


@dataclass(frozen=True)
class PlannedRun:
    """One run that is to be made."""

    rate: float
    writer: bool
    repeat: int


@dataclass(frozen=True)
class CheckedAnswers:
    """What is wrong, how many answers were judged, how many versions they name, and for how
    long a later version had been there, where one had."""

    errors: list[str]
    answers: int
    versions: int
    ages: list[float]


def plan(options: Options) -> list[PlannedRun]:
    """Return the runs: every rate alone, then, if asked for, beside the writer."""
    kinds = (False, True) if options.writer else (False,)
    return [
        PlannedRun(rate, writer, repeat)
        for writer in kinds
        for rate in options.rates
        for repeat in range(options.repeats)
    ]


def run_serving(options: Options, watch: Counted = uncounted) -> ServingReport:
    """Start a service over made-up items, put it under load, and judge every answer.

    Raises `QueryError` for options that cannot be, `LimitError` for a service that does not
    get ready.
    """
    options.check()
    with one_core(), TemporaryDirectory(prefix="concede-serving-") as name:
        folder = Path(name)
        for edition in range(EDITIONS):
            write_file(folder / f"{edition}.parquet", options.rows, edition)
        with one_core():
            # Its stub takes a core of its own; the service needs that one after it.
            own = ceiling(TYPICAL_BYTES) if options.measure_ceiling else None
        settings = ("--threads", "1", "--stale-while-revalidate", str(options.stale_seconds))
        with serving(folder, folder / "0.parquet", KEY, settings) as server:
            bench = ServingBenchmark(options, server)
            bench.warm()
            runs = [bench.run(planned, watch) for planned in watch(plan(options), "asking")]
    return ServingReport(
        options=asdict(options),
        machine=describe_machine(),
        pinned=server.pinned,
        ceiling=own,
        steps=tuple(_best(runs)),
        runs=tuple(runs),
    )


def _best(runs: Sequence[Step]) -> list[Step]:
    grouped: dict[tuple[bool, float], list[Step]] = defaultdict(list)
    for step in runs:
        grouped[step.writer, step.asked].append(step)
    return [min(some, key=lambda step: step.latency.p99) for some in grouped.values()]


class ServingBenchmark:
    """A running service, what is asked of it, and the replica its answers are checked against."""

    def __init__(self, options: Options, server: Server) -> None:
        self.options = options
        self.server = server
        self.questions: list[Question] = []
        self.most = int(options.rows * GROWTH)
        self.replica = Replica(options.rows, 0, self.most)
        self.version = 0
        self._dice = random.Random(options.seed)

    def warm(self) -> None:
        """Wait until the service is ready, and ask some questions, each once."""
        wait_until_ready(self.server)
        self.questions = questions(WARMING, self.options.seed)
        times = [place / 50 for place in range(WARMING)]
        load = run_loop(self._generator().run(times, range(WARMING)))
        bad = [reply for reply in load.replies if reply.status != 200]
        if load.lost or bad:
            said = bad[0].body[:200] if bad else b"no answer"
            raise LimitError(f"the service fails when it is asked once: {said!r}")
        self.version = int(json.loads(load.replies[-1].body)["catalog_version"])

    def _generator(self) -> Generator:
        messages = [post_request("/v1/repair", question.body) for question in self.questions]
        return Generator(self.server.host, self.server.port, messages)

    def run(self, planned: PlannedRun, watch: Counted) -> Step:
        """Make one run, and check its answers."""
        seed = self._dice.randrange(2**31)
        options = self.options
        times = schedule(planned.rate, options.lasts, options.arrivals, seed)
        self.questions = questions(options.distinct, seed)
        places = draw_questions(len(times), options.distinct, options.popularity, seed)
        writer = self._writer(seed) if planned.writer else None
        cpu = self.server.cpu_seconds()
        load = run_loop(self._loaded(times, places, writer))
        cpu = self.server.cpu_seconds() - cpu
        return self._step(planned, load, writer, cpu, self._check_answers(load, writer, watch))

    def _writer(self, seed: int) -> Writer:
        files = tuple(f"{edition}.parquet" for edition in range(EDITIONS))
        options = self.options
        writes = WritePlan(
            options.rows_a_second,
            options.batches_a_second,
            options.swap_seconds,
            options.rows,
            self.most,
            files,
        )
        return Writer(self.server, writes, seed)

    async def _loaded(
        self, times: Sequence[float], places: Sequence[int], writer: Writer | None
    ) -> Load:
        writing = writer and asyncio.ensure_future(writer.run(self.options.lasts))
        load = await self._generator().run(times, places)
        if writing:
            await writing
        return load

    def _check_answers(self, load: Load, writer: Writer | None, watch: Counted) -> CheckedAnswers:
        """Work every answer out again at the version it names."""
        by_version: dict[int, list[tuple[Reply, dict[str, Any]]]] = defaultdict(list)
        for reply in load.replies:
            if reply.status == 200:
                answer = json.loads(reply.body)
                by_version[answer["catalog_version"]].append((reply, answer))
        writes = writer.written.versions if writer else {}
        wrong: list[str] = []
        for version in watch(sorted({*by_version, *writes}), "judging"):
            if version in writes:
                self.replica.apply(writes[version])
                self.version = version
            if version != self.version:
                wrong.append(f"version {version} never was")
                continue
            for reply, answer in by_version[version]:
                question = self.questions[reply.question]
                errors = answer_errors(answer, question, self.replica)
                wrong += [f"version {version}, {question.kind}: {error}" for error in errors[:1]]
        named = [(reply, version) for version in by_version for reply, _ in by_version[version]]
        ages = replaced_for(load, writer.written, named) if writer else []
        return CheckedAnswers(wrong, len(named), len(by_version), ages)

    def _step(
        self,
        planned: PlannedRun,
        load: Load,
        writer: Writer | None,
        cpu: float,
        checked: CheckedAnswers,
    ) -> Step:
        good = [reply for reply in load.replies if reply.status == 200]
        warm_up = self.options.warm_up
        cold = [reply for reply in good if reply.due < warm_up]
        counted = [reply for reply in good if reply.due >= warm_up]
        first = [reply for reply in _first(good) if reply.due >= warm_up]
        return Step(
            asked=planned.rate,
            writer=planned.writer,
            seconds=load.seconds,
            answers=len(good),
            achieved=len(counted) / max(load.seconds - warm_up, 1e-9),
            latency=_latency(counted),
            cold=_latency(cold) if cold else None,
            p99_by_kind=self._by_kind(counted),
            first=_latency(first) if first else None,
            first_asked=len(first) / max(len(counted), 1),
            p99_first=_ms([reply.latency for reply in first], 0.99),
            errors=len(load.replies) - len(good),
            lost=load.lost,
            late=len(checked.ages) / max(checked.answers, 1),
            late_s=max(checked.ages, default=0.0),
            judged=checked.answers,
            wrong=len(checked.errors),
            complaints=tuple(checked.errors[:SHOWN_COMPLAINTS]),
            versions=checked.versions,
            server_cpu=cpu / load.seconds,
            generator_cpu=load.cpu_seconds / load.seconds,
            server_mib=self.server.memory_mib(),
            kib_an_answer=sum(len(reply.body) for reply in good) / max(len(good), 1) / 1024,
            writing=writer and _writing(writer.written, self.options.lasts),
        )

    def _by_kind(self, good: Sequence[Reply]) -> dict[str, float]:
        latencies: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for reply in good:
            latencies[self.questions[reply.question].kind].append(reply.latency)
        return {kind: _ms(some, 0.99) for kind, some in latencies.items() if some}


def replaced_for(load: Load, written: WriteLog, named: Sequence[tuple[Reply, int]]) -> list[float]:
    """Return for how many seconds a later version had been acknowledged when a question was due,
    for each answer where one had."""
    versions = sorted(written.acknowledged)
    ages: list[float] = []
    for reply, version in named:
        place = bisect_right(versions, version)
        if place < len(versions):
            replaced = written.acknowledged[versions[place]]
            ages.append(load.started + reply.due - replaced)
    return [age for age in ages if age > 0]


def _first(good: Sequence[Reply]) -> list[Reply]:
    """Return the replies to questions that had not been asked before."""
    by_question: dict[int, Reply] = {}
    for reply in sorted(good, key=lambda reply: reply.due):
        by_question.setdefault(reply.question, reply)
    return list(by_question.values())


def _latency(good: Sequence[Reply]) -> Latency:
    latencies = [reply.latency for reply in good]
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return Latency(**{name: _ms(latencies, share) for name, share in shares.items()})


def _ms(seconds: Sequence[float], share: float) -> float:
    return round(float(np.percentile(seconds, 100 * share)) * 1e3, 3) if seconds else 0.0


def _writing(written: WriteLog, seconds: float) -> Writing:
    return Writing(
        rows_a_second=written.rows / seconds,
        upserts=len(written.upsert_seconds),
        upsert_p50_ms=_ms(written.upsert_seconds, 0.5),
        upsert_max_ms=_ms(written.upsert_seconds, 1.0),
        swaps=len(written.swap_seconds),
        swap_max_ms=_ms(written.swap_seconds, 1.0),
        failed=len(written.failures),
    )


def wait_until_ready(server: Server) -> None:
    """Return when the service says that it is ready; raise `LimitError` if it does not."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if _is_ready(server):
            return
        time.sleep(0.1)
    raise LimitError(f"the service was not ready within {START_SECONDS:g} s")


def _is_ready(server: Server) -> bool:
    with closing(HTTPConnection(server.host, server.port, timeout=5)) as connection:
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
