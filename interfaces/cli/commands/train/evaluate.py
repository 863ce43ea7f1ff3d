"""`concede train evaluate`: trained models beside print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from .....catalogs.errors import QueryError, excerpt
from ...options import panel_options, seed_option, tables_or_json
from ...output import spinning, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.fine_tuning.evaluation import EvaluatedCell

_aware, _apec = panel_options("Table 5 of AWARE-US"), panel_options("Tables 2 to 4 of APEC-Travel")


@click.command("evaluate")
@_aware("--run", "RUN.jsonl", "A run of `bench run --out`.", "runs", multiple=True)
@_aware("--base", "MODEL", "The model before training, as the runs name it.")
@_aware("--trained", "MODEL", "The model after it.")
@_apec(
    "--agent",
    "NAME=FILE",
    "Predictions of `bench apec`: a row of Table 2; printed where the document has it.",
    "agents",
    multiple=True,
)
@_apec("--without-thought", "FILE", "Predictions of an agent that asks at once (Table 3).")
@_apec("--with-thought", "FILE", "Of one that thinks before it asks.")
@_apec("--fixed", "FILE", "Predictions, or the folder of `train iterate --reference fixed`.")
@_apec("--recursive", "FILE", "The same of --reference recursive (Table 4).")
@seed_option("Draws the samples of intervals.")
@tables_or_json("Tables for people, or one JSON list of cells.")
def evaluate(
    runs: Sequence[str],
    base: str | None,
    trained: str | None,
    agents: Sequence[str],
    without_thought: str | None,
    with_thought: str | None,
    fixed: str | None,
    recursive: str | None,
    seed: int,
    form: str,
) -> int:
    """Put trained models beside print, from files that benchmarks wrote.

    Intervals are of the bootstrap, those of differences paired: the same instances, the same
    travellers.
    """
    from .....bench.aware_us.scoring import read_outcomes
    from .....bench.fine_tuning.evaluation import (
        paired_table,
        read_predictions,
        table_2,
        table_5,
    )

    cells: list[EvaluatedCell] = []
    with spinning("reading"):
        if runs or base or trained:
            if not (runs and base and trained):
                raise QueryError("Table 5 needs --run, --base and --trained", hint="give all three")
            outcomes = [outcome for run in runs for outcome in read_outcomes(run)]
            cells += table_5(outcomes, base, trained, seed)
        if agents:
            cells += table_2([read_predictions(*_named(each)) for each in agents], seed)
        pairs = ((3, "thought", without_thought, with_thought), (4, "reference", fixed, recursive))
        for number, what, first, second in pairs:
            if first is None and second is None:
                continue
            if first is None or second is None:
                hint = "--without-thought and --with-thought, or --fixed and --recursive"
                raise QueryError(f"one side of Table {number} ({what})", hint=f"give both: {hint}")
            sides = [read_predictions(Path(each).name, each) for each in (first, second)]
            cells += paired_table(number, sides[0], sides[1], seed)
    if not cells:
        raise QueryError(
            "nothing to evaluate", hint="give --run, --agent, or a pair of predictions"
        )
    if form == "json":
        write_json([cell.record() for cell in cells])
    else:
        _show(cells)
    return 0


def _named(text: str) -> tuple[str, str]:
    name, sign, path = text.partition("=")
    if not sign or not name.strip() or not path:
        raise QueryError(
            f"--agent {excerpt(text)}", hint="write a name and a file, as SFT=sft.jsonl"
        )
    return name.strip(), path


def _show(cells: Sequence[EvaluatedCell]) -> None:
    from .....rendering.terminal_table import Grid

    columns = ("cell", "printed", "ours", "95 %", "n")
    for table in dict.fromkeys((cell.document, cell.table) for cell in cells):
        rows = [
            (cell.cell, _shown(cell.printed), _shown(cell.ours), _interval(cell), f"{cell.n:,}")
            for cell in cells
            if (cell.document, cell.table) == table
        ]
        write_tables(Grid(", ".join(table), columns, rows, frozenset(columns[1:])))


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _interval(cell: EvaluatedCell) -> str:
    if cell.low is None or cell.high is None:
        return ""
    return f"{cell.low:.4g} to {cell.high:.4g}"
