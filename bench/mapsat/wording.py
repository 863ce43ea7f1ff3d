"""What a person says, and what they mean: the query and the full intent of a task in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...catalogs.query.constraint import Constraint, words
from ...dialogs.language.wording import Wording, listed
from .items import Items


@dataclass(frozen=True)
class TaskWords:
    """Words for constraints of a catalog; each sentence of a full intent is one wish."""

    items: Items

    def wish(self, constraint: Constraint) -> str:
        """Return a wish with the name of its column: `Vehicle Size Compact`."""
        if constraint.column is None:
            return words(constraint)
        if isinstance(constraint.value, bool):
            return words(constraint)
        wording = Wording(self.items.catalog)
        return f"{constraint.column} {wording.condition(constraint)}"

    def query(self, explicit: Sequence[Constraint]) -> str:
        """Return the question, which names the explicit constraints only."""
        return f"I am looking for something with {listed(map(self.wish, explicit))}."

    def full_intent(self, explicit: Sequence[Constraint], implicit: Sequence[Constraint]) -> str:
        """Return the complete need, a sentence for each wish that the question leaves out."""
        sentences = [self.query(explicit), *(f"I want {self.wish(each)}." for each in implicit)]
        return " ".join(sentences)
