"""Base class of every weighter: from a transcript to one weight for each constraint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from ...catalogs.query.constraint import Constraint
from ..transcripts.transcript import Message, Transcript
from .weighting import Weighed, Weighing, constraints_of

Said = Transcript | str | Iterable[Message | Mapping[str, Any]]
Given = Iterable[Constraint | Mapping[str, Any]]


class Weighter(ABC):
    """Derive from it, give it a `name`, and say what each constraint weighs in `judge`."""

    name: str = ""

    def weigh(self, transcript: Said, constraints: Given) -> Weighing:
        """Return how much each constraint matters to the person, in the constraints' order.

        `transcript` is a `Transcript`, a text that the person wrote, or messages
        `{role, content}`; constraints may be records `{column, op, value}`. Raises
        `QueryError` for what is neither.
        """
        checked = constraints_of(constraints)
        return Weighing(self.name, tuple(self.judge(Transcript.of(transcript), checked)))

    @abstractmethod
    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterable[Weighed]:
        """Yield one `Weighed` for each constraint, in order."""
