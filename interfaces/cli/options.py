"""The options of the command line: names, help texts, and the panels they stand in."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

import rich_click as click

from ...catalogs.errors import QueryError
from .completion import complete_catalog, complete_column, complete_file, complete_solver

if TYPE_CHECKING:
    from ...dialogs.models.chat_model import ChatModel

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]

POLICIES = ("single", "cumulative", "fewest", "least-weight", "closest", "priority")
RANKS = ("score", "near")
FORMATS = ("table", "json", "ndjson")
SHELLS = ("bash", "zsh", "fish")

POSITIVE, NOT_NEGATIVE = click.IntRange(min=1), click.IntRange(min=0)
PORT = click.IntRange(0, 65_535)
ABOVE_ZERO = click.FloatRange(min=0, min_open=True)
PATHS = ("FILE", "DIR", "FOLDER", "RUN.jsonl", "REPORT.html")
"""How the metavar of an option begins that shells complete with files."""

any_option = cast("Callable[..., Decorator]", click.option)  # pyright: ignore[reportUnknownMemberType] rich-click leaves a type argument open
any_argument = cast("Callable[..., Decorator]", click.argument)  # pyright: ignore[reportUnknownMemberType] as above

_click_version = cast("Callable[..., Decorator]", click.version_option)  # pyright: ignore[reportUnknownMemberType] as above


def panel_options(panel: str) -> Callable[..., Decorator]:
    """Return a function that makes the options of a panel: name, metavar, help, field and more.

    The help shows a default. A metavar that begins as in `PATHS` is completed with files.
    """

    def option(
        name: str, metavar: str | None, help: str | None, field: str | None = None, **more: Any
    ) -> Decorator:
        if metavar is not None and metavar.startswith(PATHS):
            more.setdefault("shell_complete", complete_file)
        names = (name,) if field is None else (name, field)
        more.setdefault("show_default", more.get("default") is not None)
        return any_option(*names, metavar=metavar, help=help, panel=panel, **more)

    return option


def _together(*options: Decorator) -> Callable[[Command], Command]:
    """Return one decorator that adds all the options, in order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


_catalog, _query, _preferences = map(panel_options, ("Catalog", "Query", "Preferences"))
_search, _output, _models = map(panel_options, ("Search", "Output", "Models"))


def _columns(name: str, field: str, metavar: str, help: str) -> Decorator:
    """Return a preference that names a column, any number of times."""
    return _preferences(name, metavar, help, field, multiple=True, shell_complete=complete_column)


def _catalog_option(panel: str, help: str) -> Decorator:
    return panel_options(panel)(
        "--catalog", "FILE|sample:cars", help, shell_complete=complete_catalog
    )


def table_options(panel: str) -> Callable[[Command], Command]:
    """Return a decorator that adds how a file is read as a table."""
    option, digits = panel_options(panel), "Read a column of digits as text, such as a postal code."
    return _together(
        option("--table", "NAME", "The table of a .duckdb file."),
        option("--as-text", "COLUMN", digits, multiple=True),
    )


def place_options(panel: str) -> Callable[[Command], Command]:
    """Return a decorator that adds which columns say where something is, and when it is open."""
    option = panel_options(panel)
    hours = "The column of opening hours (found by its name, unless named)."
    return _together(
        option("--location", "LAT,LON", "The columns of latitude and longitude (as --hours)."),
        option("--hours", "COLUMN", hours, shell_complete=complete_column),
        option(
            "--travel-times", "FILE", "Measured minutes: origin, item, mode, minutes (CSV, JSON)."
        ),
    )


catalog_argument = any_argument(
    "source", required=False, metavar="[FILE]", shell_complete=complete_catalog
)
version_option = _click_version(package_name="concede", prog_name="concede")
shell_argument = any_argument("shell", type=click.Choice(SHELLS))

catalog_options = _together(
    _catalog_option("Catalog", "CSV, Parquet, JSON lines or .duckdb file, or the built-in sample."),
    table_options("Catalog"),
    place_options("Catalog"),
)

dictionary_option = _together(
    _catalog(
        "--dictionary", "FILE", "What people call columns and values, as JSON (catalog describe)."
    ),
    _catalog(
        "--config",
        "FILE",
        "Catalogs and columns as a TOML file says them (catalog init); --catalog then names one.",
    ),
)

text_option = panel_options("Text")(
    "--text",
    "TEXT|-",
    "What somebody says they want; - reads it from standard input.",
    required=True,
)

query_options = _together(
    _query("--base", "SQL", "What is fixed; defines the base slice."),
    _query("--where", "SQL", "What is asked; each AND may give way."),
    _query(
        "--query",
        "FILE",
        "Instead of --where: the query as JSON, base and constraints.",
        "query_file",
    ),
    _query("--instances", "FILE", "Instead of --where: AWARE-US records, JSON or JSON lines."),
    _query("--profile", "FILE", "Instead of --where: the wishes that elicit --save kept."),
    _query("--index", "N", "Only record N, counted from 0.", type=int),
    _columns(
        "--weight",
        "weights",
        "COLUMN=W",
        "How much a column's constraints matter, 0 to 1 (0.5 if not given).",
    ),
    _columns("--hard", "hard", "COLUMN", "A column whose constraints never give way."),
    _columns(
        "--group", "groups", "NAME=COLUMN,COLUMN", "Columns whose constraints give way together."
    ),
)

objective_options = _together(
    _columns("--minimize", "minimize", "COLUMN[=W]", "Prefer low values."),
    _columns("--maximize", "maximize", "COLUMN[=W]", "Prefer high values."),
)

_person = panel_options("Person")

