"""The kind of each column of a CSV file, judged by its cells as a person would judge them.

The scorer does not ask the catalog for it: "£9,000" is a number, "45 min" too, "yes" and true
are the same, and "wifi; pool" is a list, whatever a catalog makes of them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Literal

Kind = Literal["number", "date", "time", "yes-no", "list", "text"]
Cell = float | str

_NUMBER = re.compile(
    r"[^\d\s+-]{0,3}\s*([+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?)\s*[^\d]{0,12}"
)
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00)?(?:\.0+)?)?")
_TIME = re.compile(r"(\d{2}:\d{2})(?::00)?")
_YES_NO: dict[str, str] = {
    **dict.fromkeys(("yes", "y", "true", "t"), "yes"),
    **dict.fromkeys(("no", "n", "false", "f"), "no"),
}
LIST_SEPARATOR = "; "


def number(value: object) -> float | None:
    """Return what a cell or value counts, its unit or currency left out; None for other text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = _NUMBER.fullmatch(str(value).strip())
    return float(found[1].replace(",", "")) if found else None


def folded(value: object) -> str:
    """Return a value as text: dates and times as JSON writes them, true as yes, case folded."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date | datetime | time):
        value = value.isoformat()
    text = " ".join(str(value).split()).casefold()
    found = _DATE.fullmatch(text) or _TIME.fullmatch(text)
    return found[1] if found else text


@dataclass(frozen=True, slots=True)
class ColumnCells:
    """One column: its kind and its distinct cells, normalised; entries for a list column.

    Numbers are counts without their unit, dates days, all else text with its case folded.
    """

    name: str
    kind: Kind
    cells: frozenset[Cell]

    def normal(self, value: object) -> Cell:
        """Return a value as the cells of this column are written here."""
        text = folded(value)
        if self.kind == "number":
            counted = number(value)
            return text if counted is None else counted
        if self.kind == "date" and _DATE.fullmatch(text):
            return float(date.fromisoformat(text).toordinal())
        return _YES_NO.get(text, text) if self.kind == "yes-no" else text

    @property
    def ordered(self) -> bool:
        """Whether values of this column are compared by size."""
        return self.kind in ("number", "date", "time")

    @property
    def whole(self) -> bool:
        """Whether all cells are whole numbers, or days."""
        return self.kind == "date" or (
            self.kind == "number" and all(float(cell).is_integer() for cell in self.cells)
        )


def read_columns(path: Path) -> dict[str, ColumnCells]:
    """Return the columns of a CSV file by their names. Cost: one pass over the file."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    return {
        name: _column(name, [row[at] for row in rows if row[at].strip()])
        for at, name in enumerate(header)
    }


def _column(name: str, cells: Sequence[str]) -> ColumnCells:
    kind = _kind(cells)
    blank = ColumnCells(name, kind, frozenset())
    if kind == "list":
        cells = [entry for cell in cells for entry in cell.split(LIST_SEPARATOR.strip())]
    return ColumnCells(name, kind, frozenset(blank.normal(cell) for cell in cells))


def _kind(cells: Sequence[str]) -> Kind:
    if all(_DATE.fullmatch(cell) for cell in cells):
        return "date"
    if all(_TIME.fullmatch(cell) for cell in cells):
        return "time"
    if all(number(cell) is not None for cell in cells):
        return "number"
    if all(cell.casefold() in _YES_NO for cell in cells):
        return "yes-no"
    return "list" if any(LIST_SEPARATOR in cell for cell in cells) else "text"
