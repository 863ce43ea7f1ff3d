"""A run of APEC-Travel as tables on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group

from ...rendering.terminal_table import Grid

FIGURES = {
    "dialogues": "dialogues",
    "rounds": "rounds a dialogue",
    "overall": "right of 54 entries",
    "critical": "right of the critical ones",
    "filled_right": "right of those taken down",
    "answers_read_right": "right of those asked about",
    "efficiency": "accuracy a round",
    "critical_efficiency": "critical accuracy a round",
    "plan_priority": "plan and priority, 1 to 5",
    "proactive": "proactive, 1 to 5",
    "clarification": "clarification, 1 to 5",
    "total": "total of the three",
    "reward": "reward as printed",
    "reward_scaled": "reward, agentic part from 0 to 1",
}


def report_tables(report: Mapping[str, Any]) -> Group:
    """Return the figures of a run, and critical accuracy by round."""
    intervals = report["intervals"]
    rows = [
        (heading, _figure(report[name]), _interval(intervals.get(name)))
        for name, heading in FIGURES.items()
        if name in report
    ]
    title = f"APEC-Travel: planner {report['planner']}, travellers {report['travellers']}"
    figures = Grid(title, ("figure", "value", "95 %"), rows, frozenset(("value", "95 %")))
    curve = [(str(n), f"{share:.3f}") for n, share in enumerate(report["critical_by_round"])]
    after = Grid("Critical accuracy", ("after round", "share"), curve, frozenset(("share",)))
    return Group(figures, after)


def trip_tables(trips: Sequence[Mapping[str, Any]]) -> Grid:
    """Return what was chosen for each trip."""
    rows = [
        (
            str(trip["traveller"]),
            str(trip["city"]),
            str(len(trip["asked"])),
            str(trip["stay"]),
            ", ".join(trip["relaxed"]),
        )
        for trip in trips
    ]
    columns = ("traveller", "city", "questions", "stay", "gave way")
    return Grid("Stays", columns, rows, frozenset(("questions", "stay")))


def _figure(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _interval(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
