"""The parts of an elicitation: who asks, who answers, who takes down, and what was said.

Source: APEC-Travel, 3.3 (agent, traveller, stenographer) and A.3 (turns).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..transcripts.transcript import Transcript
from .profile import Profile
from .schema import Schema


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about one entry. `again`: the answer before it was vague.

    `gain`: what the planner expects of the answer, in its own unit; None where it plans
    nothing. `thought`: why it asks, in a sentence, for transcripts.
    """

    entry: str
    text: str
    again: bool = False
    gain: float | None = None
    thought: str = ""


class Planner(Protocol):
    """Chooses the next question from what was said, never from what nobody said."""

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return the next question, or None when nothing is worth asking."""
        ...


@dataclass(frozen=True, slots=True)
class TakenDown:
    """What is known after a message. `vague`: the answer to a question gave no value."""

    profile: Profile
    vague: bool = False


class Stenographer(Protocol):
    """Reads what the person said into a profile."""

    def read(
        self, schema: Schema, profile: Profile, asked: Asked | None, said: Transcript
    ) -> TakenDown:
        """Return the profile with what the last message says.

        `asked`: the question it answers; None for the request.
        """
        ...


class Traveller(Protocol):
    """Answers a question from what it wants; tells nothing that was not asked."""

    def request(self) -> str:
        """Return the opening sentence."""
        ...

    def answer(self, asked: Asked) -> str:
        """Return the answer to a question about one entry."""
        ...
