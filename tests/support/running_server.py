"""`concede serve` as a process of its own, on a free port of this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2

STARTING = 120.0
ENDING = 60.0
COMMAND = [sys.executable, "-m", "concede", "serve", "--port", "0"]


class RunningServer:
    """A server that has begun; `url` is where."""

    def __init__(self, process: subprocess.Popen[str], url: str, log: Path) -> None:
        self.process = process
        self.url = url
        self.port = int(url.rpartition(":")[2])
        self._log = log
        self.client = httpx2.Client(base_url=url, timeout=30)

    def wait_until_ready(self) -> None:
        """Return when questions are taken."""
        end = time.monotonic() + STARTING
        while time.monotonic() < end:
            assert self.process.poll() is None, self._log.read_text()
            try:
                if self.client.get("/readyz").status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"not ready: {self._log.read_text()}")

    def log(self) -> list[dict[str, Any]]:
        """Return what was logged so far."""
        lines = self._log.read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def connect(self) -> socket.socket:
        """Return a bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def memory(self) -> int:
        """Return the bytes the process holds in memory at most so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024

    def stop(self) -> int:
        """Tell it to end; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(ENDING)


@contextmanager
def running(folder: Path, *arguments: str, **environment: str) -> Iterator[RunningServer]:
    """Run `concede serve` with these arguments; its log goes to a file in the folder."""
    log = folder / "serve.log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=stream,
            text=True,
            env=os.environ | environment,
            # Its own group, so that nothing it starts outlives the test.
            start_new_session=True,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert " at http://" in line, log.read_text()
        server = RunningServer(process, line.split()[-1], log)
        server.wait_until_ready()
        yield server
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
