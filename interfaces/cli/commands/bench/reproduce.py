"""`concede bench reproduce`: every benchmark, and every printed figure beside what came out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import LimitError, QueryError
from ...options import POSITIVE, panel_options, tables_or_json
from ...output import complain, counted, spinning, stepping, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.reproduce.report import Report
    from .....bench.reproduce.run import Options

_data, _extent, _model, _output = map(panel_options, ("Data", "Extent", "Model", "Output"))


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
@_model("--model", "NAME", "Also put the roles of every benchmark on this model; also fake:FILE.")
@_model("--base-url", "URL", "Its OpenAI-compatible endpoint.")
@_model(
    "--max-tokens-total",
    "N",
    "The most tokens that the model may take, all runs into this folder together.",
    type=POSITIVE,
)
@_model("--estimate", None, "Only say about what that costs: no model is asked.", is_flag=True)
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
    **given: Any,
) -> int:
    """Run every benchmark without a model, and set what comes out beside what is printed.

    Five documents: AWARE-US, MapSatisfyBench, ClarQ-LLM, APEC-Travel and ProADA. A part that is
    finished is not run again, whatever stopped the command: until its data or this package change.
    With --model the replies are kept too, and cost nothing the next time.
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
    if given["estimate"]:
        return _estimate(options, form)
    if given["model"] is None and (given["base_url"] or given["max_tokens_total"]):
        raise QueryError("--base-url or --max-tokens-total without --model", hint="name the model")
    with stepping("running benchmarks") as stepped:
        report = run(options, stepped)
    for path in write_outputs(options.out, report):
        complain(f"wrote {path}")
    if page is not None:
        fill_readme(page, report)
        complain(f"wrote {page}")
    if given["model"] is not None:
        report = _on_model(report, options, given)
    _show(report, form)
    return LimitError.exit_code if report.on_model and report.on_model.stopped else 0


def _on_model(report: Report, options: Options, given: dict[str, Any]) -> Report:
    """Return the report with the roles on a model; what it costs, about, is said before."""
    from .....bench.reproduce.on_model import estimates, on_model
    from .....bench.reproduce.outputs import write_outputs

    with spinning("estimating"):
        tokens = sum(each.tokens for each in estimates(options.data, options.only, options.quick))
    cap = given["max_tokens_total"]
    complain(
        f"about {tokens:,} tokens on {given['model']}, what is kept from earlier runs included; "
        + (f"no more than {cap:,} are taken" if cap else "--max-tokens-total N sets a limit")
    )
    more = on_model(
        options.data, options.out, options.only, options.quick, counted, given["model"],
        base_url=given["base_url"], max_tokens_total=cap,
    )  # fmt: skip
    report = replace(report, on_model=more)
    write_outputs(options.out, report)
    if more.stopped:
        complain(more.stopped)
    return report


def _estimate(options: Options, form: str) -> int:
    from .....bench.reproduce.on_model import estimates
    from .....rendering.terminal_table import Grid

    with spinning("estimating"):
        costs = estimates(options.data, options.only, options.quick)
    total = sum(each.tokens for each in costs)
    if form == "json":
        write_json({"benchmarks": [each.record() for each in costs], "tokens": total})
        return 0
    heads = ("benchmark", "episodes", "calls", "prompt tokens", "tokens of replies")
    rows = [
        (each.benchmark, *(f"{count:,}" for count in (
            each.episodes, each.calls, each.prompt_tokens, each.completion_tokens)))
        for each in costs
    ]  # fmt: skip
    write_tables(Grid(f"About {total:,} tokens", heads, rows, frozenset(heads[1:])))
    return 0


def _show(report: Report, form: str) -> None:
    if form == "json":
        write_json(report.record())
        return
    from .....bench.reproduce.leaderboard import COUNTS, counts_of
    from .....rendering.terminal_table import Grid

    rows = [counts_of(tally) for tally in report.tallies()]
    write_tables(Grid("Five documents at work", COUNTS, rows, frozenset(COUNTS[1:])))
