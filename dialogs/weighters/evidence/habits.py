"""Habits in what somebody picked: which values, bounds and distances, beyond what lists held.

A candidate (a value, a bound, a band) is tested on each pick as the other picks alone suggest it,
so that choosing it among many does not count for it. A pick that meets it counts by how rare that
was among what was shown: what every list is full of is no habit. Cost: O(picks · options) a column.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEAST_PICKS = 6
"""Fewer say nothing of a habit."""

LEAST_SURE = 2.2
"""How many standard deviations more picks meet it than the lists explain; fitted, like the next,
on simulated people whose habits are known."""

LEAST_SHARE = 0.4
"""The share of picks that meet a habit."""

FORMS = ("<=", ">=", "between")

COVERED = 0.85
"""The share of earlier picks that a bound takes in."""


@dataclass(frozen=True, slots=True)
class Pick:
    """What was taken from a list, of which it is the first: rows, and their places from the top.

    `time` in seconds since 1970; `point` is where the person asked from.
    """

    event: str
    time: float
    rows: tuple[dict[str, Any], ...]
    positions: tuple[int, ...]
    point: tuple[float, float] | None = None

    @property
    def shares(self) -> Floats:
        """How likely each option would be taken for its place alone; they add up to 1."""
        seen = 1 / np.log2(2.0 + np.array(self.positions))
        return seen / seen.sum()


@dataclass(frozen=True)
class Habit:
    """What is usual: an operator and a value, and which of the picks that tell meet it.

    `picks` are places in what was given; `met` says of each whether it meets the habit.
    """

    op: str
    value: Any
    picks: tuple[int, ...]
    met: tuple[bool, ...]
    sure: float

    @property
    def ends(self) -> tuple[float, ...]:
        """The numbers of a bound or band."""
        return self.value if self.op == "between" else (self.value,)

    @property
    def share(self) -> float:
        """The share of the picks that meet it."""
        return sum(self.met) / len(self.met)


def value_habit(
    picks: Sequence[Pick],
    values: Callable[[dict[str, Any]], frozenset[Hashable]],
    without: frozenset[Hashable] = frozenset(),
) -> Habit | None:
    """Return the value that somebody usually picks; None where there is none."""
    told = [at for at, pick in enumerate(picks) if values(pick.rows[0])]
    own = [values(picks[at].rows[0]) - without for at in told]
    counts = Counter(value for each in own for value in each)
    if len(told) < LEAST_PICKS or not counts:
        return None
    ranked = sorted(counts, key=lambda value: (-counts[value], str(value)))
    met, expected = np.zeros(len(told)), np.zeros(len(told))
    for place, at in enumerate(told):
        usual = _usual_without(ranked, counts, own[place])
        pick = picks[at]
        has = [usual in values(row) for row in pick.rows]
        met[place], expected[place] = usual in own[place], pick.shares @ np.array(has)
    value = ranked[0]
    return _tested("==", value, told, [value in each for each in own], met, expected)


def _usual_without(
    ranked: Sequence[Hashable], counts: Counter[Hashable], own: frozenset[Hashable]
) -> Hashable:
    """Return the most frequent value of the other picks."""
    best = max(counts[ranked[0]] - (ranked[0] in own), 0)
    for value in ranked:
        if counts[value] < best:
            break
        if counts[value] - (value in own) == best:
            return value
        best = max(best, counts[value] - (value in own))
    return max(ranked, key=lambda value: counts[value] - (value in own))


def bound_habits(
    picks: Sequence[Pick], numbers: Sequence[Floats], forms: Sequence[str] = FORMS
) -> Habit | None:
    """Return the bound or band in which somebody usually picks; None where there is none.

    `numbers` float64[options] of each pick, NaN for what is not known.
    """
    told = [at for at, own in enumerate(numbers) if math.isfinite(own[0])]
    if len(told) < LEAST_PICKS:
        return None
    picked = np.array([numbers[at][0] for at in told])
    found = [
        _bounded(form, picked, [numbers[at] for at in told], [picks[at].shares for at in told])
        for form in forms
    ]
    tested = [
        _tested(op, value, told, inside, met, expected)
        for op, value, inside, met, expected in found
    ]
    real = [habit for habit in tested if habit is not None]
    return max(real, key=lambda habit: habit.sure, default=None)


def _bounded(
    form: str, picked: Floats, options: Sequence[Floats], shares: Sequence[Floats]
) -> tuple[str, Any, list[bool], Floats, Floats]:
    """Return a bound's operator and value, what is inside, and the test of each pick without it."""
    ordered = sorted(picked.tolist())
    low, high = _ends(ordered, form)
    met, expected = np.zeros(len(picked)), np.zeros(len(picked))
    for place, number in enumerate(picked.tolist()):
        at = bisect_left(ordered, number)
        least, most = _ends([*ordered[:at], *ordered[at + 1 :]], form)
        inside = (options[place] >= least) & (options[place] <= most)
        met[place], expected[place] = inside[0], shares[place] @ inside
    inside = ((picked >= low) & (picked <= high)).tolist()
    value = (low, high) if form == "between" else high if form == "<=" else low
    return form, value, inside, met, expected


def _ends(ordered: Sequence[float], form: str) -> tuple[float, float]:
    """Return the ends of what takes in most of some numbers, which are among them."""
    left_out = len(ordered) - math.ceil(COVERED * len(ordered))
    if form == "<=":
        return -math.inf, ordered[len(ordered) - 1 - left_out]
    if form == ">=":
        return ordered[left_out], math.inf
    below = left_out // 2
    return ordered[below], ordered[len(ordered) - 1 - (left_out - below)]


def _tested(
    op: str, value: Any, told: Sequence[int], inside: Sequence[bool], met: Floats, expected: Floats
) -> Habit | None:
    """Return the habit if more picks meet it than what was shown explains."""
    spread = math.sqrt(float((expected * (1 - expected)).sum()))
    if spread < 1e-9:
        return None
    sure = float((met - expected).sum()) / spread
    habit = Habit(op, value, tuple(told), tuple(inside), sure)
    return habit if sure >= LEAST_SURE and habit.share >= LEAST_SHARE else None
