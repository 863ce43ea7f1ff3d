"""A profile: what a person said, entry by entry, each with the words that say it.

No entry without evidence: the words are a verbatim span of what the person said. What is only
guessed is kept apart and counts as no knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..transcripts.transcript import Span
from .schema import Value


@dataclass(frozen=True, slots=True)
class Known:
    """One thing known. `weight` from 0 to 1: how much it matters; `hard`: it must hold."""

    entry: str
    value: Value
    evidence: Span
    weight: float = 0.5
    hard: bool = False

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "value": self.value,
            "weight": self.weight,
            "hard": self.hard,
            "evidence": self.evidence.record(),
        }


@dataclass(frozen=True)
class Profile(Mapping[str, Known]):
    """What is known, by entry, in the order it was learned."""

    known: Mapping[str, Known] = field(default_factory=dict[str, Known])

    def __getitem__(self, entry: str) -> Known:
        return self.known[entry]

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def with_(self, *learned: Known) -> Profile:
        """Return the profile with more known; what is said last of an entry counts."""
        return Profile({**self.known, **{one.entry: one for one in learned}})
