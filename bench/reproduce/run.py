"""The whole run: what is finished is read, what is due is run, and the report is made of both.

Cost: the stages that are due, side by side; a second or two where nothing is.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .beside.every import every_row
from .inputs import check_inputs, is_there
from .pool import Job, Pool, Stepped, cores
from .report import Report
from .row import Results, Row
from .stage import Context, Stage
from .stages.registry import STAGES, chosen
from .store import Store, fingerprint, locked

QUICK = "left out by --quick"
ONLY = "left out by --only"
NO_DATA = "its data is not there"


@dataclass(frozen=True)
class Options:
    """Which data, where to, and how much; `workers`: stages at a time, 0 for as many as cores."""

    data: Path
    out: Path
    quick: bool = False
    only: Sequence[str] = ()
    workers: int = 0


def no_steps(done: int, steps: int) -> None:
    """Show no progress."""


def reproduce(options: Options, stepped: Stepped = no_steps, more: Sequence[Row] = ()) -> Report:
    """Run what is not finished, and return the report of everything that is.

    Raises `QueryError` for a benchmark that does not exist, `UnreadableFile` for data that is
    missing or was cut short, `CatalogError` where nothing can be written, and what stages raise;
    what was finished stays. `stepped` is told how many stages of how many are done;
    `more` are rows of runs elsewhere, such as roles on a model, which join their tables.
    """
    began = time.perf_counter()
    wanted = chosen(options.only, options.quick)
    context, store = Context(options.data, options.quick), Store(options.out)
    with locked(options.out):
        there = [stage for stage in wanted if not stage.optional or is_there(options.data, stage)]
        check_inputs(options.data, there)
        marks = {name: fingerprint(stage, context) for name, stage in STAGES.items()}
        due = [stage for stage in there if store.read(stage.name, marks[stage.name]) is None]
        jobs = [Job(stage.name, context, options.out, marks[stage.name]) for stage in due]
        alone = {name: stage.alone for name, stage in STAGES.items()}
        Pool(options.workers or cores()).run(jobs, alone, stepped)
        kept = {name: store.read(name, mark) for name, mark in marks.items()}
    return _report(options, {name: found for name, found in kept.items() if found}, more, began)


def _report(
    options: Options, kept: Mapping[str, Mapping[str, Any]], more: Sequence[Row], began: float
) -> Report:
    found = {name: record["found"] for name, record in kept.items()}
    why_not = {name: _why_not(stage, options) for name, stage in STAGES.items()}
    rows = [*every_row(Results(STAGES, found, why_not)), *more]
    times = {
        "stages": {name: record["seconds"] for name, record in kept.items()},
        "throughput": found.get("throughput", {}).get("times", []),
    }
    return Report(rows, options.quick, round(time.perf_counter() - began, 3), times)


def _why_not(stage: Stage, options: Options) -> str:
    """Return why a stage was not run, if it was not."""
    if options.quick and not stage.quick:
        return QUICK
    if stage.optional and not is_there(options.data, stage):
        return NO_DATA
    return ONLY
