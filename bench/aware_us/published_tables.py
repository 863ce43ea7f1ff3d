"""The published figures of AWARE-US, Tables 2 to 5, compared to their printed precision."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FILE = "printed_tables.json"

COUNTED = ("avg_constraints", "avg_slots")
"""Cells that are no rates."""


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
    rows: dict[tuple[str, ...], PublishedFigures] = {}
    text = files(str(__package__)).joinpath(FILE).read_text(encoding="utf-8")
    for table in json.loads(text)["tables"]:
        names: list[str] = table["columns"]
        for model, method, *figures in table["rows"]:
            cells = dict(zip(names, figures, strict=True))
            rows[table["setting"], model, method] = _printed(cells, table["decimals"])
    return rows


def _printed(cells: Mapping[str, float], decimals: Mapping[str, int]) -> PublishedFigures:
    step = {name: 10.0 ** -decimals["averages" if name in COUNTED else "rates"] for name in cells}
    scale = {name: 1.0 if name in COUNTED else 100.0 for name in cells}
    return PublishedFigures(
        {name: round(value / scale[name], 6) for name, value in cells.items()},
        {name: step[name] / scale[name] for name in cells},
    )
