"""`concede bench reproduce`: every benchmark, and every printed figure beside what came out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import POSITIVE, panel_options, tables_or_json
from ...output import complain, stepping, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.reproduce.report import Report

_data, _extent, _output = map(panel_options, ("Data", "Extent", "Output"))


@click.command("reproduce")
@_data(
    "--data",
    "DIR",
    "The folder of all data: aware_us, benyfits, clarq, cooperunion_cars, mapsatisfybench_demo, "
    "travelplanner, and sgd where it is there.",
    required=True,
)
@_extent(
    "--only",
    "NAME,…",
    "Only these, whole names or how they begin: aware-us, clarq-published, mapsat-built, ….",
    multiple=True,
)
@_extent("--quick", None, "Less of the long parts; ends within ten minutes.", is_flag=True)
@_extent("--workers", "N", "Parts at a time; as many as cores by default.", type=POSITIVE)
@_output(
    "--out", "FOLDER", "The page, and what is finished; the same command goes on.", required=True
)
@_output("--readme", "FILE.md", "Also put a dozen rows between the markers of this page.")
@tables_or_json("Tables for people, or one JSON object.")
def reproduce(
    data: str,
    only: tuple[str, ...],
    quick: bool,
    workers: int | None,
    out: str,
    readme: str | None,
    form: str,
) -> int:
    """Run every benchmark without a model, and set what comes out beside what is printed.

    Five documents: AWARE-US, MapSatisfyBench, ClarQ-LLM, APEC-Travel and ProADA. A part that is
    finished is not run again, whatever stopped the command: until its data or this package change.
    """
    from .....bench.reproduce.headline import check_readme, fill_readme
    from .....bench.reproduce.outputs import write_outputs
    from .....bench.reproduce.run import Options
    from .....bench.reproduce.run import reproduce as run

    page = None if readme is None else Path(readme)
    if page is not None and (quick or only):
        raise QueryError("--readme with --quick or --only", hint="fill it by the whole run")
    if page is not None:
        check_readme(page)
    names = tuple(name.strip() for given in only for name in given.split(","))
    options = Options(Path(data), Path(out), quick, names, workers or 0)
    with stepping("running benchmarks") as stepped:
        report = run(options, stepped)
    for path in write_outputs(options.out, report):
        complain(f"wrote {path}")
    if page is not None:
        fill_readme(page, report)
        complain(f"wrote {page}")
    _show(report, form)
    return 0


def _show(report: Report, form: str) -> None:
    if form == "json":
        write_json(report.record())
        return
    from .....bench.reproduce.leaderboard import COUNTS, counts_of
    from .....rendering.terminal_table import Grid

    rows = [counts_of(tally) for tally in report.tallies()]
    write_tables(Grid("Five documents at work", COUNTS, rows, frozenset(COUNTS[1:])))
