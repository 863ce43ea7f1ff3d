"""`concede bench serve`: the service under load, alone and while a writer changes its catalog."""

from __future__ import annotations

from typing import Any

import rich_click as click

from .cli_options import any_option as _option
from .cli_output import counted, write_json, write_tables


@click.command("serve")
@_option(
    "--rows",
    type=int,
    default=1_000_000,
    show_default=True,
    panel="Load",
    metavar="N",
    help="Items in the catalog.",
)
@_option(
    "--rate",
    "rates",
    type=float,
    multiple=True,
    panel="Load",
    metavar="R",
    help="Questions a second, any number of times (100, 200, 400 if not given).",
)
@_option(
    "--seconds",
    type=float,
    default=10.0,
    show_default=True,
    panel="Load",
    metavar="S",
    help="How long each rate is kept.",
)
@_option(
    "--warm-up",
    type=float,
    default=5.0,
    show_default=True,
    panel="Load",
    metavar="S",
    help="Seconds of the same before that, told apart: questions are new then.",
)
@_option(
    "--arrivals",
    type=click.Choice(("poisson", "fixed")),
    default="poisson",
    show_default=True,
    panel="Load",
    help="At random, or evenly spaced.",
)
@_option(
    "--distinct",
    type=click.IntRange(min=1),
    default=2_000,
    show_default=True,
    panel="Load",
    metavar="N",
    help="Different questions in each run, asked again and again.",
)
@_option(
    "--popularity",
    type=click.Choice(("zipf", "uniform")),
    default="zipf",
    show_default=True,
    panel="Load",
    help="Few questions asked often and many seldom, or all alike.",
)
@_option(
    "--repeats",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    panel="Load",
    metavar="N",
    help="Runs of each rate; the one with the least p99 is shown.",
)
@_option("--seed", type=int, default=7, show_default=True, panel="Load", help="Draws everything.")
@_option(
    "--writer",
    is_flag=True,
    panel="Writer",
    help="Then again while rows are upserted and the catalog is swapped.",
)
@_option(
    "--upserts",
    "rows_a_second",
    type=click.IntRange(min=1),
    default=1_000,
    show_default=True,
    panel="Writer",
    metavar="N",
    help="Rows upserted a second.",
)
@_option(
    "--batches",
    "batches_a_second",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    panel="Writer",
    metavar="N",
    help="Requests a second that those rows come in; each makes a version.",
)
@_option(
    "--swap-every",
    "swap_seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    panel="Writer",
    metavar="S",
    help="Seconds between swaps.",
)
@_option(
    "--plot",
    panel="Output",
    metavar="FILE",
    help="Also draw latency by rate there; needs matplotlib (extra bench).",
)
@_option(
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    panel="Output",
    help="Tables for people, or one JSON value.",
)
def serve(form: str, plot: str | None, rates: tuple[float, ...], **given: Any) -> int:
    """Put the service under load; every answer is judged by the version it names.

    Starts `concede serve` on one core over made-up items and asks it from another, in an open
    loop: latency counts from the time a question is due. Exit code 1 if an answer was wrong,
    failed or lost.
    """
    from .bench.serving.run import RATES, Options, run_serving

    if plot is not None:
        from .bench.serving.plot import check_plot

        check_plot(plot)
    report = run_serving(Options(rates=rates or RATES, **given), counted)
    if form == "json":
        write_json(report.model_dump(mode="json"))
    else:
        from .bench.serving.terminal import serving_tables

        write_tables(serving_tables(report))
    if plot is not None:
        from .bench.serving.plot import write_plot

        write_plot(report, plot)
    return 0 if report.clean else 1
