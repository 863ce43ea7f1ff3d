"""`concede bench mapsat-build`, and `bench mapsat --tasks`: tasks made, and agents run on them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import catalog_options, chosen_model, panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables
from ...query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from .....bench.mapsat.items import Items

AGENTS = ("evidence", "equal", "explicit", "oracle")
MOST_TASKS = 100_000

_data, _output = panel_options("Data"), panel_options("Output")


@click.command("mapsat-build")
@catalog_options
@_data("--key", "COLUMN", "The column that tells items apart.", required=True)
@_data("--count", "N", "Tasks to make.", type=click.IntRange(1, MOST_TASKS), default=150)
@_output("--output", "FILE", "Write the tasks, a JSON line each.", required=True)
@seed_option("Draws people, what they want and what they did.")
@tables_or_json("Tables for people, or one JSON object.")
def mapsat_build(key: str, count: int, output: str, seed: int, form: str, **given: Any) -> int:
    """Make tasks of simulated people: a question, what is behind it, and the evidence for that.

    Every third is sought to be deciding: whoever gives all factors the same weight offers an item
    that is clearly worse.
    """
    from .....bench.mapsat.builder import Builder, build
    from .....bench.text_files import write_json_lines

    builder = Builder(open_items(given | {"form": form}, key))
    tasks = build(builder, count, seed, counted)
    write_json_lines(output, [task.record() for task in tasks])
    complain(f"wrote {output}")
    figures = {
        "tasks": len(tasks),
        "deciding": sum(task.deciding for task in tasks),
        "implicit": sum(len(task.implicit) for task in tasks),
        "left_out": dict(builder.left_out),
    }
    if form == "json":
        write_json(figures)
    else:
        from .....rendering.terminal_table import Grid

        rows = [(name, str(value)) for name, value in figures.items()]
        write_tables(Grid("Tasks made", ("figure", "value"), rows, frozenset(("value",))))
    return 0


def run_on_tasks(given: dict[str, Any], form: str, seed: int) -> int:
    """Run an agent on the tasks of a file, and write its report."""
    from .....bench.mapsat.runner import report, run
    from .....bench.mapsat.task import read_tasks

    items = open_items(given | {"form": form}, given["key"])
    tasks = read_tasks(given["tasks"])
    for task in tasks:
        fits(items, task)
    roles = roles_of(items, given)
    results = run(roles, tasks, given["out"], counted)
    found = report(roles.agent.name, results, items, seed)
    if form == "json":
        write_json(found)
    else:
        write_tables(report_tables(found))
    return 0


def open_items(given: dict[str, Any], key: str | None) -> Items:
    """Return the items of the catalog that the options name; raise `QueryError` without a key."""
    from .....bench.mapsat.items import Items

    if not key:
        raise QueryError("--catalog without --key", hint="name the column that tells items apart")
    names = {field.name for field in fields(CatalogOptions)}
    options = CatalogOptions(**{name: given.get(name) for name in names})
    with spinning(f"reading {options.catalog}"):
        return Items(open_catalog(options), key)
