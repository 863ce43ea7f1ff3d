"""`concede bench benyfits`: who is eligible for what, found out by asking."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from .catalogs.errors import QueryError
from .cli_completion import complete_file
from .cli_options import any_option as _option
from .cli_output import complain, counted, spinning, write_json, write_tables

if TYPE_CHECKING:
    from .bench.benyfits.parts import Parts
    from .bench.benyfits.published_data import BenyfitsData
    from .dialogs.decisions import Programs
    from .dialogs.models.chat_model import ChatModel

DATASETS = ("diverse", "representative", "user_study")
PLANNERS = ("joint", "joint-topics", "published", "published-together")
METHODS = ("proada", "direct", "react", "random")
STYLES = ("mixed", "short", "full")
FORMATS = ("table", "json")


_DATA = _option(
    "--data",
    required=True,
    metavar="DIR",
    panel="Data",
    shell_complete=complete_file,
    help="The folder of the data: households, programs, features, labels.",
)
_CHECKERS = _option(
    "--checkers",
    metavar="DIR",
    panel="Data",
    shell_complete=complete_file,
    help="Other checkers than those that ship: NAME.py files and keys.json.",
)
_FORMAT = _option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    panel="Output",
    help="Tables for people, or one JSON object.",
)
_SEED = _option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    panel="Output",
    metavar="N",
    help="Draws what is drawn: wording, households, interval samples.",
)


@click.command("benyfits")
@_DATA
@_option(
    "--dataset",
    type=click.Choice(DATASETS),
    default="diverse",
    show_default=True,
    panel="Data",
    help="Which households.",
)
@_CHECKERS
@_option("--offline", is_flag=True, panel="Parts", help="Without a model, whatever is set.")
@_option(
    "--method",
    type=click.Choice(METHODS),
    default="proada",
    show_default=True,
    panel="Parts",
    help="Who decides: checkers (proada), a model alone (direct, react), or chance.",
)
@_option(
    "--planner",
    type=click.Choice(PLANNERS),
    default="joint",
    show_default=True,
    panel="Parts",
    help="With proada: the order of the questions.",
)
@_option(
    "--model",
    metavar="NAME",
    panel="Parts",
    help="The model that plays the person and reads the answers; also fake:FILE.",
)
@_option("--base-url", metavar="URL", panel="Parts", help="The model's endpoint.")
@_option("--offline-user", is_flag=True, panel="Parts", help="With a model: the person needs none.")
@_option(
    "--offline-parser",
    is_flag=True,
    panel="Parts",
    help="With a model: answers are read without it.",
)
@_option(
    "--style",
    type=click.Choice(STYLES),
    default="mixed",
    show_default=True,
    panel="Parts",
    help="How the offline person talks: in few words, in sentences, or both.",
)
@_option(
    "--transcripts",
    metavar="DIR",
    panel="Output",
    shell_complete=complete_file,
    help="Write every conversation there, as it happens.",
)
@_option(
    "--rescore",
    metavar="DIR",
    panel="Data",
    shell_complete=complete_file,
    help="Hold no conversation: score those that --transcripts wrote.",
)
@_option(
    "--predictions",
    metavar="FILE",
    panel="Output",
    shell_complete=complete_file,
    help="Write one JSON line a pair: household, program, eligible.",
)
@_SEED
@_FORMAT
def benyfits(data: str, dataset: str, form: str, seed: int, **given: Any) -> int:
    """Run BeNYfits: conversations that decide who is eligible for which benefits.

    Without a model (--offline) the checkers that ship decide, a simulated person answers in
    prose from each household's profile, and its words are read without a model. Where labels
    are withheld, only turns and predictions are left.
    """
    from .bench.benyfits.parts import recorded_programs
    from .bench.benyfits.published_data import read_benyfits
    from .bench.benyfits.report import report_of, write_predictions

    with spinning("reading the data"):
        read = read_benyfits(data)
        programs = recorded_programs(read, _path(given["checkers"]))
    setting, dialogues = _dialogues(read, programs, dataset, seed, given)
    report = report_of(dialogues, read, programs, setting, seed=seed)
    if given["predictions"]:
        write_predictions(Path(given["predictions"]), dialogues)
        complain(f"wrote {given['predictions']}")
    if form == "json":
        write_json(report.record())
    else:
        from .bench.benyfits.tables import report_tables

        write_tables(report_tables(report))
    return 0


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)


def _dialogues(
    read: BenyfitsData, programs: Programs, dataset: str, seed: int, given: dict[str, Any]
) -> tuple[dict[str, Any], list[Any]]:
    from .bench.benyfits.report import held, read_dialogues

    if given["rescore"]:
        if given["transcripts"]:
            raise QueryError("--rescore and --transcripts", hint="give one of them")
        found = read_dialogues(Path(given["rescore"]), read)
        return {"dataset": found[0].dataset, "method": found[0].method}, found
    parts = _parts(read, programs, seed, given)
    households = read.of(cast("Any", dataset))
    found = held(parts, households, counted, _path(given["transcripts"]))
    return {"dataset": dataset, **parts.setting}, found


def _parts(read: BenyfitsData, programs: Programs, seed: int, given: dict[str, Any]) -> Parts:
    from .bench.benyfits.parts import Parts

    return Parts(
        read,
        programs,
        method=given["method"],
        planner=given["planner"],
        model=_model(given),
        seed=seed,
        style=given["style"],
        offline_user=given["offline_user"],
        offline_parser=given["offline_parser"],
    )


def _model(given: dict[str, Any]) -> ChatModel | None:
    if given["offline"]:
        if given["model"] or given["base_url"]:
            raise QueryError("--offline and --model given", hint="give one of them")
        return None
    from .dialogs.models import open_model

    return open_model(given["model"], base_url=given["base_url"])


@click.command("benyfits-build")
@_DATA
@_CHECKERS
@_option(
    "--households",
    type=click.IntRange(min=1, max=100_000),
    default=1_000,
    show_default=True,
    panel="Data",
    metavar="N",
    help="How many are drawn; the document draws 10,000.",
)
@_option(
    "--by",
    type=click.Choice(("uniform", "nyc")),
    default="uniform",
    show_default=True,
    panel="Data",
    help="Draw every value alike and numbers near the checkers' limits, or as in New York.",
)
@_option(
    "--output",
    metavar="FILE",
    panel="Output",
    shell_complete=complete_file,
    help="Write the kept households there, a JSON line each.",
)
@_SEED
@_FORMAT
def benyfits_build(
    data: str, checkers: str | None, households: int, by: str, output: str | None, **given: Any
) -> int:
    """Build a data set by trace coverage: few households that run every line of the checkers."""
    from .bench.benyfits.building import build, limits_of, write_built
    from .bench.benyfits.parts import recorded_programs
    from .bench.benyfits.published_data import read_benyfits
    from .bench.benyfits.sampling import Sampler

    read = read_benyfits(data)
    programs = recorded_programs(read, _path(checkers))
    sampler = Sampler(read.features, cast("Any", by), limits_of(programs, programs.keys))
    with spinning("drawing households"):
        drawn = sampler.households(households, given["seed"])
    built = build(drawn, programs, read.features, counted)
    if output:
        write_built(Path(output), built)
        complain(f"wrote {output}")
    if given["form"] == "json":
        write_json(built.record())
    else:
        from .engine.grid import Grid

        rows = [(name.replace("_", " "), f"{value:,.6g}") for name, value in built.record().items()]
        write_tables(Grid("Built by trace coverage", ("", "count"), rows, frozenset(("count",))))
    return 0
