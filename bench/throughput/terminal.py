"""The report on a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from ...engine.grid import Grid
from .report import Report
from .sheets import Sheet, machine_line, sheets

PROSE_WIDTH = 100


def report_tables(report: Report) -> Group:
    """Return the report as what a person reads."""
    parts: list[RenderableType] = [_prose(machine_line(report), "dim"), Text()]
    for section in report.sections:
        parts += [Text(section.title, "bold underline"), _prose(section.note, "dim"), Text()]
        for sheet in sheets(section):
            parts += _sheet(sheet)
    return Group(*parts)


def _sheet(sheet: Sheet) -> list[RenderableType]:
    right = frozenset(sheet.headers) - sheet.left
    grid = Grid(sheet.title, sheet.headers, sheet.rows, right)
    below: list[RenderableType] = [_prose(line, "dim") for line in sheet.below]
    return [grid, *below, *([Text()] if below else [])]


def _prose(text: str, style: str) -> RenderableType:
    return Constrain(Text(text, style), PROSE_WIDTH)
