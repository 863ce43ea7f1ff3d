"""What every sandbox is: the limits of a run, what a run gives back, and the base of them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may take."""

    seconds: float = 1.0
    memory_bytes: int = 64_000_000
    depth: int = 100
    output_characters: int = 100_000


@dataclass(frozen=True, slots=True)
class SandboxRun:
    """What came back: an outcome, or the name of a fact that is missing, or what went wrong."""

    outcome: bool | None = None
    missing: str = ""
    line: int = 0
    error: str = ""


class Sandbox(Protocol):
    """Runs Python text apart from the host; a context manager that ends what was started."""

    name: str

    def value(self, source: str, inputs: Mapping[str, Any]) -> Any:
        """Return the value of a text's last expression, with inputs as its globals.

        Raises `SandboxError` with the program's complaint, or where a limit stopped it.
        """
        ...

    def close(self) -> None:
        """End what was started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
