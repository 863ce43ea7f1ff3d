"""Cross-check a program that a model wrote: run it in a sandbox before its outcome counts.

Our own evaluator walks a checked tree and never executes it; the sandbox is a second, independent
interpreter of the same program. Where they disagree, the program is undecided. Costs one sandbox
run per outcome, and one more for each fact that the run reads and nobody gave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..keys import LEVELS, MAX_MEMBERS, SIZE, KeyTable, Known, slot_of
from ..sandbox.running import run_checked
from ..sandbox.sandbox import Sandbox, SandboxRun
from .explaining import any_value, complete
from .program import Program

MAX_FILLED = 500
"""Facts supposed for one run."""


def run_in_sandbox(program: Program, known: Known, keys: KeyTable, sandbox: Sandbox) -> SandboxRun:
    """Return what a program makes of what is known, run in a sandbox."""
    return run_checked(sandbox, program.checked, _household(known, keys))


def _household(known: Known, keys: KeyTable) -> dict[str, Any]:
    """Return a household as a rewritten program reads it, with as many members as there can be.

    `#size` is -1 where it is not known, `#least` how many members there are for certain.
    """
    names = {level: [key.name for key in keys if key.level == level] for level in LEVELS}
    members: list[dict[str, Any]] = [
        {"#person": member, "#household": names["household"]} for member in range(MAX_MEMBERS)
    ]
    household: dict[str, Any] = {
        "#members": members,
        "#member_keys": names["member"],
        "#size": known.get(SIZE, -1),
        "#least": 1 + max((slot.member or 0 for slot in known), default=0),
    }
    for slot, value in known.items():
        if slot != SIZE:
            (household if slot.member is None else members[slot.member])[slot.key] = value
    return household


@dataclass
class CrossCheck:
    """Compares settled outcomes of programs that a model wrote with a sandbox's."""

    sandbox: Sandbox

    def disagreement(self, program: Program, known: Known, keys: KeyTable, outcome: bool) -> str:
        """Return how the sandbox disagrees with an outcome; "" where it agrees."""
        if program.origin != "model":
            return ""
        result = self._run(program, complete(program, known, keys), keys)
        if result.outcome is outcome:
            return ""
        if result.error:
            return f"the {self.sandbox.name} sandbox stopped it: {result.error}"
        return f"the {self.sandbox.name} sandbox comes to another outcome"

    def _run(self, program: Program, known: Known, keys: KeyTable) -> SandboxRun:
        """Run with some value for whatever is missing: the outcome is settled without it.

        pydantic-monty makes a list of a generator first, so it reads more than Python would.
        """
        filled = dict(known)
        for _ in range(MAX_FILLED):
            result = run_in_sandbox(program, filled, keys, self.sandbox)
            slot = slot_of(result.missing, keys) if result.missing else None
            if slot is None or slot in filled:
                return result
            filled[slot] = any_value(slot, keys)
        return SandboxRun(error="it asks for more and more facts")
