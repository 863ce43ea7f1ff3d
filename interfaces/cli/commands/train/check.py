"""`concede train check`: what is wrong with training data."""

from __future__ import annotations

import rich_click as click

from ...options import POSITIVE, any_argument, panel_options, tables_or_json
from ...output import spinning, write_json, write_tables

_data = panel_options("Data")


@click.command("check")
@any_argument("folder", metavar="DIR")
@_data("--max-length", "N", "Tokens that a row may have.", type=POSITIVE, default=1024)
@tables_or_json("Tables for people, or one JSON object.")
def check(folder: str, max_length: int, form: str) -> int:
    """Find rows that are there twice, too long or in both splits, and unbalanced labels.

    Exits with 1 where there is a problem.
    """
    from .....bench.fine_tuning.checks import check_data
    from .....bench.fine_tuning.folder import read_data

    with spinning("reading the rows"):
        found = check_data(read_data(folder), max_length)
    if form == "json":
        write_json(found.record())
    else:
        from .....rendering.terminal_table import Grid

        counted = [
            (name, f"{count:,}", f"{found.longest[name]:,}") for name, count in found.rows.items()
        ]
        right = frozenset(("rows", "longest"))
        write_tables(Grid("Rows", ("file", "rows", "longest"), counted, right))
        findings = [("problem", text) for text in found.problems]
        findings += [("warning", text) for text in found.warnings]
        write_tables(Grid("Findings", ("kind", "what"), findings or [("none", "")], frozenset()))
    return 1 if found.problems else 0
