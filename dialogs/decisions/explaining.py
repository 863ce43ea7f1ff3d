"""Why a program decided as it did: the fewest facts that force it, and the lines they stood in."""

from __future__ import annotations

from .evaluation import evaluate, run
from .keys import KeyTable, Known, Slot, Value
from .program import Program
from .roles import Reason
from .unknowns import truth


def certificate(program: Program, known: Known, keys: KeyTable, outcome: bool) -> dict[Slot, Value]:
    """Return facts that force the outcome, none of which can be left out.

    Deletion, as for a minimal unsatisfiable subset: the facts read last are dropped first.
    """
    read = [slot for slot, _ in evaluate(program, known, keys).read]
    held = {slot: known[slot] for slot in read}
    for slot in reversed(read):
        fewer = {other: value for other, value in held.items() if other != slot}
        if evaluate(program, fewer, keys).outcome is outcome:
            held = fewer
    return held


def reasons_for(
    program: Program, known: Known, keys: KeyTable, outcome: bool
) -> tuple[Reason, ...]:
    """Return the executed lines that read the facts a decision rests on, in order."""
    facts = certificate(program, known, keys, outcome)
    steps = run(program, completed(program, known, keys), keys).steps
    told: set[Slot] = set()
    found: list[Reason] = []
    for step in steps:
        read = tuple((slot, facts[slot]) for slot in step.read if slot in facts)
        if read and not {slot for slot, _ in read} <= told:
            told |= {slot for slot, _ in read}
            found.append(_reason(program, step.line, read, truth(step.value)))
    rest = [slot for slot in facts if slot not in told]
    if rest:
        lines = dict(evaluate(program, known, keys).read)
        for line in dict.fromkeys(lines[slot] for slot in rest):
            read = tuple((slot, facts[slot]) for slot in rest if lines[slot] == line)
            found.append(_reason(program, line, read, None))
    return tuple(found)


def _reason(
    program: Program, line: int, facts: tuple[tuple[Slot, Value], ...], holds: bool | None
) -> Reason:
    hint = program.hint(line)
    if not hint:
        hint = next((one for slot, _ in facts for one in program.hints_of(slot.key)), "")
    return Reason(line, program.code(line), hint, facts, holds)


MAX_FILLED = 2_000
"""Facts supposed in one run; a program cannot read more."""


def completed(program: Program, known: Known, keys: KeyTable) -> dict[Slot, Value]:
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
