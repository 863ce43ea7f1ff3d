"""`concede bench report`: runs and results as an HTML page and as Markdown."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from .....catalogs.errors import QueryError
from ...completion import complete_file
from ...options import any_argument, panel_options, resample_seed_option
from ...output import complain, spinning

EPISODES = 200
MOST_EPISODES = 20_000

_output = panel_options("Output")


@click.command("report")
@any_argument("folder", metavar="DIR")
@_output(
    "--out",
    "REPORT.html",
    "One page with tables, plots and conversations; it needs no other file.",
    shell_complete=complete_file,
)
@_output(
    "--markdown",
    "FILE.md",
    "The tables: between the markers of a page that is there, or as a new page.",
    shell_complete=complete_file,
)
@_output(
    "--episodes",
    "N",
    "How many conversations the page shows, wrong ones first.",
    type=click.IntRange(0, MOST_EPISODES),
    default=EPISODES,
)
@resample_seed_option
def report(
    folder: str, out: str | None, markdown: str | None, episodes: int, resample_seed: int
) -> int:
    """Report on the runs and results of a folder: *.jsonl, *.jsonl.gz and *.json.

    Runs are transcripts (bench run, aware-us --out); results are figures alone (bench score).
    """
    from .....bench.report.markdown import check_page, write_markdown
    from .....bench.report.page import report_page
    from .....bench.report.plots import MISSING, can_plot
    from .....bench.report.sources import read_sources
    from .....bench.text_files import write_text

    if out is None and markdown is None:
        raise QueryError("nowhere to write to", hint="give --out, --markdown or both")
    if markdown is not None:
        check_page(Path(markdown))
    with spinning("reading"):
        sources = read_sources(folder, seed=resample_seed)
    for reason in sources.left_out:
        complain(f"left out {reason}")
    if out is not None:
        with spinning("drawing"):
            write_text(out, report_page(sources, episodes=episodes, seed=resample_seed))
        if not can_plot():
            complain(f"no plots: {MISSING}")
    if markdown is not None:
        write_markdown(Path(markdown), sources)
    for path in filter(None, (out, markdown)):
        complain(f"wrote {path}")
    return 0
