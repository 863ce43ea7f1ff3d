"""The leaderboard as Markdown: counts, what stands beside the printed figures, and what cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .headline import as_printed, escaped, interval_words, shown
from .model_table import MODEL_COLUMNS, model_cells
from .report import Report, Tally
from .row import Row

COUNTS = ("document", "tables and figures", "printed cells", "recomputed", "as printed",
          "figures of ours", "comparable", "nothing beside")  # fmt: skip
COLUMNS = ("cell", "printed", "recomputed", "ours", "comparable", "in mind, or why not")


def leaderboard(report: Report) -> str:
    """Return the page; the same figures give the same text."""
    return "\n".join(_lines(report)).strip() + "\n"


def counts_of(tally: Tally) -> tuple[str, ...]:
    """Return a tally as the cells of `COUNTS`."""
    return tuple(
        value if isinstance(value, str) else f"{value:,}" for value in vars(tally).values()
    )


def cells_of(row: Row) -> tuple[str, ...]:
    """Return a row as the cells of `COLUMNS`."""
    ends = interval_words(row.shown.low, row.shown.high)
    ours = row.ours.value is not None
    return (
        row.cell,
        as_printed(row.printed),
        shown(row.recomputed.value) + ("" if ours else ends),
        shown(row.ours.value) + (ends if ours else ""),
        "yes" if row.comparable else "no",
        row.reason,
    )


def reasons(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return rows by their reason, in the order in which reasons come up."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.reason, []).append(row)
    return found


def _lines(report: Report) -> Iterator[str]:
    kind = "--quick" if report.quick else "the whole run"
    yield "# Five documents at work"
    yield from ("", f"Made by `concede bench reproduce --data DIR --out FOLDER`: {kind}.", "")
    yield from _table(COUNTS, [counts_of(tally) for tally in report.tallies()])
    for document, tables in report.documents.items():
        yield from ("", f"## {document}")
        for table, rows in tables.items():
            yield from ("", f"### {table}", "")
            beside = [row for row in rows if row.shown.value is not None]
            if beside:
                yield from _table(COLUMNS, [cells_of(row) for row in beside])
            yield from _nothing([row for row in rows if row.shown.value is None])
    if report.on_model:
        yield from ("", f"## The roles on {escaped(report.on_model.model)}", "")
        yield from _table(MODEL_COLUMNS, model_cells(report.on_model))


def _nothing(rows: Sequence[Row]) -> Iterator[str]:
    if rows:
        yield ""
    for reason, of in reasons(rows).items():
        names = "; ".join(row.cell for row in of[:4])
        more = f" and {len(of) - 4:,} more" if len(of) > 4 else ""
        yield f"- {len(of):,} without: {names}{more}. {reason}."


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join(['---'] * len(heads))}|"
    for row in rows:
        yield f"| {' | '.join(map(escaped, row))} |"
