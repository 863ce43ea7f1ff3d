"""Open a sandbox by name, and run a checked program in it: an outcome, or the fact it misses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from ....catalogs.errors import QueryError, SandboxError, shown
from .allow_list import CheckedSource
from .rewriting import MISSING, rewrite
from .sandbox import Limits, Sandbox, SandboxRun


def run_checked(
    sandbox: Sandbox, checked: CheckedSource, household: Mapping[str, Any]
) -> SandboxRun:
    """Run a checked program in a sandbox."""
    try:
        result = sandbox.value(rewrite(checked), {"_household": dict(household)})
    except SandboxError as error:
        missing = MISSING.search(error.problem)
        if missing:
            return SandboxRun(missing=missing[1], line=int(missing[2]))
        return SandboxRun(error=error.problem)
    match result:
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
