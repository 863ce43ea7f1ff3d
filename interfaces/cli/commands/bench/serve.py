"""`concede bench serve`: the service under load, alone and beside a writer."""

from __future__ import annotations

from typing import Any

import rich_click as click

from ...options import ABOVE_ZERO, POSITIVE, panel_options, tables_or_json
from ...output import counted, write_json, write_tables

_load, _writer, _trials = map(panel_options, ("Load", "Writer", "Other trials"))

ARRIVALS = click.Choice(("poisson", "fixed"))


@click.command("serve")
@_load("--rows", "N", "Items in the catalog.", type=int, default=1_000_000)
@_load(
    "--rate",
    "R",
    "Questions a second, any number of times (100, 200, 400 if not given).",
    "rates",
    type=float,
    multiple=True,
)
@_load("--seconds", "S", "How long each rate is kept.", type=float, default=10.0)
@_load(
    "--warm-up",
    "S",
    "Seconds of the same before that, told apart: questions are new then.",
    type=float,
    default=5.0,
)
@_load("--arrivals", None, "At random, or evenly spaced.", type=ARRIVALS, default="poisson")
@_load(
    "--distinct",
    "N",
    "Different questions in each run, asked again and again.",
    type=POSITIVE,
    default=2_000,
)
@_load(
    "--popularity",
    None,
    "Few questions asked often and many seldom, or all alike.",
    type=click.Choice(("zipf", "uniform")),
    default="zipf",
)
@_load(
    "--repeats",
    "N",
    "Runs of each rate; the one with the least p99 is shown.",
    type=POSITIVE,
    default=1,
)
@_load("--seed", None, "Draws everything.", type=int, default=7)
@_writer(
    "--writer", None, "Then again while rows are upserted and the catalog is swapped.", is_flag=True
)
@_writer("--upserts", "N", "Rows upserted a second.", "rows_a_second", type=POSITIVE, default=1_000)
@_writer(
    "--batches",
    "N",
    "Requests a second that those rows come in; each makes a version.",
    "batches_a_second",
    type=ABOVE_ZERO,
    default=1.0,
)
@_writer(
    "--swap-every", "S", "Seconds between swaps.", "swap_seconds", type=ABOVE_ZERO, default=10.0
)
@_writer(
    "--stale-while-revalidate",
    "SECONDS",
    "What the service is started with: how old an answer may be while others wait.",
    "stale_seconds",
    type=click.IntRange(0, 3_600),
    default=0,
)
@_trials(
    "--rival",
    None,
    "Instead: one worker, two, and plain FastAPI + DuckDB services, asked in turn; by processor "
    "time. --repeats is the rounds, --seconds what each takes.",
    is_flag=True,
)
@_trials(
    "--consistency",
    None,
    "Instead: a client reads what it wrote beside 8 and 32 others, a twin outside judges readers "
    "beside a writer, with one worker and two; and processes are killed.",
    is_flag=True,
)
@_trials("--reads", "N", "Own writes read, beside so many others each.", type=POSITIVE, default=500)
@_trials("--kills", "N", "Processes killed with -9.", type=POSITIVE, default=50)
@panel_options("Output")(
    "--plot", "FILE", "Also draw latency by rate there; needs matplotlib (extra bench)."
)
@tables_or_json("Tables for people, or one JSON value.")
def serve(
    form: str,
    plot: str | None,
    rates: tuple[float, ...],
    reads: int,
    kills: int,
    *,
    rival: bool,
    consistency: bool,
    **given: Any,
) -> int:
    """Put the service under load; every answer is judged by the version it names.

    Starts `concede serve` on one core over made-up items and asks it from another, in an open
    loop: latency counts from the time a question is due. Exit code 1 if an answer was wrong,
    failed or lost.
    """
    from .....bench.serving.run import RATES, Options, run_serving

    if rival:
        return _beside_rivals(form, given["rows"], given["seconds"], given["repeats"])
    if consistency:
        return _consistency(form, given["rows"], reads, kills)
    if plot is not None:
        from .....bench.serving.plot import check_plot

        check_plot(plot)
    report = run_serving(Options(rates=rates or RATES, **given), counted)
    if form == "json":
        write_json(report.model_dump(mode="json"))
    else:
        from .....bench.serving.terminal import serving_tables

        write_tables(serving_tables(report))
    if plot is not None:
        from .....bench.serving.plot import write_plot

        write_plot(report, plot)
    return 0 if report.clean else 1


def _beside_rivals(form: str, rows: int, seconds: float, rounds: int) -> int:
    """Tell questions a core-second of our service and of plain ones; 1 if any failed."""
    from dataclasses import asdict

    from .....bench.serving.comparison import compare

    measured = compare(rows, seconds, rounds, counted)
    if form == "json":
        write_json([asdict(each) for each in measured])
    else:
        from .....bench.serving.terminal import comparison_tables

        write_tables(comparison_tables(rows, measured))
    return 1 if any(each.failed or each.stale for each in measured) else 0


def _consistency(form: str, rows: int, reads: int, kills: int) -> int:
    """Try own writes, a twin outside and kills; 1 if anything was stale, wrong or lost."""
    from dataclasses import asdict

    from .....bench.serving.consistency import try_consistency

    seen = try_consistency(rows, reads, kills, counted)
    if form == "json":
        write_json(asdict(seen))
    else:
        from .....bench.serving.terminal import consistency_tables

        write_tables(consistency_tables(seen))
    return 0 if seen.clean else 1
