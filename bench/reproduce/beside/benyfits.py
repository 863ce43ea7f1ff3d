"""BeNYfits: what the data hold beside Tables 3 and 4; our conversations after Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...benyfits.feature_counts import PRINTED_AS, TOP
from ...printed.tables import PrintedCell, PrintedTable, printed
from ..row import Beside, Figure, Results, Row, document_rows, figure
from ..stages.benyfits import RUNS

DOCUMENT = printed("benyfits")
COUNTS, BUILT = "benyfits-counts", "benyfits-built"
SETS = {"Table 3": "diverse", "Table 4": "representative", "Section 2.5": "diverse",
        "Section 2.6": "representative", "Diverse": "diverse",
        "Representative": "representative"}  # fmt: skip
BEST = "ProADA (Ours), GPT-4o"
ORIGIN = "what the origin's checkers read, as the data says"
WITHHELD = "the labels of the representative households are withheld"
NOT_THE_SAME = "checkers, person and parser are ours, where the document has models"
TABLE_1 = {"f1": "F1", "turns": "turns"}
TABLE_2 = {"accuracy": "Accuracy", "recall": "Recall", "precision": "Precision"}


def rows(results: Results) -> Iterator[Row]:
    """Yield the rows of the document."""
    beside = _Beside(results)
    yield from document_rows(DOCUMENT, beside.lookup, beside.more)


class _Beside:
    def __init__(self, results: Results) -> None:
        self.results = results
        self.counts: Mapping[str, Any] = results.of(COUNTS) or {}

    def lookup(self, table: PrintedTable, cell: PrintedCell) -> Beside | None:
        """Return what stands beside a cell."""
        if table.name == "Table 1":
            return self._coin(cell) if cell.row.startswith("Random") else None
        if table.name not in ("Figure 2", "Section 2.5", "Section 2.6", "Section 5", *SETS):
            return None
        command = self.results.command(COUNTS)
        if not self.counts:
            return Beside(reason=self.results.why(COUNTS), command=command)
        if table.name in ("Table 3", "Table 4", "Section 5"):
            return self._labels(table, cell, command)
        if table.name == "Figure 2":
            return self._features(cell, command)
        value = self._targets(table, cell)
        return Beside(
            figure(value), comparable=True, reason="of the published data", command=command
        )

    def _features(self, cell: PrintedCell, command: str) -> Beside:
        """Return how many programs read features; where the data says so, the origin's checkers."""
        features = self.counts["features"]
        if features is None:
            return Beside(reason="the data does not name what programs read", command=command)
        what, _, spread = cell.row.partition(", ")
        if spread:
            value = figure(features[what.replace(" ", "_")][PRINTED_AS[spread]])
            return Beside(value, comparable=True, reason=ORIGIN, command=command)
        age = next(feature for feature in features["features"] if feature["feature"] == "age")
        value, ours = figure(age["programs"]), figure(age["ours"])
        return Beside(value, ours, True, f"{ORIGIN}; ours: the checkers that ship", command)

    def _targets(self, table: PrintedTable, cell: PrintedCell) -> float:
        """Return a figure of the households of a set."""
        found = self.counts["sets"][SETS[table.name]]
        what, _, spread = cell.row.partition(", ")
        return found["targets"][PRINTED_AS[spread]] if spread else found[what]

    def _labels(self, table: PrintedTable, cell: PrintedCell, command: str) -> Beside:
        """Return a figure of the labels of a set, where all of them are there."""
        found = self.counts["sets"][SETS[cell.row if table.name == "Section 5" else table.name]]
        if found["labelled"] < found["pairs"]:
            return Beside(reason=WITHHELD, command=command)
        programs: Mapping[str, Mapping[str, int]] = found["programs"]
        every = ("Total", "Diverse", "Representative")
        chosen = list(programs.values()) if cell.row in every else [programs.get(cell.row, {})]
        positive = sum(counts.get("positive", 0) for counts in chosen)
        negative = sum(counts.get("negative", 0) for counts in chosen)
        share = 100 * positive / (positive + negative) if positive + negative else None
        values = {"Positive Count": positive, "Negative Count": negative}
        value = values.get(cell.column, share)
        return Beside(figure(value), comparable=True, reason="of the labels", command=command)

    def _coin(self, cell: PrintedCell) -> Beside | None:
        """Return our coin beside the printed one; of both sets it takes the labels of both."""
        dataset, _, what = cell.column.partition(" ")
        if dataset not in ("Diverse", "Representative"):
            return None
        stage = f"benyfits-{dataset.lower()}-random"
        found, command = self.results.of(stage), self.results.command(stage)
        if found is None:
            return Beside(reason=self.results.why(stage), command=command)
        value = _figure(found, what.lower())
        reason = "one draw of the coin" if value.value is not None else WITHHELD
        return Beside(ours=value, comparable=True, reason=reason, command=command)

    def more(self, table: PrintedTable) -> Iterator[Row]:
        """Yield our conversations after Tables 1 and 2, and the builder after section 2.5."""
        if table.name == "Figure 2":
            yield from self._by_feature()
        if table.name == "Section 2.5":
            yield from self._built()
        if table.name == "Section 4":
            yield self._drawn_pairs(table)
            yield self._user_study(table)
        if table.name == "Section 6.4":
            yield from self._answers(table)
        for dataset, planner, _ in RUNS:
            if planner == "random" or dataset == "user_study":
                continue
            if table.name == "Table 1":
                yield from self._table_1(table, dataset, planner)
            if table.name == "Table 2":
                yield from self._table_2(table, dataset, planner)

    def _table_1(self, table: PrintedTable, dataset: str, planner: str) -> Iterator[Row]:
        for measure, column in TABLE_1.items():
            printed_value = table.value(BEST, f"{dataset.capitalize()} {column}")
            cell = f"ours, {planner}, beside {BEST}, {dataset.capitalize()} {column}"
            yield self._ours(table, cell, printed_value, dataset, planner, measure)

    def _table_2(self, table: PrintedTable, dataset: str, planner: str) -> Iterator[Row]:
        name = f"{dataset.capitalize()}, {BEST}"
        for measure, column in TABLE_2.items():
            cell = f"ours, {planner}, beside {name}, {column}"
            value = table.value(name, column)
            yield self._ours(table, cell, value, dataset, planner, measure)

    def _ours(
        self, table: PrintedTable, cell: str, value: Any, dataset: str, planner: str, measure: str
    ) -> Row:
        stage = f"benyfits-{dataset}-{planner}"
        found = self.results.of(stage)
        ours = _figure(found, measure)
        missing = self.results.why(stage) or (WITHHELD if ours.value is None else "")
        return Row(
            DOCUMENT.name,
            table.name,
            cell,
            value,
            ours=ours,
            reason=missing or NOT_THE_SAME,
            command=self.results.command(stage),
        )

    def _drawn_pairs(self, table: PrintedTable) -> Row:
        stage = "benyfits-pairs-joint"
        return Row(
            DOCUMENT.name,
            table.name,
            "ours, joint, 39 drawn pairs, accuracy",
            table.value("accuracy", "%"),
            ours=_figure(self.results.of(stage), "accuracy"),
            reason=self.results.why(stage) or f"which 39 is not published; {NOT_THE_SAME}",
            command=self.results.command(stage),
        )

    def _answers(self, table: PrintedTable) -> Iterator[Row]:
        """Yield how faithful and how verbose the offline person is, read by rule."""
        stage = "benyfits-diverse-joint"
        found = (self.results.of(stage) or {}).get("answers")
        for measure in ("faithful", "verbose"):
            yield Row(
                DOCUMENT.name,
                table.name,
                f"ours, the offline person, {measure} (%)",
                table.value(f"{measure} (%)", "count"),
                ours=_figure(found, measure),
                reason=self.results.why(stage)
                or "a person by rules, its answers read by rule and not by hand",
                command=self.results.command(stage),
            )

    def _user_study(self, table: PrintedTable) -> Row:
        stage = "benyfits-user-study-joint"
        found = self.results.of(stage)
        pairs = "" if found is None else f"{found['n_labelled']} pairs of another household; "
        return Row(
            DOCUMENT.name,
            table.name,
            "ours, joint, the household of the user study, accuracy",
            table.value("accuracy", "%"),
            ours=_figure(found, "accuracy"),
            reason=self.results.why(stage) or pairs + NOT_THE_SAME,
            command=self.results.command(stage),
        )

    def _by_feature(self) -> Iterator[Row]:
        known: Mapping[str, Any] = self.counts.get("features") or dict[str, Any]()
        for feature in known.get("features", ())[:TOP]:
            yield Row(
                DOCUMENT.name,
                "Figure 2",
                f"programs that read {feature['feature']}",
                recomputed=figure(feature["programs"]),
                ours=figure(feature["ours"]),
                reason="drawn in the figure, not printed as numbers",
                command=self.results.command(COUNTS),
            )

    def _built(self) -> Iterator[Row]:
        found = self.results.of(BUILT)
        for name in ("households", "pairs"):
            yield Row(
                DOCUMENT.name,
                "Section 2.5",
                f"ours, kept of 1,000 drawn households, {name}",
                ours=figure(None if found is None else found[name]),
                reason=self.results.why(BUILT) or "other checkers, and fewer draws",
                command=self.results.command(BUILT),
            )


def _figure(found: Mapping[str, Any] | None, measure: str) -> Figure:
    if found is None or found[measure] is None:
        return figure(None)
    return figure(found[measure], found["intervals"].get(measure))
