"""Rows of figures over dialogues: rates, D, L, intervals, and their breakdowns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from ...catalogs.errors import QueryError
from ..aware_us.intervals import mcnemar
from ..bootstrap import RESAMPLES, Interval, draw_counts, percentile_interval
from ..understanding.wilson import share
from .failures import failure_classes
from .outcome import Outcome, depth

DIGITS = {"success_rate": 4, "D": 4, "L": 2, "released": 4}
"""As many as the published figures have."""

MEASURES: dict[str, Callable[[Outcome], float]] = {
    "success_rate": lambda outcome: outcome.success,
    "D": lambda outcome: outcome.discrepancy,
    "L": lambda outcome: outcome.query_length,
    "released": lambda outcome: len(outcome.released) / outcome.nodes if outcome.nodes else 1.0,
}
"""Figures of a dialogue whose mean is that of a run; `released` is the share of nodes told."""

BREAKDOWNS: dict[str, Callable[[Outcome], int]] = {
    "by_type": lambda outcome: outcome.task.type_no,
    "by_depth": lambda outcome: depth(outcome.task),
    "by_unknowns": lambda outcome: outcome.nodes,
}


def figures(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """Return success rate, D, L and the share released; None where there is no dialogue."""
    return {
        name: _rounded(name, fmean(map(value, outcomes)) if outcomes else None)
        for name, value in MEASURES.items()
    }


def row(
    run: str, lang: str, outcomes: Sequence[Outcome], *, seed: int = 0, **more: Any
) -> dict[str, Any]:
    """Return the row of a run in one language; `seed` draws the samples of its intervals."""
    return {
        "run": run,
        "lang": lang,
        "tasks": len(outcomes),
        **figures(outcomes),
        "successes": sum(outcome.success for outcome in outcomes),
        "rescued_by_judge": sum(outcome.rescued for outcome in outcomes),
        "goodbyes": sum(outcome.ended for outcome in outcomes),
        **more,
        "intervals": _intervals(outcomes, seed),
        "failures": failure_classes(outcomes),
        **{name: _breakdown(outcomes, key) for name, key in BREAKDOWNS.items()},
    }


def rows(
    run: str, outcomes: Sequence[Outcome], *, seed: int = 0, **more: Any
) -> list[dict[str, Any]]:
    """Return a row for each language that there is, in alphabetical order."""
    langs = sorted({outcome.task.lang for outcome in outcomes})
    return [
        row(run, lang, [o for o in outcomes if o.task.lang == lang], seed=seed, **more)
        for lang in langs
    ]


def _rounded(name: str, value: float | None) -> float | None:
    return None if value is None else round(float(value), DIGITS[name])


def _ends(name: str, interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_rounded(name, end) for end in interval]


def _intervals(outcomes: Sequence[Outcome], seed: int) -> dict[str, list[float | None] | None]:
    """Return 95 % intervals: Wilson's of the rate, bootstrap ones of the means."""
    if not outcomes:
        return dict.fromkeys(MEASURES)
    draws = draw_counts(len(outcomes), seed, RESAMPLES) / len(outcomes)
    sampled = {
        name: percentile_interval(draws @ np.array([float(value(o)) for o in outcomes]))
        for name, value in MEASURES.items()
    }
    right = sum(outcome.success for outcome in outcomes)
    sampled["success_rate"] = share(right, len(outcomes)).interval
    return {name: _ends(name, interval) for name, interval in sampled.items()}


def _breakdown(
    outcomes: Sequence[Outcome], key: Callable[[Outcome], int]
) -> dict[str, dict[str, Any]]:
    """Return the figures of each value of a key, in ascending order."""
    groups: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {
        str(value): {"tasks": len(group), **figures(group), "interval": _wilson(group)}
        for value, group in sorted(groups.items())
    }


def _wilson(group: Sequence[Outcome]) -> list[float | None] | None:
    interval = share(sum(outcome.success for outcome in group), len(group)).interval
    return _ends("success_rate", interval)


def comparison(
    first: Sequence[Outcome], second: Sequence[Outcome], *, seed: int = 0
) -> dict[str, Any]:
    """Compare two runs on the tasks both have: the second less the first.

    Intervals are of the paired bootstrap: tasks are drawn, each with both dialogues; p is of
    McNemar's exact test. Raises `QueryError` where no task is in both.
    """
    before = {(o.task.lang, o.task.id): o for o in first}
    after = {(o.task.lang, o.task.id): o for o in second}
    both = sorted(before.keys() & after.keys())
    if not both:
        raise QueryError("no task in both runs", hint="compare runs on the same tasks")
    draws = draw_counts(len(both), seed, RESAMPLES) / len(both)
    differences, intervals = dict[str, Any](), dict[str, Any]()
    for name, value in MEASURES.items():
        apart = np.array([float(value(after[key])) - float(value(before[key])) for key in both])
        differences[name] = _rounded(name, apart.mean())
        intervals[name] = _ends(name, percentile_interval(draws @ apart))
    only = [
        sum(one[key].success and not other[key].success for key in both)
        for one, other in ((before, after), (after, before))
    ]
    return {
        "tasks": len(both),
        **differences,
        "intervals": intervals,
        "only_first": only[0],
        "only_second": only[1],
        "p": round(mcnemar(*only), 6),
    }
