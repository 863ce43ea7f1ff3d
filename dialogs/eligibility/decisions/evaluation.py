"""Evaluate a program on what is known: in three values, or as Python would run it.

`evaluate` follows every path that unknown facts leave open, so it finds an outcome that no answer
can change any more, whatever the order of the lines. `run` executes line by line and stops at
the first missing fact (ProADA, section 3). Both cost at most `machine.MAX_STEPS` steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ....catalogs.errors import QueryError
from ..keys import KeyTable, Known, Slot
from .machine import Machine, MissingSlot, Step
from .program import Program
from .unknowns import Exhausted, ProgramError, Unsettled, slots_of, truth


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An outcome that holds whatever is still unknown, or None.

    `relevant`: the slots that can still matter, in the order they are first read; empty where
    the outcome is settled. `read`: known slots that were looked at, with the line. `error`:
    what the program did wrong; then nothing can decide it.
    """

    outcome: bool | None
    relevant: tuple[Slot, ...] = ()
    read: tuple[tuple[Slot, int], ...] = ()
    lines: tuple[tuple[Slot, int], ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """The first fact a run lacks: where, the line's code and what its comment says."""

    slot: Slot
    line: int
    code: str
    requirement: str


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its outcome, or what it lacks, or what it did wrong.

    `lines`: executed lines in order of first execution, from 1. `read`: slots looked at, the
    missing one not. `steps`: its tests and returns in order of execution.
    """

    outcome: bool | None
    missing: Missing | None = None
    lines: tuple[int, ...] = ()
    read: tuple[Slot, ...] = ()
    steps: tuple[Step, ...] = ()
    error: str = ""


def evaluate(program: Program, known: Known, keys: KeyTable) -> Evaluation:
    """Return what a program decides, whatever the values of the slots that are not known."""
    machine = Machine(known, keys, stops=False)
    value, error = _value(program, machine)
    read = tuple(machine.read.items())
    if error:
        return Evaluation(None, read=read, error=error)
    outcome = truth(value)
    if outcome is not None:
        return Evaluation(outcome, read=read)
    slots = slots_of(value)
    relevant = tuple(slot for slot in machine.unread if slot in slots)
    lines = tuple((slot, machine.unread[slot]) for slot in relevant)
    return Evaluation(None, relevant, read, lines)


def run(program: Program, known: Known, keys: KeyTable) -> Run:
    """Run a program as Python would, up to the first slot that is not known."""
    machine = Machine(known, keys, stops=True)
    missing: Missing | None = None
    value: Any = None
    error = ""
    try:
        value, error = _value(program, machine)
    except MissingSlot as stop:
        code, hint = program.code(stop.line), program.hint(stop.line)
        missing = Missing(stop.slot, stop.line, code, hint)
    return Run(
        None if missing or error else truth(value),
        missing,
        tuple(machine.lines),
        tuple(machine.read),
        tuple(machine.steps),
        error,
    )


def _value(program: Program, machine: Machine) -> tuple[Any, str]:
    """Return what a program returns, and what went wrong."""
    decide: Callable[[Machine], Any] = program.decide
    try:
        value = decide(machine)
    except (ProgramError, Exhausted) as error:
        return None, str(error)
    except Unsettled as error:
        raise AssertionError("a path that is not followed ends in its function") from error
    except QueryError as error:
        return None, error.problem
    except RecursionError:
        return None, "expressions and calls nested too deeply"
    if value is None:
        return None, "it returns nothing"
    if isinstance(value, tuple | dict | str):
        return None, "it returns no truth value"
    return value, ""
