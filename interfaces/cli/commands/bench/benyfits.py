"""`concede bench benyfits` and `benyfits-build`: eligibility by asking, and its data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from .....catalogs.errors import QueryError
from ...completion import complete_file
from ...model_options import chosen_model
from ...options import panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.benyfits.components import Components
    from .....bench.benyfits.published_data import BenyfitsData
    from .....dialogs.eligibility.decisions import Programs
    from .....dialogs.models.chat_model import ChatModel

DATASETS = ("diverse", "representative", "user_study")
PLANNERS = ("joint", "joint-topics", "published", "published-together")
METHODS = ("proada", "direct", "react", "random")
COMPONENTS = ("method", "planner", "style", "offline_user", "offline_parser")
STYLES = ("mixed", "short", "full")

_data, _part = panel_options("Data"), panel_options("Parts")
_output = panel_options("Output")

_DATA = _data(
    "--data",
    "DIR",
    "The folder of the data: households, programs, features, labels.",
    required=True,
    shell_complete=complete_file,
)
_CHECKERS = _data(
    "--checkers",
    "DIR",
    "Other checkers than those that ship: NAME.py files and keys.json.",
    shell_complete=complete_file,
)
_FORMAT = tables_or_json("Tables for people, or one JSON object.")
_SEED = seed_option("Draws what is drawn: wording, households, interval samples.")


@click.command("benyfits")
@_DATA
@_data("--dataset", None, "Which households.", type=click.Choice(DATASETS), default="diverse")
@_CHECKERS
@_part("--offline", None, "Without a model, whatever is set.", is_flag=True)
@_part(
    "--method",
    None,
    "Who decides: checkers (proada), a model alone (direct, react), or chance.",
    type=click.Choice(METHODS),
    default="proada",
)
@_part(
    "--planner",
    None,
    "With proada: the order of the questions.",
    type=click.Choice(PLANNERS),
    default="joint",
)
@_part("--model", "NAME", "The model that plays the person and reads the answers; also fake:FILE.")
@_part("--base-url", "URL", "The model's endpoint.")
@_part("--offline-user", None, "With a model: the person needs none.", is_flag=True)
@_part("--offline-parser", None, "With a model: answers are read without it.", is_flag=True)
@_part(
    "--style",
    None,
    "How the offline person talks: in few words, in sentences, or both.",
    type=click.Choice(STYLES),
    default="mixed",
)
@_output(
    "--transcripts",
    "DIR",
    "Write every conversation there, as it happens.",
    shell_complete=complete_file,
)
@_data(
    "--rescore",
    "DIR",
    "Hold no conversation: score those that --transcripts wrote.",
    shell_complete=complete_file,
)
@_output(
    "--predictions",
    "FILE",
    "Write one JSON line a pair: household, program, eligible.",
    shell_complete=complete_file,
)
@_SEED
@_FORMAT
def benyfits(data: str, dataset: str, form: str, seed: int, **given: Any) -> int:
    """Run BeNYfits: conversations that decide who is eligible for which benefits.

    Without a model (--offline) the checkers that ship decide, a simulated person answers in
    prose from each household's profile, and its words are read without a model. Where labels
    are withheld, only turns and predictions are left.
    """
    from .....bench.benyfits.components import recorded_programs
    from .....bench.benyfits.published_data import read_benyfits
    from .....bench.benyfits.report import report_of, write_predictions

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
        from .....bench.benyfits.tables import report_tables

        write_tables(report_tables(report))
    return 0


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)


def _dialogues(
    read: BenyfitsData, programs: Programs, dataset: str, seed: int, given: dict[str, Any]
) -> tuple[dict[str, Any], list[Any]]:
    from .....bench.benyfits.report import read_dialogues, run_conversations

    if given["rescore"]:
        if given["transcripts"]:
            raise QueryError("--rescore and --transcripts", hint="give one of them")
        dialogues = read_dialogues(Path(given["rescore"]), read)
        return {"dataset": dialogues[0].dataset, "method": dialogues[0].method}, dialogues
    components = _components(read, programs, seed, given)
    households = read.of(cast("Any", dataset))
    dialogues = run_conversations(components, households, counted, _path(given["transcripts"]))
    return {"dataset": dataset, **components.setting}, dialogues


def _components(
    read: BenyfitsData, programs: Programs, seed: int, given: dict[str, Any]
) -> Components:
    from .....bench.benyfits.components import Components

    return Components(
        read, programs, model=_model(given), seed=seed, **{name: given[name] for name in COMPONENTS}
    )


def _model(given: dict[str, Any]) -> ChatModel | None:
    if given["offline"]:
        return chosen_model(given)
    from .....dialogs.models import open_model

    return open_model(given["model"], base_url=given["base_url"])


@click.command("benyfits-build")
@_DATA
@_CHECKERS
@_data(
    "--households",
    "N",
    "How many are drawn; the document draws 10,000.",
    type=click.IntRange(min=1, max=100_000),
    default=1_000,
)
@_data(
    "--by",
    None,
    "Draw every value alike and numbers near the checkers' limits, or as in New York.",
    type=click.Choice(("uniform", "nyc")),
    default="uniform",
)
@_output(
    "--output",
    "FILE",
    "Write the kept households there, a JSON line each.",
    shell_complete=complete_file,
)
@_SEED
@_FORMAT
def benyfits_build(
    data: str, checkers: str | None, households: int, by: str, output: str | None, **given: Any
) -> int:
    """Build a data set by trace coverage: few households that run every line of the checkers."""
    from .....bench.benyfits.building import build, limits_of, write_built
    from .....bench.benyfits.components import recorded_programs
    from .....bench.benyfits.published_data import read_benyfits
    from .....bench.benyfits.sampling import Sampler

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
        from .....rendering.terminal_table import Grid

        rows = [(name.replace("_", " "), f"{value:,.6g}") for name, value in built.record().items()]
        write_tables(Grid("Built by trace coverage", ("", "count"), rows, frozenset(("count",))))
    return 0
