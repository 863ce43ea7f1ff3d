"""The parts in a conversation, as protocols: who asks and who answers.

Each has an implementation that needs no model and one on a `ChatModel`. Extractors and
weighters have packages of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ...catalogs.query.constraint import Constraint
from ..transcripts.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Choice:
    """A value to answer with, in words, and how many of the rows left have it."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Question:
    """One short question about one slot, a column of the catalog; what there is to choose from.

    `gain`: how much the answer is expected to improve the choice, in wishes met, where whoever
    asks has worked it out.
    """

    slot: str
    text: str
    choices: tuple[Choice, ...] = ()
    gain: float | None = None


class Agent(Protocol):
    """Asks what the person wants, one slot at a time."""

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """Return the next question about one of the slots still open; None to stop asking.

        `known` is what is understood so far, base constraints included.
        """
        ...


class RolePlayer(Protocol):
    """Answers as a person would, from a persona and from nothing else."""

    def answer(self, question: Question, transcript: Transcript) -> str:
        """Return the answer to one question."""
        ...
