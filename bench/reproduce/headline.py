"""The dozen rows that a README shows: which they are, and how they are written there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError
from ..text_files import around_markers, write_text
from .report import Report

BEGIN = "<!-- reproduce: begin -->"
END = "<!-- reproduce: end -->"
APART = "ours, seeker offline on types left out, beside Completion, GPT-4o"
OURS = "ours, joint, beside ProADA (Ours), GPT-4o"

HEADLINE = (
    ("AWARE-US", "Table 2", "Global (Qwen3-8B), Car match (%)"),
    ("AWARE-US", "Table 3", "Global (Qwen3-8B), Car match (%)"),
    ("AWARE-US", "Table 4", "Global (Qwen3-8B), Car match (%)"),
    ("AWARE-US", "Table 3", "ours without a model (learned), Relax match (%)"),
    ("MapSatisfyBench", "Table 1", "GPT-5.3, ECR"),
    (
        "MapSatisfyBench",
        "tasks made here",
        "pois, seed 1, agent evidence, IISR of deciding tasks, less that of equal weights",
    ),
    ("ClarQ-LLM", "Table III", "Completion, GPT-4o, English s"),
    ("ClarQ-LLM", "Table III", f"{APART}, English s"),
    ("ClarQ-LLM", "Table III", f"{APART}, Chinese s"),
    (
        "APEC-Travel",
        "Table 2",
        "ours, critical, blind travellers, beside APEC-Travel-DPO, Iteration 2+3, "
        "Accuracy Critical",
    ),
    ("ProADA / BeNYfits", "Table 1", f"{OURS}, Diverse F1"),
    ("ProADA / BeNYfits", "Table 1", f"{OURS}, Diverse turns"),
)
"""Document, table and cell of the rows, in order."""

Record = Mapping[str, Any]


def headline(report: Report) -> dict[str, Any]:
    """Return the dozen rows of a report as a JSON object."""
    rows = {(row.document, row.table, row.cell): row for row in report.rows}
    return {"quick": report.quick, "rows": [rows[key].record() for key in HEADLINE]}


def headline_text(found: Record) -> str:
    """Return the rows as they are committed: JSON, a row a line."""
    rows = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in found["rows"])
    return f'{{"quick": {json.dumps(found["quick"])}, "rows": [\n{rows}\n]}}\n'


def headline_markdown(rows: Sequence[Record]) -> str:
    """Return the rows as a Markdown table."""
    return "\n".join(_lines(rows))


def _lines(rows: Sequence[Record]) -> Iterator[str]:
    yield "| document | cell | printed | recomputed | ours | comparable, or why not |"
    yield "|---|---|--:|--:|--:|---|"
    for row in rows:
        recomputed, ours = (shown(row[name]) for name in ("recomputed", "ours"))
        ends = interval_words(row["low"], row["high"])
        if row["ours"] is not None:
            ours += ends
        else:
            recomputed += ends
        why = (
            f"{'yes' if row['comparable'] else 'no'}{': ' if row['reason'] else ''}{row['reason']}"
        )
        cells = [row["document"], f"{row['table']}: {row['cell']}", as_printed(row["printed"])]
        yield f"| {' | '.join(map(escaped, [*cells, recomputed, ours, why]))} |"


def shown(value: float | str | None) -> str:
    """Return a figure as people read it, of three digits or more; nothing is a dash."""
    if value is None or isinstance(value, str):
        return value or "–"
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3f}"
    return text.rstrip("0").rstrip(".") if text.strip("-0.") else "0"


def as_printed(value: float | str | None) -> str:
    """Return a printed value with the digits that it is printed with, but for zeros at the end."""
    return shown(value) if value is None or isinstance(value, str) else f"{value:,}"


def interval_words(low: float | None, high: float | None) -> str:
    """Return an interval in brackets; nothing where there is none."""
    return "" if low is None or high is None else f" ({shown(low)} to {shown(high)})"


def escaped(text: str) -> str:
    """Return a text as a cell of a Markdown table."""
    return re.sub(r"([|\\])", r"\\\1", text)


def check_readme(page: Path) -> None:
    """Raise `QueryError` for a page without the markers, `UnreadableFile` for none."""
    _around(page)


def fill_readme(page: Path, report: Report) -> None:
    """Put the rows between the markers of a page; everything else stays.

    Raises `QueryError` for a report of `--quick`, and as `check_readme`.
    """
    if report.quick:
        raise QueryError("--readme with --quick", hint="its figures are those of the whole run")
    before, after = _around(page)
    table = headline_markdown(headline(report)["rows"])
    write_text(page, f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


def _around(page: Path) -> tuple[str, str]:
    return around_markers(page, BEGIN, END, f"put {BEGIN} and {END} there")
