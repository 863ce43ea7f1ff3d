"""The fallback where pydantic-monty is not installed: the allow-list and a process with limits.

The allow-list is what keeps a program from reaching anything; the process is there for what it
takes (time, memory) and as a second wall: no environment, no further file descriptor, no new
process, no file written, killed with its whole group when its time is over.
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
from types import TracebackType
from typing import Any, Self, cast

from ...catalogs.errors import SandboxError, one_line
from .running import Limits

CHILD = Path(__file__).with_name("child.py")
START_UP = 10.0
"""Seconds for a process to start on a busy machine, beside the run's own."""


class SubprocessSandbox:
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
        given = {
            "source": source,
            "inputs": dict(inputs),
            "seconds": limits.seconds,
            "memory_bytes": limits.memory_bytes,
            "depth": limits.depth,
        }
        text = self._spoken(json.dumps(given))
        try:
            found: Any = json.loads(text)
        except ValueError:
            raise SandboxError("the program was stopped by its limits") from None
        held = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        if "value" not in held:
            problem = one_line(str(held.get("error", "")))[:500]
            raise SandboxError(problem or "the program said nothing")
        return held["value"]

    def _spoken(self, given: str) -> str:
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
            return self._exchanged(process, given.encode())
        finally:
            # The group is gone already where the process ended by itself.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def _exchanged(self, process: subprocess.Popen[bytes], given: bytes) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        until = monotonic() + self.limits.seconds + START_UP
        held = bytearray()
        try:
            process.stdin.write(given)
            process.stdin.close()
        except BrokenPipeError:
            return ""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while (left := until - monotonic()) > 0:
                if not selector.select(left):
                    break
                piece = os.read(process.stdout.fileno(), 65_536)
                held += piece
                if not piece or len(held) > self.limits.output_characters:
                    break
        return held[: self.limits.output_characters].decode("utf-8", errors="replace")

    def close(self) -> None:
        """Nothing is left running between runs."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
