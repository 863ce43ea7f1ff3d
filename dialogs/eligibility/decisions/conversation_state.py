"""State of a conversation: its programs, the facts known, and what can be asked for next.

Evaluations and runs are cached per program until a fact that the program can read changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..keys import SIZE, KeyTable, Slot, Value
from .evaluation import Evaluation, Run, evaluate, run
from .program import Program


@dataclass
class ConversationState:
    """Programs and what is known of a household.

    `closed`: slots that nobody can tell, with why.
    """

    programs: Sequence[Program]
    keys: KeyTable
    known: dict[Slot, Value] = field(default_factory=dict[Slot, Value])
    closed: dict[Slot, str] = field(default_factory=dict[Slot, str])

    def __post_init__(self) -> None:
        self._evaluations: dict[str, Evaluation] = {}
        self._runs: dict[str, Run] = {}
        self._versions: dict[str, int] = {program.name: 0 for program in self.programs}

    def add_fact(self, slot: Slot, value: Value) -> None:
        """Add a fact, or replace it."""
        self.known[slot] = value
        self.closed.pop(slot, None)
        self._invalidate(slot)

    def remove_fact(self, slot: Slot) -> None:
        """Remove a fact."""
        self.known.pop(slot, None)
        self._invalidate(slot)

    def _invalidate(self, slot: Slot) -> None:
        for program in self.programs:
            # Until the size is known, any member's fact says how many there are at least.
            counts = slot == SIZE or (slot.member is not None and SIZE not in self.known)
            if counts or slot.key in program.keys:
                self._versions[program.name] += 1
                self._evaluations.pop(program.name, None)
                self._runs.pop(program.name, None)

    def version(self, program: Program) -> int:
        """Return a number that changes whenever a program's results may have."""
        return self._versions[program.name]

    def evaluation(self, program: Program) -> Evaluation:
        """Return what a program decides whatever is unknown."""
        evaluation = self._evaluations.get(program.name)
        if evaluation is None:
            evaluation = evaluate(program, self.known, self.keys)
            self._evaluations[program.name] = evaluation
        return evaluation

    def run(self, program: Program) -> Run:
        """Return how a program runs on what is known."""
        result = self._runs.get(program.name)
        if result is None:
            result = self._runs[program.name] = run(program, self.known, self.keys)
        return result

    def askable(self, program: Program) -> tuple[Slot, ...]:
        """Return the slots that can still matter to a program and can be asked for."""
        evaluation = self.evaluation(program)
        if evaluation.outcome is not None or evaluation.error:
            return ()
        return tuple(slot for slot in evaluation.relevant if slot not in self.closed)

    @property
    def size(self) -> int | None:
        """How many members the household has, where that is known."""
        size = self.known.get(SIZE)
        return None if size is None else int(size)

    def open_slots(self, key: str) -> tuple[Slot, ...]:
        """Return the slots of a key that are open for any member."""
        if self.keys.key(key).level == "household":
            slots = (Slot(None, key),)
        else:
            slots = tuple(Slot(member, key) for member in range(self.size or 1))
        return tuple(slot for slot in slots if slot not in self.known and slot not in self.closed)


@dataclass(frozen=True, slots=True)
class Ask:
    """Slots to ask for in one question, and the program and line that need them."""

    slots: tuple[Slot, ...]
    keys: tuple[str, ...]
    program: str
    line: int


def line_of(state: ConversationState, program: Program, slot: Slot) -> int:
    """Return the line where a program first lacks a slot; 0 where that is not known."""
    return dict(state.evaluation(program).lines).get(slot, 0)


def keys_of_size_question(state: ConversationState) -> tuple[str, ...]:
    """Return the keys that an answer to the question for the household's members may hold."""
    topic = state.keys.key(SIZE.key).topic
    if not topic:
        return (SIZE.key,)
    needed = {key for program in state.programs for key in program.keys}
    along = (key.name for key in state.keys if key.topic == topic and key.name != SIZE.key)
    return (SIZE.key, *(name for name in along if name in needed))
