"""The report of a run as tables on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ...rendering.terminal_table import cut
from .tables import figures_table

WORST = 5
"""Tasks that are shown: those of the least IISR."""


def run_tables(found: Mapping[str, Any]) -> Group:
    """Return the report of `runner.report` as what a person reads."""
    deciding = found["deciding"]
    rows = [{"tasks": f"all {found['n']}", **found["means"]}]
    if deciding["n"]:
        rows.append({"tasks": f"deciding {deciding['n']}", **deciding})
    parts: list[RenderableType] = [figures_table(f"Agent {found['agent']}", ("tasks",), rows)]
    beside = deciding.get("over_equal")
    if beside is not None:
        low, high = beside["interval"]
        said = (
            f"On the deciding tasks IISR is {beside['difference']:+.3f} beside equal weights "
            f"(95 %: {low:+.3f} to {high:+.3f})."
        )
        parts += [Text(said), Text()]
    worst = sorted(found["tasks"], key=lambda task: task["IISR"])[:WORST]
    shown = [{"task": task["id"], "item": task["item"], **task} for task in worst]
    parts.append(figures_table("Least satisfied", ("task", "item"), shown))
    parts += [
        Text(cut(f"{task['id']}: {task['explanation']}", 300)) for task in worst if task["relaxed"]
    ]
    return Group(*parts)
