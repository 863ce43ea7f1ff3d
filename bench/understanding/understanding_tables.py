"""Figures of conversations and requests as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType

from ...rendering.terminal_table import Grid
from .calibration import Calibration
from .conversations import ConversationReport
from .requests import RequestScores
from .state_scores import StateTally
from .turn_scores import TurnScores

_FIGURES = ("joint goal %", "turns right %", "precision %", "recall %", "acts F1 %")


def conversation_tables(report: ConversationReport) -> Group:
    """Return the figures over all turns, by service and by phenomenon."""
    speed = report.record()["ms_per_turn"]
    title = f"Conversations: {report.turns:,} turns, {_figure(speed)} ms a turn"
    rows = [_row(name, tally) for name, tally in sorted(report.services.items())]
    headers = ("service", "turns", *_FIGURES)
    grid = Grid(title, headers, [_row("all", report.overall), *rows], frozenset(headers[1:]))
    parts: list[RenderableType] = [grid]
    changes = [
        (name, f"{of:,}", _figure(100 * right / of))
        for name, (right, of) in report.phenomena.items()
        if of
    ]
    if changes:
        headers = ("what happens in a turn", "times", "right %")
        parts.append(Grid("By phenomenon", headers, changes, frozenset(headers[1:])))
    return Group(*parts)


def _row(name: str, tally: StateTally) -> Sequence[str]:
    figures = (
        tally.joint_goal_accuracy,
        tally.turns_right,
        tally.slot_precision,
        tally.slot_recall,
        tally.act_f1,
    )
    return (name, f"{tally.turns:,}", *map(_figure, figures))


def _figure(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.1f}"


def request_tables(scores: RequestScores) -> Group:
    """Return the figures over all requests, then of each phenomenon, then of the confidence."""
    headers = ("requests with", "count", "constraints %", "all %", "own part %", "F1 %")
    rows = [
        (
            name,
            str(figures.requests),
            _percent(figures.constraints_right.share),
            _percent(figures.fully_right.share),
            _percent(figures.own.share),
            _percent(figures.f1),
        )
        for name, figures in [("anything", scores.overall), *scores.phenomena.items()]
    ]
    requests = Grid("Requests", headers, rows, frozenset(headers[1:]))
    return Group(requests, _calibration(scores.calibration))


def _calibration(found: Calibration) -> Grid:
    headers = ("confidence %", "meant %", "constraints read")
    rows = [
        (_percent(interval.confidence), _percent(interval.right), f"{interval.readings:,}")
        for interval in found.bins
    ]
    title = f"Confidence: off by {_percent(found.error)} points on average"
    return Grid(title, headers, rows, frozenset(headers))


def _percent(share: float | None) -> str:
    return _figure(None if share is None else 100 * share)


def turn_tables(scores: TurnScores) -> Grid:
    """Return the figures by act."""
    told = scores.record()
    headers = ("what a sentence does", "count", "precision %", "recall %", "F1 %")
    rows = [
        (name, str(of["count"]), *(_figure(of[key]) for key in ("precision", "recall", "f1")))
        for name, of in (("all", told["acts"]), *told["by_act"].items())
    ]
    exactly = f"{_figure(told['exactly'])} % with all their acts right"
    title = f"{told['sentences']:,} sentences of {told['turns']:,} turns, {exactly}"
    return Grid(title, headers, rows, frozenset(headers[1:]))
