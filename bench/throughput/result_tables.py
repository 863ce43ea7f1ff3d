"""The report as tables: titled rows under headers, used on the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from ...rendering.terminal_table import Grid
from .comparison import OURS
from .report import Cell, Report, Result, Section, spoken

SHORT = {
    "concede, counts only": "ours, counts",
    "DuckDB, stored mask": "DuckDB stored",
    "DuckDB, computed mask": "DuckDB comp.",
    "DuckDB, a count a subset": "DuckDB counts",
    "pyroaring": "roaring",
    "Python integers": "Python ints",
    "NumPy and Python integers": "NumPy, Python ints",
    "Z3, rows": "Z3 rows",
}
"""Methods as the headers of narrow columns."""

NOTHING = "–"


@dataclass(frozen=True)
class ResultTable:
    """Rows under headers; the columns named in `left` hold words, the others numbers."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[str] = frozenset()
    below: tuple[str, ...] = ()


def milliseconds(value: float | None) -> str:
    """Return milliseconds with three digits that matter."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def times(ratio: float | None) -> str:
    """Return a ratio as `×12`."""
    if ratio is None:
        return NOTHING
    return f"×{ratio:,.0f}" if ratio >= 10 else f"×{ratio:.2g}"


def size(value: float | None) -> str:
    """Return bytes in the unit that suits them."""
    if value is None:
        return NOTHING
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.3g}\N{NO-BREAK SPACE}{unit}"
        value /= 1000
    return f"{value:.3g}\N{NO-BREAK SPACE}GB"


def result_tables(section: Section) -> Iterator[ResultTable]:
    """Yield the tables of a section."""
    yield from _FORMS.get(section.name, _by_method)(section)


def _pivot(section: Section) -> Iterator[ResultTable]:
    """One table for each number of rows, warm and cold; a line a cell, a column a rival."""
    groups: dict[tuple[int, str], list[Cell]] = {}
    for cell in section.cells:
        groups.setdefault((int(cell.case["rows"]), str(cell.case["state"])), []).append(cell)
    for (rows, state), cells in sorted(groups.items(), key=lambda group: group[0]):
        rivals = list(dict.fromkeys(r.method for each_cell in cells for r in each_cell.results[1:]))
        yield ResultTable(
            f"{spoken(rows)} rows, {state}",
            ("k", "keeps", "of", "ms", "p99", "read", *(SHORT.get(name, name) for name in rivals)),
            tuple(_pivot_row(cell, rivals) for cell in cells),
            frozenset(("keeps", "of")),
            (PIVOT_LEGEND, *_reasons(cells)),
        )


PIVOT_LEGEND = (
    f"ms (median), p99 and what it reads: {OURS}; ×: the other's median over that. Keeps: the "
    "share of rows each predicate keeps; of: the base slice."
)


def _pivot_row(cell: Cell, rivals: Sequence[str]) -> tuple[str, ...]:
    ours = cell.results[0]
    results = [cell.result(rival) for rival in rivals]
    return (
        str(cell.case["k"]),
        str(cell.case["density"]),
        str(cell.case["base"]),
        milliseconds(ours.median_ms),
        milliseconds(ours.p99_ms),
        size(ours.bytes),
        *(times(result.ratio) if result else NOTHING for result in results),
    )


def _reasons(cells: Sequence[Cell]) -> list[str]:
    """Return who was not measured and why, each reason once."""
    reasons = (
        f"{result.method}: {result.outcome}" + (f" ({result.why})" if result.why else "")
        for cell in cells
        for result in cell.results
        if result.outcome != "measured"
    )
    return list(dict.fromkeys(reasons))


def _by_method(section: Section) -> Iterator[ResultTable]:
    """One table a cell, a line a method."""
    for cell in section.cells:
        rows = tuple(_method_row(result) for result in cell.results)
        headers = ("method", "median ms", "p99 ms", "fastest ms", "runs", "ratio", "reads")
        below = [*_keeping(cell), *_reasons([cell])]
        yield ResultTable(cell.label, headers, rows, frozenset(("method",)), tuple(below))


def _method_row(result: Result) -> tuple[str, ...]:
    if result.outcome != "measured":
        return (result.method, result.outcome, *[NOTHING] * 5)
    return (
        result.method,
        milliseconds(result.median_ms),
        milliseconds(result.p99_ms),
        milliseconds(result.fastest_ms),
        str(result.runs),
        times(result.ratio),
        size(result.bytes),
    )


def _keeping(cell: Cell) -> list[str]:
    if cell.selectivity is None:
        return []
    known = cell.selectivity
    low, high = (f"{end(known.shares):.3g}" for end in (min, max))
    shares = low if low == high else f"{low} to {high}"
    base = "" if known.base_share == 1 else f", the base slice {known.base_share:.3g}"
    kept = f"Each predicate keeps {shares} of the rows{base}"
    return [f"{kept}; {known.matching:,} rows meet all ({known.drawn})."]


def _bandwidths(section: Section) -> Iterator[ResultTable]:
    first, *kernels = section.cells
    rows = tuple((name, f"{value:.3g}") for name, value in first.figures.items())
    yield ResultTable("Bandwidth", ("what", "measured"), rows, frozenset(("what",)))
    listed = tuple(
        (
            str(kernel.case["of"]),
            spoken(kernel.case["rows"]),
            milliseconds(kernel.results[0].median_ms),
            size(kernel.results[0].bytes),
            f"{kernel.figures['GB/s']:.3g}",
            f"{kernel.figures['of the limit']:.0%}",
        )
        for kernel in kernels
    )
    headers = ("kernel", "rows", "median ms", "reads", "GB/s", "of the limit")
    yield ResultTable("Kernels", headers, listed, frozenset(("kernel",)))


def _by_cell(section: Section) -> Iterator[ResultTable]:
    """One table for each kind of question, a line a cell with its figures."""
    groups: dict[str, list[Cell]] = {}
    for cell in section.cells:
        if cell.results:
            groups.setdefault(str(cell.case.get("of", "diagnosis")), []).append(cell)
    for kind, cells in groups.items():
        keys = [key for key in cells[0].case if key != "of"]
        rows = tuple(
            (
                *(spoken(cell.case[key]) for key in keys),
                milliseconds(cell.results[0].median_ms),
                milliseconds(cell.results[0].p99_ms),
                size(cell.results[0].bytes),
                *(times(rival.ratio) for rival in cell.results[1:]),
                *(_figure(name, value) for name, value in cell.figures.items()),
            )
            for cell in cells
        )
        rivals = [SHORT.get(result.method, result.method) for result in cells[0].results[1:]]
        headers = (*keys, "median ms", "p99 ms", "reads", *rivals, *cells[0].figures)
        yield ResultTable(kind, headers, rows, frozenset(("state",)), tuple(_fits(section)))


def _by_figures(section: Section) -> Iterator[ResultTable]:
    """One table, a line a cell with its figures; nobody is compared."""
    first = section.cells[0]
    rows = tuple(
        (*map(spoken, cell.case.values()), *(_figure(*pair) for pair in cell.figures.items()))
        for cell in section.cells
    )
    words = frozenset(key for key, value in first.case.items() if isinstance(value, str))
    yield ResultTable(section.title, (*first.case, *first.figures), rows, words)


def _figure(name: str, value: float) -> str:
    if name == "peak memory":
        return size(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _fits(section: Section) -> Iterator[str]:
    for cell in section.cells:
        if not cell.results:
            figures = ", ".join(f"{name} {value:.4g}" for name, value in cell.figures.items())
            yield f"{str(cell.case['of']).capitalize()}: {figures}."


_FORMS: dict[str, Callable[[Section], Iterator[ResultTable]]] = {
    "machine": _bandwidths,
    "diagnosis": _pivot,
    "constraints": _by_cell,
    "rows": _by_cell,
    "first-use": _by_figures,
}


def machine_line(report: Report) -> str:
    """Return the machine and the versions in one line."""
    known = report.machine.items()
    machine = ", ".join(str(value) if key in _PLAIN else f"{key} {value}" for key, value in known)
    used = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    return f"{machine}; {used}"


_PLAIN = frozenset(("processor", "system"))


PROSE_WIDTH = 100


def report_tables(report: Report) -> Group:
    """Return the report as what a person reads."""
    parts: list[RenderableType] = [_prose(machine_line(report), "dim"), Text()]
    for section in report.sections:
        parts += [Text(section.title, "bold underline"), _prose(section.note, "dim"), Text()]
        for table in result_tables(section):
            parts += _table(table)
    return Group(*parts)


def _table(table: ResultTable) -> list[RenderableType]:
    right = frozenset(table.headers) - table.left
    grid = Grid(table.title, table.headers, table.rows, right)
    below: list[RenderableType] = [_prose(line, "dim") for line in table.below]
    return [grid, *below, *([Text()] if below else [])]


def _prose(text: str, style: str) -> RenderableType:
    return Constrain(Text(text, style), PROSE_WIDTH)
