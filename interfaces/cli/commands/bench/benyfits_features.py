"""`concede bench benyfits-features`: how many programs depend on each feature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from ...options import POSITIVE, panel_options, tables_or_json
from ...output import complain, spinning, write_json, write_tables

_data, _output = panel_options("Data"), panel_options("Output")


@click.command("benyfits-features")
@_data("--data", "DIR", "The folder of the data: programs and their features.", required=True)
@_data("--checkers", "DIR", "Other checkers than those that ship, for the column ours.")
@_output("--top", "N", "Only the first N features.", type=POSITIVE, default=20)
@_output("--plot", "FILE", "Also draw them: FILE.svg or FILE.png.")
@tables_or_json("A table for people, or one JSON object.")
def benyfits_features(
    data: str, checkers: str | None, top: int, plot: str | None, form: str
) -> int:
    """Count the programs that depend on each feature (ProADA, figure 2)."""
    from .....bench.benyfits.components import recorded_programs
    from .....bench.benyfits.feature_counts import check_plot, feature_counts, write_plot
    from .....bench.benyfits.published_data import read_benyfits

    if plot:
        check_plot(Path(plot))
    with spinning("reading the data"):
        read = read_benyfits(data)
        programs = recorded_programs(read, None if checkers is None else Path(checkers))
    counts = feature_counts(read, programs)
    if plot:
        write_plot(Path(plot), counts, top)
        complain(f"wrote {plot}")
    record = counts.record(top)
    if form == "json":
        write_json(record)
    else:
        _show(record)
    return 0


def _show(record: dict[str, Any]) -> None:
    from .....rendering.terminal_table import Grid

    rows = [
        (str(each["feature"]), str(each["programs"]), str(each["ours"]))
        for each in record["features"]
    ]
    headers = ("feature", "programs", "ours")
    write_tables(Grid("Programs that depend on a feature", headers, rows, frozenset(headers[1:])))
    spread = [
        (name.replace("_", " "), *(f"{each[part]:.4g}" for part in each))
        for name, each in (
            (name, record[name]) for name in ("features_a_program", "programs_a_feature")
        )
    ]
    headers = ("", "least", "most", "mean", "s.d.")
    write_tables(Grid("How they are spread", headers, spread, frozenset(headers[1:])))
