"""AWARE-US rows and comparisons as tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from ...rendering.terminal_table import Cell, Grid, cut
from .intervals import Comparison
from .rows import Row
from .scoring import SettingComparison

PROSE_WIDTH = 100
MOST_FAILURES = 20

HEADERS = {
    "avg_constraints": "constraints",
    "slot_completion": "slots %",
    "sat_no_relaxation": "sat %",
    "sat_after_relaxation": "relaxed %",
    "unsat": "unsat %",
    "recommended": "offered %",
    "relax_match": "relax match %",
    "car_match": "car match %",
}
"""The columns of the published Tables 2 to 4, in their order."""

COUNTED = ("avg_slots", "avg_constraints", "questions", "tokens")
"""Metrics that are no fractions."""

WITH_INTERVALS = ("relax_match", "car_match")


def rows_tables(rows: Sequence[Row]) -> Group:
    """Return the rows as what a person reads: a table, then what differs or went wrong."""
    parts: list[RenderableType] = [_grid(rows)]
    differing = [row for row in rows if row.published and row.published.differing(row.values)]
    if any(row.published for row in rows):
        parts.append(_compared(rows, differing))
    if differing:
        parts.append(_differences(differing))
    if any(row.pass_hats for row in rows):
        parts.append(_repeated(rows))
    skipped = sum(row.skipped for row in rows if row.labels["setting"] != "all")
    if skipped or any(row.skipped for row in rows):
        count = skipped or max(row.skipped for row in rows)
        parts += [_prose(f"Left out, as persona or dialogue is withheld: {count}."), Text()]
    if any(row.failures for row in rows):
        parts.append(_failures(rows))
    return Group(*parts)


def comparison_table(rows: Sequence[SettingComparison], first: str, second: str) -> Group:
    """Return comparisons as a table: both figures, the difference with its interval, and p."""
    headers = ("setting", "figure", "n", "first", "second", "difference", "only first",
               "only second", "p")  # fmt: skip
    body = [(row.setting, *_compared_cells(row.comparison)) for row in rows if _tells(row)]
    grid = Grid("Second less first", headers, body, frozenset(headers[2:]))
    return Group(grid, _prose(f"first: {cut(first, 90)}"), _prose(f"second: {cut(second, 90)}"))


def _tells(row: SettingComparison) -> bool:
    """Return whether a line is worth a look: what matters most, and whatever differs."""
    return row.comparison.measure in WITH_INTERVALS or row.comparison.difference != 0


def _compared_cells(comparison: Comparison) -> Iterator[Cell]:
    yield comparison.measure
    yield str(comparison.n)
    yield _figure(comparison.measure, comparison.first)
    yield _figure(comparison.measure, comparison.second)
    ends = [_figure(comparison.measure, end) for end in comparison.interval or ()]
    difference = _figure(comparison.measure, comparison.difference)
    yield f"{difference} ({' to '.join(ends)})" if ends else difference
    yield "–" if comparison.only_first is None else str(comparison.only_first)
    yield "–" if comparison.only_second is None else str(comparison.only_second)
    yield "–" if comparison.p is None else f"{comparison.p:.3f}"


def _grid(rows: Sequence[Row]) -> Grid:
    names = list(rows[0].labels) if rows else ["setting"]
    headers = [*names, "n", *HEADERS.values()]
    body = [
        [*row.labels.values(), str(row.n), *(_cell(row, name) for name in HEADERS)] for row in rows
    ]
    return Grid("AWARE-US", headers, body, frozenset(headers[len(names) :]))


def _cell(row: Row, name: str) -> Cell:
    text = _figure(name, row.values.get(name))
    ends = row.intervals.get(name) if name in WITH_INTERVALS else None
    if ends is not None:
        text += f" ({100 * ends[0]:.0f}–{100 * ends[1]:.0f})"
    if row.published is not None and name in row.published.differing(row.values):
        return Text(f"{text} *", "yellow")
    return text


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if name in COUNTED else f"{100 * value:.1f}"


def _repeated(rows: Sequence[Row]) -> Grid:
    """Return pass^k of the car match, where instances were run repeatedly."""
    most = max(max(row.pass_hats, default=0) for row in rows)
    names = list(rows[0].labels)
    headers = [*names, *(f"pass^{k} %" for k in range(1, most + 1))]
    body = [
        [*row.labels.values(), *(_figure("", row.pass_hats.get(k)) for k in range(1, most + 1))]
        for row in rows
        if row.pass_hats
    ]
    return Grid("Right every time (car match)", headers, body, frozenset(headers[len(names) :]))


def _compared(rows: Sequence[Row], differing: Sequence[Row]) -> RenderableType:
    published = [row.published for row in rows if row.published]
    cells = sum(len(row.cells) for row in published)
    wrong = sum(len(row.published.differing(row.values)) for row in differing if row.published)
    text = f"{cells - wrong} of {cells} printed figures are those of the recorded runs"
    return Group(_prose(f"{text}{'; these are not:' if wrong else '.'}"), Text())


def _differences(rows: Sequence[Row]) -> Grid:
    headers = ("setting", "model", "method", "figure", "printed", "recomputed")
    body = [
        (*row.labels.values(), name, _figure(name, published), _figure(name, row.values.get(name)))
        for row in rows
        if row.published is not None
        for name, published in row.published.cells.items()
        if name in row.published.differing(row.values)
    ]
    return Grid("Printed otherwise", headers, body, frozenset(headers[-2:]))


def _failures(rows: Sequence[Row]) -> Grid:
    lines = list(_failing(rows))
    title = "Went wrong"
    if len(lines) > MOST_FAILURES:
        title += f", the first {MOST_FAILURES} of {len(lines)} (all with --format json)"
    return Grid(title, ("of", "instance", "why"), lines[:MOST_FAILURES])


def _failing(rows: Sequence[Row]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        kind = " ".join(row.labels.values())
        for failure in row.failures:
            yield kind, cut(failure.instance), cut("; ".join(failure.reasons), 200)


def _prose(text: str) -> RenderableType:
    return Constrain(Text(text, "dim"), PROSE_WIDTH)
