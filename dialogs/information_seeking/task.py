"""A clarification task: what a seeker knows, and the tree of facts that a provider may tell.

Source: ClarQ-LLM, III-A (tasks), III-C (response trees), IV-B (what a provider may say).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Speaker = Literal["provider", "seeker"]

ROOT = "0"
"""The node that a provider answers with first; what it leaves out is in the other nodes."""


@dataclass(frozen=True, slots=True)
class ResponseNode:
    """One fact of a provider. It may be told once its `parent` has been told.

    `purpose` says which gap the fact fills; "" where the record has none.
    """

    node: str
    parent: str | None
    text: str
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class SeekerTask:
    """What a seeker is told: who it is, what it wants and has. Never the tree of facts.

    `lang`: "en" or "zh". Scenes may end in a restriction in brackets.
    """

    id: str
    lang: str
    role: str
    goal: str
    items: tuple[str, ...]
    skills: tuple[str, ...]
    scenes: tuple[str, ...]
    background: str


@dataclass(frozen=True, slots=True)
class ClarificationTask(SeekerTask):
    """A whole task, as a provider knows it.

    `responses`: in the order of the record, the root first; every parent stands before its
    children. `type_no` 0: unknown.
    """

    responses: tuple[ResponseNode, ...] = ()
    type_no: int = 0
    type: str = ""
    split: str = ""

    def for_seeker(self) -> SeekerTask:
        """Return the part that a seeker may see."""
        return SeekerTask(
            self.id,
            self.lang,
            self.role,
            self.goal,
            self.items,
            self.skills,
            self.scenes,
            self.background,
        )


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What one of the two said."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class ProviderReply:
    """What a provider says to a turn of the seeker.

    `released`: the nodes told now for the first time, in the order of the tree, without the
    root. `kind`: which of the six types of utterance the seeker's turn was taken for (IV-C),
    1 the whole task, 2 a detail with an answer, 3 a detail without one, 4 repeated,
    5 unrelated, 6 vague; None where nobody said.
    """

    text: str
    released: tuple[str, ...] = field(default=())
    kind: int | None = None


class Provider(Protocol):
    """Tells what it is asked. Stateless: what was told is read from the turns."""

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """Return the answer to the seeker's last turn; without turns, a greeting."""
        ...


class Seeker(Protocol):
    """Asks until nothing is open, then says goodbye. Stateless."""

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """Return the seeker's next turn; the last of `turns` is the provider's."""
        ...
