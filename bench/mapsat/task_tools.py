"""The tools of one task, answered without a live service: history, profile, and a catalog's search.

What a person did and what is known of them comes from the task as far as it was known before the
question; a search is over the catalog's texts, most words in common first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...dialogs.tools.calls import ToolCall
from ...dialogs.weighters.evidence.events import Event
from .agents import HISTORY_TOOL, SEARCH_TOOL
from .items import Items
from .task import Task, VisibleTask

PROFILE_TOOL = "search_user_profile"
MOST_FOUND = 20
MOST_EVENTS = 60


@dataclass(frozen=True)
class TaskTools:
    """Simulates the tools of a task; None for others."""

    items: Items
    task: Task

    def result(self, call: ToolCall) -> Any:
        """See `Simulator.result`."""
        visible = VisibleTask.of(self.task)
        if call.tool == HISTORY_TOOL:
            return [self._event(event) for event in visible.events[-MOST_EVENTS:]]
        if call.tool == PROFILE_TOOL:
            return visible.profile.model_dump(mode="json", exclude_defaults=True)
        if call.tool == SEARCH_TOOL:
            return self._found(str(call.arguments.get("query", "")).casefold().split())
        return None

    def _event(self, event: Event) -> dict[str, Any]:
        """Return an event with the rows that were taken."""
        taken = [self._row(key) for key in dict.fromkeys((*event.bought, *event.clicked))]
        asked = [str(constraint) for constraint in event.constraints]
        record = event.record()
        return {
            "id": event.id,
            "time": record["time"],
            "taken": [row for row in taken if row],
            "asked": asked,
            "asked_again": [asked[position] for position in event.put_back],
        }

    def _row(self, key: object) -> dict[str, Any]:
        place = self.items.place(key)
        return {} if place is None else self._plain(place)

    def _plain(self, place: int) -> dict[str, Any]:
        row = self.items.rows[place]
        return {name: value for name, value in row.items() if value is not None}

    def _found(self, words: Sequence[str]) -> list[dict[str, Any]]:
        """Return the items that have most of some words, the first of the catalog among equals."""
        shares = [self._share(words, row.values()) for row in self.items.rows]
        ranked = sorted(range(len(shares)), key=lambda place: (-shares[place], place))
        return [self._plain(place) for place in ranked[:MOST_FOUND] if shares[place] > 0]

    @staticmethod
    def _share(words: Sequence[str], values: Iterable[Any]) -> int:
        text = " ".join(str(value).casefold() for value in values if value is not None)
        return sum(word in text for word in words)
