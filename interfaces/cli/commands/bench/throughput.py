"""`concede bench throughput`: our times beside those of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.shell_completion import CompletionItem

from ...completion import complete_catalog
from ...options import panel_options, tables_or_json
from ...output import complain, counted, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.throughput.report import Report

SECTIONS = (
    "repair",
    "first-use",
    "machine",
    "diagnosis",
    "enumeration",
    "feasibility",
    "slices",
    "constraints",
    "rows",
    "threads",
)
"""The sections of a throughput run; the run itself is imported when it starts."""


class SectionNames(click.ParamType[tuple[str, ...]]):
    """Names of sections with commas between."""

    name = "sections"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names; each must be a section's."""
        choice = click.Choice(SECTIONS)
        return tuple(choice.convert(name.strip(), param, ctx) for name in value.split(","))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the first name."""
        return click.Choice(SECTIONS).shell_complete(ctx, param, incomplete)


_extent, _output = panel_options("Extent"), panel_options("Output")


@click.command("throughput")
@_extent("--quick", None, "Small cases; ends within a minute.", is_flag=True)
@_extent("--large", None, "Adds 10⁸ rows; needs about 20 GiB.", is_flag=True)
@_extent(
    "--only",
    "SECTION,…",
    f"Only these sections, any number of times: {', '.join(SECTIONS)}.",
    type=SectionNames(),
    multiple=True,
)
@_extent(
    "--repeats", "N", "The most runs of each method over each question.", type=click.IntRange(min=1)
)
@_extent("--seed", None, "Draws the data.", type=int, default=7)
@_extent(
    "--cars",
    "FILE",
    "The car catalog whose base slices are searched.",
    default="sample:cars",
    shell_complete=complete_catalog,
)
@tables_or_json("Tables for people, or one JSON value.")
@_output("--plots", "FOLDER", "Also draw plots there; needs matplotlib (extra bench).")
@_output(
    "--markdown",
    "FILE",
    "Also put the tables between the markers of a page, such as docs/performance.md.",
)
def throughput(
    form: str,
    plots: str | None,
    markdown: str | None,
    only: tuple[tuple[str, ...], ...],
    **given: Any,
) -> int:
    """Time our answers beside those of other tools; all answers are compared first.

    An answer that differs ends the run with exit code 1 before any time is shown. Rivals that
    are not installed are listed as such: pip install 'concede[rivals]'.
    """
    from .....bench.throughput.run import run_throughput
    from .....bench.throughput.setting import Options

    folder = None if plots is None else Path(plots)
    page = None if markdown is None else Path(markdown)
    _check_files(folder, page)
    options = Options(only=tuple(chain.from_iterable(only)), **given)
    report = run_throughput(options, counted)
    if form == "json":
        write_json(report.model_dump(mode="json"))
    else:
        from .....bench.throughput.result_tables import report_tables

        write_tables(report_tables(report))
    _write_files(report, folder, page)
    return 0


def _check_files(folder: Path | None, page: Path | None) -> None:
    """Find out before minutes of measuring whether the results can be written."""
    if folder is not None:
        from .....bench.throughput.plots import check_plots

        check_plots(folder)
    if page is not None:
        from .....bench.throughput.markdown import check_page

        check_page(page)


def _write_files(report: Report, folder: Path | None, page: Path | None) -> None:
    written: Sequence[Path] = []
    if folder is not None:
        from .....bench.throughput.plots import write_plots

        written = write_plots(report, folder)
    if page is not None:
        from .....bench.throughput.markdown import fill

        fill(page, report)
        written = [*written, page]
    for path in written:
        complain(f"wrote {path}")
