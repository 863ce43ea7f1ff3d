"""Sandbox by pydantic-monty: a Python interpreter in Rust, in a worker process.

Its language reaches the host only through functions it is given, and here it is given none. Time
and memory are limited inside the worker, which is killed where it does not keep to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....catalogs.errors import SandboxError, one_line
from .sandbox import Limits, Sandbox

GRACE = 2.0
"""Seconds a worker has to stop by itself, and to be found, before it is killed."""


class MontySandbox(Sandbox):
    """A pool of one worker; every run has a session of its own."""

    name = "monty"

    def __init__(self, limits: Limits | None = None) -> None:
        try:
            import pydantic_monty
        except ImportError:
            raise SandboxError(
                "pydantic-monty is not installed", hint="install concede[sandbox]"
            ) from None
        self.limits = limits or Limits()
        self._library = pydantic_monty
        self._pool = pydantic_monty.Monty(
            max_processes=1, checkout_timeout=30.0, request_timeout=self.limits.seconds + GRACE
        ).__enter__()

    def value(self, source: str, inputs: Mapping[str, Any]) -> Any:
        """See `Sandbox.value`."""
        library, limits = self._library, self.limits
        try:
            with self._pool.checkout(
                limits={
                    "max_feed_duration_secs": limits.seconds,
                    "max_memory": limits.memory_bytes,
                    "max_recursion_depth": limits.depth,
                    "max_suspensions": 1,
                }
            ) as session:
                printed = library.CollectString(max_bytes=limits.output_characters)
                return session.feed_run(source, inputs=dict(inputs), print_callback=printed)
        except (library.MontyError, TimeoutError, RuntimeError, ValueError, TypeError) as error:
            raise SandboxError(one_line(str(error))[:500]) from None

    def close(self) -> None:
        """End the worker."""
        self._pool.__exit__(None, None, None)
