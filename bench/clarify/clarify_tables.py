"""Figures of unclear spots as a table on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from ...rendering.terminal_table import Grid
from .blurred import BlurredScores
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


def blurred_table(runs: Sequence[BlurredScores]) -> Grid:
    """Return the share of right constraints by way of blurring, without questions and with."""
    headers = (
        "wish blurred as",
        "queries",
        *("asking" if r.asking else "not asking" for r in runs),
    )
    rows = [
        (way, str(runs[0].ways[way][1]), *(_part(*run.ways[way]) for run in runs))
        for way in sorted(runs[0].ways)
    ]
    of = runs[0].queries
    rows.append(("any", str(of), *(_part(run.right, of) for run in runs)))
    rows.append(("any: the same rows", str(of), *(_part(run.same_rows, of) for run in runs)))
    asked = " and ".join(f"{run.questions / max(1, of):.2f}" for run in runs)
    return Grid(
        f"Right constraints; {asked} questions a query", headers, rows, frozenset(headers[1:])
    )


def _part(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else "–"
