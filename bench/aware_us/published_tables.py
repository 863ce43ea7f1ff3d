"""The published figures of AWARE-US, Tables 2 to 5, compared to their printed precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..printed.tables import PrintedTable, printed

COUNTED = ("avg_constraints", "avg_slots")
"""Cells that are no rates."""

SIZES = ("n", "oracle_comparable")
"""Cells that say of how many instances a row is."""

TABLE_5 = "test25"
"""The setting of the published runs of Table 5, on instances of all settings."""


@dataclass(frozen=True)
class PublishedFigures:
    """One printed row: rates as fractions, and the decimals each figure is printed with."""

    cells: Mapping[str, float]
    steps: Mapping[str, float]

    def differing(self, values: Mapping[str, float | None]) -> list[str]:
        """Return the cells that our figures do not round to.

        Half a step either way agrees: 3.25 may be printed as 3.2 or as 3.3.
        """
        return [
            name
            for name, published in self.cells.items()
            if (ours := values.get(name)) is None
            or abs(ours - published) > self.steps[name] / 2 + 1e-9
        ]


@cache
def published_figures() -> dict[tuple[str, ...], PublishedFigures]:
    """Return the printed rows by setting, model and method."""
    document = printed("aware_us")
    rows: dict[tuple[str, ...], PublishedFigures] = {}
    for table in document.tables.values():
        if "setting" not in table.more:
            continue
        for run, values in _by_run(table).items():
            cells = {name: value for name, value in values.items() if name not in SIZES}
            figures = _printed(cells, table.more["decimals"])
            rows[table.more["setting"], *document.more["runs"][run]] = figures
    return rows


def _by_run(table: PrintedTable) -> Mapping[str, Mapping[str, float]]:
    """Return the values of each run by measure; Table 5 has its runs across."""
    measures: Sequence[str] = table.more["measures"]
    lines: Mapping[str, Sequence[Any]] = table.rows
    if table.more["setting"] == TABLE_5:
        across = zip(*lines.values(), strict=True)
        lines = dict(zip(table.columns, across, strict=True))
    return {run: dict(zip(measures, values, strict=True)) for run, values in lines.items()}


def _printed(cells: Mapping[str, float], decimals: Mapping[str, int]) -> PublishedFigures:
    step = {name: 10.0 ** -decimals["averages" if name in COUNTED else "rates"] for name in cells}
    scale = {name: 1.0 if name in COUNTED else 100.0 for name in cells}
    return PublishedFigures(
        {name: round(value / scale[name], 6) for name, value in cells.items()},
        {name: step[name] / scale[name] for name in cells},
    )
