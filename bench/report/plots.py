"""Figures with their intervals as SVG, drawn by matplotlib from the extra `bench`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from ...engine.grid import cut
from ...engine.markup import UNPRINTABLE, Html
from .board import Kind, Line, colours, method_of
from .pairs import Pairs
from .svg import inline
from .wording import MATCHES

MISSING = "Plots need matplotlib: pip install 'concede[bench]'"
COLOURS = 8
MOST_LINES = 24
LONGEST_NAME = 36

WIDTH, MARGIN, STEP = 5.4, 0.8, 0.27
"""Inches: of a plot, of what stands above and below its lines, and from line to line."""

INK, FAINT = "#000001", "#000002"
"""Stand for colours of the page, which differ in light and dark; `svg` puts those in."""

STYLE = {
    "svg.fonttype": "none",
    # The same input gives the same bytes.
    "svg.hashsalt": "concede",
    # A name may hold a dollar sign; it is no formula.
    "text.parse_math": False,
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": FAINT,
}


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def method_colour(number: int) -> str:
    """Return what stands for the colour of a method."""
    return f"#0000{16 + number:02x}"


def matches_plot(
    lines: Sequence[Line], names: Mapping[Kind, str], colour: Mapping[str, int], key: str
) -> Html:
    """Return relax match and car match of the first lines with 95 % intervals."""
    shown = lines[:MOST_LINES]

    def draw(axes: Any) -> None:
        for at, one in enumerate(shown):
            told = method_colour(colour[method_of(one.kind)])
            _mark(axes, one, "relax_match", at - 0.13, told, marker="o", markersize=6)
            _mark(axes, one, "car_match", at + 0.17, told, marker="D", mfc="none", markersize=4)
        _name_lines(axes, [names[one.kind] for one in shown])
        axes.set_xlim(-3, 103)
        axes.set_xlabel("● relax match, ◇ car match; %, 95 % interval")

    return _drawn(key, "Relax match and car match with 95 % intervals", len(shown), draw)


def _mark(axes: Any, line: Line, name: str, at: float, colour: str, **look: Any) -> None:
    value, ends = line.value(name), line.interval(name)
    if value is None:
        return
    if ends is not None:
        axes.plot([100 * end for end in ends], [at, at], color=colour, linewidth=1.4, alpha=0.75)
    axes.plot([100 * value], [at], color=colour, linestyle="none", **look)


def pairs_plot(
    pairs: Pairs, names: Mapping[Kind, str], colour: Mapping[str, int], key: str
) -> Html:
    """Return how far each kind is from the best in relax match, over all settings."""
    found = [(one, told) for one in pairs.others if (told := one.overall(MATCHES[0]))]
    shown = found[:MOST_LINES]

    def draw(axes: Any) -> None:
        axes.axvline(0, color=INK, linewidth=1)
        for at, (one, told) in enumerate(shown):
            ink = method_colour(colour[method_of(one.kind)])
            ends, value = told.comparison.interval, told.comparison.difference
            if ends is not None:
                axes.plot([100 * end for end in ends], [at, at], color=ink, linewidth=1.4)
            if value is not None:
                axes.plot([100 * value], [at], color=ink, marker="o", linestyle="none")
        _name_lines(axes, [names[one.kind] for one, _ in shown])
        axes.set_xlabel("points from the best, 95 % interval")

    return _drawn(key, "Difference in relax match from the best", len(shown), draw)


def _name_lines(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [_printable(one) for one in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(length=0)
    axes.grid(axis="x", alpha=0.5, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _printable(name: str) -> str:
    """Return a name that XML allows."""
    return UNPRINTABLE.sub("\ufffd", cut(name, LONGEST_NAME))


def _drawn(key: str, title: str, count: int, draw: Callable[[Any], None]) -> Html:
    # Drawn without a display, and without pyplot's global state.
    matplotlib: Any = import_module("matplotlib")
    figure_of: Any = import_module("matplotlib.figure").Figure
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # A character missing from the font measured with may be in the reader's.
        warnings.filterwarnings("ignore", "Glyph")
        figure = figure_of(figsize=(WIDTH, MARGIN + STEP * count), layout="constrained")
        draw(figure.subplots())
        file = BytesIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return inline(file.getvalue(), key, title, _page_colours())


def _page_colours() -> dict[str, str]:
    named = {method_colour(at): f"var(--method-{at})" for at in range(COLOURS)}
    return {INK: "var(--ink)", FAINT: "var(--line-strong)", **named}


def method_colours(lines: Sequence[Line]) -> dict[str, int]:
    """Return the number of the colour of each method."""
    return colours(lines, COLOURS)
