"""The report: all rows, how many of them say what, and how long everything took.

    {"quick": …, "documents": […], "rows": [{document, table, cell, printed, recomputed, ours, low,
     high, comparable, reason, command}], "seconds": …, "times": {…}}

Without `seconds` and `times` the same data and version give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .on_model import OnModel
from .row import Row


@dataclass(frozen=True)
class Tally:
    """How many rows of a document say what.

    `printed` counts cells with a printed value that no figure of ours repeats; `as_printed` those
    recomputed figures that round to it.
    """

    document: str
    tables: int
    printed: int
    recomputed: int
    as_printed: int
    ours: int
    comparable: int
    nothing: int

    def record(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        return dict(vars(self))


@dataclass(frozen=True)
class Report:
    """All rows in the order of the documents, and the times of this run."""

    rows: Sequence[Row]
    quick: bool = False
    seconds: float = 0.0
    times: Mapping[str, Any] = field(default_factory=dict[str, Any])
    on_model: OnModel | None = None

    @property
    def documents(self) -> dict[str, dict[str, list[Row]]]:
        """The rows by document and table, in their order."""
        found: dict[str, dict[str, list[Row]]] = {}
        for row in self.rows:
            found.setdefault(row.document, {}).setdefault(row.table, []).append(row)
        return found

    def tallies(self) -> Iterator[Tally]:
        """Yield the counts of each document."""
        for name, tables in self.documents.items():
            rows = [row for table in tables.values() for row in table]
            cells = [row for row in rows if is_printed_cell(row)]
            bare = [row for row in rows if row.shown.value is None]
            yield Tally(
                name,
                len(tables),
                len(cells),
                sum(row.recomputed.value is not None for row in cells),
                sum(row.as_printed is True for row in cells),
                sum(row.ours.value is not None for row in rows),
                sum(row.comparable for row in rows),
                len(bare),
            )

    def record(self) -> dict[str, Any]:
        """Return the report as a JSON object; figures of a model are among the rows."""
        on_model = self.on_model.rows() if self.on_model else ()
        return {
            "quick": self.quick,
            "documents": [tally.record() for tally in self.tallies()],
            "rows": [row.record() for row in (*self.rows, *on_model)],
            "seconds": self.seconds,
            "times": dict(self.times),
        }


def is_printed_cell(row: Row) -> bool:
    """Return whether a row is a cell of a printed table, and no figure of ours beside one."""
    return row.step is not None
