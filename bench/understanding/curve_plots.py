"""What `curves` measured as files: curve.json, and plots by matplotlib (extra `bench`).

The same figures give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError
from ...rendering.terminal_table import Grid
from ..text_files import naming, write_text
from .curves import Measured, TestFigures

SIZE = (6.4, 4.0)
LABELS = {
    "made": "made, apart",
    "sgd": "SGD, services apart",
    "fresh": "fresh requests",
}
STYLE = {"svg.hashsalt": "concede", "svg.fonttype": "none", "font.size": 9}


def check_folder(folder: Path) -> None:
    """Make the folder; raise `QueryError` without matplotlib, `UnreadableFile` if it cannot be."""
    if find_spec("matplotlib") is None:
        raise QueryError("no matplotlib", hint="pip install 'concede[bench]'")
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write_curves(measured: Measured, folder: Path) -> list[Path]:
    """Write the figures and the plots; return where they are.

    Raises `QueryError` without matplotlib, `UnreadableFile` where nothing can be written.
    """
    check_folder(folder)
    record = json.dumps(measured.record(), indent=2, ensure_ascii=False) + "\n"
    write_text(folder / "curve.json", record)
    plots: dict[str, Callable[[Measured, Any], None]] = {
        "learning-curve": _curve,
        "parts": _parts,
        "calibration": _calibration,
        "phenomena": _phenomena,
    }
    return [folder / "curve.json", *(_drawn(folder, name, measured, plots[name]) for name in plots)]


def _drawn(
    folder: Path, name: str, measured: Measured, draw: Callable[[Measured, Any], None]
) -> Path:
    matplotlib: Any = import_module("matplotlib")
    figure: Any = import_module("matplotlib.figure").Figure(figsize=SIZE, layout="constrained")
    path = folder / f"{name}.svg"
    with matplotlib.rc_context(STYLE), naming(path):
        draw(measured, figure.subplots())
        figure.savefig(path, metadata={"Date": None})
    return path


def _curve(measured: Measured, axes: Any) -> None:
    sizes = [point.sentences for point in measured.curve]
    for name, label in LABELS.items():
        shares = [
            _percent(point.figures[name].fully_right)
            for point in measured.curve
            if name in point.figures
        ]
        if shares:
            axes.plot(sizes, shares, marker="o", label=label)
    axes.set_xscale("log")
    axes.set_xlabel("sentences trained on")
    axes.set_ylabel("fully right, %")
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend()


def _percent(of_one: float | None) -> float:
    return float("nan") if of_one is None else 100 * of_one


def _parts(measured: Measured, axes: Any) -> None:
    points = list(reversed((*measured.without, *measured.shipped)))
    height = 0.8 / len(LABELS)
    for place, (name, label) in enumerate(LABELS.items()):
        rows = [at + (1 - place) * height for at in range(len(points))]
        shares = [
            _percent(point.figures[name].fully_right if name in point.figures else None)
            for point in points
        ]
        axes.barh(rows, shares, height, label=label)
    axes.set_yticks(range(len(points)), [point.name for point in points])
    axes.set_xlabel("fully right, %")
    axes.legend(loc="lower right")


def _calibration(measured: Measured, axes: Any) -> None:
    axes.plot([0, 1], [0, 1], linestyle=":", color="grey")
    axes.plot(
        [interval.confidence for interval in measured.calibration.bins],
        [interval.right for interval in measured.calibration.bins],
        marker="o",
    )
    axes.set_xlabel("confidence")
    axes.set_ylabel("share that is meant")
    axes.set_title(f"expected calibration error {100 * (measured.calibration.error or 0):.1f} %")
    axes.grid(alpha=0.3)


def _phenomena(measured: Measured, axes: Any) -> None:
    rows = sorted(measured.phenomena.items(), key=lambda row: row[1]["fully_right"] or 0.0)
    axes.barh(
        [f"{name} ({figures['requests']})" for name, figures in rows],
        [_percent(figures["fully_right"]) for _, figures in rows],
    )
    axes.tick_params(axis="y", labelsize=6)
    axes.set_xlabel("made sentences fully right, %")


def _written(figures: TestFigures | None) -> str:
    return "–" if figures is None else f"{_percent(figures.fully_right):.1f}"


def curve_tables(measured: Measured) -> list[Grid]:
    """Return the figures as tables for a terminal."""
    sets = [name for name in LABELS if name in measured.curve[-1].figures]
    headers = ("reader", "sentences", *(f"{LABELS[name]}, %" for name in sets))
    rows = [
        (
            point.name,
            "–" if point.sentences is None else f"{point.sentences:,}",
            *(_written(point.figures.get(name)) for name in sets),
        )
        for point in (*measured.curve, *measured.without[1:], *measured.shipped)
    ]
    bins = [
        (f"{interval.confidence:.2f}", f"{interval.right:.2f}", f"{interval.readings:,}")
        for interval in measured.calibration.bins
    ]
    numbers = ("confidence", "meant", "readings")
    return [
        Grid("Fully right", headers, rows, frozenset(headers[1:])),
        Grid("Calibration", numbers, bins, frozenset(numbers)),
    ]
