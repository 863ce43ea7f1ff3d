"""Explain a decision: a minimal set of facts that forces it, and the executed lines that read them.

Costs an evaluation per fact that was read, and a run.
"""

from __future__ import annotations

from ..keys import KeyTable, Known, Slot, Value
from ..roles import Reason
from .evaluation import evaluate, run
from .program import Program
from .unknowns import truth


def certificate(program: Program, known: Known, keys: KeyTable, outcome: bool) -> dict[Slot, Value]:
    """Return facts that force the outcome, none of which can be left out.

    Deletion, as for a minimal unsatisfiable subset: the facts read last are dropped first.
    """
    read = [slot for slot, _ in evaluate(program, known, keys).read]
    facts = {slot: known[slot] for slot in read}
    for slot in reversed(read):
        fewer = {other: value for other, value in facts.items() if other != slot}
        if evaluate(program, fewer, keys).outcome is outcome:
            facts = fewer
    return facts


def reasons_for(
    program: Program, known: Known, keys: KeyTable, outcome: bool
) -> tuple[Reason, ...]:
    """Return the executed lines that read the facts a decision rests on, in order."""
    facts = certificate(program, known, keys, outcome)
    steps = run(program, complete(program, known, keys), keys).steps
    explained: set[Slot] = set()
    reasons: list[Reason] = []
    for step in steps:
        read = tuple((slot, facts[slot]) for slot in step.read if slot in facts)
        if read and not {slot for slot, _ in read} <= explained:
            explained |= {slot for slot, _ in read}
            reasons.append(_reason(program, step.line, read, truth(step.value)))
    rest = [slot for slot in facts if slot not in explained]
    if rest:
        lines = dict(evaluate(program, known, keys).read)
        for line in dict.fromkeys(lines[slot] for slot in rest):
            read = tuple((slot, facts[slot]) for slot in rest if lines[slot] == line)
            reasons.append(_reason(program, line, read, None))
    return tuple(reasons)


def _reason(
    program: Program, line: int, facts: tuple[tuple[Slot, Value], ...], holds: bool | None
) -> Reason:
    hint = program.hint(line)
    if not hint:
        hint = next((comment for slot, _ in facts for comment in program.hints_of(slot.key)), "")
    return Reason(line, program.code(line), hint, facts, holds)


MAX_FILLED = 2_000
"""Facts supposed in one run; a program cannot read more."""


def complete(program: Program, known: Known, keys: KeyTable) -> dict[Slot, Value]:
    """Return what is known, with some possible value for everything else a run reads."""
    filled = dict(known)
    for _ in range(MAX_FILLED):
        missing = run(program, filled, keys).missing
        if missing is None:
            break
        filled[missing.slot] = any_value(missing.slot, keys)
    return filled


def any_value(slot: Slot, keys: KeyTable) -> Value:
    """Return some value that a slot may have."""
    key = keys.key(slot.key)
    if key.kind == "bool":
        return False
    if key.kind == "choice":
        return key.values[0]
    return int(key.low) if key.kind == "int" else key.low
