"""MapSatisfyBench: the demo's runs beside what is told of Table 1; tasks of our own after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...mapsat.agents import NAMES
from ...printed.tables import PrintedCell, PrintedTable, printed
from ..row import Beside, Figure, Results, Row, document_rows, figure
from ..stages.mapsat import CATALOGS

DOCUMENT = printed("mapsat")
PUBLISHED = "mapsat-published"
MODELS = {"GPT-5.3": "gpt-5.3-chat"}
"""Printed names of models whose runs on the demo are published."""

MEASURES = ("ECR", "IISR", "AR", "TS", "IFS", "Eff", "SES")
TASKS = 500
SEEDS = (1, 2)


def rows(results: Results) -> Iterator[Row]:
    """Yield the rows of the document."""
    beside = _Beside(results)
    yield from document_rows(DOCUMENT, beside.lookup, beside.more)
    yield from beside.built()


class _Beside:
    def __init__(self, results: Results) -> None:
        self.results = results
        found = results.of(PUBLISHED) or {"models": []}
        self.models: Mapping[str, Mapping[str, Any]] = {
            model["model"]: model for model in found["models"]
        }

    def lookup(self, table: PrintedTable, cell: PrintedCell) -> Beside | None:
        """Return what stands beside a cell of Table 1: the runs of its model on the demo."""
        if table.name != "Table 1" or cell.row not in MODELS:
            return None
        command = self.results.command(PUBLISHED)
        found = self.models.get(MODELS[cell.row])
        if found is None:
            return Beside(reason=self.results.why(PUBLISHED), command=command)
        part = f"recomputed over the {found['tasks']} of {TASKS} tasks that are published"
        return Beside(_figure(found, cell.column), reason=part, command=command)

    def more(self, table: PrintedTable) -> Iterator[Row]:
        """Yield the published runs after Table 1, and their breakdowns after Figures 4 and 5."""
        if table.name == "Table 1":
            yield from self._models()
        if table.name == "Figure 4":
            yield from self._tools()
        if table.name == "Figure 5":
            yield from self._groups()
        if table.name in ("Table 1", "Figure 4", "Figure 5") and not self.models:
            yield self._row(table.name, "the published runs", figure(None), 0)

    def _models(self) -> Iterator[Row]:
        for model, found in self.models.items():
            for measure in MEASURES:
                cell = f"{model} on the demo, {measure}"
                yield self._row("Table 1", cell, _figure(found, measure), found["tasks"])

    def _tools(self) -> Iterator[Row]:
        for model, found in self.models.items():
            tools = found["tools"]
            shares = {**tools["called"], "a profile tool": tools["profile"],
                      "a profile tool first": tools["profile_first"]}  # fmt: skip
            for tool, share in shares.items():
                cell = f"{model} on the demo, runs that call {tool}"
                value = figure(share["share"], share["interval"])
                yield self._row("Figure 4", cell, value, found["tasks"])

    def _groups(self) -> Iterator[Row]:
        for model, found in self.models.items():
            for part in ("by_domain", "by_source"):
                for group, means in found[part].items():
                    for measure in ("IISR", "AR", "SES"):
                        cell = f"{model} on the demo, {part.replace('_', ' ')}, {group}, {measure}"
                        value = figure(means[measure])
                        yield self._row("Figure 5", cell, value, means["tasks"])

    def _row(self, table: str, cell: str, value: Figure, tasks: int) -> Row:
        return Row(
            DOCUMENT.name,
            table,
            cell,
            recomputed=value,
            reason=self.results.why(PUBLISHED) or f"{tasks} of {TASKS} tasks; not printed",
            command=self.results.command(PUBLISHED),
        )

    def built(self) -> Iterator[Row]:
        """Yield the agents' figures on tasks made here."""
        for catalog in CATALOGS:
            for seed in SEEDS:
                yield from self._agents(f"mapsat-built-{catalog}-{seed}", f"{catalog}, seed {seed}")

    def _agents(self, stage: str, where: str) -> Iterator[Row]:
        found = self.results.of(stage)
        for agent in NAMES:
            own = None if found is None else found["agents"][agent]
            cells: dict[str, Figure] = {"IISR": figure(own and own["means"]["IISR"])}
            if agent != "equal":
                over = own and own["deciding"]["over_equal"]
                value = figure(over["difference"], over["interval"]) if over else figure(None)
                cells["IISR of deciding tasks, less that of equal weights"] = value
            for name, value in cells.items():
                size = "" if found is None else f"{found['tasks']} tasks made of simulated people; "
                yield Row(
                    DOCUMENT.name,
                    "tasks made here",
                    f"{where}, agent {agent}, {name}",
                    ours=value,
                    reason=self.results.why(stage) or f"{size}compares with the other agents alone",
                    command=self.results.command(stage).replace("evidence", agent),
                )


def _figure(found: Mapping[str, Any], measure: str) -> Figure:
    return figure(found[measure], found["intervals"][measure])
