"""`concede bench run`, `score` and `compare`: conversations held, and what their files say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from .catalogs.errors import QueryError, shown
from .cli_completion import complete_catalog, complete_file
from .cli_options import any_option as _option
from .cli_output import complain, counted, spinning, write_json, write_tables
from .cli_query import CatalogOptions, open_catalog
from .cli_weigh import complete_weighter

if TYPE_CHECKING:
    from .bench.aware_us.outcome import Outcome
    from .bench.aware_us.rows import Row

FORMATS = ("table", "json")
MAX_JOBS = 256

_argument = cast("Callable[..., Callable[[Any], Any]]", click.argument)  # pyright: ignore[reportUnknownMemberType] as above

_form = _option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    panel="Output",
    help="A table for people, or JSON.",
)
_draws = _option(
    "--resample-seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    panel="Output",
    metavar="N",
    help="Draws the samples of the 95 % intervals.",
)


def _several(name: str, field: str, metavar: str, help: str, **more: Any) -> Callable[[Any], Any]:
    return _option(name, field, multiple=True, panel="Held", metavar=metavar, help=help, **more)


@click.command("run")
@_option(
    "--data",
    metavar="DIR",
    panel="Data",
    shell_complete=complete_file,
    help="The folder of the published data.",
)
@_option(
    "--instances",
    metavar="FILE",
    panel="Data",
    shell_complete=complete_file,
    help="Instead: a file of bench generate, or of the same shape, with personas.",
)
@_option(
    "--catalog",
    metavar="FILE|sample:cars",
    panel="Data",
    shell_complete=complete_catalog,
    help="The catalog that the instances are about.",
)
@_option(
    "--split",
    type=click.Choice(("all", "train", "test")),
    default="all",
    show_default=True,
    panel="Data",
    help="Which instances of the published data.",
)
@_option("--setting", panel="Data", multiple=True, metavar="NAME", help="Only these: S1, S2, …")
@_option("--limit", type=click.IntRange(min=1), panel="Data", metavar="N", help="The first N.")
@_several(
    "--method",
    "methods",
    "NAME",
    "session (ours), formal-aware, formal-hao; any number of times, as all of these.",
)
@_several(
    "--weighter", "weighters", "NAME", "learned by default.", shell_complete=complete_weighter
)
@_several("--policy", "policies", "NAME", "fewest by default.")
@_several("--model", "models", "NAME", "Plays every part; also fake:FILE. None: offline parts.")
@_several("--seed", "seeds", "N", "0 by default; others ask in other orders.", type=int)
@_option("--base-url", panel="Models", metavar="URL", help="An OpenAI-compatible endpoint.")
@_option(
    "--record",
    panel="Models",
    metavar="FILE",
    shell_complete=complete_file,
    help="A cassette: replies are added to it, and taken from it first.",
)
@_option(
    "--jobs",
    type=click.IntRange(1, MAX_JOBS),
    default=1,
    show_default=True,
    panel="Models",
    metavar="N",
    help="Conversations held at once.",
)
@_option(
    "--out",
    required=True,
    panel="Output",
    metavar="RUN.jsonl",
    shell_complete=complete_file,
    help="The transcripts. Given again, the run goes on where it stopped.",
)
@_form
@_draws
def run_command(
    out: str, form: str, resample_seed: int, limit: int | None, setting: Sequence[str], **given: Any
) -> int:
    """Hold conversations on instances, every combination of what is given, and score them.

    Every event is written down when it happens; what is whole is never held again.
    """
    from .bench.aware_us.modes import Options
    from .bench.aware_us.runner import Asked, Settings, run
    from .bench.aware_us.scoring import score_rows

    options = Options(given["data"], given["instances"], given["split"])
    golds = [one for one in options.golds() if not setting or one.setting in setting][:limit]
    if not golds:
        raise QueryError(f"no instance of setting {', '.join(setting)}", hint="leave it out")
    asked = Asked(
        given["methods"] or ("session",),
        given["weighters"] or ("learned",),
        given["policies"] or ("fewest",),
        given["models"],
        given["seeds"] or (0,),
    )
    asked.combinations()
    with spinning("reading the catalog"):
        catalog = options.read(open_catalog(CatalogOptions(given["catalog"], None, (), "json")))
    settings = Settings(out, given["jobs"], given["base_url"], given["record"])
    held = run(catalog, golds, asked, settings, counted)
    complain(
        f"{out}: {held.new:,} conversations held, {len(held.outcomes) - held.new:,} were there"
    )
    if held.skipped:
        complain(f"left out {held.skipped:,} instances: their persona is withheld")
    if held.failed:
        complain(f"{held.failed:,} failed; the same command tries them again")
    _show(score_rows(held.outcomes, seed=resample_seed), form)
    return 0


def _kept(name: str, metavar: str, help: str, **more: Any) -> Callable[[Any], Any]:
    return _option(name, panel="Result", metavar=metavar, help=help, **more)


@click.command("score")
@_argument("runs", nargs=-1, required=True, metavar="RUN.jsonl")
@_kept("--result", "NAME", "Also keep the figures, and nothing of the data, under this name.")
@_kept("--out", "FILE.json", "Where; bench report reads it.", shell_complete=complete_file)
@_kept("--command", "TEXT", "How the run was held, as others would hold it.")
@_kept("--date", "YYYY-MM-DD", "When; today by default.", type=click.DateTime(["%Y-%m-%d"]))
@_form
@_draws
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
    from .bench.aware_us.scoring import read_outcomes, score_rows

    outcomes: list[Outcome] = []
    with spinning("reading"):
        for one in runs:
            outcomes.extend(read_outcomes(one))
    rows = score_rows(outcomes, seed=resample_seed)
    if result and out:
        from .bench.aware_us.scoring import keep_result

        day = f"{date or datetime.now(UTC):%Y-%m-%d}"
        keep_result(out, rows, name=result, runs=runs, command=command, date=day)
        complain(f"wrote {out}")
    _show(rows, form)
    return 0


def _show(rows: Sequence[Row], form: str) -> None:
    if form == "json":
        write_json([row.record() for row in rows])
        return
    from .bench.aware_us.tables import rows_tables

    write_tables(rows_tables(rows))


def _chosen(side: str) -> Callable[[Any], Any]:
    return _option(
        f"--{side}",
        multiple=True,
        panel="Which",
        metavar="LABEL=NAME",
        help=f"Of the {side} file only these episodes: weighter=learned, model=qwen, …",
    )


@click.command("compare")
@_argument("runs", nargs=2, metavar="A.jsonl B.jsonl")
@_chosen("first")
@_chosen("second")
@_form
@_draws
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
    from .bench.aware_us.scoring import compare_rows, read_outcomes

    with spinning("reading"):
        one = read_outcomes(runs[0], _labels(first))
        two = read_outcomes(runs[1], _labels(second))
    found = compare_rows(one, two, seed=resample_seed)
    if form == "json":
        write_json([one.record() for one in found])
        return 0
    from .bench.aware_us.tables import comparison_table

    names = (" ".join([Path(runs[0]).name, *first]), " ".join([Path(runs[1]).name, *second]))
    write_tables(comparison_table(found, *names))
    return 0


def _labels(chosen: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in chosen:
        name, sign, value = one.partition("=")
        if not sign or name not in ("setting", "model", "method", "weighter", "policy"):
            hint = "write model=, method=, weighter=, policy= or setting= and a name"
            raise QueryError(f"label {shown(one)}", hint=hint)
        found[name] = value
    return found
