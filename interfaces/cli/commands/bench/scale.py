"""`concede bench scale`: CPU seconds a row, and what 10⁹ and 10¹⁰ rows would take."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ...options import panel_options, tables_or_json
from ...output import counted, write_json

_extent, _engines = panel_options("Extent"), panel_options("Engines")


@click.command("scale")
@_extent("--folder", "FOLDER", "Where the rows are written, and found again.", required=True)
@_extent("--rows", "N,N", "The sizes to measure.", default="1000000,10000000")
@_extent("--large", None, "Adds 10⁸ rows: 3 GB of Parquet, some minutes.", is_flag=True)
@_extent("--repeats", "N", "How often each is asked.", type=click.IntRange(min=1), default=3)
@_engines("--postgres", "URL", "Also a Postgres on this machine in which tables may be made.")
@_engines("--spark", None, "Also Spark with two executors on this machine.", is_flag=True)
@tables_or_json("Tables in Markdown, or one JSON value.")
def scale(
    folder: str, rows: str, large: bool, repeats: int, postgres: str | None, spark: bool, form: str
) -> int:
    """Measure CPU seconds a row for each statement and engine, and reckon 10⁹ and 10¹⁰ rows."""
    from .....bench.scale.run import Options, lines, run_scale

    options = Options(Path(folder), _sizes(rows, large), repeats, postgres, spark)
    report = run_scale(options, counted)
    if form == "json":
        write_json(report.record())
    else:
        print("\n".join(lines(report)))
    return 0


def _sizes(rows: str, large: bool) -> tuple[int, ...]:
    from .....catalogs.errors import QueryError, excerpt

    try:
        sizes = {int(each) for each in rows.split(",")}
    except ValueError:
        sizes = set[int]()
    if not sizes or min(sizes) < 10_000:
        raise QueryError(f"bad --rows {excerpt(rows)}", hint="write whole numbers from 10000 on")
    return tuple(sorted(sizes | ({10**8} if large else set[int]())))
