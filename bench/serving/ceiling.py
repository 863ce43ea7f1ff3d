"""How much the load generator can ask before it is itself what one measures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from ..throughput.timings import percentile
from .arrivals import schedule
from .load import Generator, Load, run_loop
from .report import Ceiling
from .server import pinned
from .wire import request

PROGRAM = "from concede.bench.serving.stub import main; main({size})"
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
    messages = [request("/v1/repair", b"x" * 400)]
    for rate in rates:
        times = schedule(rate, seconds, "poisson", rate)
        load = run_loop(Generator("127.0.0.1", port, messages).run(times, [0] * len(times)))
        found = _measured(load, rate)
        if found.p99_ms > LATE_MS or len(load.replies) / load.seconds < STEADY * rate:
            break
        best = found
    return best


def _measured(load: Load, rate: int) -> Ceiling:
    p99 = percentile([one.latency for one in load.replies], 0.99) * 1e3
    return Ceiling(rate=rate, p99_ms=p99, cpu=load.cpu_seconds / load.seconds)
