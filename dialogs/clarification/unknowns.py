"""What a request leaves open: its spots, each with one question and the answers to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...catalogs.query.constraint import Constraint
from ..extraction.extracted import Unresolved
from ..transcripts.transcript import Span
from .spots import Kind


def constraint_record(constraint: Constraint) -> dict[str, Any]:
    """Return a constraint as a JSON object."""
    return constraint.model_dump(
        mode="json",
        exclude_none=True,
        exclude_defaults=True,
        include={"column", "op", "value", "hard"},
    )


@dataclass(frozen=True, slots=True)
class Possibility:
    """One answer: a constraint, or none where it does not matter; `text` says it in words.

    `rows` is the exact number of rows that meet what is clear and this.
    """

    constraint: Constraint | None
    rows: int
    text: str

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        known = None if self.constraint is None else constraint_record(self.constraint)
        return {"constraint": known, "rows": self.rows, "text": self.text}


@dataclass(frozen=True, slots=True)
class Unknown:
    """A spot of a request that could not be settled, and one short question about it.

    `parts` are the words that are unclear: of alternatives each, of anything else all of them.
    `effect` in [0, 1] says how much of what is found depends on the answer, 0 where only what
    gives way does; `chance`, how likely the spot is unclear.
    """

    kind: Kind
    said: str
    columns: tuple[str, ...]
    question: str
    options: tuple[Possibility, ...]
    evidence: Span
    parts: tuple[Span, ...]
    effect: float
    chance: float

    def is_about(self, said: Span) -> bool:
        """Return whether some evidence is among the unclear words."""
        return any(said.start < part.end and part.start < said.end for part in self.parts)

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "kind": self.kind,
            "said": self.said,
            "columns": list(self.columns),
            "question": self.question,
            "options": [option.record() for option in self.options],
            "effect": round(self.effect, 3),
        }


@dataclass(frozen=True, slots=True)
class Clarification:
    """What of a request is clear, and what to ask, what matters most first.

    `not_understood` are the words that no reading accounts for, asked about or not.
    """

    constraints: tuple[Constraint, ...]
    unknowns: tuple[Unknown, ...]
    not_understood: tuple[Unresolved, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "constraints": [constraint_record(wish) for wish in self.constraints],
            "unknowns": [unknown.record() for unknown in self.unknowns],
            "not_understood": [words.record() for words in self.not_understood],
        }
