"""What a question's circumstances and history say, read from their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...dialogs.weighters.evidence.circumstances import Context, Profile, profile_of
from ...dialogs.weighters.evidence.events import Event, of_record

SOMEBODY = "somebody"
"""The person of a history that names none: each question has one only."""


class Situated:
    """Something asked in a context, after a history; each read when it is asked for."""

    if TYPE_CHECKING:
        context: dict[str, Any]
        history: tuple[dict[str, Any], ...]

    @property
    def moment(self) -> Context:
        """When and where it is asked; raises `QueryError`."""
        return Context.of(self.context["time"], self.context.get("location"))

    @property
    def profile(self) -> Profile:
        """What is known of the person for good; raises `QueryError`."""
        return profile_of(self.context.get("profile") or {})

    @property
    def events(self) -> tuple[Event, ...]:
        """The history as events of this question's person; raises `QueryError`."""
        return events_of(self.history)


def events_of(history: Sequence[Mapping[str, Any]]) -> tuple[Event, ...]:
    """Return records of a history as events; raise `QueryError`."""
    return tuple(of_record(Event, {"user": SOMEBODY, **record}) for record in history)
