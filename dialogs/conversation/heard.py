"""What was heard in one turn: what was understood of it, its acts, and the reply to it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..extraction.extracted import Extraction
from .acts import Act


@dataclass(frozen=True, slots=True)
class Heard(Extraction):
    """An extraction with the acts of the turn, surest first, and the sentences that answer it.

    Constraints, objectives and leanings are those that were taken as wishes; what a question
    merely mentioned is not among them.
    """

    acts: tuple[Act, ...] = ()
    reply: str = ""

    @classmethod
    def of(cls, extraction: Extraction, acts: tuple[Act, ...], reply: str) -> Heard:
        """Return an extraction with acts and a reply."""
        parts = {part.name: getattr(extraction, part.name) for part in fields(Extraction)}
        return cls(**parts, acts=acts, reply=reply)

    def record(self) -> dict[str, Any]:
        """Return everything as a JSON object."""
        acts = [{"act": str(act), "topic": act.topic or None} for act in self.acts]
        return {**Extraction.record(self), "acts": acts, "reply": self.reply}
