"""The report as Markdown tables, put between two markers of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..text_files import around_markers, write_text
from .report import Report
from .result_tables import ResultTable, result_tables

BEGIN = "<!-- throughput: begin -->"
END = "<!-- throughput: end -->"


def report_markdown(report: Report) -> str:
    """Return the report's tables, a heading a section."""
    return "\n".join(_lines(report)).strip() + "\n"


def fill(page: Path, report: Report) -> None:
    """Put the report's tables between the markers of a page; everything else stays.

    Raises `UnreadableFile`, and `QueryError` for a page without the markers.
    """
    before, after = check_page(page)
    filled = f"{before}{BEGIN}\n\n{report_markdown(report)}\n{END}{after}"
    write_text(page, filled)


def check_page(page: Path) -> tuple[str, str]:
    """Return what stands before and after the markers; raise as `fill` does."""
    return around_markers(page, BEGIN, END, f"put {BEGIN} and {END} there")


def _lines(report: Report) -> Iterator[str]:
    options = " ".join(
        f"--{name.replace('_', '-')}" if value is True else f"--{name} {value}"
        for name, value in report.options.items()
        if value and name in ("quick", "large", "seed", "repeats")
    )
    yield f"`concede bench throughput {options}`"
    yield from ("", "### The machine", "", "| | |", "|---|---|")
    for name, value in {**report.machine, **report.versions}.items():
        yield f"| {name} | {value} |"
    for section in report.sections:
        yield from ("", f"### {section.title}", "", section.note)
        for table in result_tables(section):
            yield from _table(table)


def _table(table: ResultTable) -> Iterator[str]:
    yield from ("", f"**{table.title}**", "")
    yield f"| {' | '.join(map(_cell, table.headers))} |"
    sides = ("---" if header in table.left else "---:" for header in table.headers)
    yield f"|{'|'.join(sides)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |"
    if table.below:
        yield ""
        yield from (f"{line}  " for line in table.below[:-1])
        yield table.below[-1]


def _cell(text: str) -> str:
    return re.sub(r"([|\\])", r"\\\1", text)
