"""Plots as inline SVG: printed figures and ours side by side, drawn without further packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rendering.html import Html, tag
from .headline import shown
from .row import Row

WIDTH, LEFT, RIGHT, STEP, TOP = 760, 330, 40, 24, 34
RADIUS = 5


@dataclass(frozen=True)
class Line:
    """A line of a plot: its name, and the row that it shows."""

    name: str
    row: Row


def dots(title: str, lines: Sequence[Line], top: float) -> Html:
    """Return a plot of printed (ring), recomputed (square) and ours (dot, with its interval).

    `top`: the end of the axis, which starts at 0, or below where a figure does.
    """
    low = min([0.0, *(value for line in lines for value in _values(line.row))])
    height = TOP + STEP * len(lines) + 28
    body = [tag("title", title), *_axis(low, top, height)]
    for at, line in enumerate(lines):
        body += _line(line, TOP + STEP * at + STEP // 2, low, top)
    drawing = tag("svg", *body, viewBox=f"0 0 {WIDTH} {height}", role="img", class_="plot")
    return tag("figure", tag("figcaption", title), drawing)


def _values(row: Row) -> Iterator[float]:
    for value in (row.printed, row.recomputed.value, row.ours.value, row.shown.low):
        if isinstance(value, int | float):
            yield float(value)


def _x(value: float, low: float, top: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (top - low), 1)


def _axis(low: float, top: float, height: int) -> Iterator[Html]:
    for part in range(5):
        value = low + (top - low) * part / 4
        x = _x(value, low, top)
        yield tag("line", x1=str(x), x2=str(x), y1=str(TOP - 6), y2=str(height - 24), class_="grid")
        label = shown(round(value, 2))
        yield tag("text", label, x=str(x), y=str(height - 8), text_anchor="middle", class_="tick")


def _line(line: Line, y: int, low: float, top: float) -> Iterator[Html]:
    row, at = line.row, str(y)
    yield tag("text", line.name, x=str(LEFT - 14), y=str(y + 4), text_anchor="end", class_="name")
    if row.shown.low is not None and row.shown.high is not None:
        ends = (str(_x(end, low, top)) for end in (row.shown.low, row.shown.high))
        yield tag("line", x1=next(ends), x2=next(ends), y1=at, y2=at, class_="ends")
    if row.recomputed.value is not None:
        x = _x(row.recomputed.value, low, top)
        side = str(2 * RADIUS)
        corner = {"x": str(x - RADIUS), "y": str(y - RADIUS)}
        yield tag("rect", width=side, height=side, class_="recomputed", **corner)
    if isinstance(row.printed, int | float):
        x = str(_x(float(row.printed), low, top))
        yield tag("circle", cx=x, cy=at, r=str(RADIUS + 2), class_="printed")
    if row.ours.value is not None:
        x = str(_x(row.ours.value, low, top))
        yield tag("circle", cx=x, cy=at, r=str(RADIUS), class_="ours")
