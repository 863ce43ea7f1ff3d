"""Columns and number formats of figures, shared by the page and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .leaderboard import KIND_LABELS, NONE, Line

NOTHING = "–"
MATCHES = ("relax_match", "car_match")
"""What is led by, in this order."""

MEANS = ("questions", "tokens")
"""Metrics that are means, not fractions."""


@dataclass(frozen=True)
class Column:
    """One metric of the leaderboard: its name in a row, its heading, and what it means."""

    name: str
    heading: str
    meaning: str
    interval: bool = False


COLUMNS = (
    Column("relax_match", "relax match", "exactly the gold constraint gave way", True),
    Column("car_match", "car match", "relax match, and the gold item offered first", True),
    Column("car_match_ungated", "item alone", "the gold item offered, whatever gave way"),
    Column("slot_completion", "slots", "slots that some constraint understood is about"),
    Column("sat_no_relaxation", "SAT", "as understood, nothing had to give way"),
    Column("sat_after_relaxation", "SAT after", "something gave way, and then there was a match"),
    Column("unsat", "UNSAT", "nothing was found, whatever gave way"),
    Column("unknown", "unknown", "a failure or a limit ended it"),
    Column("questions", "questions", "questions asked, an episode"),
    Column("tokens", "tokens", "tokens that models read and wrote, an episode"),
)


def used_columns(lines: Sequence[Line]) -> list[Column]:
    """Return the metrics worth a column: defined somewhere, and failures only if there are any."""
    return [column for column in COLUMNS if any(_tells(line, column.name) for line in lines)]


def _tells(line: Line, name: str) -> bool:
    value = line.value(name)
    return value is not None and (name != "unknown" or value > 0)


def label(line: Line, name: str) -> str:
    """Return a label of a line; nothing where it has none."""
    value = line.figures.labels.get(name, NONE)
    return "" if value == NONE else value


def used_labels(lines: Sequence[Line]) -> list[str]:
    """Return the labels that some line has."""
    return [name for name in KIND_LABELS if any(label(line, name) for line in lines)]


def figure(name: str, value: float | None) -> str:
    """Return a metric: a percentage with one decimal, or a mean."""
    if value is None:
        return NOTHING
    if name not in MEANS:
        return f"{100 * value:.1f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def interval_words(line: Line, name: str) -> str:
    """Return a 95 % interval in percent, `70–97`; nothing where there is none."""
    ends = line.interval(name)
    return "" if ends is None else f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f}"


def pass_hat_words(line: Line) -> str:
    """Return pass^k of the car match for the largest k in percent, `91.7 (k = 2)`."""
    hats = line.figures.pass_hats
    return f"{100 * hats[max(hats)]:.1f} (k = {max(hats)})" if len(hats) > 1 else NOTHING


def signed(value: float | None) -> str:
    """Return a difference in percentage points with its sign."""
    return NOTHING if value is None else f"{100 * value:+.1f}".replace("-", "−")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 run`, `2 runs`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
