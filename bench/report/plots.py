"""Metrics with intervals as inline SVG: drawn by matplotlib, then rebuilt from allowed elements.

Styles become attributes, and ids are prefixed, since the page's policy allows no inline style.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from ...rendering.html import UNPRINTABLE, Child, Html, tag
from ...rendering.terminal_table import cut
from .leaderboard import Kind, Line, method_of
from .pairs import Pairs
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
    drawn = lines[:MOST_LINES]

    def draw(axes: Any) -> None:
        for at, line in enumerate(drawn):
            ink = method_colour(colour[method_of(line.kind)])
            _mark(axes, line, "relax_match", at - 0.13, ink, marker="o", markersize=6)
            _mark(axes, line, "car_match", at + 0.17, ink, marker="D", mfc="none", markersize=4)
        _name_lines(axes, [names[line.kind] for line in drawn])
        axes.set_xlim(-3, 103)
        axes.set_xlabel("● relax match, ◇ car match; %, 95 % interval")

    return _drawn(key, "Relax match and car match with 95 % intervals", len(drawn), draw)


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
    overall = [(paired, paired.overall(MATCHES[0])) for paired in pairs.others]
    drawn = [(paired, row.comparison) for paired, row in overall if row][:MOST_LINES]

    def draw(axes: Any) -> None:
        axes.axvline(0, color=INK, linewidth=1)
        for at, (paired, comparison) in enumerate(drawn):
            ink = method_colour(colour[method_of(paired.kind)])
            ends, value = comparison.interval, comparison.difference
            if ends is not None:
                axes.plot([100 * end for end in ends], [at, at], color=ink, linewidth=1.4)
            if value is not None:
                axes.plot([100 * value], [at], color=ink, marker="o", linestyle="none")
        _name_lines(axes, [names[paired.kind] for paired, _ in drawn])
        axes.set_xlabel("points from the best, 95 % interval")

    return _drawn(key, "Difference in relax match from the best", len(drawn), draw)


def _name_lines(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [_printable(name) for name in names])
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


ELEMENTS = frozenset({"svg", "g", "defs", "path", "use", "text", "clipPath", "rect"})
KEPT = frozenset("d x y width height transform viewBox clip-path id".split())
HREF = "{http://www.w3.org/1999/xlink}href"
FONT_SIZE = re.compile(r"[\d.]+px")
LOCAL = re.compile(r"url\(#([\w-]+)\)|#([\w-]+)")


def inline(drawing: bytes, key: str, title: str, colours: Mapping[str, str]) -> Html:
    """Return an SVG of matplotlib's as an element of a page.

    `key` tells its ids from those of other drawings; `colours` are put in for those drawn.
    """
    root = fromstring(drawing)
    box = root.get("viewBox", "0 0 1 1")
    body = [_element(element, key, colours) for element in root]
    attributes = {"viewBox": box, "role": "img", "aria-label": title, "class": "plot"}
    return tag("svg", *body, **attributes)


def _element(element: Element, key: str, colours: Mapping[str, str]) -> Child:
    name = element.tag.rpartition("}")[2]
    if name not in ELEMENTS:
        return None
    attributes = dict(_attributes(element, key, colours))
    children = [_element(child, key, colours) for child in element]
    return tag(name, element.text if name == "text" else None, *children, **attributes)


def _attributes(
    element: Element, key: str, colours: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        if name == "style":
            yield from _presented(value, colours)
        elif name == "id":
            # Nothing refers to a group.
            if not element.tag.endswith("}g"):
                yield name, f"{key}-{value}"
        elif name == HREF:
            yield "href", _own(value, key)
        elif name in KEPT:
            yield name, _own(value, key) if name == "clip-path" else value


def _own(value: str, key: str) -> str:
    """Return a reference to the drawing's own id; anything else refers to nothing."""
    match = LOCAL.fullmatch(value)
    if match is None:
        return "#"
    return f"url(#{key}-{match[1]})" if match[1] else f"#{key}-{match[2]}"


def _presented(style: str, colours: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the declarations of a style as attributes, which a strict page allows."""
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font":
            # The page's own font: the drawing's may not be there.
            size = FONT_SIZE.search(value)
            yield "font-size", size[0] if size else "12px"
        elif name == "font-size" or (name and not name.startswith("font")):
            yield name, colours.get(value, value)
