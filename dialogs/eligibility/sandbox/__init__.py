"""Run programs nobody has read: checked against an allow-list, then within limits.

check_source      the allow-list
open_sandbox      monty, or a process with limits
run_checked       a checked program's outcome, or the fact it misses
"""

from .allow_list import CheckedSource, check_source
from .running import open_sandbox, run_checked
from .sandbox import Limits, Sandbox, SandboxRun

__all__ = [
    "CheckedSource",
    "Limits",
    "Sandbox",
    "SandboxRun",
    "check_source",
    "open_sandbox",
    "run_checked",
]