person_options = _together(
    _person(
        "--implicit",
        None,
        "Also ask for what history, profile and moment say but nobody asked for.",
        is_flag=True,
    ),
    _person("--user", "NAME", "Whose events of --events say what is usual."),
    _person("--events", "FILE", "The log of events, JSON lines."),
    _person(
        "--key",
        "COLUMN",
        "The column by which events name items, or that of a table that stays in its database.",
        shell_complete=complete_column,
    ),
    _person("--about", "FILE", "What is known of the person once and for all, as JSON."),
    _person("--time", "TIME", "When it is asked, ISO 8601; nothing later counts."),
    _person("--place", "LAT,LON", "Where it is asked, in degrees."),
)

policy_options = _together(
    _search(
        "--policy",
        "NAME",
        f"How what gives way is chosen: {', '.join(POLICIES)}.",
        type=click.Choice(POLICIES),
        default="least-weight",
    ),
    _search("--priority", "COLUMN,COLUMN", "For policy priority: the first gives way first."),
    _search(
        "--rank",
        "ORDER",
        "Items by score, or near what gave way first (default: near once something gave way; "
        "score for --instances).",
        type=click.Choice(RANKS),
    ),
)

search_options = _together(
    _search(
        "--solver",
        "NAME",
        "What computes the diagnosis: bitset, sql, z3, brute.",
        default="bitset",
        shell_complete=complete_solver,
    ),
    _search(
        "--deadline",
        "SECONDS",
        "How long to search; then comes what was found.",
        type=float,
        default=60.0,
    ),
)

stored_option = _catalog(
    "--histogram",
    "FILE",
    "Instead of a catalog and a query: what concede histogram wrote; several add up.",
    "histograms",
    multiple=True,
)

histogram_options = _together(
    _catalog("--catalog", "FOLDER", "A folder of Parquet files, a partition each.", required=True),
    _catalog(
        "--key", "COLUMN", "The column of whole numbers that tells rows apart.", required=True
    ),
    _query("--query", "FILE", "A JSON file with base, constraints and objectives.", "query_file"),
    _query("--where", "SQL", "The conditions that may give way, as a SQL WHERE clause."),
    _query("--base", "SQL", "The conditions that always hold, as a SQL WHERE clause."),
    _output(
        "--by-file", None, "Count each partition by itself, and only what changed.", is_flag=True
    ),
    _output("--output", "FILE.parquet", "Where the histogram is kept.", required=True),
)

_sample = _search(
    "--sample",
    "SHARE",
    "Look for repairs in this share of the rows of a database; counts shown are of all rows.",
    type=click.FloatRange(0, 1, min_open=True),
)

sample_options = _together(_sample)

remote_options = _together(
    _catalog("--key", "COLUMN", "The unique whole numbers of a table that stays in its database."),
    _sample,
)

limit_option = _search(
    "--limit",
    "N",
    "The most conflicts, and the most repairs, to list.",
    type=POSITIVE,
    default=100_000,
)

list_options = _together(
    _output(
        "--top", "N", "The most repairs, and the most items, to list.", type=POSITIVE, default=5
    ),
    _output("--diverse", None, "List repairs that have little in common.", is_flag=True),
)


def tables_or_json(help: str, formats: tuple[str, ...] = ("table", "json")) -> Decorator:
    """Return the option `--format`: tables, or JSON."""
    return _output("--format", None, help, "form", type=click.Choice(formats), default="table")


format_option = tables_or_json(
    "Tables for people; one JSON value; or one JSON object a line.", FORMATS
)
answer_format_option = tables_or_json("For people, or one JSON value at the end.")
timing_option = _output("--timing", None, "Say how long it took; JSON then varies.", is_flag=True)

questions_option = panel_options("Choice")(
    "--questions", "N", "Ask at most so many questions.", type=NOT_NEGATIVE
)


def model_options(help: str) -> Callable[[Command], Command]:
    """Return the options by which `chosen_model` picks a model; `help` is its part."""
    return _together(
        _models("--offline", None, "Without a model, whatever is set.", is_flag=True),
        _models("--model", "NAME", help),
        _models("--base-url", "URL", "Its OpenAI-compatible endpoint."),
    )


def chosen_model(given: Mapping[str, Any]) -> ChatModel | None:
    """Return the model that `offline`, `model` and `base_url` name; None to do without.

    Without a name it is the environment's (`CONCEDE_MODEL`). Raises `QueryError` for options
    that do not go together, and what `open_model` raises.
    """
    if given["offline"]:
        if given["model"] or given["base_url"]:
            raise QueryError("--offline and --model given", hint="give one of them")
        return None
    if not given["model"] and not os.environ.get("CONCEDE_MODEL"):
        if given["base_url"]:
            raise QueryError("--base-url without --model", hint="name the model")
        return None
    from ...dialogs.models.opening import open_model

    return open_model(given["model"], base_url=given["base_url"])


def seed_option(help: str, name: str = "--seed") -> Decorator:
    """Return the option of a seed for what is drawn."""
    return _output(name, "N", help, type=NOT_NEGATIVE, default=0)


resample_seed_option = seed_option("Draws the samples of the 95 % intervals.", "--resample-seed")


def instance_options(data_help: str, instances_help: str) -> Callable[[Command], Command]:
    """Return the options of which benchmark instances are read, and about which catalog."""
    data, splits = panel_options("Data"), click.Choice(("all", "train", "test"))
    return _together(
        data("--data", "DIR", data_help),
        data("--instances", "FILE", instances_help),
        _catalog_option("Data", "The catalog that the instances are about."),
        data("--split", None, "Which instances of the published data.", type=splits, default="all"),
    )
