"""What the trainings of the command line share: options, progress, and how results are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from .....catalogs.errors import QueryError
from ...options import panel_options
from ...output import write_json, write_tables

if TYPE_CHECKING:
    from .....bench.fine_tuning.folder import DataFolder
    from .....bench.fine_tuning.recipe import Recipe
    from .....bench.fine_tuning.rows import Stage

steps_option = panel_options("Model")(
    "--steps", "N", "Steps of the optimizer, instead of the preset's.", type=click.INT
)
dry_run_option = panel_options("Output")(
    "--dry-run", None, "Say what it would do and what is missing, and do nothing.", is_flag=True
)


def checked_out(out: str | None) -> str:
    """Return where the model goes; raise `QueryError` where nobody said."""
    if not out:
        raise QueryError("no --out", hint="name a new folder for the model, or give --dry-run")
    return out


def show_dry_run(recipe: Recipe, stage: Stage, data: DataFolder, form: str) -> int:
    """Show what a run would do."""
    from .....bench.fine_tuning.sizes import dry_run

    return show_report(dry_run(recipe, stage, data).record(), form)


def show_report(report: dict[str, Any], form: str) -> int:
    """Show what was measured, a line each; JSON has the whole recipe too."""
    if form == "json":
        write_json(report)
        return 0
    from .....rendering.terminal_table import Grid

    rows = [
        (name.replace("_", " "), _shown(value))
        for name, value in report.items()
        if not isinstance(value, dict)
    ]
    write_tables(Grid("Training", ("what", "value"), rows, frozenset()))
    return 0


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list):
        return "; ".join(map(str, cast("list[object]", value))) or "nothing"
    return "—" if value is None else str(value)
