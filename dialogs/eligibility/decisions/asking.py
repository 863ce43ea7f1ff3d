"""What a planner chooses: slots to ask for, the line that needs them, the keys that come along."""

from __future__ import annotations

from dataclasses import dataclass

from ..keys import SIZE, Slot
from .conversation_state import ConversationState
from .program import Program


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
