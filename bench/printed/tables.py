"""Printed tables and figures, read from a JSON file a document.

    {"document": …, "source": …, "tables": [{"table": "Table 2", "title": …, "columns": […],
     "rows": [[name, number, …], …], "without": …, "notes": {name: …}}]}

The source of a number is its document, its table, its row and its column. `without` says why
nothing stands beside a table; a drawing or a list without figures has no rows. `notes` say what is
odd about a printed row, under `*` about all. Other members serve a document's own benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

DOCUMENTS = ("aware_us", "mapsat", "clarq", "apec", "benyfits")
"""The files, in the order in which the documents are listed everywhere."""

Number = int | float
Printed = Number | str

EVERY_ROW = "*"


@dataclass(frozen=True)
class PrintedCell:
    """One printed value: `row` and `column` name it within its table."""

    row: str
    column: str
    value: Printed

    @property
    def name(self) -> str:
        """The cell in words, as rows of a report name it."""
        return f"{self.row}, {self.column}"


@dataclass(frozen=True)
class PrintedTable:
    """A table or figure; `more` holds the members that only its document's benchmark reads."""

    name: str
    title: str
    columns: Sequence[str]
    rows: Mapping[str, Sequence[Printed | None]]
    without: str = ""
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def cells(self) -> Iterator[PrintedCell]:
        """Yield the cells that hold a value, by row."""
        for row, values in self.rows.items():
            for column, value in zip(self.columns, values, strict=True):
                if value is not None:
                    yield PrintedCell(row, column, value)

    def value(self, row: str, column: str) -> Printed | None:
        """Return a printed value; raises `KeyError` or `ValueError` where there is no cell."""
        return self.rows[row][list(self.columns).index(column)]

    def note(self, row: str) -> str:
        """Return what is odd about a row; empty where nothing is."""
        return self.notes.get(row) or self.notes.get(EVERY_ROW, "")


@dataclass(frozen=True)
class PrintedDocument:
    """A document's tables in the order in which they stand."""

    name: str
    source: str
    tables: Mapping[str, PrintedTable]
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])


@cache
def printed(file: str) -> PrintedDocument:
    """Return what a document of `DOCUMENTS` prints."""
    text = files(str(__package__)).joinpath(f"{file}.json").read_text(encoding="utf-8")
    record = json.loads(text)
    tables = [_table(table) for table in record.pop("tables")]
    name, source = record.pop("document"), record.pop("source")
    return PrintedDocument(name, source, {table.name: table for table in tables}, record)


def _table(record: dict[str, Any]) -> PrintedTable:
    rows = {row[0]: tuple(row[1:]) for row in record.pop("rows")}
    return PrintedTable(
        record.pop("table"),
        record.pop("title"),
        tuple(record.pop("columns")),
        rows,
        record.pop("without", ""),
        record.pop("notes", {}),
        record,
    )
