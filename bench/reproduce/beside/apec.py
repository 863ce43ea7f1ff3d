"""APEC-Travel: nothing of it is published, so that what stands beside its tables is ours alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ...printed.tables import PrintedCell, PrintedTable, printed
from ..row import Beside, Figure, Results, Row, document_rows, figure
from ..stages.apec import PLANNERS

DOCUMENT = printed("apec")
STAYS = "apec-stays"
BEST = "APEC-Travel-DPO, Iteration 2+3"
MEASURES = (
    "rounds",
    "overall",
    "critical",
    "efficiency",
    "critical_efficiency",
    "plan_priority",
    "proactive",
    "clarification",
    "total",
)
"""Our figures in the order of Table 2's columns."""

WHO = {"blind": "blind travellers", "made": "made travellers"}
NOT_THE_SAME = "travellers, critical entries and judge are ours, where the document has models"
ALIKE = {"made": "; simulator and planner share a generator", "blind": ""}


def rows(results: Results) -> Iterator[Row]:
    """Yield the rows of the document."""
    beside = _Beside(results)
    yield from document_rows(DOCUMENT, beside.lookup, beside.more)
    yield from beside.stays()


class _Beside:
    def __init__(self, results: Results) -> None:
        self.results = results

    def lookup(self, table: PrintedTable, cell: PrintedCell) -> Beside | None:
        """Return what stands beside a cell: the number of entries of our schema."""
        if table.name != "Section 3.2":
            return None
        stage = "apec-blind-critical"
        found, command = self.results.of(stage), self.results.command(stage)
        if found is None:
            return Beside(reason=self.results.why(stage), command=command)
        return Beside(ours=figure(found["entries"]), comparable=True, command=command)

    def more(self, table: PrintedTable) -> Iterator[Row]:
        """Yield what of ours belongs to a table or figure."""
        if table.name == "Table 2":
            for who in WHO:
                for planner in PLANNERS:
                    yield from self._figures(table, who, planner)
        for name, part in (("Figure 4", "axis_shares"), ("Figure 7", "critical_by_round"),
                           ("Figure 8", "axis_correlations"), ("Figure 9", "groups"),
                           ("Table 5", "errors")):  # fmt: skip
            if table.name == name:
                yield from self._part(table, part)

    def _figures(self, table: PrintedTable, who: str, planner: str) -> Iterator[Row]:
        stage = f"apec-{who}-{planner}"
        found = self.results.of(stage)
        best = f", beside {BEST}" if planner == "critical" else ""
        for measure, column in zip(MEASURES, table.columns, strict=True):
            size = "" if found is None else f"{found['travellers']} travellers; "
            yield Row(
                DOCUMENT.name,
                table.name,
                f"ours, {planner}, {WHO[who]}{best}, {column}",
                table.value(BEST, column) if best else None,
                ours=_figure(found, measure),
                reason=self.results.why(stage) or size + NOT_THE_SAME + ALIKE[who],
                command=self.results.command(stage),
            )

    def _part(self, table: PrintedTable, part: str) -> Iterator[Row]:
        """Yield a row for each figure of a part of the report on made travellers."""
        stage = "apec-made-critical"
        found = self.results.of(stage)
        named = [("", None)] if found is None else list(_flat(found[part]))
        for name, value in named:
            yield Row(
                DOCUMENT.name,
                table.name,
                f"ours, critical, {WHO['made']}" + (f", {name}" if name else ""),
                ours=figure(value),
                reason=self.results.why(stage) or NOT_THE_SAME + ALIKE["made"],
                command=self.results.command(stage),
            )

    def stays(self) -> Iterator[Row]:
        """Yield what comes of choosing a stay, which the document leaves to later work."""
        found = self.results.of(STAYS)
        for name in ("trips", "questions", "nothing_gave_way"):
            yield Row(
                DOCUMENT.name,
                "Section 5",
                f"ours, stays chosen for blind travellers, {name.replace('_', ' ')}",
                ours=figure(None if found is None else found[name]),
                reason=self.results.why(STAYS) or "the step that the document leaves to later work",
                command=self.results.command(STAYS),
            )


def _flat(part: Any, name: str = "") -> Iterator[tuple[str, float | None]]:
    """Yield the numbers of a nested part with the names on the way to them."""
    if isinstance(part, dict):
        for key, value in cast("dict[str, Any]", part).items():
            yield from _flat(value, f"{name}, {key}" if name else key)
    elif isinstance(part, list):
        for number, value in enumerate(cast("list[Any]", part)):
            yield from _flat(value, f"round {number}")
    elif not name.endswith("dialogues"):
        yield name, part


def _figure(found: Mapping[str, Any] | None, measure: str) -> Figure:
    if found is None:
        return figure(None)
    return figure(found[measure], found["intervals"].get(measure))
