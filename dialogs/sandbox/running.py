"""Sandboxes: where a program that a model wrote is run, and what may come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import TracebackType
from typing import Any, Protocol, Self

from ...catalogs.errors import QueryError, SandboxError, shown
from .allow_list import CheckedSource
from .rewriting import FOUND, rewritten


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
    """Runs Python text apart from the host."""

    @property
    def name(self) -> str:
        """What the sandbox is called."""
        ...

    def value(self, source: str, inputs: Mapping[str, Any]) -> Any:
        """Return the value of a text's last expression, with inputs as its globals.

        Raises `SandboxError` with the program's complaint, or where a limit stopped it.
        """
        ...

    def close(self) -> None:
        """End what was started."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def run_checked(
    sandbox: Sandbox, checked: CheckedSource, household: Mapping[str, Any]
) -> SandboxRun:
    """Run a checked program in a sandbox."""
    try:
        found = sandbox.value(rewritten(checked), {"_household": dict(household)})
    except SandboxError as error:
        missing = FOUND.search(error.problem)
        if missing:
            return SandboxRun(missing=missing[1], line=int(missing[2]))
        return SandboxRun(error=error.problem)
    match found:
        case ["value", bool() | int() | float() as value]:
            return SandboxRun(bool(value))
        case _:
            return SandboxRun(error="it returns no truth value")


def _monty(limits: Limits) -> Sandbox:
    from .monty import MontySandbox

    return MontySandbox(limits)


def _subprocess(limits: Limits) -> Sandbox:
    from .subprocess_sandbox import SubprocessSandbox

    return SubprocessSandbox(limits)


SANDBOXES: dict[str, Callable[[Limits], Sandbox]] = {"monty": _monty, "subprocess": _subprocess}


def open_sandbox(name: str = "auto", limits: Limits | None = None) -> Sandbox:
    """Return a sandbox: `monty` (extra `sandbox`), `subprocess`, or `auto`, the first there is.

    Raises `QueryError` for another name, `SandboxError` where it is not installed.
    """
    if name == "auto":
        name = "monty" if find_spec("pydantic_monty") else "subprocess"
    if name not in SANDBOXES:
        raise QueryError(f"no sandbox {shown(name)}", hint=f"auto, {', '.join(SANDBOXES)}")
    return SANDBOXES[name](limits or Limits())
