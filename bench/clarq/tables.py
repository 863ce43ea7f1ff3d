"""ClarQ-LLM rows as tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from ...rendering.terminal_table import Grid, cut
from .failures import CLASSES
from .published import CELLS, without_data

PROSE_WIDTH = 100

Row = Mapping[str, Any]


def rows_tables(rows: Sequence[Row], breakdowns: Sequence[str] = ()) -> Group:
    """Return rows as what a person reads: the figures, what failed, and some breakdowns."""
    parts: list[RenderableType] = [_figures(rows)]
    if any("recorded" in row for row in rows):
        parts.append(_recorded(rows))
    if any("recorded_success_rate" in row for row in rows):
        parts += [
            _replayed(rows),
            _errors(rows, "against_recorded", "Beside the recorded provider"),
        ]
    if any("provider_errors" in row for row in rows):
        parts.append(_errors(rows, "provider_errors", "Provider errors, offline provider as judge"))
    if any("failures" in row for row in rows):
        parts.append(_failures(rows))
    parts += [_breakdown(rows, name) for name in breakdowns]
    return Group(*parts)


def record_table(title: str, records: Sequence[Row]) -> Grid:
    """Return flat records as a table, a line each."""
    headers = tuple(records[0]) if records else ("run",)
    body = [[_shown(record.get(name)) for name in headers] for record in records]
    return Grid(title, headers, body, frozenset(headers[2:]))


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, float) else cut(str(value))


def _figures(rows: Sequence[Row]) -> Grid:
    headers = ("run", "lang", "tasks", "success %", "D", "L", "released %")
    body = [
        (
            cut(row["run"]),
            row["lang"],
            str(row["tasks"]),
            f"{_percent(row['success_rate'])}{_between(row)}",
            _shown(row["D"]),
            _shown(row["L"]),
            _percent(row["released"]),
        )
        for row in rows
    ]
    return Grid("ClarQ-LLM", headers, body, frozenset(headers[2:]))


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f}"


def _between(row: Row) -> str:
    ends = row["intervals"]["success_rate"]
    return "" if ends is None else f" ({100 * ends[0]:.0f}–{100 * ends[1]:.0f})"


def _recorded(rows: Sequence[Row]) -> RenderableType:
    headers = ("run", "lang", "figure", "recomputed", "recorded", "printed", "equal")
    lines = [
        (cut(row["run"]), row["lang"], name, *_cells(row, name)) for row in rows for name in CELLS
    ]
    told = [line for line in lines if line[-1] != "–"]
    equal = sum(line[-1] == "yes" for line in told)
    text = f"{equal} of {len(told)} recorded figures are those of the dialogues. No dialogues for:"
    prose = "\n".join([text, *(f"  {cells}" for cells in without_data())])
    grid = Grid("Beside the published figures", headers, lines, frozenset(headers[3:]))
    return Group(grid, Constrain(Text(prose, "dim"), PROSE_WIDTH), Text())


def _cells(row: Row, name: str) -> Iterator[str]:
    yield _shown(row[name])
    for other in ("recorded", "printed"):
        yield "–" if row[other] is None else _shown(row[other][name])
    yield "–" if row["equal"] is None else "yes" if row["equal"][name] else "no"


def _replayed(rows: Sequence[Row]) -> Grid:
    headers = ("run", "lang", "success %", "recorded %", "agree %")
    body = [
        (
            cut(row["run"]),
            row["lang"],
            *(_percent(row[name]) for name in ("success_rate", "recorded_success_rate", "agree")),
        )
        for row in rows
    ]
    return Grid("Recorded seekers, our provider", headers, body, frozenset(headers[2:]))


def _errors(rows: Sequence[Row], field: str, title: str) -> Grid:
    names = ("turns", "first_kind_per_100", "second_kind_per_100", "same_nodes_where_due",
             "silent_where_none_due", "f1")  # fmt: skip
    headers = ("run", "lang", *(name.replace("_", " ") for name in names))
    body = [
        (cut(row["run"]), row["lang"], *(_shown(row[field][name]) for name in names))
        for row in rows
        if field in row
    ]
    return Grid(title, headers, body, frozenset(headers[2:]))


def _failures(rows: Sequence[Row]) -> Grid:
    headers = ("run", "lang", *(kind.replace("_", " ") for kind in CLASSES))
    body = [
        (cut(row["run"]), row["lang"], *(str(row["failures"][kind]) for kind in CLASSES))
        for row in rows
    ]
    return Grid("Facts missed in dialogues that failed", headers, body, frozenset(headers[2:]))


def _breakdown(rows: Sequence[Row], field: str) -> Grid:
    what = field.removeprefix("by_")
    headers = ("run", "lang", what, "tasks", "success %", "D", "L", "released %")
    body = [
        (
            cut(row["run"]), row["lang"], value, str(part["tasks"]),
            _percent(part["success_rate"]), _shown(part["D"]), _shown(part["L"]),
            _percent(part["released"]),
        )
        for row in rows
        for value, part in row[field].items()
    ]  # fmt: skip
    return Grid(f"By {what}", headers, body, frozenset(headers[3:]))
