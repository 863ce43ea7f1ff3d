"""Figures of several dialogues: means with intervals, breakdowns, and two runs compared.

Intervals are of the bootstrap over tasks, 2,000 samples; the same seed draws the same ones. Source
of the breakdowns: MapSatisfyBench, Figures 4 and 5; the comparison serves Tables 2, B3 and B4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from ...catalogs.errors import QueryError
from ..bootstrap import RESAMPLES, draw_counts, percentile_interval
from ..understanding.wilson import share
from .scores import METRICS, Scores, mean_scores

PROFILE_TOOLS = frozenset(("search_user_profile", "search_user_action_summary"))
"""Tools that look up who the user is and what they did."""

DOMAINS: Mapping[str, frozenset[str]] = {
    "search": frozenset(
        "search_poi search_around_poi search_poi_along_route search_poi_around_multipoints "
        "search_products_by_poiid".split()
    ),
    "navigation": frozenset("get_navigation get_sequential_navigation".split()),
    "itinerary": frozenset(("optimize_visit_order",)),
    "transit": frozenset(("route_station_info",)),
    "knowledge": frozenset(("ainative_kuake_search",)),
}
"""The domains that expected tools stand for, where a task names none."""

DIGITS = 4


@dataclass(frozen=True)
class ScoredDialogue:
    """One dialogue's figures and what they are broken down by.

    `called`: the tools in the order of their calls; a task may be of several domains and sources.
    """

    id: str
    scores: Scores
    called: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def domains_of(expected_tools: Iterable[str]) -> tuple[str, ...]:
    """Return the domains of a task by the tools that it needs."""
    tools = frozenset(expected_tools)
    return tuple(domain for domain, named in DOMAINS.items() if tools & named)


def summary(scored: Sequence[ScoredDialogue], *, seed: int = 0) -> dict[str, Any]:
    """Return means and their 95 % intervals, Figures 4 and 5 among them."""
    return {
        "tasks": len(scored),
        **means(scored),
        "intervals": _intervals(scored, seed),
        "by_domain": breakdown(scored, lambda one: one.domains),
        "by_source": breakdown(scored, lambda one: one.sources),
        "tools": tool_rates(scored),
    }


def means(scored: Sequence[ScoredDialogue]) -> dict[str, float | None]:
    """Return the mean of each figure; None where there is none."""
    found = mean_scores([one.scores for one in scored])
    values = dict.fromkeys(METRICS) if found is None else found.record()
    return {name: _rounded(value) for name, value in values.items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), DIGITS)


def _values(scored: Sequence[ScoredDialogue], name: str) -> list[float]:
    found = [one.scores.record()[name] for one in scored]
    return [float("nan") if value is None else value for value in found]


def _intervals(scored: Sequence[ScoredDialogue], seed: int) -> dict[str, list[float | None] | None]:
    if not scored:
        return dict.fromkeys(METRICS)
    draws = draw_counts(len(scored), seed, RESAMPLES) / len(scored)
    return {name: _ends(draws @ np.array(_values(scored, name))) for name in METRICS}


def _ends(samples: Any) -> list[float | None] | None:
    interval = percentile_interval(samples)
    return None if interval is None else [_rounded(end) for end in interval]


def breakdown(
    scored: Sequence[ScoredDialogue], groups_of: Callable[[ScoredDialogue], Collection[str]]
) -> dict[str, dict[str, Any]]:
    """Return the means of each group in order; a dialogue counts in all its groups (Figure 5)."""
    groups: dict[str, list[ScoredDialogue]] = {}
    for one in scored:
        for group in groups_of(one):
            groups.setdefault(group, []).append(one)
    return {name: {"tasks": len(of), **means(of)} for name, of in sorted(groups.items())}


def tool_rates(scored: Sequence[ScoredDialogue]) -> dict[str, Any]:
    """Return how often tools are called (Figure 4).

    `called`: the share of dialogues that call a tool at all; `calls`: the mean number of calls.
    `profile` is the share that call a profile tool, `profile_first` that call it before any other.
    """
    names = sorted({tool for one in scored for tool in one.called})
    return {
        "calls": _rounded(fmean(len(one.called) for one in scored)) if scored else None,
        "called": {name: _share(scored, lambda one, n=name: n in one.called) for name in names},
        "profile": _share(scored, lambda one: not PROFILE_TOOLS.isdisjoint(one.called)),
        "profile_first": _share(
            scored, lambda one: one.called[:1] and one.called[0] in PROFILE_TOOLS
        ),
    }


def _share(
    scored: Sequence[ScoredDialogue], is_so: Callable[[ScoredDialogue], object]
) -> dict[str, Any]:
    found = share(sum(bool(is_so(one)) for one in scored), len(scored))
    interval = None if found.interval is None else [_rounded(end) for end in found.interval]
    return {"share": _rounded(found.share), "interval": interval}


def comparison(
    first: Sequence[ScoredDialogue], second: Sequence[ScoredDialogue], *, seed: int = 0
) -> dict[str, Any]:
    """Compare two runs on the tasks both have: the second less the first, each figure.

    Serves thinking on or off, a profile given or looked up, a sandbox or the live catalog. The
    interval is of the paired bootstrap: tasks are drawn, each with both dialogues. Raises
    `QueryError` where no task is in both.
    """
    before, after = ({one.id: one for one in scored} for scored in (first, second))
    both = sorted(before.keys() & after.keys())
    if not both:
        raise QueryError("no task in both runs", hint="compare runs on the same tasks")
    draws = draw_counts(len(both), seed, RESAMPLES) / len(both)
    ones, others = [before[key] for key in both], [after[key] for key in both]
    found: dict[str, Any] = {"tasks": len(both)}
    for name in METRICS:
        apart = np.array(_values(others, name)) - np.array(_values(ones, name))
        difference = None if np.isnan(apart).any() else _rounded(apart.mean())
        found[name] = {"difference": difference, "interval": _ends(draws @ apart)}
    return found
