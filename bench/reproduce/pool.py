"""Stages run side by side, each in a process of its own, which writes its result itself.

A process a stage: what one leaves behind is nobody else's, and it can be stopped. It ends by itself
where the run that started it is gone. Cost: a second of start-up a stage.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

from ...catalogs.errors import CatalogError, ConcedeError, LimitError
from .stage import Context, Stage
from .store import Store

Stepped = Callable[[int, int], None]
"""Is told how many stages of how many are done."""

THREADS = "NUMBA_NUM_THREADS"


@dataclass(frozen=True)
class Job:
    """A stage that is due: where its result goes, and under which fingerprint."""

    stage: str
    context: Context
    folder: Path
    mark: str


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass
class _Running:
    process: BaseProcess
    pipe: Connection
    job: Job


@dataclass
class Pool:
    """Runs jobs, `workers` at a time. The first error ends it, once what runs has ended too."""

    workers: int
    running: list[_Running] = field(default_factory=list[_Running])
    failed: ConcedeError | None = None

    def run(self, jobs: Sequence[Job], alone: Mapping[str, bool], stepped: Stepped) -> None:
        """Run the jobs in order. Raises the first stage's `ConcedeError`."""
        due, done = list(jobs), 0
        with _stopping(self.running):
            while due or self.running:
                while due and self.failed is None and self._may_start(due[0], alone):
                    self.running.append(_started(due.pop(0), self._threads(len(due) + 1)))
                if not self.running:
                    break
                done += self._finish()
                stepped(done, len(jobs))
        if self.failed is not None:
            raise self.failed

    def _may_start(self, job: Job, alone: Mapping[str, bool]) -> bool:
        if alone[job.stage] or any(alone[active.job.stage] for active in self.running):
            return not self.running
        return len(self.running) < self.workers

    def _threads(self, left: int) -> int:
        return max(1, cores() // self.workers) if left > 1 else cores()

    def _finish(self) -> int:
        """Wait until some stage ends; return how many did."""
        ready = wait([active.pipe for active in self.running])
        ended = [active for active in self.running if active.pipe in ready]
        for active in ended:
            self.running.remove(active)
            error = _ending(active)
            self.failed = self.failed or error
        return len(ended)


def _started(job: Job, threads: int) -> _Running:
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(job, theirs, os.getpid()))
    before = os.environ.get(THREADS)
    os.environ[THREADS] = before or str(threads)
    try:
        process.start()
    finally:
        if before is None:
            del os.environ[THREADS]
    theirs.close()
    return _Running(process, ours, job)


def _ending(active: _Running) -> ConcedeError | None:
    try:
        error = cast("ConcedeError | None", active.pipe.recv())
    except EOFError:
        active.process.join()
        how = f"{active.job.stage} broke off with exit code {active.process.exitcode}"
        error = LimitError(how, hint="what was finished stays; the same command goes on from there")
    active.process.join()
    active.pipe.close()
    return error


@contextmanager
def _stopping(running: Iterable[_Running]) -> Generator[None]:
    """Stop what still runs, whatever happens."""
    with ExitStack() as stack:
        stack.callback(lambda: [active.process.kill() for active in running])
        yield


def _work(job: Job, pipe: Connection, parent: int) -> None:
    """Run one stage and keep its result; say how it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    from .stages.registry import STAGES

    try:
        run_stage(STAGES[job.stage], job)
    except ConcedeError as error:
        pipe.send(error)
    except OSError as error:
        pipe.send(CatalogError(f"{job.stage}: {error.strerror or error}"))
    else:
        pipe.send(None)


def run_stage(stage: Stage, job: Job) -> None:
    """Run one stage and keep its result."""
    began = time.process_time()
    found = stage.run(job.context)
    seconds = round(time.process_time() - began, 3)
    Store(job.folder).write(stage.name, job.mark, found, seconds)


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
