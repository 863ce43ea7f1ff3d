"""Figures of unclear spots as a table on a terminal."""

from __future__ import annotations

from ...rendering.terminal_table import Grid
from .spot_scores import SpotScores


def spot_tables(scores: SpotScores) -> Grid:
    """Return what was noticed by kind, then of all, and the clear requests questioned."""
    headers = ("spots", "count", "noticed", "with counted answers")
    rows = [
        (kind, str(of), _part(noticed, of), _part(counted, of))
        for kind, (noticed, counted, of) in sorted(scores.by_kind.items())
    ]
    noticed, counted, spots = scores.totals
    rows.append(("all", str(spots), _part(noticed, spots), _part(counted, spots)))
    asked = _part(scores.clear_questioned, scores.clear)
    mean = scores.questions / scores.texts if scores.texts else 0.0
    title = (
        f"{scores.texts:,} requests, {mean:.2f} questions each; "
        f"of {scores.clear:,} clear ones {asked} questioned"
    )
    return Grid(title, headers, rows, frozenset(headers[1:]))


def _part(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else "–"
