"""Trained models beside print: Table 5 of AWARE-US, Tables 2 to 4 of APEC-Travel.

Figures are read off files that benchmarks wrote: runs of `bench run`, predictions of `bench apec`.
Intervals are of the bootstrap over instances or travellers, those of differences paired. What is
printed stands in `bench/printed`; other instances than the document's own make no reproduction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ..aware_us.intervals import compare, intervals
from ..aware_us.measures import MEASURES, measure
from ..aware_us.outcome import Outcome
from ..bootstrap import RESAMPLES, draw_counts, percentile_interval
from ..json_lines import read_records
from ..printed.tables import PrintedTable, printed

METHODS = {"Local": "local", "Global": "global"}
COUNTED = ("avg_slots", "avg_constraints")
"""Measures of Table 5 that are no percentages."""

PREDICTIONS = "predictions.jsonl"
AXES = {
    "Plan & Priority": "plan_priority",
    "Proactive": "proactive",
    "Clarification": "clarification",
}
FIGURES = {
    "Average #Rounds": "rounds",
    "Accuracy Overall": "overall",
    "Accuracy Critical": "critical",
    "Efficiency Overall": "efficiency",
    "Efficiency Critical": "critical_efficiency",
    **AXES,
    "Total": "r_a",
    "Agentic (Total)": "r_a",
}
"""What the columns of Table 2 and the rows of Tables 3 and 4 are called in predictions."""


@dataclass(frozen=True)
class EvaluatedCell:
    """One cell: what is printed, ours with its 95 % interval, and of how many `n` ours is."""

    document: str
    table: str
    cell: str
    printed: float | None
    ours: float | None
    low: float | None
    high: float | None
    n: int

    def record(self) -> dict[str, Any]:
        """Return the cell as a JSON object."""
        return asdict(self)


def table_5(
    outcomes: Sequence[Outcome], base: str, trained: str, seed: int = 0
) -> list[EvaluatedCell]:
    """Return Table 5 of AWARE-US: base and trained by local and global weights, and differences.

    `base` and `trained` are models as the runs name them. Raises `QueryError` for one that no
    episode has by either method.
    """
    told, table = printed("aware_us"), printed("aware_us").tables["Table 5"]
    measures = dict(zip(table.rows, table.more["measures"], strict=True))
    cells: list[EvaluatedCell] = []
    for heading, method in METHODS.items():
        sides = [_by_model(outcomes, model, method) for model in (trained, base)]
        for mark, side in zip(("Tr.", "Base."), sides, strict=True):
            column = f"{heading} {mark}"
            spread = intervals(side, seed=seed)
            for row, name in measures.items():
                scale = 1.0 if name in COUNTED else 100.0
                ours, low, high = _figure(side, name, spread.get(name), scale)
                cells.append(
                    EvaluatedCell(
                        told.name, table.name, f"{row}, {column}",
                        _number(table.value(row, column)), ours, low, high, len(side),
                    )
                )  # fmt: skip
        if all(sides):
            cells += _differences(table, measures, heading, sides, seed)
    if not any(cell.n for cell in cells):
        hint = "name them as --model was given, and run --weighter local and global"
        raise QueryError(f"no episode of {excerpt(base)} or {excerpt(trained)}", hint=hint)
    return cells


def _by_model(outcomes: Iterable[Outcome], model: str, method: str) -> list[Outcome]:
    return [
        outcome
        for outcome in outcomes
        if outcome.labels.get("model") == model and method in _methods(outcome)
    ]


def _methods(outcome: Outcome) -> tuple[str | None, str | None]:
    return outcome.labels.get("method"), outcome.labels.get("weighter")


def _figure(
    outcomes: Sequence[Outcome], name: str, spread: tuple[float, float] | None, scale: float
) -> tuple[float | None, float | None, float | None]:
    """Return a measure with its interval; of counts the count alone."""
    if name not in MEASURES:
        known = [each for each in outcomes if name == "n" or each.gold.relaxed is not None]
        return float(len(known)), None, None
    ours = measure(outcomes, name)
    if ours is None or spread is None:
        return ours, None, None
    return scale * ours, scale * spread[0], scale * spread[1]


def _differences(
    table: PrintedTable,
    measures: Mapping[str, str],
    heading: str,
    sides: Sequence[Sequence[Outcome]],
    seed: int,
) -> list[EvaluatedCell]:
    """Return trained less base, with paired intervals, of what is measured."""
    cells: list[EvaluatedCell] = []
    trained, base = sides
    for row, name in measures.items():
        if name not in MEASURES:
            continue
        found, scale = compare(base, trained, name, seed=seed), 1.0 if name in COUNTED else 100.0
        low, high = found.interval or (None, None)
        after, before = (_number(table.value(row, f"{heading} {m}")) for m in ("Tr.", "Base."))
        apart = None if after is None or before is None else round(after - before, 6)
        ours, low, high = (_scaled(each, scale) for each in (found.difference, low, high))
        cell = f"{row}, {heading} Tr. less Base."
        document = printed("aware_us").name
        cells.append(EvaluatedCell(document, table.name, cell, apart, ours, low, high, found.n))
    return cells


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


@dataclass(frozen=True)
class Predictions:
    """Dialogues of one agent: figures by traveller, float64[n] each, in the order of `ids`."""

    name: str
    ids: Sequence[str]
    figures: Mapping[str, NDArray[np.float64]]

    def mean(self, figure: str, seed: int) -> tuple[float, float | None, float | None]:
        """Return a mean over travellers with its interval."""
        values = self.figures[figure]
        drawn = draw_counts(len(values), seed, RESAMPLES) @ values / len(values)
        low, high = percentile_interval(drawn) or (None, None)
        return float(values.mean()), low, high

    def less(
        self, other: Predictions, figure: str, seed: int
    ) -> tuple[float, float | None, float | None, int]:
        """Return a figure less another agent's over the travellers both have, and how many.

        Raises `QueryError` where there are none.
        """
        shared = [name for name in self.ids if name in set(other.ids)]
        if not shared:
            problem = f"{excerpt(self.name)} and {excerpt(other.name)} have no traveller in common"
            raise QueryError(problem, hint="run both with the same travellers, --count and --seed")
        own = self.figures[figure][[list(self.ids).index(name) for name in shared]]
        apart = own - other.figures[figure][[list(other.ids).index(name) for name in shared]]
        drawn = draw_counts(len(apart), seed, RESAMPLES) @ apart / len(apart)
        low, high = percentile_interval(drawn) or (None, None)
        return float(apart.mean()), low, high, len(shared)


def read_predictions(name: str, path: str | Path) -> Predictions:
    """Return what `bench apec --predictions` wrote, or the last iteration of `train iterate`.

    Raises `UnreadableFile` for a file of another kind, or one without a dialogue.
    """
    place = Path(path)
    if place.is_dir():
        kept = sorted(place.glob(f"iteration-*/{PREDICTIONS}"), key=_iteration)
        if not kept:
            hint = "name the folder that `train iterate` wrote, or a file of predictions"
            raise UnreadableFile(str(path), "no iteration in it has predictions", hint=hint)
        place = kept[-1]
    records = list(read_records(place, _dialogue))
    if not records:
        raise UnreadableFile(str(path), "it holds no dialogue")
    ids = [str(record["id"]) for record in records]
    names = dict.fromkeys(FIGURES.values())
    figures = {each: np.array([record[each] for record in records]) for each in names}
    return Predictions(name, ids, figures)


def _iteration(path: Path) -> int:
    number = path.parent.name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _dialogue(given: Any) -> dict[str, Any]:
    wanted = ("rounds", "overall", "critical", *AXES.values(), "r_a")
    record = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if not all(isinstance(record.get(name), int | float) for name in wanted):
        raise ValueError(f"no prediction of `bench apec`, which has {', '.join(wanted)}")
    found: dict[str, Any] = {name: float(record[name]) for name in wanted}
    rounds = max(1.0, found["rounds"])
    shares = {"efficiency": "overall", "critical_efficiency": "critical"}
    return {
        "id": record.get("id"), **found,
        **{name: found[share] / rounds for name, share in shares.items()},
    }  # fmt: skip


def table_2(agents: Sequence[Predictions], seed: int = 0) -> list[EvaluatedCell]:
    """Return Table 2 of APEC-Travel: a row an agent, beside the printed row of its name, and each
    agent less the first one."""
    table = printed("apec").tables["Table 2"]
    cells: list[EvaluatedCell] = []
    for agent in agents:
        known = table.rows.get(agent.name)
        for column in table.columns:
            value = None if known is None else _number(table.value(agent.name, column))
            cells.append(_mean_cell(table, f"{agent.name}, {column}", value, agent, column, seed))
    for agent in agents[1:]:
        for column in table.columns:
            pair = (agent, agents[0])
            cells.append(_less_cell(table, f"{{}} less {{}}, {column}", None, pair, column, seed))
    return cells


def paired_table(
    number: int, first: Predictions, second: Predictions, seed: int = 0
) -> list[EvaluatedCell]:
    """Return Table 3 (without and with thought) or 4 (fixed and recursive), and the second column
    less the first."""
    table = printed("apec").tables[f"Table {number}"]
    cells: list[EvaluatedCell] = []
    for row in table.rows:
        values = [_number(table.value(row, column)) for column in table.columns]
        for column, value, agent in zip(table.columns, values, (first, second), strict=True):
            cells.append(_mean_cell(table, f"{row}, {column}", value, agent, row, seed))
        before, after = values
        apart = None if before is None or after is None else round(after - before, 6)
        text = f"{row}, {table.columns[1]} less {table.columns[0]}"
        cells.append(_less_cell(table, text, apart, (second, first), row, seed))
    return cells


def _mean_cell(
    table: PrintedTable, cell: str, value: float | None, agent: Predictions, name: str, seed: int
) -> EvaluatedCell:
    ours, low, high = agent.mean(FIGURES[name], seed)
    return EvaluatedCell(
        printed("apec").name, table.name, cell, value, ours, low, high, len(agent.ids)
    )


def _less_cell(
    table: PrintedTable,
    cell: str,
    value: float | None,
    pair: tuple[Predictions, Predictions],
    name: str,
    seed: int,
) -> EvaluatedCell:
    agent, other = pair
    ours, low, high, shared = agent.less(other, FIGURES[name], seed)
    text = cell.format(agent.name, other.name)
    return EvaluatedCell(printed("apec").name, table.name, text, value, ours, low, high, shared)
