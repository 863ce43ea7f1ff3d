"""MapSatisfyBench figures as tables on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ...rendering.terminal_table import Grid, cut
from .scores import METRICS

Row = Mapping[str, Any]

COUNTED = ("turns", "Eff_recorded")


def published_tables(found: Mapping[str, Any]) -> Group:
    """Return the published runs as what a person reads."""
    runs, models = found["runs"], found["models"]
    fit = sum(model["recorded_turns_fit"] for model in models)
    tools = sum(model["recorded_tools_fit"] for model in models)
    same = sum(not run["differs"] for run in runs)
    parts: list[RenderableType] = [
        figures_table("Recomputed from the details", ("id", "model"), runs, COUNTED),
        Text(
            f"{same} of {len(runs)} runs come out as stored. The recorded turns are those of the "
            f"scores in {fit} of {len(runs)}, the recorded tools in {tools}."
        ),
        Text(),
        figures_table("Means", ("model",), models),
    ]
    parts += [_intervals(model) for model in models]
    parts += [_compared(pair) for pair in found["compared"]]
    if "people" in found:
        parts.append(_people(found["people"]))
    return Group(*parts)


def figures_table(
    title: str, names: Sequence[str], rows: Sequence[Row], more: Sequence[str] = ()
) -> Grid:
    """Return rows of figures, with what they are of in front."""
    headers = (*names, *METRICS, *more)
    body = [[_shown(row.get(name)) for name in headers] for row in rows]
    return Grid(title, headers, body, frozenset((*METRICS, *more)))


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else cut(str(value))


def _intervals(model: Row) -> Grid:
    names = [name for name in METRICS if model["intervals"][name]]
    body = [[name, _shown(model[name]), *map(_shown, model["intervals"][name])] for name in names]
    headers = ("figure", "mean", "from", "to")
    title = f"95 % intervals of {cut(model['model'])}"
    return Grid(title, headers, body, frozenset(headers[1:]))


def _compared(pair: Row) -> Grid:
    body = [
        [
            name,
            _shown(pair[name]["difference"]),
            *map(_shown, pair[name]["interval"] or (None, None)),
        ]
        for name in METRICS
    ]
    headers = ("figure", "difference", "from", "to")
    title = f"{cut(pair['second'])} less {cut(pair['first'])}"
    return Grid(title, headers, body, frozenset(headers[1:]))


def _people(agreements: Mapping[str, Row]) -> Grid:
    headers = ("figure", "cases", "within 0.05", "within 0.02", "MAE")
    body = [
        [
            cut(name),
            str(row["cases"]),
            _shown(row["within_0.05"]["share"]),
            _shown(row["within_0.02"]["share"]),
            _shown(row["MAE"]),
        ]
        for name, row in agreements.items()
    ]
    return Grid("The judge beside people", headers, body, frozenset(headers[1:]))
