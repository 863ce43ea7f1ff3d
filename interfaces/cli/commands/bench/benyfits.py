"""`concede bench benyfits` and `benyfits-build`: eligibility by asking, and its data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from .....catalogs.errors import QueryError
from ...at_terminal import hear, say
from ...options import POSITIVE, chosen_model, panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.benyfits.components import Components
    from .....bench.benyfits.published_data import BenyfitsData
    from .....bench.benyfits.records import Household
    from .....bench.benyfits.report import Report
    from .....dialogs.eligibility.decisions.program import Programs
    from .....dialogs.models.chat_model import ChatModel

DATASETS = ("diverse", "representative", "user_study")
PLANNERS = ("joint", "joint-topics", "published", "published-together")
AGENTS = ("checkers", "person")
METHODS = ("proada", "direct", "react", "random")
COMPONENTS = ("method", "planner", "style", "offline_user", "offline_parser")
MAX_TRIALS = 100
STYLES = ("mixed", "short", "full")

_data, _part = panel_options("Data"), panel_options("Parts")
_output = panel_options("Output")

_DATA = _data(
    "--data",
    "DIR",
    "The folder of the data: households, programs, features, labels.",
    required=True,
)
_CHECKERS = _data(
    "--checkers", "DIR", "Other checkers than those that ship: NAME.py files and keys.json."
)
_FORMAT = tables_or_json("Tables for people, or one JSON object.")
_SEED = seed_option("Draws what is drawn: wording, households, interval samples.")


@click.command("benyfits")
@_DATA
@_data("--dataset", None, "Which households.", type=click.Choice(DATASETS), default="diverse")
@_CHECKERS
@_data(
    "--pairs",
    "N",
    "Only so many pairs of a household and a program, whole households drawn by --seed; "
    "39 with --agent person.",
    type=POSITIVE,
)
@_part(
    "--agent",
    None,
    "Who asks and decides: --method, or a person at this terminal (needs --transcripts).",
    type=click.Choice(AGENTS),
    default="checkers",
)
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
@_part(
    "--trials",
    "N",
    "Hold every conversation so often, with the seeds from --seed on; figures are their means.",
    type=click.IntRange(1, MAX_TRIALS),
    default=1,
)
@_output("--transcripts", "DIR", "Write every conversation there, as it happens.")
@_data("--rescore", "DIR", "Hold no conversation: score those that --transcripts wrote.")
@_output("--predictions", "FILE", "Write one JSON line a pair: household, program, eligible.")
@_SEED
@_FORMAT
def benyfits(data: str, dataset: str, form: str, seed: int, **given: Any) -> int:
    """Run BeNYfits: conversations that decide who is eligible for which benefits.

    Without a model (--offline) the checkers that ship decide, a simulated person answers in
    prose from each household's profile, and its words are read without a model. Where labels
    are withheld, only turns and predictions are left.

    A person's session can be stopped at any moment; the same command goes on with it.
    """
    from .....bench.benyfits.components import recorded_programs
    from .....bench.benyfits.published_data import read_benyfits
    from .....bench.benyfits.report import report_of, write_predictions

    with spinning("reading the data"):
        read = read_benyfits(data)
        programs = recorded_programs(read, _path(given["checkers"]))
    runs = _runs(read, programs, dataset, seed, given)
    reports = [
        report_of(dialogues, read, programs, setting, seed=seed) for setting, dialogues in runs
    ]
    if given["predictions"]:
        write_predictions(Path(given["predictions"]), reports[0].dialogues)
        complain(f"wrote {given['predictions']}")
    _show(reports, read, seed, form)
    return 0


def _show(reports: list[Report], read: BenyfitsData, seed: int, form: str) -> None:
    from .....bench.benyfits.tables import report_tables, trials_table
    from .....bench.benyfits.trials import trials_of

    if len(reports) > 1:
        trials = trials_of(reports, read.labels, seed=seed)
        if form == "json":
            write_json(trials.record())
        else:
            write_tables(trials_table(trials))
    elif reports and form == "json":
        write_json(reports[0].record())
    elif reports:
        write_tables(report_tables(reports[0]))


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)


Run = tuple[dict[str, Any], list[Any]]
"""The setting of a run, and its conversations."""


def _runs(
    read: BenyfitsData, programs: Programs, dataset: str, seed: int, given: dict[str, Any]
) -> list[Run]:
    from .....bench.benyfits.person_session import STUDY_PAIRS, study_households
    from .....bench.benyfits.trials import trial_folders

    folder, person = _path(given["transcripts"]), given["agent"] == "person"
    if person and folder is None and not given["rescore"]:
        raise QueryError("a person's session needs a folder", hint="give --transcripts DIR")
    if person and given["trials"] > 1:
        raise QueryError("--trials with --agent person", hint="hold each in a folder of its own")
    if given["rescore"]:
        if folder is not None:
            raise QueryError("--rescore and --transcripts", hint="give one of them")
        return [_read(path, read) for path in trial_folders(Path(given["rescore"]))]
    households = read.of(cast("Any", dataset))
    pairs = given["pairs"] or (STUDY_PAIRS if person and dataset == "diverse" else None)
    if pairs:
        households = study_households(households, pairs, seed)
    if person and folder is not None:
        return _with_person(_components(read, programs, seed, given), dataset, households, folder)
    trials = given["trials"]
    return [
        _held(
            _components(read, programs, seed + at, given),
            dataset,
            households,
            folder / f"trial-{at + 1}" if folder and trials > 1 else folder,
        )
        for at in range(trials)
    ]


def _read(folder: Path, read: BenyfitsData) -> Run:
    from .....bench.benyfits.report import read_dialogues

    dialogues = read_dialogues(folder, read)
    return {"dataset": dialogues[0].dataset, "method": dialogues[0].method}, dialogues


def _held(
    components: Components, dataset: str, households: Sequence[Household], folder: Path | None
) -> Run:
    from .....bench.benyfits.report import run_conversations

    dialogues = run_conversations(components, households, counted, folder)
    return {"dataset": dataset, **components.setting}, dialogues


def _with_person(
    components: Components, dataset: str, households: Sequence[Household], folder: Path
) -> list[Run]:
    """Hold a session; nothing to show where no household is decided yet."""
    from .....bench.benyfits.person_session import hold_session

    dialogues, whole = hold_session(components, households, folder, say, hear)
    if not whole:
        pairs = sum(len(household.targets) for household in households)
        done = sum(len(dialogue.decisions) for dialogue in dialogues)
        complain(f"stopped at {done} of {pairs} pairs; the same command goes on")
    return [({"dataset": dataset, **components.setting}, dialogues)] if dialogues else []


def _components(
    read: BenyfitsData, programs: Programs, seed: int, given: dict[str, Any]
) -> Components:
    from .....bench.benyfits.components import Components
    from .....bench.benyfits.trials import SeededModel

    chosen = {name: given[name] for name in COMPONENTS}
    if given["agent"] == "person":
        chosen["method"] = "person"
    model = _model(given)
    if model is not None and given["trials"] > 1:
        model = SeededModel(model, seed)
    return Components(read, programs, model=model, seed=seed, **chosen)


def _model(given: dict[str, Any]) -> ChatModel | None:
    if given["offline"]:
        return chosen_model(given)
    from .....dialogs.models.opening import open_model

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
@_output("--output", "FILE", "Write the kept households there, a JSON line each.")
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
