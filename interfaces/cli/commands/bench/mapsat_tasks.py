"""`concede bench mapsat-build`, and `bench mapsat --tasks`: tasks made, and agents run on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import (
    POSITIVE,
    Command,
    catalog_options,
    chosen_model,
    model_options,
    panel_options,
    seed_option,
    tables_or_json,
)
from ...output import complain, counted, spinning, write_json, write_tables
from ...query_options import CatalogOptions, open_catalog

if TYPE_CHECKING:
    from .....bench.mapsat.builder import Builder
    from .....bench.mapsat.items import Items
    from .....bench.mapsat.runner import Roles
    from .....bench.mapsat.task import Task
    from .....dialogs.tools.calls import RecordedCall

AGENTS = ("evidence", "equal", "explicit", "oracle")
MOST_TASKS = 100_000

_data, _agent, _output = map(panel_options, ("Data", "Agent", "Output"))


@click.command("mapsat-build")
@catalog_options
@_data("--key", "COLUMN", "The column that tells items apart.", required=True)
@_data("--count", "N", "Tasks to make.", type=click.IntRange(1, MOST_TASKS), default=150)
@_data("--events", "FILE", "Make them from this log instead of simulated people.")
@model_options("The model that restores what was left unsaid; also fake:FILE.")
@_data("--review", "FILE", "With --model: what its candidates disagree about, to be decided.")
@_output("--output", "FILE", "Write the tasks, a JSON line each.", required=True)
@seed_option("Draws people, what they want and what they did.")
@tables_or_json("Tables for people, or one JSON object.")
def mapsat_build(key: str, count: int, output: str, seed: int, form: str, **given: Any) -> int:
    """Make tasks of simulated people: a question, what is behind it, and the evidence for that.

    Every third is sought to be deciding: whoever gives all factors the same weight offers an item
    that is clearly worse.
    """
    from .....bench.mapsat.builder import build
    from .....bench.text_files import write_json_lines

    builder = _builder({**given, "form": form}, key)
    if given["events"]:
        tasks = _of_log(builder, given["events"], count)
    else:
        tasks = build(builder, count, seed, counted)
    write_json_lines(output, [task.record() for task in tasks])
    complain(f"wrote {output}")
    if given["review"]:
        builder.review.write(given["review"])
        complain(f"wrote {given['review']}")
    figures = {
        "tasks": len(tasks),
        "deciding": sum(task.deciding for task in tasks),
        "implicit": sum(len(task.implicit) for task in tasks),
        "left_out": dict(builder.left_out),
        "disputed": len(builder.review.now),
    }
    if form == "json":
        write_json(figures)
    else:
        from .....rendering.terminal_table import Grid

        rows = [(name, str(value)) for name, value in figures.items()]
        write_tables(Grid("Tasks made", ("figure", "value"), rows, frozenset(("value",))))
    return 0


def _builder(given: Mapping[str, Any], key: str) -> Builder:
    """Return what builds tasks: without a model, or with one that is named."""
    from .....bench.mapsat.annotating import Annotator
    from .....bench.mapsat.builder import Builder
    from .....bench.mapsat.reviewing import Review

    model = chosen_model(given)
    if given["review"] and model is None:
        raise QueryError("--review without a model", hint="give --model NAME")
    items = open_items(given, key)
    if model is None:
        return Builder(items)
    return Builder(items, Annotator(model, items), Review.read(given["review"]))


def _of_log(builder: Builder, path: str, count: int) -> list[Task]:
    """Return at most so many tasks of a log's cases."""
    from .....bench.mapsat.builder import build_from
    from .....bench.mapsat.log_cases import cases_of_log
    from .....dialogs.weighters.evidence.events import Event, read_lines

    events = [event for _, event in read_lines(Path(path), Event)]
    return build_from(builder, list(cases_of_log(events))[:count], counted)


def task_options(command: Command) -> Command:
    """Add the options of a run on tasks to a command."""
    options: tuple[Callable[[Any], Any], ...] = (
        catalog_options,
        _data("--key", "COLUMN", "With --tasks: the column that tells items apart."),
        _agent("--agent", None, "Who offers.", type=click.Choice((*AGENTS, "model"))),
        model_options("The model that plays the parts; also fake:FILE."),
        _agent("--records", "FILE", "With --agent model: tool calls to be replayed, JSON lines."),
        _agent("--with-profile", None, "Tell the model history and profile at once.", is_flag=True),
        _agent("--judgements", "N", "Verdicts of a model on a dialogue.", type=POSITIVE, default=3),
        _output("--out", "RUN.jsonl", "With --tasks: write what is said, line by line."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def run_on_tasks(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report of an agent on the tasks of a file."""
    from .....bench.mapsat.items import fit_catalog
    from .....bench.mapsat.runner import report, run
    from .....bench.mapsat.task import read_tasks

    tasks = read_tasks(given["tasks"])
    items = open_items(given, given["key"])
    fit_catalog(items, tasks, given["tasks"])
    roles = _roles(items, given)
    return report(roles.agent.name, run(roles, tasks, given["out"], counted), items, given["seed"])


def _roles(items: Items, given: Mapping[str, Any]) -> Roles:
    """Return who talks and judges: without a model, or each on the model that is named."""
    from .....bench.mapsat.agents import OfflineAgent
    from .....bench.mapsat.judge import ModelJudge
    from .....bench.mapsat.runner import Roles, offline_roles
    from .....bench.mapsat.tool_agent import ToolAgent
    from .....bench.mapsat.user import ModelUser

    model, name = chosen_model(given), given["agent"] or "evidence"
    if model is None and name == "model":
        raise QueryError("--agent model without a model", hint="give --model NAME")
    if model is None:
        return offline_roles(OfflineAgent(name, items), items)
    agent = OfflineAgent(name, items)
    if name == "model":
        agent = ToolAgent(model, items, _recorded(given), with_profile=given["with_profile"])
    return Roles(agent, ModelUser(model), ModelJudge(model, given["judgements"]))


def _recorded(given: Mapping[str, Any]) -> list[RecordedCall]:
    """Return the recorded calls of a file; none without one."""
    from .....bench.json_lines import read_records
    from .....dialogs.tools.calls import RecordedCall

    if not given["records"]:
        return []
    return list(read_records(given["records"], RecordedCall.model_validate))


def open_items(given: Mapping[str, Any], key: str | None) -> Items:
    """Return the items of the catalog that the options name; raise `QueryError` without a key."""
    from .....bench.mapsat.items import Items

    if not key:
        raise QueryError("--catalog without --key", hint="name the column that tells items apart")
    known: dict[str, Any] = {"form": "json", **given}
    names = {each.name for each in fields(CatalogOptions)} & known.keys()
    options = CatalogOptions(**{name: known[name] for name in names})
    with spinning(f"reading {options.catalog}"):
        return Items(open_catalog(options), key)
