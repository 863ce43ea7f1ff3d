"""AWARE-US: recorded runs and replays beside Tables 2 to 5; rereads and personas after them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...aware_us.published_tables import COUNTED
from ...printed.tables import PrintedCell, PrintedTable, printed
from ..row import Beside, Figure, Results, Row, document_rows, figure
from ..stages.aware_us import GENERATED, WEIGHTERS

DOCUMENT = printed("aware_us")
PUBLISHED, REPLAY, REREAD = "aware-us-published", "aware-us-replay", "aware-us-reread"
MATCHES = ("relax_match", "car_match")
IN_VIEW = "the parts were built with these personas in view"


def rows(results: Results) -> Iterator[Row]:
    """Yield the rows of the document."""
    beside = _Beside(results)
    yield from document_rows(DOCUMENT, beside.lookup, beside.more)
    yield from beside.generated()


class _Beside:
    def __init__(self, results: Results) -> None:
        self.results = results
        self.recorded = _by_labels(results.rows(PUBLISHED))
        self.replayed = _by_labels(results.rows(REPLAY))
        self.reread = _by_labels(results.rows(REREAD))

    def lookup(self, table: PrintedTable, cell: PrintedCell) -> Beside | None:
        """Return what stands beside a cell."""
        if table.name == "Table 1":
            return self._sizes(table, cell)
        if table.name == "Section 5.2":
            return self._figures("test25", "Local Base.", "slot_completion")
        if "setting" not in table.more:
            return None
        measure, run = _measure(table, cell)
        return self._figures(table.more["setting"], run, measure)

    def _sizes(self, table: PrintedTable, cell: PrintedCell) -> Beside:
        found = (self.results.of(PUBLISHED) or {}).get("instances", {}).get(cell.row[:2])
        command = self.results.command(PUBLISHED)
        if found is None:
            return Beside(reason=self.results.why(PUBLISHED), command=command)
        counted = cell.column == "# instances"
        value = found["instances"] if counted else found["constraints"][-1]
        return Beside(
            figure(value), comparable=True, reason="of the published data", command=command
        )

    def _figures(self, setting: str, run: str, measure: str) -> Beside:
        key = (setting, *DOCUMENT.more["runs"][run])
        recorded = _figure(self.recorded.get(key), measure)
        replayed = _figure(self.replayed.get(key), measure)
        reason = self.results.why(PUBLISHED, REPLAY)
        command = self.results.command(PUBLISHED, REPLAY)
        if measure in ("n", "oracle_comparable"):
            return Beside(Figure(recorded.value), comparable=True, command=command, reason=reason)
        if replayed.value is not None:
            reason = "the recorded constraints and weights under our engine"
        return Beside(recorded, replayed, True, reason, command)

    def more(self, table: PrintedTable) -> Iterator[Row]:
        """Yield rereads and conversations with the personas after Tables 2 to 4."""
        setting = table.more.get("setting", "")
        if setting in ("S1", "S2", "S3"):
            yield from self._rereads(table, setting)
            for weighter in WEIGHTERS:
                yield from self._offline(table, setting, weighter)

    def _rereads(self, table: PrintedTable, setting: str) -> Iterator[Row]:
        for run in table.rows:
            row = self.reread.get((setting, *DOCUMENT.more["runs"][run]))
            for measure in MATCHES:
                column = _column(table, measure)
                yield Row(
                    DOCUMENT.name,
                    table.name,
                    f"{run}, {column}, its dialogues read again",
                    table.value(run, column),
                    _figure(self.recorded.get((setting, *DOCUMENT.more["runs"][run])), measure),
                    _figure(row, measure),
                    reason=_of(row, "dialogues") if row else self.results.why(REREAD),
                    command=self.results.command(REREAD),
                )

    def _offline(self, table: PrintedTable, setting: str, weighter: str) -> Iterator[Row]:
        stage = f"aware-us-offline-{weighter}"
        row = next(
            (scored for scored in self.results.rows(stage) if scored["setting"] == setting), None
        )
        for measure in table.more["measures"]:
            yield Row(
                DOCUMENT.name,
                table.name,
                f"ours without a model ({weighter}), {_column(table, measure)}",
                ours=_figure(row, measure),
                reason=_of(row, "personas") if row else self.results.why(stage),
                command=self.results.command(stage),
            )

    def generated(self) -> Iterator[Row]:
        """Yield the figures of instances made by Algorithms 1 and 2 from another catalog."""
        stage = "aware-us-generated"
        for setting in GENERATED:
            for weighter in ("learned", "uniform"):
                of = {"setting": "all", "generated": setting, "weighter": weighter}
                row = next((r for r in self.results.rows(stage) if of.items() <= r.items()), None)
                for measure in MATCHES:
                    size = "" if row is None else f"{row['n']} instances of a catalog of stays; "
                    yield Row(
                        DOCUMENT.name,
                        "Algorithms 1 and 2",
                        f"{setting} made here ({weighter}), {measure.replace('_', ' ')} (%)",
                        ours=_figure(row, measure),
                        reason=f"{size}nothing of the kind is printed"
                        if row
                        else self.results.why(stage),
                        command=self.results.command(stage),
                    )


def _by_labels(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, ...], Mapping[str, Any]]:
    return {(row["setting"], row["model"], row["method"]): row for row in rows}


def _figure(row: Mapping[str, Any] | None, measure: str) -> Figure:
    if row is None:
        return figure(None)
    if measure in ("n", "oracle_comparable"):
        return figure(row["n"])
    scale = 1 if measure in COUNTED else 100
    return figure(row[measure], row["intervals"].get(measure), scale)


def _measure(table: PrintedTable, cell: PrintedCell) -> tuple[str, str]:
    """Return measure and run of a cell; Table 5 has its runs across."""
    if table.more["setting"] == "test25":
        return table.more["measures"][list(table.rows).index(cell.row)], cell.column
    return table.more["measures"][list(table.columns).index(cell.column)], cell.row


def _column(table: PrintedTable, measure: str) -> str:
    measures: list[str] = table.more["measures"]
    return table.columns[measures.index(measure)]


def _of(row: Mapping[str, Any], what: str) -> str:
    every = row["n"] + row["skipped"]
    part = f"{row['n']} of {every} {what}, the others are withheld; " if row["skipped"] else ""
    return part + IN_VIEW
