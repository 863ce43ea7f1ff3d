"""Planners, which choose the next question: the published order, or what settles most.

A planner reads the conversation's state and names slots, or None where asking no longer helps. To
add one, write a class with `name` and `next` and a line in `PLANNERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ....catalogs.errors import QueryError, excerpt, nearest
from ..keys import Slot
from .conversation_state import Ask, ConversationState, line_of
from .joint_planner import JointPlanner
from .program import Program


class Planner(Protocol):
    """Chooses what is asked next."""

    @property
    def name(self) -> str:
        """What the planner is called."""
        ...

    def next(self, state: ConversationState) -> Ask | None:
        """Return what to ask; None where no answer can settle anything more."""
        ...


@dataclass(frozen=True)
class PublishedPlanner:
    """The first missing key, program by program (ProADA, section 3).

    `together`: the key is asked for all members at once. Where the missing fact is one that
    nobody can tell, the next one that can still matter is asked instead.
    """

    together: bool = False

    @property
    def name(self) -> str:
        """See `Planner.name`."""
        return "published-together" if self.together else "published"

    def next(self, state: ConversationState) -> Ask | None:
        """See `Planner.next`."""
        for program in state.programs:
            ran = state.run(program)
            if ran.outcome is not None or ran.error:
                continue
            missing = ran.missing
            if missing is not None and missing.slot not in state.closed:
                return self._ask(state, missing.slot, program, missing.line)
            askable = state.askable(program)
            if askable:
                return self._ask(state, askable[0], program, line_of(state, program, askable[0]))
        return None

    def _ask(self, state: ConversationState, slot: Slot, program: Program, line: int) -> Ask:
        slots = (slot,)
        if self.together and slot.member is not None:
            slots = state.open_slots(slot.key)
        return Ask(slots, (slot.key,), program.name, line)


KEYS_OF_A_TOPIC = 3
"""Keys of one topic in a question of `joint-topics`: three short questions in one turn."""

PLANNERS: dict[str, Callable[[], Planner]] = {
    "joint": JointPlanner,
    "joint-topics": lambda: JointPlanner(keys_a_question=KEYS_OF_A_TOPIC),
    "published": PublishedPlanner,
    "published-together": lambda: PublishedPlanner(together=True),
}


def planner_names() -> tuple[str, ...]:
    """Return the names of the planners, the default first."""
    return tuple(PLANNERS)


def get_planner(name: str) -> Planner:
    """Return a planner by name; raise `QueryError` for one that is not there."""
    if name not in PLANNERS:
        like = ", ".join(nearest(name, PLANNERS) or PLANNERS)
        raise QueryError(f"no planner {excerpt(name)}", hint=f"planners: {like}")
    return PLANNERS[name]()
