"""The parent of several workers: it starts them, and again whichever ends."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path
from socket import socket

from uvicorn import Config
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from ....engine.runtime.json_logging import LOG
from .shared_folder import SharedFolder

ORPHAN_SECONDS = 0.1
"""How long a worker outlives its parent at most."""


ENDING_SECONDS = 10.0
"""How long workers may take to end what they do."""


class Supervisor(Multiprocess):
    """Workers of which one writes; SIGHUP has it read its sources again, and renews all."""

    def __init__(self, config: Config, sockets: list[socket], folder: SharedFolder) -> None:
        super().__init__(config, sockets)
        self._folder = folder
        self._asked: dict[Process, float] = {}

    def keep_subprocess_alive(self) -> None:
        """Start another in the place of each worker that has ended, or does not answer for long.

        Nobody is waited for: one that is killed before it has answered never will, and meanwhile
        others may end.
        """
        for place, worker in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            if self._is_well(worker):
                continue
            self._asked.pop(worker, None)
            worker.kill()
            worker.join()
            if worker.exitcode == STARTUP_FAILURE:
                LOG.error("a worker cannot start, and no other could")
                self.should_exit.set()
                return
            LOG.warning("a worker has ended; another begins", extra={"code": worker.exitcode})
            self.processes[place] = Process(self.config, self.sockets)
            self.processes[place].start()

    def _is_well(self, worker: Process) -> bool:
        """Whether a worker runs, and has answered what it was asked, or has time left to."""
        if not worker.process.is_alive():
            return False
        try:
            if worker not in self._asked:
                worker.parent_conn.send(b"ping")
                self._asked[worker] = time.monotonic()
            elif worker.parent_conn.poll():
                worker.parent_conn.recv()
                del self._asked[worker]
        except (OSError, EOFError):
            return False
        asked = self._asked.get(worker)
        patience = self.config.timeout_worker_healthcheck
        return asked is None or time.monotonic() - asked < patience

    def restart_all(self) -> None:
        """Renew each worker: the owner, whose place is free only when it has ended, at first."""
        self._folder.ask_to_reload()
        for place, old in enumerate(self._owner_first()):
            if self.should_exit.is_set():
                return
            index = self.processes.index(old)
            if place == 0:
                _end(old)
            new = Process(self.config, self.sockets)
            new.start()
            self.processes[index] = new
            if not new.wait_until_ready(self.config.timeout_worker_healthcheck, self.should_exit):
                LOG.error("a new worker was not ready in time; the others stay as they are")
                if place:
                    self.processes[index] = old
                    new.kill()
                    new.join()
                return
            if place:
                _end(old)

    def join_all(self) -> None:
        """Wait for the workers to end; one that waits for another that has ended is killed.

        Nothing acknowledged is lost by that: it is in the log.
        """
        until = time.monotonic() + ENDING_SECONDS
        for process in self.processes:
            process.process.join(max(0.0, until - time.monotonic()))
            if process.process.is_alive():
                LOG.warning("a worker did not end in time, and is killed")
                process.process.kill()
                process.process.join()

    def handle_ttou(self) -> None:
        """End one worker, not the owner."""
        self.processes = self._owner_first()
        super().handle_ttou()

    def _owner_first(self) -> list[Process]:
        owner = self._folder.owner
        return sorted(self.processes, key=lambda process: process.pid != owner)


def _end(process: Process) -> None:
    process.terminate()
    process.join()


def end_with_parent(folder: Path) -> None:
    """Have this process end soon after its parent, and take what they shared with it."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(ORPHAN_SECONDS)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, name="concede-parent", daemon=True).start()
