"""What a task itself answers of its tools: what the person did before, and what is known of them.

Both only as far as they were known before the question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...dialogs.tools.calls import ToolCall
from ...dialogs.weighters.evidence.events import Event, named
from .agents import HISTORY_TOOL
from .items import Items
from .task import Task, VisibleTask

PROFILE_TOOL = "search_user_profile"
MOST_EVENTS = 60


@dataclass(frozen=True)
class TaskTools:
    """The tools that tell of the person of a task; None for others."""

    items: Items
    task: Task

    def result(self, call: ToolCall) -> Any:
        """See `Simulator.result`."""
        visible = VisibleTask.of(self.task)
        if call.tool == HISTORY_TOOL:
            return [self._event(event) for event in visible.events[-MOST_EVENTS:]]
        if call.tool == PROFILE_TOOL:
            return visible.profile.model_dump(mode="json", exclude_defaults=True)
        return None

    def _event(self, event: Event) -> dict[str, Any]:
        """Return an event with the rows that were taken."""
        keys = dict.fromkeys(map(named, (*event.bought, *event.clicked)))
        places = [place for key in keys if (place := self.items.place(key)) is not None]
        asked = [str(constraint) for constraint in event.constraints]
        return {
            "id": event.id,
            "time": event.record()["time"],
            "taken": [_known(self.items.rows[place]) for place in places],
            "asked": asked,
            "asked_again": [asked[position] for position in event.put_back],
        }


def _known(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}
