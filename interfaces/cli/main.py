"""The command line: `concede repair`, `concede diagnose`, `concede catalog info`.

Exit codes: 0 answered, 1 no repair exists, 2 usage or a bad query, 3 a bad catalog or file,
4 a limit was hit before an answer. Results go to standard output, progress and errors to
standard error; whenever the exit code is not 0, one line there says why.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import rich_click as click
from click.shell_completion import get_completion_class

from ...catalogs.errors import ConcedeError, one_line
from .commands.bench.group import bench_commands
from .commands.chat import chat
from .commands.decide import decide
from .commands.extract import extract
from .commands.mcp import mcp
from .commands.serve import serve
from .commands.weigh import weigh
from .options import (
    catalog_argument,
    catalog_options,
    command_order,
    format_option,
    limit_option,
    list_options,
    objective_options,
    policy_options,
    query_options,
    search_options,
    shell_argument,
    timing_option,
    version_option,
)
from .output import complain, counted, spinning, write_json, write_tables
from .query_options import (
    CatalogOptions,
    DiagnoseOptions,
    QueryOptions,
    RepairOptions,
    column_list,
    open_catalog,
    queries,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...catalogs.catalog import Catalog
    from ...catalogs.query.query import Query
    from ...engine.answer import Answer
    from ...engine.diagnosis import Diagnosis

Result = TypeVar("Result")

COMPLETION_VARIABLE = "_CONCEDE_COMPLETE"

LONGER = "try a longer --deadline"

REPAIR_EXAMPLES = """\
[b]Examples[/b]

concede repair --catalog sample:cars --base "Make = 'Lexus'" \\
  --where 'Year >= 2016 AND "highway MPG" >= 50' --weight Year=0.3

concede repair --catalog data.csv --hard price --policy fewest --format json \\
  --where "rooms >= 4 AND garden AND price < 300000"\
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@command_order(
    "repair",
    "diagnose",
    "extract",
    "weigh",
    "chat",
    "decide",
    "serve",
    "mcp",
    "catalog",
    "bench",
    "completion",
)
@version_option
def cli() -> None:
    """Find out why a query returns nothing, what should give way, and what to offer instead."""


# Not click.rich_config: the decorator loads rich's console, which JSON has no use for.
@cli.command(
    context_settings={"rich_help_config": {"footer_text": REPAIR_EXAMPLES, "text_markup": "rich"}}
)
@catalog_options
@query_options
@objective_options
@policy_options
@search_options
@list_options
@format_option
@timing_option
def repair(**given: Any) -> int:
    """Say what gives way and what to offer instead."""
    options = RepairOptions(**given)
    options.check()
    catalog = _catalog(options)
    answers = _ask(catalog, options, _repairing(catalog, options), _record(options))

    def one(answer: Answer) -> RenderableType:
        from ...rendering.answer_tables import answer_tables

        return answer_tables(answer, catalog.cost_column, timing=options.timing)

    def many(answers: Sequence[tuple[int, Answer]]) -> RenderableType:
        from ...rendering.answer_tables import answers_table

        return answers_table(answers)

    _show(answers, options, _record(options), one, many)
    return _say_unanswered([answer for _, answer in answers])


def _repairing(catalog: Catalog, options: RepairOptions) -> Callable[[Query], Answer]:
    from ...engine.repair_engine import RepairEngine

    engine = RepairEngine(catalog, solver=options.solver)
    priority = column_list(options.priority or "")
    return lambda query: engine.repair(
        query,
        policy=options.policy,
        top=options.top,
        order="diverse" if options.diverse else "cost",
        priority=priority,
        deadline=options.seconds,
    )


def _record(options: RepairOptions) -> Callable[[Answer], dict[str, Any]]:
    return lambda answer: answer.record(timing=options.timing)


def _say_unanswered(answers: Sequence[Answer]) -> int:
    """Write one line if something was not answered; return the exit code."""
    failed = [answer for answer in answers if answer.exit_code]
    if failed and len(answers) > 1:
        complain(f"no repair for {len(failed)} of {len(answers)} records")
    elif failed:
        complain(_why_unanswered(failed[0]))
    return max((answer.exit_code for answer in failed), default=0)


def _why_unanswered(answer: Answer) -> str:
    if answer.status == "UNKNOWN":
        return f"no answer: stopped by the {answer.stopped_by}; {LONGER}"
    if answer.repairs:
        return f"policy {answer.policy} finds no repair; another one would, see repairs"
    return "no repair exists: nothing that may give way helps"


