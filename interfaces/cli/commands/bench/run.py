"""`concede bench run`, `score` and `compare`: run conversations, and score their transcripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError, excerpt
from ...completion import complete_weighter
from ...options import (
    POSITIVE,
    any_argument,
    instance_options,
    panel_options,
    resample_seed_option,
    tables_or_json,
)
from ...output import complain, counted, spinning, write_json, write_tables
from ...query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from .....bench.aware_us.outcome import Outcome
    from .....bench.aware_us.rows import Row

MAX_JOBS = 256

_data, _models = panel_options("Data"), panel_options("Models")
_held, _result = panel_options("Held"), panel_options("Result")
_form = tables_or_json("A table for people, or JSON.")


@click.command("run")
@instance_options(
    "The folder of the published data.",
    "Instead: a file of bench generate, or of the same shape, with personas.",
)
@_data("--setting", "NAME", "Only these: S1, S2, …", multiple=True)
@_data("--limit", "N", "The first N.", type=POSITIVE)
@_held(
    "--method",
    "NAME",
    "session (ours), formal-aware, formal-hao; any number of times, as all of these.",
    "methods",
    multiple=True,
)
@_held(
    "--weighter",
    "NAME",
    "learned by default.",
    "weighters",
    multiple=True,
    shell_complete=complete_weighter,
)
@_held("--policy", "NAME", "fewest by default.", "policies", multiple=True)
@_held(
    "--model",
    "NAME",
    "Plays every part; also fake:FILE. None: offline parts.",
    "models",
    multiple=True,
)
@_held("--seed", "N", "0 by default; others ask in other orders.", "seeds", multiple=True, type=int)
@_models("--base-url", "URL", "An OpenAI-compatible endpoint.")
@_models("--record", "FILE", "A cassette: replies are added to it, and taken from it first.")
@_models("--jobs", "N", "Conversations held at once.", type=click.IntRange(1, MAX_JOBS), default=1)
@panel_options("Output")(
    "--out",
    "RUN.jsonl",
    "The transcripts. Given again, the run goes on where it stopped.",
    required=True,
)
@_form
@resample_seed_option
def run_command(
    out: str, form: str, resample_seed: int, limit: int | None, setting: Sequence[str], **given: Any
) -> int:
    """Hold conversations on instances, every combination of what is given, and score them.

    Every event is written down when it happens; what is whole is never held again.
    """
    from .....bench.aware_us.modes import Options
    from .....bench.aware_us.runner import RunMatrix, RunSettings, run
    from .....bench.aware_us.scoring import score_rows
    from .....bench.fine_tuning.measured_models import check_model

    options = Options(given["data"], given["instances"], given["split"])
    golds = [gold for gold in options.golds() if not setting or gold.setting in setting][:limit]
    if not golds:
        raise QueryError(f"no instance of setting {', '.join(setting)}", hint="leave it out")
    matrix = RunMatrix(
        given["methods"] or ("session",),
        given["weighters"] or ("learned",),
        given["policies"] or ("fewest",),
        given["models"],
        given["seeds"] or (0,),
    )
    matrix.combinations()
    for model in given["models"]:
        check_model(model, golds)
    with spinning("reading the catalog"):
        catalog = options.read(open_catalog(CatalogOptions(given["catalog"], None, (), "json")))
    settings = RunSettings(out, given["jobs"], given["base_url"], given["record"])
    result = run(catalog, golds, matrix, settings, counted)
    already = len(result.outcomes) - result.new
    complain(f"{out}: {result.new:,} conversations held, {already:,} were there")
    if result.skipped:
        complain(f"left out {result.skipped:,} instances: their persona is withheld")
    if result.failed:
        complain(f"{result.failed:,} failed; the same command tries them again")
    _show(score_rows(result.outcomes, seed=resample_seed), form)
    return 0


@click.command("score")
@any_argument("runs", nargs=-1, required=True, metavar="RUN.jsonl")
@_result("--result", "NAME", "Also keep the figures, and nothing of the data, under this name.")
@_result("--out", "FILE.json", "Where; bench report reads it.")
@_result("--command", "TEXT", "How the run was held, as others would hold it.")
@_result("--date", "YYYY-MM-DD", "When; today by default.", type=click.DateTime(["%Y-%m-%d"]))
@_form
@resample_seed_option
def score(
    runs: Sequence[str],
    form: str,
    resample_seed: int,
    result: str | None,
    out: str | None,
    command: str | None,
    date: datetime | None,
) -> int:
    """Compute the metrics of runs from their transcripts alone.

    Several files count as one run. Repeated runs of an instance also give pass^k.
    """
    if (not result and (out or command or date)) or (result and not out):
        raise QueryError("a result needs a name and a file", hint="give --result and --out")
    from .....bench.aware_us.scoring import read_outcomes, score_rows

    outcomes: list[Outcome] = []
    with spinning("reading"):
        for path in runs:
            outcomes.extend(read_outcomes(path))
    rows = score_rows(outcomes, seed=resample_seed)
    if result and out:
        from .....bench.aware_us.scoring import keep_result

        day = f"{date or datetime.now(UTC):%Y-%m-%d}"
        keep_result(out, rows, name=result, runs=runs, command=command, date=day)
        complain(f"wrote {out}")
    _show(rows, form)
    return 0


def _show(rows: Sequence[Row], form: str) -> None:
    if form == "json":
        write_json([row.record() for row in rows])
        return
    from .....bench.aware_us.tables import rows_tables

    write_tables(rows_tables(rows))


def _chosen(side: str) -> Callable[[Any], Any]:
    help = f"Of the {side} file only these episodes: weighter=learned, model=qwen, …"
    return panel_options("Which")(f"--{side}", "LABEL=NAME", help, multiple=True)


@click.command("compare")
@any_argument("runs", nargs=2, metavar="A.jsonl B.jsonl")
@_chosen("first")
@_chosen("second")
@_form
@resample_seed_option
def compare(
    runs: tuple[str, str],
    first: Sequence[str],
    second: Sequence[str],
    form: str,
    resample_seed: int,
) -> int:
    """Compare two runs on the instances both have: the second less the first.

    Intervals are of the paired bootstrap, p is of McNemar's exact test. Both may be the same
    file, of which --first and --second choose.
    """
    from .....bench.aware_us.scoring import compare_rows, read_outcomes

    with spinning("reading"):
        before = read_outcomes(runs[0], _labels(first))
        after = read_outcomes(runs[1], _labels(second))
    rows = compare_rows(before, after, seed=resample_seed)
    if form == "json":
        write_json([row.record() for row in rows])
        return 0
    from .....bench.aware_us.tables import comparison_table

    names = (" ".join([Path(runs[0]).name, *first]), " ".join([Path(runs[1]).name, *second]))
    write_tables(comparison_table(rows, *names))
    return 0


def _labels(chosen: Sequence[str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for label in chosen:
        name, sign, value = label.partition("=")
        if not sign or name not in ("setting", "model", "method", "weighter", "policy"):
            hint = "write model=, method=, weighter=, policy= or setting= and a name"
            raise QueryError(f"label {excerpt(label)}", hint=hint)
        labels[name] = value
    return labels
