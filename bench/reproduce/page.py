"""The report as one HTML file with its own style and no script; nothing is allowed to load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...rendering.html import Child, Html, document, join, tag
from ..printed.tables import DOCUMENTS, printed
from ..single_page import package_text, single_page_head
from .drawings import drawings
from .headline import HEADLINE, shown
from .leaderboard import COLUMNS, COUNTS, cells_of, counts_of
from .model_table import MODEL_COLUMNS, model_cells
from .report import Report, is_printed_cell
from .row import Row

TITLE = "Five documents at work"


def page(report: Report) -> str:
    """Return the page; without its times the same figures give the same text."""
    sections = list(_sections(report))
    contents = [tag("li", tag("a", name, href=f"#{key}")) for key, name, _ in sections]
    body = tag(
        "body",
        tag("a", "Skip to the figures", href="#headline", class_="skip"),
        tag("header", tag("h1", TITLE), *_about(report)),
        tag("nav", tag("ul", *contents), aria_label="Contents"),
        tag("main", *(_section(*section) for section in sections)),
    )
    style = package_text(str(__package__), "page.css")
    return document(join(*single_page_head(TITLE, style)), body)


def _about(report: Report) -> Iterator[Html]:
    yield tag(
        "p",
        "What five documents print, what their recorded runs give when they are scored again, and "
        "what this package does without a model. Intervals are 95 %, of ours where there is one. ",
        "Comparable is what measures the same on the same tasks, or on those of them that are "
        "published; else the last column says why not.",
    )
    if report.quick:
        yield tag("p", "This is a quick run: some parts are smaller, and some are left out.")


def _section(key: str, name: str, content: Child) -> Html:
    heading = f"{key}-heading"
    return tag("section", tag("h2", name, id=heading), content, id=key, aria_labelledby=heading)


def _sections(report: Report) -> Iterator[tuple[str, str, Child]]:
    yield "headline", "A dozen rows", join(*_headline(report))
    yield (
        "counts",
        "Counts",
        _table("By document", COUNTS, [counts_of(t) for t in report.tallies()]),
    )
    yield "plots", "Plots", join(_legend(), *drawings(report))
    titles = {printed(file).name: printed(file) for file in DOCUMENTS}
    for at, (name, tables) in enumerate(report.documents.items()):
        known = titles.get(name)
        source = tag("p", known.source, class_="quiet") if known else None
        parts = [
            _details(
                table, known.tables[table].title if known and table in known.tables else "", of
            )
            for table, of in tables.items()
        ]
        yield f"document-{at}", name, join(source, *parts)
    if report.on_model:
        table = _table(report.on_model.model, MODEL_COLUMNS, model_cells(report.on_model))
        yield "on-model", "The roles on a model", table
    yield "times", "Times", join(*_times(report))


def _headline(report: Report) -> Iterator[Html]:
    rows = {(row.document, row.table, row.cell): row for row in report.rows}
    chosen = [rows[key] for key in HEADLINE if key in rows]
    lines = [(f"{row.document}, {row.table}", *cells_of(row)) for row in chosen]
    yield _table("Of all rows", ("where", *COLUMNS), lines)


def _details(table: str, title: str, rows: Sequence[Row]) -> Html:
    summary = tag("summary", tag("b", table), f" {title}: " if title else ": ", _counts(rows))
    commands = list(dict.fromkeys(row.command for row in rows if row.command))
    shown_commands = [tag("p", tag("code", command), class_="quiet") for command in commands]
    body = _table(f"{table} {title}".strip(), COLUMNS, [cells_of(row) for row in rows])
    return tag("details", summary, body, *shown_commands)


def _counts(rows: Sequence[Row]) -> str:
    cells = [row for row in rows if is_printed_cell(row)]
    recomputed = sum(row.recomputed.value is not None for row in rows)
    equal = sum(row.as_printed is True for row in cells)
    ours = sum(row.ours.value is not None for row in rows)
    told = [
        (len(cells), "printed"),
        (recomputed, "recomputed"),
        (equal, "as printed"),
        (ours, "of ours"),
    ]
    return ", ".join(f"{count:,} {what}" for count, what in told if count) or rows[0].reason


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """Return a table whose first column names its rows, in a box that scrolls sideways."""
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    body = [
        tag("tr", tag("th", row[0], scope="row"), *map(_cell, heads[1:], row[1:])) for row in rows
    ]
    table = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    return tag("div", table, class_="wide", tabindex="0", role="region", aria_label=caption)


def _cell(head: str, text: str) -> Html:
    kind = {COLUMNS[0]: "cell", COLUMNS[-1]: "why"}.get(head)
    if text.strip("–") == "" or text[0] in "-0123456789":
        kind = kind or "number"
    return tag("td", text, class_=kind)


def _legend() -> Html:
    return tag(
        "p",
        "A ring is what is printed, a square what is recomputed from recorded runs, a dot with its "
        "95 % interval what we do without a model.",
    )


def _times(report: Report) -> Iterator[Html]:
    yield tag("p", f"This run took {report.seconds:,.1f} s; what was finished before was not run.")
    stages = [(name, shown(seconds)) for name, seconds in report.times.get("stages", {}).items()]
    yield _table("Processor seconds a part, when it was run", ("part", "seconds"), stages)
    lines = [
        (
            f"{timing['section']}: {timing['case']}",
            timing["method"],
            _ms(timing["median_ms"]),
            _ms(timing["ratio"]),
        )
        for timing in report.times.get("throughput", [])
    ]
    heads = ("question", "method", "median, ms", "times ours")
    if lines:
        summary = tag("summary", tag("b", "Throughput"), " beside other tools, quick form")
        yield tag("details", summary, _table("Every answer was compared first", heads, lines))


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:,.3g}"