@cli.command()
@catalog_options
@query_options
@search_options
@limit_option
@format_option
def diagnose(**given: Any) -> int:
    """Show every minimal conflict, every minimal repair, and the counts behind them."""
    from ...engine.repair_engine import RepairEngine

    options = DiagnoseOptions(**given)
    options.check()
    catalog = _catalog(options)
    engine = RepairEngine(catalog, solver=options.solver)

    def ask(query: Query) -> Diagnosis:
        return engine.diagnose(query, deadline=options.seconds, limit=options.limit)

    def one(found: Diagnosis) -> RenderableType:
        from ...rendering.answer_tables import diagnosis_tables

        return diagnosis_tables(found)

    def many(found: Sequence[tuple[int, Diagnosis]]) -> RenderableType:
        from ...rendering.answer_tables import diagnoses_table

        return diagnoses_table(found)

    found = _ask(catalog, options, ask, lambda one: one.record())
    _show(found, options, lambda one: one.record(), one, many)
    unknown = [one for _, one in found if one.verdict == "UNKNOWN"]
    if unknown:
        complain(f"no answer: stopped by the {unknown[0].stopped_by}; {LONGER}")
    return 4 if unknown else 0


def _catalog(options: CatalogOptions) -> Catalog:
    with spinning(f"reading {options.catalog}"):
        return open_catalog(options)


def _ask(
    catalog: Catalog,
    options: QueryOptions,
    ask: Callable[[Query], Result],
    record: Callable[[Result], dict[str, Any]],
) -> list[tuple[int, Result]]:
    """Return the result of every query; as ndjson, each is written when it is there."""
    found: list[tuple[int, Result]] = []
    asked = queries(catalog, options)
    streams = options.form == "ndjson"
    # A bar and the lines of results would run into each other on one terminal.
    watched = asked if streams and sys.stdout.isatty() else counted(asked, "searching")
    for index, query in watched:
        result = ask(query)
        found.append((index, result))
        if streams:
            write_json(_numbered(options, index, record(result)), indent=None)
    return found


def _numbered(options: QueryOptions, index: int, record: dict[str, Any]) -> dict[str, Any]:
    return record if options.instances is None else {"index": index, **record}


def _show(
    found: Sequence[tuple[int, Result]],
    options: QueryOptions,
    record: Callable[[Result], dict[str, Any]],
    one: Callable[[Result], RenderableType],
    many: Callable[[Sequence[tuple[int, Result]]], RenderableType],
) -> None:
    """Write the results as a table or as one JSON value."""
    if options.form == "table":
        write_tables(many(found) if options.many else one(found[0][1]))
    elif options.form == "json":
        records = [_numbered(options, index, record(result)) for index, result in found]
        write_json(records if options.many else records[0])


@cli.group("catalog")
def catalog_commands() -> None:
    """Look at a catalog."""


@catalog_commands.command("info")
@catalog_argument
@catalog_options
@format_option
def catalog_info(source: str | None, **given: Any) -> int:
    """Show what a catalog's columns hold."""
    if source and given["catalog"]:
        raise click.UsageError("the catalog is named twice; name it once")
    options = CatalogOptions(**(given | {"catalog": source or given["catalog"]}))
    catalog = _catalog(options)
    profiles = catalog.profiles()
    if options.form == "table":
        from ...rendering.answer_tables import profile_table

        write_tables(profile_table(catalog.name, catalog.row_count, profiles))
        return 0
    record = {
        "name": catalog.name,
        "rows": catalog.row_count,
        "version": catalog.version,
        "cost_column": catalog.cost_column,
        "columns": [one.record() for one in profiles],
    }
    write_json(record, indent=2 if options.form == "json" else None)
    return 0


cli.add_command(bench_commands)
cli.add_command(chat)
cli.add_command(decide)
cli.add_command(extract)
cli.add_command(mcp)
cli.add_command(serve)
cli.add_command(weigh)


@cli.command()
@shell_argument
def completion(shell: str) -> int:
    """Print the script that completes `concede` in a shell, for its start-up file.

    For bash: `concede completion bash > ~/.local/share/bash-completion/completions/concede`
    """
    made = get_completion_class(shell)
    if made is not None:
        print(made(cli, {}, "concede", COMPLETION_VARIABLE).source())
    return 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    # Start-up makes many objects and hardly any garbage: look for it less often.
    gc.set_threshold(50_000)
    for stream in (sys.stdout, sys.stderr):
        # A file name need not be valid text, and a terminal need not know every character.
        cast("Any", stream).reconfigure(errors="backslashreplace")
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code, errors printed as one line."""
    try:
        code: object = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="concede",
            complete_var=COMPLETION_VARIABLE,
            standalone_mode=False,
        )
        sys.stdout.flush()
    except ConcedeError as error:
        return _fail(str(error), error.exit_code)
    except SystemExit as ended:
        # After the help that answers a bare `concede`.
        return ended.code if isinstance(ended.code, int) else 2
    except click.ClickException as error:
        return _fail(one_line(error.format_message()), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("stopped", 130)
    except BrokenPipeError:
        # The reader has what it wanted.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _fail(f"cannot write the answer: {error.strerror or error}", 3)
    return code if isinstance(code, int) else 0


def _discard_output() -> None:
    """Keep Python from trying once more, and complaining, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    complain(message)
    return code
