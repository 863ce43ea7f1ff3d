"""The service as a process, pinned to a core of its own where the system allows that."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from ...catalogs.errors import LimitError, QueryError

PROGRAM = "import sys; from concede.interfaces.cli.main import main; main(sys.argv[1:])"
START_SECONDS = 120.0
STOP_SECONDS = 15.0


@dataclass(frozen=True)
class Server:
    """A running service: where it listens, the token that may change it, and its process."""

    host: str
    port: int
    token: str
    pid: int
    pinned: bool

    def cpu_seconds(self) -> float:
        """Return the CPU time its process has used; 0 where the system does not say."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self) -> float:
        """Return its resident memory; 0 where the system does not say."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def pinned() -> Generator[bool]:
    """Start what is started inside on one core, and keep this process to the others."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) < 2:
        yield False
        return
    os.sched_setaffinity(0, cores[:1])
    try:
        yield True
    finally:
        os.sched_setaffinity(0, cores[1:])


@contextmanager
def one_core() -> Generator[None]:
    """Give this process its cores back at the end."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, cores)


@contextmanager
def serving(folder: Path, file: Path, key: str, options: Sequence[str] = ()) -> Generator[Server]:
    """Run `concede serve` over a file until the end; raises `LimitError` if it does not start."""
    token = secrets.token_hex(16)
    command = [sys.executable, "-c", PROGRAM, "serve", "--catalog", f"shop={file}", "--key", key]
    command += ["--port", "0", "--catalog-folder", str(folder), "--log-level", "error", *options]
    log = folder / "server.log"
    environment = {**os.environ, "CONCEDE_ADMIN_TOKEN": token}
    with log.open("wb") as errors, pinned() as alone:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=folder
        )
    try:
        host, port = address(process, log)
        yield Server(host, port, token, process.pid, alone)
    finally:
        stop(process)


def address(process: subprocess.Popen[bytes], log: Path) -> tuple[str, int]:
    """Return where the service says that it listens; kill one that takes too long to say so."""
    timer = Timer(START_SECONDS, process.kill)
    timer.daemon = True
    timer.start()
    started = time.monotonic()
    assert process.stdout is not None
    line: str = process.stdout.readline().decode()
    timer.cancel()
    if time.monotonic() - started >= START_SECONDS:
        raise LimitError(f"the service did not start within {START_SECONDS:g} s")
    if " at http" not in line:
        said = log.read_text(errors="replace").strip().splitlines() or [line.strip()]
        raise QueryError(f"the service did not start: {said[-1][:300]}")
    host, _, port = line.rpartition("//")[2].strip().rpartition(":")
    return host, int(port)


def stop(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
