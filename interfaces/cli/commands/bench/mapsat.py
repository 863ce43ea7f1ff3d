"""`concede bench mapsat`: implicit wishes on a map, published runs recomputed, agents on tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import panel_options, seed_option, tables_or_json
from ...output import spinning, write_json, write_tables
from .mapsat_tasks import run_on_tasks, task_options

MODES = ("published", "tasks")

_mode, _data = panel_options("Mode"), panel_options("Data")

Given = Mapping[str, Any]


@click.command("mapsat")
@_data("--data", "DIR", "The folder of the demo: tasks.jsonl, model_metrics.jsonl.")
@_data("--human", "FILE", "What people gave the runs, JSON lines: id, model, scores by figure.")
@_mode("--published", None, "Recompute the figures of the published runs.", is_flag=True)
@_mode("--tasks", "FILE", "Run an agent on tasks, as mapsat-build makes them.")
@task_options
@seed_option("Draws the samples of the 95 % intervals.")
@tables_or_json("Tables for people, or one JSON object.")
def mapsat(form: str, **given: Any) -> int:
    """Run MapSatisfyBench: does an agent meet the wishes that a request leaves unsaid?"""
    found, tables = _MODES[_chosen(given)](given)
    if form == "json":
        write_json(found)
    else:
        write_tables(tables(found))
    return 0


def _chosen(given: Given) -> str:
    """Return the one mode that is asked for; raise `QueryError` for none or several."""
    modes = [mode for mode in MODES if given[mode]]
    if not modes:
        names = ", ".join(f"--{mode}" for mode in MODES)
        raise QueryError("nothing to run", hint=f"give one of {names}")
    if len(modes) > 1:
        raise QueryError(f"--{modes[0]} and --{modes[1]} given", hint="give one of them")
    return modes[0]


Found = tuple[dict[str, Any], Callable[[Mapping[str, Any]], Any]]
"""What a mode found, as JSON writes it, and what makes tables of it."""


def _published(given: Given) -> Found:
    from .....bench.mapsat.agreement import read_human_scores
    from .....bench.mapsat.published import published
    from .....bench.mapsat.tables import published_tables

    if given["data"] is None:
        raise QueryError("no data", hint="give --data DIR")
    with spinning("scoring the published runs"):
        people = None if given["human"] is None else read_human_scores(given["human"])
        return published(given["data"], people=people, seed=given["seed"]), published_tables


def _tasks(given: Given) -> Found:
    from .....bench.mapsat.run_tables import run_tables

    return run_on_tasks(given), run_tables


_MODES: dict[str, Callable[[Given], Found]] = {"published": _published, "tasks": _tasks}
