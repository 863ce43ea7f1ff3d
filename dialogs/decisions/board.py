"""What stands open in a conversation: programs, facts, and what can still be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .evaluation import Evaluation, Run, evaluate, run
from .keys import SIZE, KeyTable, Slot, Value
from .program import Program


@dataclass
class Board:
    """Programs and what is known; results are kept until a fact a program can read changes.

    `closed`: slots that nobody can tell, with why.
    """

    programs: Sequence[Program]
    keys: KeyTable
    known: dict[Slot, Value] = field(default_factory=dict[Slot, Value])
    closed: dict[Slot, str] = field(default_factory=dict[Slot, str])

    def __post_init__(self) -> None:
        self._evaluations: dict[str, Evaluation] = {}
        self._runs: dict[str, Run] = {}
        self._stamps: dict[str, int] = {program.name: 0 for program in self.programs}

    def learn(self, slot: Slot, value: Value) -> None:
        """Take in a fact."""
        self.known[slot] = value
        self.closed.pop(slot, None)
        self._changed(slot)

    def forget(self, slot: Slot) -> None:
        """Take a fact back."""
        self.known.pop(slot, None)
        self._changed(slot)

    def _changed(self, slot: Slot) -> None:
        for program in self.programs:
            # Until the size is known, any member's fact says how many there are at least.
            counts = slot == SIZE or (slot.member is not None and SIZE not in self.known)
            if counts or slot.key in program.keys:
                self._stamps[program.name] += 1
                self._evaluations.pop(program.name, None)
                self._runs.pop(program.name, None)

    def stamp(self, program: Program) -> int:
        """Return a number that changes whenever a program's results may have."""
        return self._stamps[program.name]

    def evaluation(self, program: Program) -> Evaluation:
        """Return what a program decides whatever is unknown."""
        found = self._evaluations.get(program.name)
        if found is None:
            found = evaluate(program, self.known, self.keys)
            self._evaluations[program.name] = found
        return found

    def run(self, program: Program) -> Run:
        """Return how a program runs on what is known."""
        found = self._runs.get(program.name)
        if found is None:
            found = self._runs[program.name] = run(program, self.known, self.keys)
        return found

    def open_programs(self) -> list[Program]:
        """Return the programs whose outcome some answer could still settle."""
        return [program for program in self.programs if self.askable(program)]

    def askable(self, program: Program) -> tuple[Slot, ...]:
        """Return the slots that can still matter to a program and can be asked for."""
        found = self.evaluation(program)
        if found.outcome is not None or found.error:
            return ()
        return tuple(slot for slot in found.relevant if slot not in self.closed)

    @property
    def size(self) -> int | None:
        """How many members the household has, where that is known."""
        found = self.known.get(SIZE)
        return None if found is None else int(found)

    def everyone(self, key: str) -> tuple[Slot, ...]:
        """Return the slots of a key that are open for any member."""
        found = self.keys.key(key)
        if found.level == "household":
            slots = (Slot(None, key),)
        else:
            slots = tuple(Slot(at, key) for at in range(self.size or 1))
        return tuple(one for one in slots if one not in self.known and one not in self.closed)
