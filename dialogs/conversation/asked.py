"""What a question is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..extraction.extracted import Extraction


@dataclass(frozen=True)
class Asked:
    """What asks: its text, what was found in it, and the columns it names.

    `turn` is all that was said with it, which may name the item that is asked about; `parts` are
    its sentences, where there are several.
    """

    text: str
    extraction: Extraction
    columns: tuple[str, ...]
    turn: str
    parts: tuple[Asked, ...] = ()

    @property
    def sentences(self) -> tuple[Asked, ...]:
        """Its sentences, itself where it is one."""
        return self.parts or (self,)


def together(parts: Sequence[Asked]) -> Asked:
    """Return what some sentences ask about, by themselves."""
    first = parts[0]
    constraints = tuple(found for part in parts for found in part.extraction.constraints)
    columns = tuple(dict.fromkeys(name for part in parts for name in part.columns))
    text = " ".join(part.text for part in parts)
    objectives = tuple(goal for part in parts for goal in part.extraction.objectives)
    extraction = replace(first.extraction, constraints=constraints, objectives=objectives)
    return Asked(text, extraction, columns, first.turn, tuple(parts) if len(parts) > 1 else ())
