"""How many programs depend on each feature (ProADA, section 2.2 and figure 2), and its plot.

Counted from what the origin's checkers read, which the data names, and beside it from what the
checkers of this project read. The two differ where a checker reads a fact in another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from ...catalogs.errors import QueryError
from ...dialogs.eligibility.decisions.program import Programs
from ..printed.tables import printed
from ..text_files import naming
from .published_data import BenyfitsData

PRINTED_AS = {
    "fewest": "min",
    "most": "max",
    "mean": "mean",
    "standard deviation": "standard_deviation",
}
"""Spreads by their printed names."""

TOP = 20
"""Features in the document's figure."""


@dataclass(frozen=True)
class FeatureCounts:
    """Programs by feature, most first; features that no checker reads are left out.

    `origin`: where the data names no features, empty.
    """

    origin: dict[str, int]
    ours: dict[str, int]
    features_a_program: tuple[int, ...]

    def record(self, top: int | None = None) -> dict[str, Any]:
        """Return the counts of the first `top` features as a JSON object, and their spread."""
        names = list(self.origin)[:top]
        return {
            "features": [
                {"feature": name, "programs": self.origin[name], "ours": self.ours.get(name, 0)}
                for name in names
            ],
            "features_a_program": _spread(self.features_a_program),
            "programs_a_feature": _spread(tuple(self.origin.values())),
            "printed": printed_spreads(),
        }


def printed_spreads() -> dict[str, dict[str, Any]]:
    """Return what section 2.2 prints; the caption of figure 2 says that 53 read the age."""
    found: dict[str, dict[str, Any]] = {}
    for cell in printed("benyfits").tables["Figure 2"].cells():
        what, _, spread = cell.row.partition(", ")
        if spread:
            found.setdefault(what.replace(" ", "_"), {})[PRINTED_AS[spread]] = cell.value
    return found


def _spread(counts: Sequence[int]) -> dict[str, float | None]:
    if not counts:
        return dict.fromkeys(("min", "max", "mean", "standard_deviation"))
    return {
        "min": min(counts),
        "max": max(counts),
        "mean": fmean(counts),
        "standard_deviation": pstdev(counts),
    }


def feature_counts(data: BenyfitsData, programs: Programs) -> FeatureCounts:
    """Return the counts of the data and of the checkers.

    Raises `QueryError` where no program of the data names what it reads.
    """
    origin = Counter(name for each in data.programs.values() for name in set(each.features_read))
    if not origin:
        raise QueryError("no program names its features", hint="programs.jsonl: features_read")
    ours = Counter(key for program in programs.programs for key in set(program.keys))
    return FeatureCounts(
        _ranked(origin),
        _ranked(ours),
        tuple(len(set(each.features_read)) for each in data.programs.values()),
    )


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def check_plot(path: Path) -> None:
    """Raise `QueryError` for a file that is no drawing, or without matplotlib."""
    if path.suffix not in (".svg", ".png"):
        raise QueryError(f"plot {path.name!r}", hint="name a file that ends in .svg or .png")
    if find_spec("matplotlib") is None:
        raise QueryError("no matplotlib", hint="pip install 'concede[bench]'")


def write_plot(path: Path, counts: FeatureCounts, top: int = TOP) -> None:
    """Draw the first `top` features as bars, the origin's count and ours; the same bytes each time.

    Raises what `check_plot` raises, and `UnreadableFile` for a file that cannot be written.
    """
    check_plot(path)
    matplotlib: Any = import_module("matplotlib")
    # Drawn without a display, and without pyplot's global state.
    figure_of: Any = import_module("matplotlib.figure").Figure
    names = list(counts.origin)[:top]
    with matplotlib.rc_context({"svg.hashsalt": "concede", "text.parse_math": False}):
        figure = figure_of(figsize=(7, 0.8 + 0.3 * len(names)), layout="constrained")
        axes = figure.subplots()
        places = range(len(names))
        origin = [counts.origin[name] for name in names]
        axes.barh([at - 0.2 for at in places], origin, 0.4, label="the origin's checkers")
        ours = [counts.ours.get(name, 0) for name in names]
        axes.barh([at + 0.2 for at in places], ours, 0.4, label="ours")
        axes.set_yticks(list(places), [name.replace("_", " ") for name in names])
        axes.invert_yaxis()
        axes.set_xlabel(f"programs, of {len(counts.features_a_program)}")
        axes.legend(loc="lower right")
        metadata = {"Date": None} if path.suffix == ".svg" else {}
        with naming(path):
            figure.savefig(path, dpi=150, metadata=metadata)
