"""Sandbox by a process with limits, for where pydantic-monty is not installed.

The allow-list keeps a program from reaching anything. The process limits its time and memory and
is a second wall: no environment, no further file descriptor, no new process, no file written,
killed with its whole group when its time is over. Each run costs the start of a Python process.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, cast

from ....catalogs.errors import SandboxError, one_line
from .sandbox import Limits, Sandbox

CHILD = Path(__file__).with_name("child.py")
START_UP = 10.0
"""Seconds for a process to start on a busy machine, beside the run's own."""


class SubprocessSandbox(Sandbox):
    """A new process for every run."""

    name = "subprocess"

    def __init__(self, limits: Limits | None = None) -> None:
        if os.name != "posix":
            raise SandboxError(
                "processes have no limits on this system", hint="install concede[sandbox]"
            )
        self.limits = limits or Limits()

    def value(self, source: str, inputs: Mapping[str, Any]) -> Any:
        """See `Sandbox.value`."""
        limits = self.limits
        request = {
            "source": source,
            "inputs": dict(inputs),
            "seconds": limits.seconds,
            "memory_bytes": limits.memory_bytes,
            "depth": limits.depth,
        }
        text = self._output(json.dumps(request))
        try:
            reply: Any = json.loads(text)
        except ValueError:
            raise SandboxError("the program was stopped by its limits") from None
        fields = cast("dict[str, Any]", reply) if isinstance(reply, dict) else {}
        if "value" not in fields:
            problem = one_line(str(fields.get("error", "")))[:500]
            raise SandboxError(problem or "the program said nothing")
        return fields["value"]

    def _output(self, request: str) -> str:
        """Return what the process writes, up to a length, until its time is over."""
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
            close_fds=True,
            start_new_session=True,
        )
        try:
            return self._exchange(process, request.encode())
        finally:
            # The group is gone already where the process ended by itself.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        until = monotonic() + self.limits.seconds + START_UP
        received = bytearray()
        try:
            process.stdin.write(request)
            process.stdin.close()
        except BrokenPipeError:
            return ""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while (left := until - monotonic()) > 0:
                if not selector.select(left):
                    break
                piece = os.read(process.stdout.fileno(), 65_536)
                received += piece
                if not piece or len(received) > self.limits.output_characters:
                    break
        return received[: self.limits.output_characters].decode("utf-8", errors="replace")
