"""A row of the report: what is printed, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..printed.tables import Printed, PrintedCell, PrintedDocument, PrintedTable
from .stage import Found, Stage

DIGITS = 4


@dataclass(frozen=True)
class Figure:
    """A figure with its 95 % interval, where it has one; in the unit of the printed table."""

    value: float | None
    low: float | None = None
    high: float | None = None


NOTHING = Figure(None)


def figure(value: Any, ends: Sequence[Any] | None = None, scale: float = 1.0) -> Figure:
    """Return a figure, times a scale; `ends` are low and high of its interval."""
    low, high = ends or (None, None)
    return Figure(_scaled(value, scale), _scaled(low, scale), _scaled(high, scale))


def _scaled(value: Any, scale: float) -> float | None:
    return None if value is None else round(value * scale, DIGITS)


@dataclass(frozen=True)
class Row:
    """One cell of a printed table, or a figure of ours that belongs beside it.

    `recomputed` comes from recorded runs, `ours` from a run of ours without a model. `comparable`
    says whether ours, or else the recomputed figure, may be held against the printed one: the same
    measure on the same tasks, or on those of them that are published. `reason` says why not, or
    with what in mind. `columns` hold the figures of a model in our roles, by its name.
    """

    document: str
    table: str
    cell: str
    printed: Printed | None = None
    recomputed: Figure = NOTHING
    ours: Figure = NOTHING
    comparable: bool = False
    reason: str = ""
    command: str = ""
    step: float | None = None
    columns: Mapping[str, Figure] = field(default_factory=dict[str, Figure])

    @property
    def shown(self) -> Figure:
        """The figure whose interval the row has: ours, or else the recomputed one."""
        return self.ours if self.ours.value is not None else self.recomputed

    @property
    def as_printed(self) -> bool | None:
        """Whether the recomputed figure rounds to the printed one; None where either is missing."""
        if not isinstance(self.printed, int | float) or self.recomputed.value is None:
            return None
        return abs(self.recomputed.value - self.printed) <= (self.step or 0) / 2 + 1e-6

    def record(self) -> dict[str, Any]:
        """Return the row as a JSON object; `columns` only where there are any."""
        columns = {name: dict(vars(found)) for name, found in self.columns.items()}
        return {
            "document": self.document,
            "table": self.table,
            "cell": self.cell,
            "printed": self.printed,
            "recomputed": self.recomputed.value,
            "ours": self.ours.value,
            "low": self.shown.low,
            "high": self.shown.high,
            "comparable": self.comparable,
            "reason": self.reason,
            "command": self.command,
            **({"columns": columns} if columns else {}),
        }


@dataclass(frozen=True)
class Beside:
    """What stands beside one printed cell; the fields are those of a `Row`."""

    recomputed: Figure = NOTHING
    ours: Figure = NOTHING
    comparable: bool = False
    reason: str = ""
    command: str = ""


@dataclass(frozen=True)
class Results:
    """What the stages found, by name; `why_not` says why a stage is missing."""

    stages: Mapping[str, Stage]
    found: Mapping[str, Found]
    why_not: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, stage: str) -> Found | None:
        """Return what a stage found; None where it was not run."""
        return self.found.get(stage)

    def rows(self, stage: str) -> Sequence[Found]:
        """Return the rows of a stage; none where it was not run."""
        return (self.of(stage) or {}).get("rows", ())

    def why(self, *stages: str) -> str:
        """Return why the first missing one of some stages is; empty where all were run."""
        missing = [name for name in stages if name not in self.found]
        return self.why_not.get(missing[0], f"{missing[0]} was not run") if missing else ""

    def command(self, *stages: str) -> str:
        """Return the commands that run some stages by themselves."""
        return "; ".join(self.stages[name].command for name in stages)


Lookup = Callable[[PrintedTable, PrintedCell], Beside | None]
"""Says what stands beside a printed cell; None where nothing does."""

More = Callable[[PrintedTable], Iterator[Row]]
"""Yields the rows of ours that belong to a printed table."""


def document_rows(document: PrintedDocument, lookup: Lookup, more: More) -> Iterator[Row]:
    """Yield a row for each printed cell of a document, and ours after each table.

    A table or drawing without cells has one row, which says why.
    """
    for table in document.tables.values():
        if not table.rows:
            yield Row(document.name, table.name, table.title, reason=table.without)
        for cell in table.cells():
            yield _row(document.name, table, cell, lookup(table, cell) or Beside())
        yield from more(table)


def _row(document: str, table: PrintedTable, cell: PrintedCell, beside: Beside) -> Row:
    nothing = beside.recomputed.value is None and beside.ours.value is None
    parts = [beside.reason, table.without if nothing else "", table.note(cell.row)]
    return Row(
        document,
        table.name,
        cell.name,
        cell.value,
        beside.recomputed,
        beside.ours,
        beside.comparable and not nothing,
        "; ".join(dict.fromkeys(part for part in parts if part)),
        beside.command,
        step_of(table, cell.column),
    )


def step_of(table: PrintedTable, column: str) -> float:
    """Return the unit of the last decimal that a column prints."""
    at = list(table.columns).index(column)
    values = [row[at] for row in table.rows.values() if isinstance(row[at], int | float)]
    places = max((len(f"{value!r}".partition(".")[2].rstrip("0")) for value in values), default=0)
    return 10.0**-places
