"""The report as PNG plots, drawn by matplotlib from the extra `bench`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError
from ..text_files import naming
from .report import Cell, Report, Section
from .result_tables import milliseconds

WIDTH, DENSITY = 8, 0.3
"""The line of the grid that is drawn over the rows."""

SIZE = (8.0, 4.8)
RESOLUTION = 150


def check_plots(folder: Path) -> None:
    """Raise `QueryError` without matplotlib, `UnreadableFile` for a folder that cannot be."""
    if find_spec("matplotlib") is None:
        raise QueryError("no matplotlib", hint="pip install 'concede[bench]'")
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write_plots(report: Report, folder: Path) -> list[Path]:
    """Write a PNG for each section that has something to draw; return where they are."""
    check_plots(folder)
    # Drawn without a display, and without pyplot's global state.
    figure_of: Any = import_module("matplotlib.figure").Figure
    written: list[Path] = []
    for name, draw in _DRAWN.items():
        section = report.section(name)
        if section is None or not section.cells:
            continue
        figure = figure_of(figsize=SIZE, layout="constrained")
        draw(section, figure.subplots())
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=RESOLUTION)
        written.append(path)
    return written


def _medians(cells: list[Cell], key: str) -> dict[str, list[tuple[float, float]]]:
    """Return for each method the points (case[key], median in ms)."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for cell in cells:
        place = float(cell.case[key])
        for result in cell.results:
            if result.median_ms is not None:
                lines.setdefault(result.method, []).append((place, result.median_ms))
    return lines


def _lines(axes: Any, lines: dict[str, list[tuple[float, float]]], key: str) -> None:
    for name, points in lines.items():
        xs, ys = zip(*sorted(points), strict=True)
        axes.plot(xs, ys, marker="o", label=name, linewidth=2.5 if name == "concede" else 1.2)
    axes.set_yscale("log")
    axes.set_xlabel(key)
    axes.set_ylabel("median, ms")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")


def _diagnosis(section: Section, axes: Any) -> None:
    wanted = {"k": WIDTH, "density": DENSITY, "base": "all", "state": "warm"}
    cells = [cell for cell in section.cells if wanted.items() <= cell.case.items()]
    _lines(axes, _medians(cells, "rows"), "rows")
    axes.set_xscale("log")
    axes.set_title(f"Diagnosis of {WIDTH} constraints, each keeps {DENSITY:.0%}, warm")


def _bars(section: Section, axes: Any) -> None:
    """Draw the last, largest, cell as one bar a method, fastest first."""
    cell = section.cells[-1]
    medians = [
        (result.median_ms, result.method) for result in cell.results if result.median_ms is not None
    ]
    values, names = zip(*sorted(medians, reverse=True), strict=True)
    colours = ["C1" if name.startswith("concede") else "C0" for name in names]
    bars = axes.barh(names, values, color=colours)
    axes.bar_label(bars, [milliseconds(value) for value in values], padding=3, fontsize="small")
    axes.set_xscale("log")
    axes.margins(x=0.15)
    axes.set_xlabel("median, ms")
    axes.set_title(f"{section.title}\n{cell.label}", fontsize="medium", wrap=True)


def _constraints(section: Section, axes: Any) -> None:
    for kind, name in (("histogram", "histogram, 10⁶ rows"), ("diagnosis", "sparse diagnosis")):
        cells = [cell for cell in section.cells if cell.case["of"] == kind]
        points = _medians(cells, "k").get("concede", [])
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", label=name)
    axes.set_yscale("log")
    axes.set_xlabel("constraints")
    axes.set_ylabel("median, ms")
    axes.grid(alpha=0.3)
    axes.legend()
    axes.set_title(section.title)


def _rows(section: Section, axes: Any) -> None:
    cells = [cell for cell in section.cells if cell.results]
    _lines(axes, _medians(cells, "rows"), "rows")
    axes.set_xscale("log")
    fit = section.cells[-1].figures
    if "ns a row" in fit:
        xs = sorted(float(cell.case["rows"]) for cell in cells)
        ys = [fit["ms at no rows"] + fit["ns a row"] * x / 1e6 for x in xs]
        axes.plot(xs, ys, "--", color="grey", label=f"linear, R² = {fit['R²']:.4f}")
        axes.legend()
    axes.set_title(section.title)


_DRAWN: dict[str, Callable[[Section, Any], None]] = {
    "diagnosis": _diagnosis,
    "enumeration": _bars,
    "feasibility": _bars,
    "repair": _bars,
    "constraints": _constraints,
    "rows": _rows,
}
