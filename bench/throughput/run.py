"""The run of a throughput benchmark: the jobs of the chosen sections in order, then the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.vectors.kernel_use import KERNELS
from ..progress import Counted, uncounted
from . import (
    diagnosis,
    enumeration,
    feasibility,
    first_use,
    growth,
    machine,
    repair,
    slices,
    threads,
)
from .report import Cell, Report, Section
from .setting import Job, Options, Setting


@dataclass(frozen=True)
class SectionKind:
    """A section: its heading, and the jobs that fill it."""

    title: str
    note: str
    jobs: Callable[[Setting], list[Job]]


def _section(module: ModuleType) -> SectionKind:
    return SectionKind(module.TITLE, module.NOTE, module.jobs)


SECTIONS: dict[str, SectionKind] = {
    "repair": _section(repair),
    "first-use": _section(first_use),
    "machine": _section(machine),
    "diagnosis": _section(diagnosis),
    "enumeration": _section(enumeration),
    "feasibility": _section(feasibility),
    "slices": _section(slices),
    "constraints": SectionKind(growth.WIDTH_TITLE, growth.WIDTH_NOTE, growth.width_jobs),
    "rows": SectionKind(growth.ROWS_TITLE, growth.ROWS_NOTE, growth.rows_jobs),
    "threads": _section(threads),
}
"""All sections, in the order they are run. To add one: a module and a line here."""


def run_throughput(options: Options, watch: Counted = uncounted) -> Report:
    """Measure what the options ask for; nothing is reported before all answers agreed.

    Raises `AnswersDiffer` when a rival's answer is not ours, `QueryError` for a section that
    does not exist.
    """
    chosen = options.only or tuple(SECTIONS)
    for name in chosen:
        if name not in SECTIONS:
            hint = f"sections: {', '.join(SECTIONS)}"
            raise QueryError(f"no section {excerpt(name)}", hint=hint)
    KERNELS.load()
    setting = Setting(options)
    chosen = tuple(name for name in SECTIONS if name in chosen)
    planned = [(name, job) for name in chosen for job in SECTIONS[name].jobs(setting)]
    cells: dict[str, list[Cell]] = {name: [] for name in chosen}
    for name, job in watch(planned, "measuring"):
        cells[name].append(job())
    every = [cell for name in chosen for cell in cells[name]]
    return Report(
        rows=tuple(speed for cell in every for speed in cell.speeds),
        options=options.record(),
        machine=machine.describe_machine(),
        versions=machine.versions(),
        sections=tuple(
            Section(
                name=name,
                title=SECTIONS[name].title,
                note=SECTIONS[name].note,
                cells=tuple(cells[name]),
            )
            for name in chosen
        ),
    )
