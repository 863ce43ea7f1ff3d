"""Which rows are drawn: a plot a document, of the figures that say most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...rendering.html import Html
from .plots import Line, dots
from .report import Report
from .row import Row

Chosen = Callable[[Row], str | None]
"""Returns the name of a row in a plot; None for a row that is not drawn."""


def _car_match(row: Row) -> str | None:
    at = row.table in ("Table 2", "Table 3", "Table 4") and row.step is not None
    if row.document != "AWARE-US" or not at or not row.cell.endswith(", Car match (%)"):
        return None
    return f"{row.table}, {row.cell.removesuffix(', Car match (%)')}"


def _personas(row: Row) -> str | None:
    start, end = "ours without a model (", "), Relax match (%)"
    if row.document != "AWARE-US" or not (row.cell.startswith(start) and row.cell.endswith(end)):
        return None
    return f"{row.table}, {row.cell.removeprefix(start).removesuffix(end)}"


def _success(row: Row) -> str | None:
    names = ("Completion, GPT-4o, ", "Chat, GPT-4o, ", "ours, seeker offline")
    if row.document != "ClarQ-LLM" or not row.cell.endswith(" s"):
        return None
    if row.table not in ("Table III", "Table IV") or not row.cell.startswith(names):
        return None
    provider = "multi, " if row.table == "Table IV" else ""
    return provider + row.cell.removesuffix(" s").replace(", beside Completion, GPT-4o", "")


def _f1(row: Row) -> str | None:
    if row.document != "ProADA / BeNYfits" or row.table != "Table 1":
        return None
    return row.cell.removesuffix(", Diverse F1") if row.cell.endswith(", Diverse F1") else None


def _critical(row: Row) -> str | None:
    end = ", Accuracy Critical"
    if row.document != "APEC-Travel" or row.table != "Table 2" or not row.cell.endswith(end):
        return None
    return row.cell.removesuffix(end).partition(", beside")[0]


def _implicit(row: Row) -> str | None:
    if row.document != "MapSatisfyBench" or not row.cell.endswith(", IISR"):
        return None
    if row.table == "Figure 5":
        return None
    return row.cell.removesuffix(", IISR")


DRAWN: Sequence[tuple[str, Chosen, float]] = (
    ("AWARE-US: car match of the recorded runs, %; ours is the same runs under our engine",
     _car_match, 100),
    ("AWARE-US: relax match without a model, %", _personas, 100),
    ("MapSatisfyBench: implicit factors met (IISR)", _implicit, 1),
    ("ClarQ-LLM: success", _success, 1),
    ("APEC-Travel: accuracy of critical entries", _critical, 1),
    ("BeNYfits: F1 on the diverse households, %", _f1, 100),
)  # fmt: skip
"""Title, rows, and the end of the axis of each plot."""


def drawings(report: Report) -> Iterator[Html]:
    """Yield the plots that have something to show."""
    for title, name_of, top in DRAWN:
        named = [(name_of(row), row) for row in report.rows]
        lines = [Line(name, row) for name, row in named if name and _has_figure(row)]
        if lines:
            yield dots(title, lines, top)


def _has_figure(row: Row) -> bool:
    return isinstance(row.printed, int | float) or row.shown.value is not None
