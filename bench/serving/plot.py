"""Latency by rate as a plot, drawn by matplotlib."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from .report import ServingReport


def check_plot(path: str) -> None:
    """Raise `QueryError` without matplotlib, `UnreadableFile` for a folder that is not there."""
    if find_spec("matplotlib") is None:
        raise QueryError("no matplotlib", hint="pip install 'concede[bench]'")
    if not Path(path).absolute().parent.is_dir():
        raise UnreadableFile(path, "no such folder", hint=f"make {excerpt(str(Path(path).parent))}")


def write_plot(report: ServingReport, path: str) -> None:
    """Draw p50 and p99 by rate, of first-time questions and of all, alone and beside the writer."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawing: Any = pyplot
    figure, axes = drawing.subplots(figsize=(7, 4))
    for writer, dashes in ((False, "-"), (True, "--")):
        steps = [step for step in report.steps if step.writer == writer]
        beside = ", beside the writer" if writer else ""
        first = [(step.achieved, step.first) for step in steps if step.first]
        everything = [(step.achieved, step.latency) for step in steps]
        for kind, points in (("first time", first), ("all", everything)):
            for name in ("p50", "p99") if points else ():
                rates = [rate for rate, _ in points]
                times = [getattr(latency, name) for _, latency in points]
                label = f"{kind}, {name}{beside}"
                axes.plot(rates, times, dashes, marker="o", label=label)
    axes.set(xlabel="answers a second", ylabel="milliseconds", yscale="log")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    drawing.close(figure)
