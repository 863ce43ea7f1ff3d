"""A case: one person's question with what they did before and after it, as a log has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...catalogs.query.constraint import Constraint
from ...dialogs.weighters.evidence.events import Event
from .situated import Situated, events_of

Record = dict[str, Any]


@dataclass(frozen=True)
class Case(Situated):
    """x = (q, g, h⁻, h⁺): what is asked, the circumstances, events before and after."""

    id: str
    explicit: tuple[Constraint, ...]
    context: Record
    history: tuple[Record, ...]
    after: tuple[Record, ...] = field(default=(), repr=False)

    @property
    def later(self) -> tuple[Event, ...]:
        """What came after as events."""
        return events_of(self.after)
