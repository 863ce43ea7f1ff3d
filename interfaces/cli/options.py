"""The options of the command line: names, help texts, and the panels they stand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import rich_click as click

from .completion import complete_catalog, complete_column, complete_file, complete_solver

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]

POLICIES = ("single", "cumulative", "fewest", "least-weight", "priority")
FORMATS = ("table", "json", "ndjson")
SHELLS = ("bash", "zsh", "fish")

any_option = cast("Callable[..., Decorator]", click.option)  # pyright: ignore[reportUnknownMemberType] rich-click leaves a type argument open
any_argument = cast("Callable[..., Decorator]", click.argument)  # pyright: ignore[reportUnknownMemberType] as above

_click_version = cast("Callable[..., Decorator]", click.version_option)  # pyright: ignore[reportUnknownMemberType] as above


def _option(panel: str, *names: str, **attributes: Any) -> Decorator:
    return any_option(*names, panel=panel, **attributes)


def _together(*options: Decorator) -> Callable[[Command], Command]:
    """Return one decorator that adds all the options, in order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _columns(panel: str, name: str, field: str, metavar: str, help: str) -> Decorator:
    """Return an option that names a column, any number of times."""
    return _option(
        panel,
        name,
        field,
        metavar=metavar,
        multiple=True,
        shell_complete=complete_column,
        help=help,
    )


def table_options(panel: str) -> Callable[[Command], Command]:
    """Return a decorator that adds how a file is read as a table."""
    return _together(
        _option(panel, "--table", metavar="NAME", help="The table of a .duckdb file."),
        _option(
            panel,
            "--as-text",
            metavar="COLUMN",
            multiple=True,
            help="Read a column of digits as text, such as a postal code.",
        ),
    )


def _file(name: str, field: str, help: str) -> Decorator:
    return _option("Query", name, field, metavar="FILE", shell_complete=complete_file, help=help)


catalog_argument = any_argument(
    "source", required=False, metavar="[FILE]", shell_complete=complete_catalog
)
version_option = _click_version(package_name="concede", prog_name="concede")
shell_argument = any_argument("shell", type=click.Choice(SHELLS))

catalog_options = _together(
    _option(
        "Catalog",
        "--catalog",
        metavar="FILE|sample:cars",
        shell_complete=complete_catalog,
        help="CSV, Parquet, JSON lines or .duckdb file, or the built-in sample.",
    ),
    table_options("Catalog"),
)

text_option = _option(
    "Text",
    "--text",
    metavar="TEXT|-",
    required=True,
    help="What somebody says they want; - reads it from standard input.",
)

query_options = _together(
    _option("Query", "--base", metavar="SQL", help="What is fixed; defines the base slice."),
    _option("Query", "--where", metavar="SQL", help="What is asked; each AND may give way."),
    _file("--query", "query_file", "Instead of --where: the query as JSON, base and constraints."),
    _file("--instances", "instances", "Instead of --where: AWARE-US records, JSON or JSON lines."),
    _option("Query", "--index", type=int, metavar="N", help="Only record N, counted from 0."),
    _columns(
        "Preferences",
        "--weight",
        "weights",
        "COLUMN=W",
        "How much a column's constraints matter, 0 to 1 (0.5 if not given).",
    ),
    _columns(
        "Preferences", "--hard", "hard", "COLUMN", "A column whose constraints never give way."
    ),
    _columns(
        "Preferences",
        "--group",
        "groups",
        "NAME=COLUMN,COLUMN",
        "Columns whose constraints give way together.",
    ),
)

objective_options = _together(
    _columns("Preferences", "--minimize", "minimize", "COLUMN[=W]", "Prefer low values."),
    _columns("Preferences", "--maximize", "maximize", "COLUMN[=W]", "Prefer high values."),
)

policy_options = _together(
    _option(
        "Search",
        "--policy",
        type=click.Choice(POLICIES),
        default="least-weight",
        show_default=True,
        metavar="NAME",
        help=f"How what gives way is chosen: {', '.join(POLICIES)}.",
    ),
    _option(
        "Search",
        "--priority",
        metavar="COLUMN,COLUMN",
        help="For policy priority: the first gives way first.",
    ),
)

search_options = _together(
    _option(
        "Search",
        "--solver",
        default="bitset",
        show_default=True,
        metavar="NAME",
        shell_complete=complete_solver,
        help="What computes the diagnosis: bitset, sql, z3, brute.",
    ),
    _option(
        "Search",
        "--deadline",
        type=float,
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to search; then comes what was found.",
    ),
)

limit_option = _option(
    "Search",
    "--limit",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    metavar="N",
    help="The most conflicts, and the most repairs, to list.",
)

list_options = _together(
    _option(
        "Output",
        "--top",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        metavar="N",
        help="The most repairs, and the most items, to list.",
    ),
    _option("Output", "--diverse", is_flag=True, help="List repairs that have little in common."),
)

answer_format_option = _option(
    "Output",
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="For people, or one JSON value at the end.",
)

questions_option = _option(
    "Choice",
    "--questions",
    type=click.IntRange(min=0),
    metavar="N",
    help="Ask at most so many questions.",
)


def model_options(help: str) -> Callable[[Command], Command]:
    """Return the options by which `cli_models.chosen_model` picks a model; `help` is its part."""
    return _together(
        _option("Models", "--offline", is_flag=True, help="Without a model, whatever is set."),
        _option("Models", "--model", metavar="NAME", help=help),
        _option("Models", "--base-url", metavar="URL", help="Its OpenAI-compatible endpoint."),
    )


format_option = _option(
    "Output",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="Tables for people; one JSON value; or one JSON object a line.",
)

timing_option = _option(
    "Output", "--timing", is_flag=True, help="Say how long it took; JSON then varies."
)


def panel_options(panel: str) -> Callable[..., Decorator]:
    """Return what makes options of a panel from name, metavar and help; help shows a default."""

    def option(
        name: str, metavar: str | None, help: str | None, field: str | None = None, **more: Any
    ) -> Decorator:
        names = (name,) if field is None else (name, field)
        shows = {"show_default": True} if "default" in more else {}
        return _option(panel, *names, metavar=metavar, help=help, **shows, **more)

    return option


def tables_or_json(help: str) -> Decorator:
    """Return the option `--format` of a benchmark: tables, or JSON."""
    kinds = click.Choice(("table", "json"))
    return panel_options("Output")("--format", None, help, "form", type=kinds, default="table")


def seed_option(help: str, name: str = "--seed") -> Decorator:
    """Return the option of a seed for what is drawn."""
    return panel_options("Output")(name, "N", help, type=click.IntRange(min=0), default=0)


resample_seed_option = seed_option("Draws the samples of the 95 % intervals.", "--resample-seed")

instance_options = _together(
    _option(
        "Data",
        "--catalog",
        metavar="FILE|sample:cars",
        shell_complete=complete_catalog,
        help="The catalog that the instances are about.",
    ),
    _option(
        "Data",
        "--split",
        type=click.Choice(("all", "train", "test")),
        default="all",
        show_default=True,
        help="Which instances of the published data.",
    ),
)
