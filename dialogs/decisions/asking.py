"""What a planner asks for, and what a question about the household brings along."""

from __future__ import annotations

from dataclasses import dataclass

from .board import Board
from .keys import SIZE, Slot
from .program import Program


@dataclass(frozen=True, slots=True)
class Ask:
    """Slots to ask for in one question, and the program and line that need them."""

    slots: tuple[Slot, ...]
    keys: tuple[str, ...]
    program: str
    line: int


def line_of(board: Board, program: Program, slot: Slot) -> int:
    """Return the line where a program first lacks a slot; 0 where that is not known."""
    return dict(board.evaluation(program).lines).get(slot, 0)


def heard_with_size(board: Board) -> tuple[str, ...]:
    """Return the keys that a question for the household's members brings an answer to."""
    topic = board.keys.key(SIZE.key).topic
    if not topic:
        return (SIZE.key,)
    needed = {key for program in board.programs for key in program.keys}
    along = (key.name for key in board.keys if key.topic == topic and key.name != SIZE.key)
    return (SIZE.key, *(name for name in along if name in needed))
