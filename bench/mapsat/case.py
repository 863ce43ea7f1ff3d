"""A case: one person's question with what they did before and after it, as a log has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...catalogs.query.constraint import Constraint
from ...dialogs.weighters.evidence.circumstances import Context, Profile, profile_of
from ...dialogs.weighters.evidence.events import Event
from .task import events_of

Record = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """x = (q, g, h⁻, h⁺): what is asked, the circumstances, events before and after."""

    id: str
    explicit: tuple[Constraint, ...]
    context: Record
    history: tuple[Record, ...]
    after: tuple[Record, ...] = field(default=(), repr=False)

    @property
    def moment(self) -> Context:
        """When and where it is asked; raises `QueryError`."""
        return Context.of(self.context["time"], self.context.get("location"))

    @property
    def profile(self) -> Profile:
        """What is known of the person for good; raises `QueryError`."""
        return profile_of(self.context.get("profile") or {})

    @property
    def before(self) -> tuple[Event, ...]:
        """The history as events."""
        return events_of(self.history)

    @property
    def later(self) -> tuple[Event, ...]:
        """What came after as events."""
        return events_of(self.after)
