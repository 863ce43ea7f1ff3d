"""What is clear of a request and what to ask about it, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from ...dialogs.clarification.unknowns import Clarification


def clarification_tables(found: Clarification) -> Group:
    """Return the clear constraints, then each question with its answers and their rows."""
    from rich.console import Group
    from rich.text import Text

    from ...catalogs.query.constraint import words
    from ...rendering.terminal_table import Grid, cut, harmless

    parts: list[RenderableType] = []
    if found.constraints:
        clear = [(cut(words(wish), 80),) for wish in found.constraints]
        parts.append(Grid("Clear", ("constraint",), clear))
    for unknown in found.unknowns:
        rows = [(cut(option.text, 80), f"{option.rows:,}") for option in unknown.options]
        title = harmless(unknown.question)
        parts.append(Grid(title, ("answer", "rows"), rows, frozenset(("rows",))))
    if not found.unknowns:
        parts.append(Text("Nothing to ask."))
    if found.not_understood:
        unread = ", ".join(f"“{part.evidence.text}”" for part in found.not_understood)
        parts.append(Text(harmless(f"Not understood: {unread}")))
    return Group(*parts)


def open_point_table(points: Sequence[dict[str, Any]]) -> RenderableType:
    """Return what is open in a free-text task: the question, and what it may be."""
    from rich.text import Text

    from ...rendering.terminal_table import Grid, cut

    if not points:
        return Text("Nothing to ask.")
    rows = [
        (cut(point["question"], 80), cut(", ".join(o["text"] for o in point["options"]), 80))
        for point in points
    ]
    return Grid("Open", ("question", "may be"), rows)
