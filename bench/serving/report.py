"""The report of a run under load as typed JSON."""

from __future__ import annotations

from typing import Any

from ..throughput.report import Part

SCHEMA_VERSION = 1


class Latency(Part):
    """Milliseconds from the time a question was due to its whole answer."""

    p50: float
    p95: float
    p99: float
    max: float


class Writing(Part):
    """What the writer did meanwhile; times in milliseconds, 0 where there was none."""

    rows_a_second: float
    upserts: int
    upsert_p50_ms: float
    upsert_max_ms: float
    swaps: int
    swap_max_ms: float
    failed: int


class Step(Part):
    """One rate for some seconds.

    `asked` is the rate wanted, `achieved` the answers a second after the warm-up, which is
    `cold` and counted nowhere else but in `answers`, faults and processor time; `errors` are
    answers other than 200, `lost` questions without one. `judged` answers were worked out
    again, `wrong` of them differed; `versions` of the catalog were named. `first` is
    the latency of questions nobody had asked before, `first_asked` their share of the answers,
    `p99_first` the p99 of `first`, 0 without any; `latency` is of all answers, most of them
    kept ones. `late` is the share of answers that were stale: asked for when a later version had
    been acknowledged, for `late_s` seconds at most. The processors' times are shares of a core.
    """

    asked: float
    writer: bool
    seconds: float
    answers: int
    achieved: float
    latency: Latency
    cold: Latency | None
    p99_by_kind: dict[str, float]
    first: Latency | None = None
    first_asked: float
    p99_first: float
    late: float
    late_s: float
    errors: int
    lost: int
    judged: int
    wrong: int
    complaints: tuple[str, ...]
    versions: int
    server_cpu: float
    generator_cpu: float
    server_mib: float
    kib_an_answer: float
    writing: Writing | None = None

    @property
    def cpu_ms(self) -> float:
        """The processor time of the service for one answer, writes included, in milliseconds."""
        return self.server_cpu * self.seconds / max(self.answers, 1) * 1e3

    @property
    def clean(self) -> bool:
        """Whether nothing failed, nothing was lost, and nothing was wrong."""
        failed = self.writing.failed if self.writing else 0
        return not (self.errors or self.lost or self.wrong or failed)


class Ceiling(Part):
    """What the generator itself can do against a stub that answers at once."""

    rate: float
    p99_ms: float
    cpu: float


class ServingReport(Part):
    """A whole run; of each rate, `steps` holds the run with the least p99, `runs` all of them."""

    schema_version: int = SCHEMA_VERSION
    options: dict[str, Any]
    machine: dict[str, str | int | float]
    pinned: bool
    ceiling: Ceiling | None
    steps: tuple[Step, ...]
    runs: tuple[Step, ...]

    @property
    def clean(self) -> bool:
        """Whether every run was."""
        return all(run.clean for run in self.runs)
